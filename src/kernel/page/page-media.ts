import type { PageMedia } from '../enrich/format.js'
import { toTrawlError, TrawlError } from '../../base/errors.js'
import { fetchPage } from '../fetch/fetch.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import type { FetchPlan } from '../fetch/fetcher.js'
import { headerScopeOf, isInHeaderScope } from '../fetch/header-scope.js'
import { untilAborted } from '../../base/concurrency/until-aborted.js'
import { toMp3 } from '../media/ffmpeg.js'
import type { MediaExtractor } from '../media/media-extractor.js'
import { withoutCredentials, parseUrl } from '../../base/url.js'
import type { PageContext } from './page-context.js'

/**
 * Opens the access to audio and video of one page.
 *
 * @param mayFetch false if no request may be sent for the page, as with `lockdown`
 */
export function openPageMedia(context: PageContext, fetched: FetchedPage, mayFetch: boolean): PageMedia {
  const { signal } = context.deadline
  const { ffmpeg, mediaExtractor, maxMediaBytes } = context.tools
  return {
    signal,
    maxBytes: maxMediaBytes,
    async toMp3(file) {
      if (!ffmpeg) return { failure: 'unwanted', why: "the engine's `ffmpeg` is false" }
      await ffmpeg.places.acquire(signal)
      try {
        return await toMp3(file, ffmpeg, signal)
      } finally {
        ffmpeg.places.release()
      }
    },
    ...(mayFetch && { download: (url: string, headers = {}) => download(context, fetched, url, headers) }),
    ...(mayFetch &&
      mediaExtractor && {
        extract: (kind) => extract(mediaExtractor, { url: fetched.url, kind, mostBytes: maxMediaBytes }, signal),
      }),
  }
}

/**
 * Downloads a media file of a page by HTTP, with the page's options. Headers and credentials are sent to their own host
 * only.
 */
async function download(
  { request, plan, tools, deadline }: PageContext,
  fetched: FetchedPage,
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<FetchedPage> {
  const url = new URL(address)
  const pageUrl = new URL(fetched.url)
  const asked = new URL(request.url)
  const isOwn = isInHeaderScope(url, headerScopeOf(plan.fetch.headerScope, asked))
  const sharesLogin = isInHeaderScope(url, headerScopeOf(undefined, asked))
  if (sharesLogin && url.username === '') Object.assign(url, { username: asked.username, password: asked.password })
  const { validators: _, prefersBrowser: __, headerScope: ___, ...rest } = plan.fetch
  const fetchPlan: FetchPlan = {
    ...rest,
    fetcher: 'http',
    needsBrowser: [],
    // A challenge needs no detection here: its status or its bytes show that it is not media.
    mayBeBlocked: true,
    // Without a header scope, these headers go to the host of the file only, and not to hosts that it redirects to.
    headers: { accept: '*/*', ...refererFor(url, pageUrl), ...(isOwn ? plan.fetch.headers : {}), ...headers },
  }
  const clock = request.clock && { clock: request.clock }
  return await fetchPage({ url: url.href, sourceURL: url.href, ...clock }, fetchPlan, tools.fetchers, deadline.signal)
}

/**
 * Returns the `Referer` header as browsers send it by default.
 *
 * @see https://www.w3.org/TR/referrer-policy/ strict-origin-when-cross-origin
 */
function refererFor(url: URL, pageUrl: URL): Record<string, string> {
  if (pageUrl.protocol === 'https:' && url.protocol !== 'https:') return {}
  const { origin, pathname, search } = withoutCredentials(pageUrl)
  return { referer: url.origin === origin ? `${origin}${pathname}${search}` : `${origin}/` }
}

async function extract(
  extractor: MediaExtractor,
  question: Parameters<MediaExtractor>[0],
  signal: AbortSignal,
): ReturnType<MediaExtractor> {
  const { url, mostBytes } = question
  try {
    const answer = await untilAborted(
      Promise.resolve().then(() => extractor(question, signal)),
      signal,
    )
    checkAnswer(answer, mostBytes)
    return answer
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof TrawlError) throw error
    const message = `The engine's \`mediaExtractor\` failed: ${toTrawlError(error).message}`
    throw new TrawlError('UNKNOWN_ERROR', message, { url, cause: error })
  }
}

/** Checks the result of the host's own function, which may be anything. */
function checkAnswer(answer: unknown, maxBytes: number): void {
  if (answer === undefined) return
  if (typeof answer !== 'object' || answer === null) throw new TypeError('it returned neither an object nor undefined')
  if ('bytes' in answer && answer.bytes instanceof Uint8Array) {
    if (answer.bytes.length > maxBytes) throw new RangeError(`it returned more than ${maxBytes} bytes`)
    return
  }
  const url = 'url' in answer && typeof answer.url === 'string' ? parseUrl(answer.url) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError('it returned neither `bytes` nor an http or https `url`')
}
