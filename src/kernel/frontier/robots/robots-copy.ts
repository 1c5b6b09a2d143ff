import { TOO_MANY_REQUESTS } from '../../../base/http/statuses.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorCode, toTrawlError } from '../../../base/errors.js'
import {
  type RobotsFile,
  readRobotsFile,
  type RobotsRecordKinds,
  robotsFileBytes,
} from '../../../content/robots/robots-file.js'
import { type GetSiteFile, type SiteFile, describeStatus, isSuccess } from '../../../base/http/site-file.js'

/** Reason why a `robots.txt` could not be read, as the error of the pages that depend on it. */
export interface RobotsFailure {
  readonly code: ErrorCode
  readonly message: string
}

/** Functions needed to fetch a `robots.txt`. */
export interface RobotsTools {
  readonly get: GetSiteFile
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Further records to read. @default none */
  readonly kinds?: RobotsRecordKinds
  /**
   * Delay before the next attempt; undefined for no further one.
   *
   * @default no retries
   */
  readonly retryDelayMs?: (outcome: RobotsOutcome) => number | undefined
}

/** Answer to the request for a robots.txt. */
interface RobotsAnswer {
  readonly statusCode?: number
  readonly code?: ErrorCode
}

/** Outcome of an attempt: a status without a file, or an error. */
interface RobotsOutcome extends RobotsAnswer {
  /** Attempts so far, including this one. */
  readonly attempt: number
}

/** Cached state of one origin's `robots.txt`. */
export interface RobotsCopy {
  readonly state: 'read' | 'unavailable' | 'unreachable'
  /** The file, when the state is `read`. */
  readonly file?: RobotsFile
  /** Bytes read. */
  readonly bytes: number
  readonly expiresAtMs: number
  /** Failure of the last attempt, if any. */
  readonly problem?: string
  /** Set when the state is `unreachable`. */
  readonly failure?: RobotsFailure
  /** Time since which every attempt has failed. */
  readonly failingSinceMs?: number
}

/** Lifetime of a copy, by state. */
const robotsLifetimes = {
  /** A file that was read. @see RFC 9309 section 2.4 */
  readMs: 24 * 3_600_000,
  /** A missing file. */
  unavailableMs: 3_600_000,
  /** An unreachable file: delay until the next attempt. */
  unreachableMs: 5 * 60_000,
  /** An origin that has failed for this long counts as unavailable. @see RFC 9309 section 2.3.1.4 */
  abandonedMs: 30 * 24 * 3_600_000,
} as const

/** Redirect errors, which the RFC treats as a missing file. */
const redirectErrors: ReadonlySet<ErrorCode> = new Set(['SCRAPE_TOO_MANY_REDIRECTS', 'SCRAPE_REDIRECT_ERROR'])

/** Errors of the answer. Those of the connection name the host, and the page would have them as well. */
const answerErrors: ReadonlySet<ErrorCode> = new Set([
  'SCRAPE_HEADERS_TOO_LARGE',
  'SCRAPE_BODY_TOO_LARGE',
  'SCRAPE_DECOMPRESSED_TOO_LARGE',
  'SCRAPE_ENCODING_ERROR',
])

/** Errors that are caused by trawl and not by the site. */
const ownErrors: ReadonlySet<ErrorCode> = new Set(['SCRAPE_JOB_CANCELLED', 'ENGINE_CLOSED'])

/** Time after which no further attempt begins. Milliseconds. */
const MAX_RETRYING_MS = 20_000

/**
 * Fetches an origin's `robots.txt`, and retries failures that may be temporary.
 *
 * @param before the previous copy; its rules remain valid while the file cannot be reached
 * @see RFC 9309 section 2.3.1
 */
export async function fetchRobots(
  origin: string,
  before: RobotsCopy | undefined,
  tools: RobotsTools,
  signal: AbortSignal,
): Promise<RobotsCopy> {
  const { now, retryDelayMs = () => undefined } = tools
  const startedAtMs = performance.now()
  for (let attempt = 1; ; attempt++) {
    const attempted = await attemptFetch(`${origin}/robots.txt`, tools, signal)
    if ('state' in attempted) return attempted
    const delayMs = retryDelayMs({ attempt, ...attempted.outcome })
    const spentMs = performance.now() - startedAtMs
    if (delayMs === undefined || spentMs + delayMs > MAX_RETRYING_MS) return keepPrevious(attempted, before, now())
    await sleep(delayMs, undefined, { signal })
  }
}

/** A failed attempt. */
interface FailedAttempt {
  readonly outcome: RobotsAnswer
  readonly problem: string
  readonly failure: RobotsFailure
}

async function attemptFetch(
  robotsUrl: string,
  { get, now, kinds }: RobotsTools,
  signal: AbortSignal,
): Promise<RobotsCopy | FailedAttempt> {
  try {
    const answer = await get(robotsUrl, signal)
    if (isSuccess(answer)) return await toCopy(answer, now(), kinds)
    const problem = describeStatus(answer)
    if (isUnavailable(answer)) return markUnavailable(problem, now())
    const { statusCode, error = '' } = answer
    const message = `${UNREAD}: ${`${statusCode} ${error}`.trim()} (${robotsUrl})`
    return { outcome: { statusCode }, problem, failure: { code: 'SCRAPE_SITE_ERROR', message } }
  } catch (error) {
    if (signal.aborted) throw error
    const { code, message } = toTrawlError(error)
    if (ownErrors.has(code)) throw error
    if (redirectErrors.has(code)) return markUnavailable(message, now())
    return { outcome: { code }, problem: message, failure: { code, message: describeError(code, message, robotsUrl) } }
  }
}

const UNREAD = 'robots.txt could not be read'

function describeError(code: ErrorCode, message: string, robotsUrl: string): string {
  if (code === 'SCRAPE_TIMEOUT') return `${UNREAD}: ${robotsUrl} gave no answer in time`
  return answerErrors.has(code) ? `${UNREAD}: ${message} (${robotsUrl})` : message
}

/**
 * Returns true if there is no file: a client error, or a redirect without a target. The RFC allows a crawler to proceed
 * after 429 as well, but that status does not mean that the server has no rules.
 */
const isUnavailable = ({ statusCode }: SiteFile): boolean =>
  statusCode >= 300 && statusCode < 500 && statusCode !== TOO_MANY_REQUESTS

const toCopy = async (answer: SiteFile, nowMs: number, kinds?: RobotsRecordKinds): Promise<RobotsCopy> => ({
  state: 'read',
  file: await readRobotsFile(answer, kinds),
  bytes: Math.min(answer.body.byteLength, robotsFileBytes),
  expiresAtMs: nowMs + robotsLifetimes.readMs,
})

const markUnavailable = (problem: string, nowMs: number): RobotsCopy => ({
  state: 'unavailable',
  bytes: 0,
  expiresAtMs: nowMs + robotsLifetimes.unavailableMs,
  problem,
})

function keepPrevious({ problem, failure }: FailedAttempt, before: RobotsCopy | undefined, nowMs: number): RobotsCopy {
  const failingSinceMs = before?.failingSinceMs ?? nowMs
  const failed = { problem, failingSinceMs, expiresAtMs: nowMs + robotsLifetimes.unreachableMs }
  if (before?.state === 'read') return { ...before, ...failed }
  const isAbandoned = nowMs - failingSinceMs >= robotsLifetimes.abandonedMs
  return isAbandoned
    ? { state: 'unavailable', bytes: 0, ...failed }
    : { state: 'unreachable', bytes: 0, failure, ...failed }
}
