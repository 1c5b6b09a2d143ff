import { isWebUrl } from '../../../base/url.js'
import { type RobotsCopy, type RobotsFailure, type RobotsTools, fetchRobots } from './robots-copy.js'
import { type RobotsRecords, toText } from '../../../content/robots/robots-file.js'
import { listTargets } from '../../../content/robots/robots-pattern.js'
import { type RobotsRule, type RuleIndex, comparePrecedence, findRule } from '../../../content/robots/robots-rules.js'
import { SingleFlight } from '../../../base/concurrency/single-flight.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'

/** Line of a `robots.txt` that decided. */
export interface RobotsLine {
  /** From 1. */
  readonly number: number
  /** Verbatim; for a very long line the first 200 bytes and `…`. */
  readonly text: string
}

/** Verdict of a site's `robots.txt` on a URL. */
export interface RobotsVerdict {
  readonly allowed: boolean
  /**
   * - `rule`: a line decided.
   * - `no rule`: no line matches, so the URL is allowed.
   * - `unavailable`: the site has no file, so everything is allowed.
   * - `unreachable`: the file cannot be fetched now, so nothing is allowed until it can.
   *
   * @see RFC 9309 section 2.3.1
   */
  readonly why: 'rule' | 'no rule' | 'unavailable' | 'unreachable'
  /** Reason why the file could not be fetched; set when `why` is `unreachable`. */
  readonly failure?: RobotsFailure
  /** URL of the file. */
  readonly robotsUrl: string
  /** Set when `why` is `rule`. */
  readonly line?: RobotsLine
  /** `Crawl-delay`, at most {@link robotsLimits.crawlDelayMs}. */
  readonly crawlDelayMs?: number
  /** The site's own `Crawl-delay`, if it is longer. */
  readonly crawlDelayAskedMs?: number
  /** Failure of the last attempt to fetch the file; with `rule` or `no rule` an older copy applies. */
  readonly problem?: string
  /** Time of the next attempt, in milliseconds since the epoch; set with `problem`. */
  readonly retryAtMs?: number
}

export type { RobotsFailure } from './robots-copy.js'

/** Further records of a `robots.txt`. */
interface FurtherRecords {
  /** URL of the file. */
  readonly robotsUrl: string
  /** Those of the group for the crawler: the same object for the same group. */
  readonly ofGroup: RobotsRecords
  /** Those outside of the groups. */
  readonly ofAll: RobotsRecords
  /** Reason why the file could not be fetched; set when nothing is known. */
  readonly failure?: RobotsFailure
  /** Tests whether the group forbids the URL. */
  forbids(): Promise<boolean>
}

/** The `robots.txt` files of an engine: one per scheme, host and port, shared by all of its jobs. */
export interface Robots {
  /**
   * Checks a URL against the `robots.txt` of its origin, which is fetched when needed.
   *
   * @param agent product token of the crawler, for example `trawl`; a version, and everything after it, is ignored
   * @param signal ends the wait; a fetch that other callers wait for continues
   * @throws the reason of the signal; `SCRAPE_JOB_CANCELLED` or `ENGINE_CLOSED` when `get` throws them
   */
  judge(url: URL, agent: string, signal?: AbortSignal): Promise<RobotsVerdict>
  /** Tests whether `judge` and `recordsOf` need no request for the URL now. */
  isAtHand(url: URL): boolean
  /** Checks a URL as `judge` does, but sends no request. Undefined when the file of the origin is not cached. */
  judgeCached(url: URL, agent: string): Promise<RobotsVerdict | undefined>
  /**
   * Finds the further records for a crawler, of the kinds that the engine reads. Undefined when the file is not cached with
   * `cached`, and where robots.txt does not apply. Throws as `judge` does.
   */
  recordsOf(url: URL, agent: string, from: RecordSource): Promise<FurtherRecords | undefined>
  /** Absolute URLs of the `Sitemap` lines of an origin's file; none while it is unreachable. Throws as `judge` does. */
  sitemapsOf(origin: string, signal?: AbortSignal): Promise<readonly string[]>
}

/** Source of records: `cached` sends no request. */
export type RecordSource = 'cached' | { readonly signal?: AbortSignal }

export const robotsLimits = {
  /** Maximum `Crawl-delay` to apply. */
  crawlDelayMs: 60_000,
  /** Number of origins to cache; the least recently used one is dropped first. */
  origins: 1000,
  /** Total size of the cached files. Bytes. */
  totalBytes: 33_554_432,
} as const

export function createRobots(tools: RobotsTools): Robots {
  // Ordered by last use: a Map keeps insertion order, and used entries are inserted again.
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
    isAtHand: (url) => isAlwaysAllowed(url) || (copies.get(url.origin)?.expiresAtMs ?? 0) > tools.now(),
    async judgeCached(url, agent) {
      if (isAlwaysAllowed(url)) return allowAlways(url)
      const copy = copies.get(url.origin)
      return copy && judgeBy(copy, url, agent)
    },
    async recordsOf(url, agent, from) {
      if (isAlwaysAllowed(url)) return undefined
      const copy = from === 'cached' ? copies.get(url.origin) : await recall(url.origin, from.signal)
      return copy && readRecords(copy, url, agent)
    },
    async sitemapsOf(origin, signal) {
      const { file } = await recall(origin, signal)
      return file?.sitemaps ?? []
    },
  }
}

/** Returns true if robots.txt does not apply; the file itself is always allowed. @see RFC 9309 section 2.2.2 */
const isAlwaysAllowed = (url: URL): boolean => !isWebUrl(url) || url.pathname === '/robots.txt'

const allowAlways = (url: URL): RobotsVerdict => ({ allowed: true, why: 'no rule', robotsUrl: robotsUrlOf(url) })

/** Verdicts that allow every URL without reading robots.txt, for callers that send no request. */
export const allowUnrequested = (url: URL): RobotsVerdict => allowAlways(url)

const robotsUrlOf = ({ origin }: URL): string => `${origin}/robots.txt`

async function judgeBy(copy: RobotsCopy, url: URL, agent: string): Promise<RobotsVerdict> {
  const robotsUrl = robotsUrlOf(url)
  const lastFailure = copy.problem === undefined ? {} : { problem: copy.problem, retryAtMs: copy.expiresAtMs }
  if (copy.state !== 'read') {
    const { state, failure } = copy
    return { allowed: state === 'unavailable', why: state, robotsUrl, ...lastFailure, failure }
  }
  const group = await copy.file?.groupOf(agent)
  const delay = describeDelay(group?.crawlDelayMs)
  const rule = group && (await findRuleFor(url, group.rules))
  return rule
    ? { allowed: rule.allow, why: 'rule', robotsUrl, line: describeLine(rule), ...delay, ...lastFailure }
    : { allowed: true, why: 'no rule', robotsUrl, ...delay, ...lastFailure }
}

const NO_RECORDS: RobotsRecords = new Map()

async function readRecords(copy: RobotsCopy, url: URL, agent: string): Promise<FurtherRecords | undefined> {
  const { file, failure } = copy
  const robotsUrl = robotsUrlOf(url)
  if (!file) {
    const none = { robotsUrl, ofGroup: NO_RECORDS, ofAll: NO_RECORDS, forbids: async () => false }
    return failure && { ...none, failure }
  }
  const group = await file.groupOf(agent)
  return {
    robotsUrl,
    ofGroup: group?.records ?? NO_RECORDS,
    ofAll: file.records,
    forbids: async () => group !== undefined && (await findRuleFor(url, group.rules))?.allow === false,
  }
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

/** Describes the line of a rule or a record. */
export const describeLine = ({
  line,
  lineNumber,
}: {
  readonly line: string
  readonly lineNumber: number
}): RobotsLine => ({
  number: lineNumber,
  text: line.length <= MAX_OCTETS_SHOWN ? toText(line) : `${toText(line.slice(0, MAX_OCTETS_SHOWN))}…`,
})

function describeDelay(askedMs: number | undefined): { crawlDelayMs?: number; crawlDelayAskedMs?: number } {
  if (askedMs === undefined) return {}
  const { crawlDelayMs } = robotsLimits
  return askedMs <= crawlDelayMs ? { crawlDelayMs: askedMs } : { crawlDelayMs, crawlDelayAskedMs: askedMs }
}
