import { RecentMap } from '../../collections/recent-map.js'
import { followSignals } from '../../concurrency/deadline.js'
import type { Digest } from '../../digest/digest.js'
import { headerScopeOf, isInHeaderScope } from '../../fetch/header-scope.js'
import { isSuccessStatus } from '../../http/statuses.js'
import { NO_STEPS } from '../list/read-further-page.js'
import { type FurtherPlan, requestFurther } from '../list/request-further.js'
import type { ObtainedPage } from '../obtain-page.js'
import type { PageContext } from '../page-context.js'
import { findAnswerDenial } from '../page-permissions.js'
import { addressesBeside, pageKey, readLlmsFile } from './twin-addresses.js'
import { TwinMemory, type TwinWay } from './twin-memory.js'
import type { PageTwin } from '../page-twin.js'

/** Maximum size of a twin. Bytes. */
const MAX_TWIN_BYTES = 2_097_152
/** Time for the twin of a page, as a share of its timeout; at most {@link MAX_MS}. */
const TIME_SHARE = 0.3
const MAX_MS = 10_000
/** Number of origins whose `llms.txt` is remembered. */
const MAX_FILES = 200

const MARKDOWN_TYPE = /^\s*text\/(?:markdown|x-markdown|plain)\s*(?:;|$)/i

/** Facts that an engine has learnt about origins. */
interface Knowledge {
  readonly memory: TwinMemory
  readonly llmsFiles: RecentMap<string, ReadonlyMap<string, string>>
}

/** A page whose twin is looked for. */
interface WantedTwin {
  readonly context: PageContext
  readonly page: ObtainedPage['page']
  readonly markdown: string
  readonly about: readonly string[]
  readonly signal: AbortSignal
}

/** Creates the function that reads the Markdown that a site offers for a page. It learns on which origins there is some. */
export function createTwinReader(): (
  context: PageContext,
  obtained: ObtainedPage,
  digest: Digest,
) => Promise<PageTwin | undefined> {
  const known: Knowledge = { memory: new TwinMemory(), llmsFiles: new RecentMap(MAX_FILES) }
  return async (context, obtained, { fields, metadata }) => {
    const { plan, request, deadline } = context
    const { markdown } = fields
    if (!plan.twins || markdown === undefined) return undefined
    if (!mayHaveTwin(context, obtained)) return { source: 'page' }
    const { timeoutMs } = plan.fetch
    using time = followSignals(deadline.signal)
    const stop = deadline.clock.after(Math.min(timeoutMs * TIME_SHARE, MAX_MS), () => time.abort(undefined))
    if (!plan.list) request.further?.end(request.url, obtained.siteResponse)
    const about = [metadata.title, metadata.description].filter((text) => typeof text === 'string')
    try {
      return await findTwin({ context, page: obtained.page, markdown, about, signal: time.signal }, known)
    } catch {
      // The time was up, or a site was not to be asked: the page itself is there.
      deadline.signal.throwIfAborted()
      return { source: 'page' }
    } finally {
      stop()
    }
  }
}

/**
 * Tests for a web page as its site gives it to everybody, in plain Markdown: what a profile or actions have changed has no twin,
 * and a twin has no citations, no front matter of trawl, and no maximum of tokens.
 */
function mayHaveTwin({ plan }: PageContext, { page }: ObtainedPage): boolean {
  const options = plan.digest.convert.formats.find(({ type }) => type === 'markdown')
  if (options && Object.keys(options).length > 1) return false
  const { contentType = '', statusCode } = page
  const { actions = [], profile } = plan.fetch.browser ?? {}
  const isPlain = actions.length === 0 && profile === undefined && plan.cache.lockdown !== true
  return isPlain && isSuccessStatus(statusCode) && /html/i.test(contentType)
}

async function findTwin(wanted: WantedTwin, known: Knowledge): Promise<PageTwin> {
  const { origin } = new URL(wanted.page.url)
  const ways = known.memory.chooseWays(origin)
  if (ways.length === 0) return { source: 'page' }
  let found: FoundTwin | undefined
  try {
    found = await tryWays(ways, wanted, known)
    return found?.twin ?? { source: 'page' }
  } finally {
    known.memory.record(origin, found?.way)
  }
}

interface FoundTwin {
  readonly way: TwinWay
  readonly twin: PageTwin
}

/** Tries ways one after the other, until one leads to a twin that agrees with the page. */
async function tryWays(ways: readonly TwinWay[], wanted: WantedTwin, known: Knowledge): Promise<FoundTwin | undefined> {
  const { context, page, markdown, about, signal } = wanted
  const asked = new Set<string>()
  for (const way of ways) {
    const url = await findAddress(way, wanted, known)
    const request = `${way === 'accept' ? way : ''} ${url ?? ''}`
    if (url === undefined || asked.has(request)) continue
    asked.add(request)
    const text = await requestText(context, url, 'text/markdown', signal)
    if (!text) continue
    const pair = { url: text.url, body: text.body, pageUrl: page.url, markdown, about }
    const verdict = await context.tools.compareTwin(pair, signal)
    if (!verdict || 'difference' in verdict) continue
    const source = way === 'folder' ? 'beside' : way
    return { way, twin: { source, url: text.url, markdown: verdict.markdown } }
  }
  return undefined
}

async function findAddress(
  way: TwinWay,
  { context, page, signal }: WantedTwin,
  { llmsFiles }: Knowledge,
): Promise<string | undefined> {
  if (way === 'accept') return page.url
  if (way === 'beside' || way === 'folder') return addressesBeside(page.url)[way]
  const { origin } = new URL(page.url)
  if (way === 'link') {
    const url = await context.tools.twinLink(page, signal)
    // A page could have others asked as often as it is scraped.
    return url !== undefined && new URL(url).origin === origin ? url : undefined
  }
  const file = llmsFiles.get(origin) ?? (await readLlms(context, origin, signal))
  llmsFiles.set(origin, file)
  return file.get(pageKey(new URL(page.url)))
}

async function readLlms(
  context: PageContext,
  origin: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const found = await requestText(context, `${origin}/llms.txt`, 'text/plain', signal)
  // Splitting a file of this size takes less than a millisecond.
  return found && found.body.byteLength <= MAX_LLMS_BYTES
    ? readLlmsFile(new TextDecoder().decode(found.body), found.url)
    : new Map<string, string>()
}

const MAX_LLMS_BYTES = 262_144

/** Requests a text by the rules of the page's job. @returns undefined if it may not be requested, or is none */
async function requestText(
  context: PageContext,
  url: string,
  accept: string,
  signal: AbortSignal,
): Promise<{ readonly url: string; readonly body: Uint8Array } | undefined> {
  const read = await requestFurther(context, planText(context, url, accept), signal, async (obtained) => {
    const { page } = obtained
    const isText = MARKDOWN_TYPE.test(page.contentType ?? '')
    const denial = isText ? await findAnswerDenial(context, obtained, signal) : undefined
    return isText && denial === undefined ? { url: page.url, body: page.body } : {}
  })
  return typeof read === 'object' && read.body ? read : undefined
}

function planText({ plan, request }: PageContext, url: string, accept: string): FurtherPlan {
  const {
    headers,
    headerScope,
    browser = NO_STEPS,
    needsBrowser: _,
    validators: __,
    prefersBrowser: ___,
    ...fetch
  } = plan.fetch
  const isOwn = isInHeaderScope(new URL(url), headerScopeOf(headerScope, new URL(request.url)))
  const { expand: ____, ...steps } = browser
  const { rendered: _____, ...cache } = plan.cache
  return {
    url,
    // The page itself is in the cache under the same URL.
    cache: { ...cache, variant: `${cache.variant} ${accept}` },
    fetch: {
      ...fetch,
      fetcher: 'http',
      maxBodyBytes: MAX_TWIN_BYTES,
      headers: { ...(isOwn ? headers : {}), accept },
      ...(headerScope && { headerScope }),
      browser: { ...steps, actions: [], captures: {} },
    },
  }
}
