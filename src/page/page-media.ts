import type { PageMedia } from '../enrich/format.js'
import { toTrawlError, TrawlError } from '../errors.js'
import type { Fetchers } from '../fetch/engine-fetchers.js'
import { fetchPage } from '../fetch/fetch.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import type { FetchPlan, PageRequest } from '../fetch/fetcher.js'
import { headerScopeOf, isInHeaderScope } from '../fetch/header-scope.js'
import { untilAborted } from '../concurrency/until-aborted.js'
import type { Semaphore } from '../concurrency/semaphore.js'
import { type FfmpegOptions, toMp3 } from '../media/ffmpeg.js'
import type { MediaExtractor } from '../media/media-extractor.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import { withoutCredentials } from '../url.js'

/** What getting sound and films takes of the engine. */
export interface MediaTools {
  readonly fetchers: Fetchers
  /** How ffmpeg is run, and how many at once; undefined where it is not to be. */
  readonly ffmpeg: (FfmpegOptions & { readonly places: Semaphore }) | undefined
  /** The host's own extractor. */
  readonly mediaExtractor: MediaExtractor | undefined
  /** The most that is downloaded of one file. Bytes. */
  readonly maxMediaBytes: number
}

/** The page that it is for. */
interface MediaPage {
  readonly request: PageRequest
  readonly fetched: FetchedPage
  readonly plan: ScrapePlan
  readonly tools: MediaTools
  readonly signal: AbortSignal
}

/** Opens, for one page, what its sound and films are had by. @param mayFetch whether anything may leave the machine for it */
export function openPageMedia(page: MediaPage, mayFetch: boolean): PageMedia {
  const { fetched, tools, signal } = page
  const { ffmpeg, mediaExtractor, maxMediaBytes } = tools
  return {
    signal,
    maxBytes: maxMediaBytes,
    async toMp3(file) {
      if (!ffmpeg) return { failure: 'unwanted', why: "the engine's `ffmpeg` is false" }
      await ffmpeg.places.take(signal)
      try {
        return await toMp3(file, ffmpeg, signal)
      } finally {
        ffmpeg.places.give()
      }
    },
    ...(mayFetch && { download: (url: string, headers = {}) => download(page, url, headers) }),
    ...(mayFetch &&
      mediaExtractor && {
        extract: (kind) => extract(mediaExtractor, { url: fetched.url, kind, maxBytes: maxMediaBytes }, signal),
      }),
  }
}

/** A file of the page's: fetched as the page was, by HTTP. What only its own host may see goes there alone. */
async function download(
  { request, fetched, plan, tools, signal }: MediaPage,
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
    // What a guard answers is no media, and is told by its status.
    mayBeBlocked: true,
    // They are the file's own from here on: a redirect to another host is given none of them.
    headers: { accept: '*/*', ...refererFor(url, pageUrl), ...(isOwn ? plan.fetch.headers : {}), ...headers },
  }
  const clock = request.clock && { clock: request.clock }
  return await fetchPage({ url: url.href, sourceURL: url.href, ...clock }, fetchPlan, tools.fetchers, signal)
}

/** As browsers do by default. @see https://www.w3.org/TR/referrer-policy/ strict-origin-when-cross-origin */
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
  const { url, maxBytes } = question
  try {
    const answer = await untilAborted(
      Promise.resolve().then(() => extractor(question, signal)),
      signal,
    )
    checkAnswer(answer, maxBytes)
    return answer
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof TrawlError) throw error
    const message = `The engine's \`mediaExtractor\` failed: ${toTrawlError(error).message}`
    throw new TrawlError('UNKNOWN_ERROR', message, { url, cause: error })
  }
}

/** What a function of the host's own gives may be anything. */
function checkAnswer(answer: unknown, maxBytes: number): void {
  if (answer === undefined) return
  if (typeof answer !== 'object' || answer === null) throw new TypeError('it gave neither an object nor undefined')
  if ('bytes' in answer && answer.bytes instanceof Uint8Array) {
    if (answer.bytes.length > maxBytes) throw new RangeError(`it gave more than ${maxBytes} bytes`)
    return
  }
  const url =
    'url' in answer && typeof answer.url === 'string' && URL.canParse(answer.url) ? new URL(answer.url) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('it gave neither `bytes` nor an http or https `url`')
}
