import { isWebUrl } from '../../url.js'
import { type RobotsCopy, type RobotsFailure, type RobotsTools, fetchRobots } from './robots-copy.js'
import { toText } from './robots-file.js'
import { listTargets } from './robots-pattern.js'
import { type RobotsRule, type RuleIndex, comparePrecedence, findRule } from './robots-rules.js'
import { SingleFlight } from '../../concurrency/single-flight.js'
import { untilAborted } from '../../concurrency/until-aborted.js'

/** The line of a `robots.txt` that decided. */
export interface RobotsLine {
  /** From 1. */
  readonly number: number
  /** Verbatim; of a very long line the first 200 octets and `…`. */
  readonly text: string
}

/** What a site's `robots.txt` says about a URL. */
export interface RobotsVerdict {
  readonly allowed: boolean
  /**
   * - `rule`: a line decided.
   * - `no rule`: no line matches, so the URL is allowed.
   * - `unavailable`: the site has no file, so everything is allowed.
   * - `unreachable`: the file cannot be had now, so nothing is allowed until it can.
   *
   * @see RFC 9309 section 2.3.1
   */
  readonly why: 'rule' | 'no rule' | 'unavailable' | 'unreachable'
  /** Why the file could not be read; set when `why` is `unreachable`. */
  readonly failure?: RobotsFailure
  /** The file that was asked. */
  readonly robotsUrl: string
  /** Set when `why` is `rule`. */
  readonly line?: RobotsLine
  /** `Crawl-delay`, never more than {@link robotsLimits.crawlDelayMs}. */
  readonly crawlDelayMs?: number
  /** The site's own `Crawl-delay`, where it is more than that. */
  readonly crawlDelayAskedMs?: number
  /** What came instead of the file when it was last asked for; with `rule` or `no rule` an older copy is in use. */
  readonly problem?: string
  /** When the file is asked for again, in milliseconds since the epoch; set with `problem`. */
  readonly retryAtMs?: number
}

export type { RobotsFailure } from './robots-copy.js'

/** The `robots.txt` files that an engine has met: one for each scheme, host and port, for all of its jobs. */
export interface Robots {
  /**
   * What the `robots.txt` of the URL's own origin says. The first question brings it in.
   *
   * @param agent product token of the crawler, e.g. `trawl`; a version, and what follows it, does not count
   * @param signal ends the wait; a fetch that others wait for goes on
   * @throws the signal's reason; `SCRAPE_JOB_CANCELLED` or `ENGINE_CLOSED` when `get` throws them
   */
  judge(url: URL, agent: string, signal?: AbortSignal): Promise<RobotsVerdict>
  /** As `judge`, of the files that it has met so far: asks nobody. Undefined for an origin of which it knows nothing. */
  judgeKnown(url: URL, agent: string): Promise<RobotsVerdict | undefined>
  /** Absolute URLs of the `Sitemap` lines of an origin's file; none while it cannot be had. Throws as `judge` does. */
  sitemapsOf(origin: string, signal?: AbortSignal): Promise<readonly string[]>
}

export const robotsLimits = {
  /** The longest `Crawl-delay` that is kept to. */
  crawlDelayMs: 60_000,
  /** Origins remembered; the one that was not asked about for longest is forgotten first. */
  origins: 1000,
  /** Bytes of all files remembered. */
  totalBytes: 33_554_432,
} as const

export function createRobots(tools: RobotsTools): Robots {
  // In the order of last use, which is the order of a Map whose entries are put in again.
  const copies = new Map<string, RobotsCopy>()

  const flights = new SingleFlight<RobotsCopy>()

  async function fetchOnce(origin: string, signal: AbortSignal | undefined): Promise<RobotsCopy> {
    signal?.throwIfAborted()
    using share = flights.join(origin, { caller: undefined, start: (until) => fetchCopy(origin, until) })
    return await (signal ? untilAborted(share.result, signal) : share.result)
  }

  async function fetchCopy(origin: string, signal: AbortSignal): Promise<RobotsCopy> {
    const copy = await fetchRobots(origin, copies.get(origin), tools, signal)
    remember(origin, copy)
    forgetOldest(copies)
    return copy
  }

  function remember(origin: string, copy: RobotsCopy): void {
    copies.delete(origin)
    copies.set(origin, copy)
  }

  function recall(origin: string, signal: AbortSignal | undefined): Promise<RobotsCopy> | RobotsCopy {
    const copy = copies.get(origin)
    if (!copy || copy.expiresAtMs <= tools.now()) return fetchOnce(origin, signal)
    remember(origin, copy)
    return copy
  }

  return {
    async judge(url, agent, signal) {
      if (isAlwaysAllowed(url)) return allowAlways(url)
      return judgeBy(await recall(url.origin, signal), url, agent)
    },
    async judgeKnown(url, agent) {
      if (isAlwaysAllowed(url)) return allowAlways(url)
      const copy = copies.get(url.origin)
      return copy && judgeBy(copy, url, agent)
    },
    async sitemapsOf(origin, signal) {
      const { file } = await recall(origin, signal)
      return file?.sitemaps ?? []
    },
  }
}

/** The file itself is, too. @see RFC 9309 section 2.2.2 */
const isAlwaysAllowed = (url: URL): boolean => !isWebUrl(url) || url.pathname === '/robots.txt'

const allowAlways = (url: URL): RobotsVerdict => ({ allowed: true, why: 'no rule', robotsUrl: robotsUrlOf(url) })

/** For who asks the site for nothing: no `robots.txt` is about that. */
export const leaveUnasked = (url: URL): RobotsVerdict => allowAlways(url)

const robotsUrlOf = ({ origin }: URL): string => `${origin}/robots.txt`

async function judgeBy(copy: RobotsCopy, url: URL, agent: string): Promise<RobotsVerdict> {
  const robotsUrl = robotsUrlOf(url)
  const trouble = copy.problem === undefined ? {} : { problem: copy.problem, retryAtMs: copy.expiresAtMs }
  if (copy.state !== 'read') {
    const { state, failure } = copy
    return { allowed: state === 'unavailable', why: state, robotsUrl, ...trouble, ...(failure && { failure }) }
  }
  const group = await copy.file?.groupOf(agent)
  const delay = describeDelay(group?.crawlDelayMs)
  const rule = group && (await findRuleFor(url, group.rules))
  return rule
    ? { allowed: rule.allow, why: 'rule', robotsUrl, line: describeLine(rule), ...delay, ...trouble }
    : { allowed: true, why: 'no rule', robotsUrl, ...delay, ...trouble }
}

function forgetOldest(copies: Map<string, RobotsCopy>): void {
  let total = [...copies.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  for (const [origin, { bytes }] of copies) {
    if (copies.size <= robotsLimits.origins && total <= robotsLimits.totalBytes) return
    copies.delete(origin)
    total -= bytes
  }
}

async function findRuleFor(url: URL, index: RuleIndex): Promise<RobotsRule | undefined> {
  const found: RobotsRule[] = []
  for (const target of listTargets(url)) {
    const rule = await findRule(index, target)
    if (rule) found.push(rule)
  }
  return found.toSorted(comparePrecedence)[0]
}

const MAX_OCTETS_SHOWN = 200

const describeLine = ({ line, lineNumber }: RobotsRule): RobotsLine => ({
  number: lineNumber,
  text: line.length <= MAX_OCTETS_SHOWN ? toText(line) : `${toText(line.slice(0, MAX_OCTETS_SHOWN))}…`,
})

function describeDelay(askedMs: number | undefined): Pick<RobotsVerdict, 'crawlDelayMs' | 'crawlDelayAskedMs'> {
  if (askedMs === undefined) return {}
  const { crawlDelayMs } = robotsLimits
  return askedMs <= crawlDelayMs ? { crawlDelayMs: askedMs } : { crawlDelayMs, crawlDelayAskedMs: askedMs }
}
