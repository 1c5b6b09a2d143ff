import { parseJson } from '../text/parse-json.js'
import type { NoiseMemory } from '../compare/noise-memory.js'
import type { WatchCheck, WatchStatus } from './watch.js'

/** A check under way. */
export interface RunningCheck {
  readonly number: number
  readonly trigger: WatchCheck['trigger']
  readonly dueAtMs: number
  readonly startedAtMs: number
  /** Units that are checked: URLs, and `crawl:0` for the first crawl. */
  readonly units: readonly string[]
  /** The request of the watch at its start, as JSON. */
  readonly request: string
  /** Calls for a check that it answers: see `asked` of a stored watch. */
  readonly asked: number
  /** Targets that an earlier check has seen: their new pages are meaningful. */
  readonly knownTargets: readonly string[]
  /** Pages that each crawl has not found again, once it has ended. */
  readonly missing?: Readonly<Record<string, readonly string[]>>
}

/** Visits and changes of a page or a crawl, from which its interval is learned. */
export interface UnitHistory {
  /** Number of intervals between two visits, and of those with a change. */
  readonly visits: number
  readonly changes: number
  /** Mean interval. Milliseconds. */
  readonly meanMs: number
  /** The time of the last visit. Milliseconds since the epoch. */
  readonly lastMs: number
}

/** State of a watch's checks, which its runner keeps. */
export interface WatchState {
  /** Number of checks begun. */
  readonly checks: number
  /** Calls for a check that were answered. */
  readonly answered: number
  /** The next time of each unit, or of all under `*`; null when there is none. Milliseconds since the epoch. */
  readonly due: Readonly<Record<string, number | null>>
  /** The schedule for which the times were planned, as JSON. */
  readonly schedule?: string
  readonly histories: Readonly<Record<string, UnitHistory>>
  readonly running?: RunningCheck
  readonly last?: WatchCheck
}

/** Facts about a page besides its text. */
export interface WatchedFacts {
  /** Its target: `page`, or `crawl:0` for the first crawl. */
  readonly target: string
  /** The last check with a result of the page, and that result. */
  readonly check: number
  readonly status: WatchStatus
  readonly isMeaningful: boolean
  /** The time of the version that is stored; absent when it has none. Milliseconds since the epoch. */
  readonly atMs?: number
  /** The URL that answered. */
  readonly finalUrl?: string
  readonly isGone?: true
  /** The blocks that change without a meaning. */
  readonly noise?: NoiseMemory
}

/** The state of a watch that was never checked. */
export const INITIAL_STATE: WatchState = { checks: 0, answered: 0, due: {}, histories: {} }

/** Unit of all pages and crawls of a watch that are checked together. */
export const ALL_UNITS = '*'

export const readState = (text: string | undefined): WatchState =>
  text === undefined ? INITIAL_STATE : (parseJson(text) as WatchState)

export const readFacts = (text: string): WatchedFacts => parseJson(text) as WatchedFacts

/** Names a crawl among the units of a watch. */
export const crawlUnit = (index: number): string => `crawl:${index}`
