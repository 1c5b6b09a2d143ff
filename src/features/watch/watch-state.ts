import { createHash } from 'node:crypto'
import { isObject } from '../../base/collections/is-object.js'
import { TrawlError } from '../../base/errors.js'
import type { WatchPlan } from './plan-watch.js'
import { parseJson } from '../../base/text/parse-json.js'
import type { NoiseMemory } from '../../content/compare/noise-memory.js'
import type { NewResult, WatchCheck, WatchResult, WatchStatus } from './watch.js'

/** A check under way. */
export interface RunningCheck {
  readonly number: number
  readonly trigger: WatchCheck['trigger']
  readonly dueAtMs: number
  readonly startedAtMs: number
  /** Units that are checked: URLs, and crawls by {@link crawlUnit}. */
  readonly units: readonly string[]
  /** The request of the watch at its start, as JSON. */
  readonly request: string
  /** Calls for a check that it answers: see `asked` of a stored watch. */
  readonly asked: number
  /** Targets that an earlier check has seen: their new pages are meaningful. */
  readonly knownTargets: readonly string[]
  /** Pages that each crawl has not found again, once it has ended. */
  readonly missing?: Readonly<Record<string, readonly string[]>>
  /** Reasons why each crawl may not have seen all of its site. */
  readonly gaps?: Readonly<Record<string, readonly string[]>>
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
  /** The URL of the webhook to which the stored reports go; empty without one. */
  readonly receiver?: string
  /** The schedule for which the times were planned, as JSON. */
  readonly schedule?: string
  readonly histories: Readonly<Record<string, UnitHistory>>
  readonly running?: RunningCheck
  readonly last?: WatchCheck
}

/** Data of a format that was not read whole. */
export interface UnreadData {
  /** Number of visits in a row for which it was so. */
  readonly visits: number
  /** The reason at the last of them. */
  readonly why: string
}

/** Facts of a page in a check. */
export interface CheckedFacts {
  /** The time of the version that is stored; absent when it has none. Milliseconds since the epoch. */
  readonly atMs?: number
  /** The URL that answered. */
  readonly finalUrl?: string
  readonly isGone?: true
  /** True once its crawl no longer finds it, although it answers: it is not asked for until its crawl finds it again. */
  readonly isUnlisted?: true
  /** Formats whose data was never read whole: what is new to them may not be new to the page. */
  readonly partial?: readonly string[]
  /** Formats that the last visits did not read whole. */
  readonly unread?: Readonly<Record<string, UnreadData>>
  /** The blocks that change without a meaning. */
  readonly noise?: NoiseMemory
}

/** Facts about a page besides its text. */
export interface WatchedFacts extends CheckedFacts {
  /** Its target: `page`, or a crawl by {@link crawlUnit}. */
  readonly target: string
  /** The last check with a result of the page, and that result. */
  readonly check: number
  readonly status: WatchStatus
  readonly isMeaningful: boolean
}

/** Facts about a page with its URL. */
export type LocatedFacts = WatchedFacts & { readonly url: string }

/** The state of a watch that was never checked. */
const INITIAL_STATE: WatchState = { checks: 0, answered: 0, due: {}, histories: {} }

/** Unit of all pages and crawls of a watch that are checked together. */
export const ALL_UNITS = '*'

/**
 * Parses a value that the ledger stores for a watch.
 *
 * @param column names the value in the error
 * @throws TrawlError `LEDGER_ERROR` when it is damaged
 */
export function readStored<Value extends object>(
  column: string,
  text: string,
  isWhole: (value: Partial<Value>) => boolean = () => true,
): Value {
  try {
    const value = parseJson(text)
    if (isObject(value) && isWhole(value as Partial<Value>)) return value as Value
  } catch {
    // Named below.
  }
  throw new TrawlError('LEDGER_ERROR', `a watch cannot be read: what the ledger stores in \`${column}\` is damaged`)
}

/** @throws TrawlError `LEDGER_ERROR` */
export const readState = (text: string | undefined): WatchState =>
  text === undefined
    ? INITIAL_STATE
    : readStored<WatchState>('state', text, ({ due, histories }) => isObject(due) && isObject(histories))

/** @throws TrawlError `LEDGER_ERROR` */
export const readFacts = (text: string): WatchedFacts => readStored<WatchedFacts>('facts', text)

/** Target of pages that the watch names. */
export const PAGE_TARGET = 'page'

/**
 * Names a crawl among the units of a watch, by a hash of its request: another crawl at its place is not taken for it. How its
 * pages are scraped does not count.
 */
export function crawlUnit(crawl: WatchPlan['crawls'][number]): string {
  const options = Object.entries(crawl).filter(([name]) => name !== 'scrapeOptions')
  const text = JSON.stringify(options.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return `crawl:${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}

/** Gives a result its number. A check makes each with what its status says. */
export const numberResult = (result: NewResult, sequence: number): WatchResult =>
  ({ sequence, ...result }) as WatchResult
