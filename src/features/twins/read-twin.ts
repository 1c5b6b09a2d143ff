import { followSignals } from '../../base/concurrency/deadline.js'
import { isText } from '../../content/convert/convert.js'
import { isSuccessStatus } from '../../base/http/statuses.js'
import type { EngineInternals, FeatureSteps } from '../../kernel/engine/feature.js'
import type { FeaturePage } from '../../kernel/page/feature-page.js'
import type { PageInternals } from '../../kernel/page/feature-steps.js'
import { findTwinLink } from './find-twin-link.js'
import type { PageTwin } from './page-twin.js'
import { LlmsFiles } from './llms-files.js'
import { requestText } from './request-text.js'
import { compareHere, isSmall } from './tasks.js'
import { addressesBeside, pageKey } from './twin-addresses.js'
import { TwinMemory, type TwinWay } from './twin-memory.js'

/** Time for the twin of a page, as a share of its timeout and of what is left of it; at most {@link MAX_MS}. */
const [TIME_SHARE, LEFT_SHARE] = [0.3, 0.5]
const MAX_MS = 10_000

/** Facts that an engine has learnt about origins. */
interface Knowledge {
  readonly memory: TwinMemory
  readonly llmsFiles: LlmsFiles
  readonly task: EngineInternals['task']
}

/** A page whose twin is looked for. */
interface WantedTwin {
  readonly page: FeaturePage<true>
  readonly markdown: string
  readonly about: readonly string[]
  readonly signal: AbortSignal
}

/** Creates the function that reads the Markdown that a site offers for a page. It learns on which origins there is some. */
export function createTwinReader({ task, now }: EngineInternals): NonNullable<FeatureSteps<true, PageTwin>['enrich']> {
  const known: Knowledge = { memory: new TwinMemory(), llmsFiles: new LlmsFiles(now), task }
  return async (page, internals) => {
    const { markdown, metadata, signal } = page
    if (markdown === undefined) return undefined
    if (!mayHaveTwin(page, internals)) return { source: 'page' }
    const { plan, deadline } = internals
    const timeMs = Math.min(plan.fetch.timeoutMs * TIME_SHARE, deadline.leftMs() * LEFT_SHARE, MAX_MS)
    using time = followSignals(signal)
    const stop = deadline.clock.after(timeMs, () => time.abort(undefined))
    const about = [metadata['title'], metadata['description']].filter((text) => typeof text === 'string')
    try {
      return await findTwin({ page, markdown, about, signal: time.signal }, known)
    } catch {
      // The time was up, or a site was not to be asked: the page itself is there.
      signal.throwIfAborted()
      return { source: 'page' }
    } finally {
      stop()
    }
  }
}

/**
 * Tests for a web page as its site gives it to everybody, in plain Markdown: what a profile or actions have changed has no twin,
 * and a twin has no citations, no front matter of trawl, and no maximum of tokens. The page of another origin, to which its URL was
 * redirected, may be one that the job refuses.
 */
function mayHaveTwin(
  { url, finalUrl, contentType = '', statusCode }: FeaturePage<true>,
  { plan, isForLinks }: PageInternals,
): boolean {
  if (isForLinks || new URL(finalUrl).origin !== new URL(url).origin) return false
  const options = plan.digest.convert.formats.find(isText)
  if (options && !isPlain(options)) return false
  const { actions = [], profile } = plan.fetch.browser ?? {}
  const isOwn = actions.length > 0 || profile !== undefined || plan.cache.lockdown === true
  return !isOwn && isSuccessStatus(statusCode) && /html/i.test(contentType)
}

/** Tests options of `markdown` for those with which it is written as without any. */
const isPlain = (options: object): boolean =>
  Object.entries(options).every(
    ([name, value]) =>
      name === 'type' || value === undefined || value === false || (name === 'links' && value === 'inline'),
  )

async function findTwin(wanted: WantedTwin, known: Knowledge): Promise<PageTwin> {
  const { origin } = new URL(wanted.page.finalUrl)
  const ways = known.memory.begin(origin)
  if (ways.length === 0) return { source: 'page' }
  let result: TwinWay | 'none' | 'unknown' = 'unknown'
  try {
    const found = await tryWays(ways, wanted, known)
    result = typeof found === 'string' ? found : found.way
    return typeof found === 'string' ? { source: 'page' } : found.twin
  } finally {
    known.memory.end(origin, ways, result)
  }
}

interface FoundTwin {
  readonly way: TwinWay
  readonly twin: PageTwin
}

/**
 * Tries ways one after the other, until one leads to a twin that agrees with the page.
 *
 * @returns `none` if the site has answered every way, and `unknown` if it has not
 */
async function tryWays(
  ways: readonly TwinWay[],
  wanted: WantedTwin,
  known: Knowledge,
): Promise<FoundTwin | 'none' | 'unknown'> {
  const { page, markdown, about, signal } = wanted
  const asked = new Set<string>()
  let isCertain = true
  for (const way of ways) {
    const address = await findAddress(way, wanted, known)
    isCertain &&= address.isCertain
    const { url } = address
    const request = `${way === 'accept' ? way : ''} ${url ?? ''}`
    if (url === undefined || asked.has(request)) continue
    asked.add(request)
    const text = await requestText(page, url, 'text/markdown', signal)
    isCertain &&= text !== 'failed' && text !== 'refused'
    if (typeof text === 'string') continue
    const pair = { url: text.url, body: text.body, pageUrl: page.finalUrl, markdown, about }
    const verdict = await known.task('twins/compareTwin', pair, compareHere, signal)
    // Comparing it has taken too long.
    isCertain &&= verdict !== undefined
    if (!verdict || 'difference' in verdict) continue
    const source = way === 'folder' ? 'beside' : way
    return { way, twin: { source, url: text.url, markdown: verdict.markdown } }
  }
  return isCertain ? 'none' : 'unknown'
}

interface TwinAddress {
  readonly url?: string
  /** False if it could not be found out. */
  readonly isCertain: boolean
}

async function findAddress(
  way: TwinWay,
  { page, signal }: WantedTwin,
  { llmsFiles, task }: Knowledge,
): Promise<TwinAddress> {
  if (way === 'accept') return { url: page.finalUrl, isCertain: true }
  if (way === 'beside' || way === 'folder') return { url: addressesBeside(page.finalUrl)[way], isCertain: true }
  const { origin } = new URL(page.finalUrl)
  if (way === 'link') {
    const { finalUrl: at, body } = page
    const url = isSmall(body)
      ? findTwinLink({ url: at, body })
      : await task('twins/twinLink', { url: at, body }, findTwinLink, signal)
    // A page could have others asked as often as it is scraped.
    return { url: url !== undefined && new URL(url).origin === origin ? url : undefined, isCertain: true }
  }
  const { links, isCertain } = await llmsFiles.read(page, origin, signal)
  return { url: links.get(pageKey(new URL(page.finalUrl))), isCertain }
}
