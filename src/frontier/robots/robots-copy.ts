import { TOO_MANY_REQUESTS } from '../../http/statuses.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorCode, toTrawlError } from '../../errors.js'
import { type RobotsFile, readRobotsFile, robotsFileBytes } from './robots-file.js'
import { type GetSiteFile, type SiteFile, describeStatus, isSuccess } from '../site-file.js'

/** Why a `robots.txt` could not be read: the error of the pages that depend on it. */
export interface RobotsFailure {
  readonly code: ErrorCode
  readonly message: string
}

/** What asking for a `robots.txt` takes. */
export interface RobotsTools {
  readonly get: GetSiteFile
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /**
   * How long to wait before the file is asked for again after so many tries; undefined when it is not to be.
   *
   * @default one try decides
   */
  readonly retryDelayMs?: (outcome: RobotsOutcome) => number | undefined
}

/** How a try ended: with an answer that is no file, or with an error. */
export interface RobotsOutcome {
  /** Tries so far, this one included. */
  readonly attempt: number
  readonly statusCode?: number
  readonly code?: ErrorCode
}

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
  /** Set when the state is `unreachable`. */
  readonly failure?: RobotsFailure
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

/** No further try begins when the ones before have taken so long together. Milliseconds. */
const MAX_TRIES_MS = 20_000

/**
 * Asks for an origin's `robots.txt`, and asks again where the trouble may pass.
 *
 * @param before what was known; its rules stay in use while the file cannot be reached
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
    const trouble = await tryOnce(`${origin}/robots.txt`, tools, signal)
    if ('state' in trouble) return trouble
    const delayMs = retryDelayMs({ attempt, ...trouble.outcome })
    const spentMs = performance.now() - startedAtMs
    if (delayMs === undefined || spentMs + delayMs > MAX_TRIES_MS) return waitForIt(trouble, before, now())
    await sleep(delayMs, undefined, { signal })
  }
}

/** The file cannot be had at present. */
interface Trouble {
  readonly outcome: Omit<RobotsOutcome, 'attempt'>
  readonly problem: string
  readonly failure: RobotsFailure
}

async function tryOnce(
  robotsUrl: string,
  { get, now }: RobotsTools,
  signal: AbortSignal,
): Promise<RobotsCopy | Trouble> {
  try {
    const answer = await get(robotsUrl, signal)
    if (isSuccess(answer)) return await keepFile(answer, now())
    const problem = describeStatus(answer)
    if (isUnavailable(answer)) return giveUp(problem, now())
    const { statusCode, error = '' } = answer
    const message = `robots.txt could not be read: ${`${statusCode} ${error}`.trim()} (${robotsUrl})`
    return { outcome: { statusCode }, problem, failure: { code: 'SCRAPE_SITE_ERROR', message } }
  } catch (error) {
    if (signal.aborted) throw error
    const { code, message } = toTrawlError(error)
    if (ours.has(code)) throw error
    if (leadNowhere.has(code)) return giveUp(message, now())
    const failure = { code, message: code === 'SCRAPE_TIMEOUT' ? describeTimeout(robotsUrl) : message }
    return { outcome: { code }, problem: message, failure }
  }
}

const describeTimeout = (robotsUrl: string): string =>
  `robots.txt could not be read: ${robotsUrl} gave no answer in time`

/**
 * Client errors, and redirects that name no place, mean that there is no file. 429 is the exception: the RFC lets a
 * crawler go on, but a server that asks for patience has not said that it has no rules.
 */
const isUnavailable = ({ statusCode }: SiteFile): boolean =>
  statusCode >= 300 && statusCode < 500 && statusCode !== TOO_MANY_REQUESTS

const keepFile = async (answer: SiteFile, nowMs: number): Promise<RobotsCopy> => ({
  state: 'read',
  file: await readRobotsFile(answer),
  bytes: Math.min(answer.body.byteLength, robotsFileBytes),
  expiresAtMs: nowMs + robotsLifetimes.readMs,
})

const giveUp = (problem: string, nowMs: number): RobotsCopy => ({
  state: 'unavailable',
  bytes: 0,
  expiresAtMs: nowMs + robotsLifetimes.unavailableMs,
  problem,
})

function waitForIt({ problem, failure }: Trouble, before: RobotsCopy | undefined, nowMs: number): RobotsCopy {
  const failingSinceMs = before?.failingSinceMs ?? nowMs
  const trouble = { problem, failingSinceMs, expiresAtMs: nowMs + robotsLifetimes.unreachableMs }
  if (before?.state === 'read') return { ...before, ...trouble }
  const isAbandoned = nowMs - failingSinceMs >= robotsLifetimes.abandonedMs
  return isAbandoned
    ? { state: 'unavailable', bytes: 0, ...trouble }
    : { state: 'unreachable', bytes: 0, failure, ...trouble }
}
