import { noUse } from '../../base/accounting/budget.js'
import { parseJson } from '../../base/text/parse-json.js'
import type { StopReason, StoredJob } from './job-store.js'

/** Largest time of a `Date`. Milliseconds since the epoch. */
const MAX_DATE_MS = 8.64e15

const KINDS: readonly StoredJob['kind'][] = ['batch-scrape', 'crawl', 'v1-batch-scrape', 'v1-crawl']
const STATES: readonly StoredJob['state'][] = ['scraping', 'completed', 'cancelled', 'failed']
const STOP_REASONS = [...Object.keys(noUse), 'credits'] as readonly StopReason[]

const isList = (value: unknown): value is readonly string[] => Array.isArray(value)
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isTime = (value: number): boolean => Math.abs(value) <= MAX_DATE_MS

/**
 * Reads the values of one stored job. A value that no ledger writes, because it is truncated or was written by hand, is replaced, and
 * its column is named: the other jobs of a list must not fail with it.
 */
export class StoredValues {
  /** Columns with values that cannot be read. */
  readonly unreadable: string[] = []

  /** Reads JSON. @param text undefined for NULL */
  json(column: string, text: string | undefined): unknown {
    try {
      return text === undefined ? undefined : parseJson(text)
    } catch {
      return this.#replace(column, undefined)
    }
  }

  /** Reads an object in JSON. */
  object(column: string, text: string | undefined): object | undefined {
    const value = this.json(column, text)
    return value === undefined || isObject(value) ? value : this.#replace(column, undefined)
  }

  /** Reads a list of texts in JSON. */
  list(column: string, text: string | undefined): readonly string[] {
    const value = this.json(column, text)
    return isList(value) ? value : this.#replace(column, [])
  }

  kind(text: string): StoredJob['kind'] {
    return KINDS.find((kind) => kind === text) ?? this.#replace('kind', 'crawl')
  }

  /** Reads the state of a job. One with an unknown state must not be run. */
  state(text: string): StoredJob['state'] {
    return STATES.find((state) => state === text) ?? this.#replace('state', 'failed')
  }

  /** Reads the limit that stopped a job. @param text undefined for NULL */
  stopReason(text: string | undefined): StopReason | undefined {
    if (text === undefined) return undefined
    return STOP_REASONS.find((reason) => reason === text) ?? this.#replace('stopped_by', undefined)
  }

  /** Reads a time in milliseconds since the epoch. */
  time(column: string, value: number | undefined): number | undefined {
    return value === undefined || isTime(value) ? value : this.#replace(column, 0)
  }

  #replace<Value>(column: string, replacement: Value): Value {
    if (!this.unreadable.includes(column)) this.unreadable.push(column)
    return replacement
  }
}
