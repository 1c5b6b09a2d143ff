import type { JsonObject } from '../../../base/collections/is-object.js'
import type { DataPath } from './data-path.js'
import type { RecordMapping } from './record-mapping.js'

/** A JSON answer that was parsed. */
export interface JsonAnswer {
  readonly url: string
  readonly data: unknown
}

/** A JSON answer that was parsed, with the records in it. */
export interface SeriesAnswer extends JsonAnswer {
  readonly records: readonly JsonObject[]
}

/**
 * Describes the value of a slot of the next URL. A slot is a parameter of the query, or a number in the path. Plain data.
 *
 * - `cursor`: a value of the answer before;
 * - `entry`: a value of the last record of the answer before;
 * - `step`: the number in the URL before, increased.
 */
export type SlotRule =
  | { readonly kind: 'cursor' | 'entry'; readonly slot: string; readonly path: DataPath }
  | { readonly kind: 'step'; readonly slot: string; readonly step: number }

/** Describes how the next URL is made: from a URL in the answer before, or from the values of its slots. Plain data. */
export type NextRule = { readonly link: DataPath } | { readonly slots: readonly SlotRule[] }

/** Describes answers that bring the entries of a list one part after the other. Plain data. */
export interface AnswerSeries {
  readonly recordsPath: DataPath
  readonly mapping: RecordMapping
  /** Identity of a row: `key` of the template of the list. */
  readonly key: string
  /** URL of the page. */
  readonly base: string
  readonly rule: NextRule
  /** Share of the recorded rows that lack a field of `mapping.required`. */
  readonly lacking: number
  /** True if statements such as `hasMore` may be believed: none of the recorded answers stated a wrong end. */
  readonly hasFacts: boolean
}

/** The next request of a series, the evidence that there is none, or the reason why it is not known. Plain data. */
export type NextAnswer =
  | { readonly url: string; readonly evidence: string }
  | { readonly end: string }
  | { readonly stoppedBy: string }
