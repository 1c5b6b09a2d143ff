import { type ErrorCode, toTrawlError } from '../errors.js'
import { type RobotsFile, readRobotsFile, robotsFileBytes } from './robots-file.js'
import { type GetSiteFile, type SiteFile, describeStatus, isSuccess } from './site-file.js'

/** What is known of one origin's `robots.txt`, and for how long. */
export interface RobotsCopy {
  readonly state: 'read' | 'unavailable' | 'unreachable'
  /** The file, when the state is `read`. */
  readonly file?: RobotsFile
  /** Bytes that were read. */
  readonly bytes: number
  readonly expiresAtMs: number
  /** What came instead of the file, when it was last asked for. */
  readonly problem?: string
  /** Since when every try has failed. */
  readonly failingSinceMs?: number
}

/** How long a copy is kept, by what it is. */
export const robotsLifetimes = {
  /** A file that was read. @see RFC 9309 section 2.4 */
  readMs: 24 * 3_600_000,
  /** That there is none. */
  unavailableMs: 3_600_000,
  /** That it cannot be reached: how long until the next try. */
  unreachableMs: 5 * 60_000,
  /** After failing for so long the file counts as unavailable. @see RFC 9309 section 2.3.1.4 */
  abandonedMs: 30 * 24 * 3_600_000,
} as const

/** There was an answer, and it leads nowhere: no file, which is what the RFC makes of too many redirects. */
const leadNowhere: ReadonlySet<ErrorCode> = new Set(['SCRAPE_TOO_MANY_REDIRECTS', 'SCRAPE_REDIRECT_ERROR'])

/** These say something of us and nothing of the site. */
const ours: ReadonlySet<ErrorCode> = new Set(['SCRAPE_JOB_CANCELLED', 'ENGINE_CLOSED'])

/**
 * Asks for an origin's `robots.txt`.
 *
 * @param before what was known; its rules stay in use while the file cannot be reached
 * @param now milliseconds since the epoch
 * @see RFC 9309 section 2.3.1
 */
export async function fetchRobots(
  origin: string,
  before: RobotsCopy | undefined,
  { get, now }: { readonly get: GetSiteFile; readonly now: () => number },
  signal: AbortSignal,
): Promise<RobotsCopy> {
  try {
    const answer = await get(`${origin}/robots.txt`, signal)
    if (isSuccess(answer)) return keepFile(answer, now())
    return isUnavailable(answer)
      ? giveUp(describeStatus(answer), now())
      : waitForIt(describeStatus(answer), before, now())
  } catch (error) {
    if (signal.aborted) throw error
    const { code, message } = toTrawlError(error)
    if (ours.has(code)) throw error
    return leadNowhere.has(code) ? giveUp(message, now()) : waitForIt(message, before, now())
  }
}

/**
 * Client errors, and redirects that name no place, mean that there is no file. 429 is the exception: the RFC lets a
 * crawler go on, but a server that asks for patience has not said that it has no rules.
 */
const isUnavailable = ({ statusCode }: SiteFile): boolean => statusCode >= 300 && statusCode < 500 && statusCode !== 429

const keepFile = (answer: SiteFile, nowMs: number): RobotsCopy => ({
  state: 'read',
  file: readRobotsFile(answer),
  bytes: Math.min(answer.body.byteLength, robotsFileBytes),
  expiresAtMs: nowMs + robotsLifetimes.readMs,
})

const giveUp = (problem: string, nowMs: number): RobotsCopy => ({
  state: 'unavailable',
  bytes: 0,
  expiresAtMs: nowMs + robotsLifetimes.unavailableMs,
  problem,
})

function waitForIt(problem: string, before: RobotsCopy | undefined, nowMs: number): RobotsCopy {
  const failingSinceMs = before?.failingSinceMs ?? nowMs
  const trouble = { problem, failingSinceMs, expiresAtMs: nowMs + robotsLifetimes.unreachableMs }
  if (before?.state === 'read') return { ...before, ...trouble }
  const isAbandoned = nowMs - failingSinceMs >= robotsLifetimes.abandonedMs
  return { state: isAbandoned ? 'unavailable' : 'unreachable', bytes: 0, ...trouble }
}
