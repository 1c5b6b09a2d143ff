import type { AnswerSeries, NextAnswer } from './answer-series.js'
import { parse, readAnswer } from './learn-series.js'
import { type MappedRows, mapRecords, shareLacking } from './map-records.js'
import { factsOf, findNextAnswer } from './next-answer.js'

/** Rows of one answer of a series. Plain data. */
export interface AnswerRows extends MappedRows {
  readonly next: NextAnswer
  /** Number of entries of the whole list, as the answer states it. */
  readonly total?: number
}

/** An answer of a series, as it was fetched. */
export interface FetchedAnswer {
  readonly url: string
  readonly body: Uint8Array
  readonly series: AnswerSeries
}

/** Reason for which an answer was not read. */
export interface UnreadAnswer {
  readonly unread: string
}

/** Maximum size of an answer. Bytes. */
const MAX_BYTES = 8 * 1024 * 1024
/** Maximum share of records that are no entries, and of rows that lack a field more often than the recorded ones. */
const MAX_UNFIT = 0.1

/**
 * Reads the rows of a further answer, or tells why not: it is larger than `maxBytes`, or has another form than those before.
 */
export function continueSeries({ url, body, series }: FetchedAnswer, maxBytes = MAX_BYTES): AnswerRows | UnreadAnswer {
  if (body.byteLength > maxBytes) return { unread: `The answer of ${url} is larger than ${maxBytes / 1024} KiB.` }
  const otherForm = { unread: `The answer of ${url} has another form than those before.` }
  const answer = readAnswer({ url, data: parse(new TextDecoder().decode(body)) }, series.recordsPath)
  if (!answer) return otherForm
  const { mapping, key, base } = series
  const rows = mapRecords(mapping, answer.records, { key, base })
  if (rows.unfit > answer.records.length * MAX_UNFIT) return otherForm
  if (shareLacking(mapping, rows.items) > series.lacking + MAX_UNFIT) return otherForm
  const { total } = factsOf(answer, series.recordsPath)
  return { ...rows, next: findNextAnswer(series, answer), total }
}
