import type { JsonAnswer } from './answer-series.js'
import type { RowBatch } from './map-records.js'
import type { RecordedAnswer } from '../../../kernel/fetch/fetched-page.js'
import { parseJson } from '../../../base/text/parse-json.js'
import { endpointOf } from '../../../base/url.js'
import type { AnswerSeries, NextAnswer, SeriesAnswer } from './answer-series.js'
import { type DataPath, readPath } from './data-path.js'
import { findRecordLists, readRecords } from './find-records.js'
import { learnMapping, type VisibleList } from './learn-mapping.js'
import { learnRule } from './learn-rule.js'
import { mapRecords, shareLacking } from './map-records.js'
import { factsOf, findNextAnswer } from './next-answer.js'

/** The rule of a series, with the rows of its last answers. */
interface LearntRule {
  readonly series: AnswerSeries
  readonly next: NextAnswer
  /** The rows of the last answers. The page may not have shown all of them yet. */
  readonly rows: RowBatch
  /** Number of records of these answers that could not be read as rows. */
  readonly unfit: number
  /** Largest number of entries of the whole list that these answers state. */
  readonly total?: number
  /** The last answer that the page has requested. */
  readonly last: { readonly url: string; readonly headers: Readonly<Record<string, string>> }
}

/** A series of answers that a page has requested so far. Plain data. */
export interface LearntSeries extends LearntRule {
  /** URLs that the page has requested. */
  readonly urls: readonly string[]
}

/** Answers that a page has requested, and the list that it shows with their entries. */
export interface RecordedList {
  /** URL of the page. */
  readonly url: string
  readonly answers: readonly RecordedAnswer[]
  readonly list: VisibleList
}

/** Answers of one endpoint that are compared, and lists of records in an answer that are tried. */
const MAX_COMPARED = 4
const MAX_LISTS = 10
/** Minimum share of the records that the page shows as rows. */
const MIN_SHOWN = 0.8

/** Finds the answers that bring the entries of a list one part after the other, and how the next one is requested. */
export function learnSeries({ answers, list, url }: RecordedList): LearntSeries | undefined {
  const groups = new Map<string, Map<string, RecordedAnswer>>()
  for (const answer of answers) {
    const endpoint = endpointOf(answer.url)
    const group = groups.get(endpoint) ?? new Map<string, RecordedAnswer>()
    groups.set(endpoint, group.set(answer.url, answer))
  }
  const sorted = [...groups.values()].sort((one, other) => other.size - one.size)
  for (const group of sorted) {
    const found = group.size > 1 ? learnGroup([...group.values()].slice(-MAX_COMPARED), list, url) : undefined
    if (found) return { ...found, urls: [...group.keys()] }
  }
  return undefined
}

function learnGroup(answers: readonly RecordedAnswer[], list: VisibleList, base: string): LearntRule | undefined {
  const parsed = answers.map(({ url, text }) => ({ url, data: parse(text) }))
  const last = answers.at(-1)
  if (!last) return undefined
  for (const { path } of findRecordLists(parsed.at(-1)?.data, 1).slice(0, MAX_LISTS)) {
    const read = parsed.map((answer) => readAnswer(answer, path)).filter((answer) => answer !== undefined)
    const newest = read.at(-1)
    if (!newest || read.length < parsed.length) continue
    // Parts of a list may overlap.
    const records = [...new Map(read.flatMap((one) => one.records.map((own) => [JSON.stringify(own), own]))).values()]
    const learnt = learnMapping(list, records, base)
    if (!learnt || learnt.aligned.size < records.length * MIN_SHOWN) continue
    const rule = learnRule(read, path)
    if (!rule) continue
    const hasFacts = read.slice(0, -1).every((answer) => factsOf(answer, path).end === undefined)
    const { mapping } = learnt
    const { key } = list.template
    const { unfit, ...rows } = mapRecords(mapping, records, { key, base })
    const lacking = shareLacking(mapping, rows.items)
    const series = { recordsPath: path, mapping, key, base, rule, lacking, hasFacts }
    const totals = read.flatMap((answer) => factsOf(answer, path).total ?? [])
    return {
      series,
      rows,
      unfit,
      total: totals.length > 0 ? Math.max(...totals) : undefined,
      next: findNextAnswer(series, newest),
      last: { url: last.url, headers: last.headers },
    }
  }
  return undefined
}

/** Finds the records in an answer; undefined if it has another form. */
export function readAnswer({ url, data }: JsonAnswer, path: DataPath): SeriesAnswer | undefined {
  const entries = readPath(data, path)
  const records = Array.isArray(entries) ? readRecords(entries, 0) : undefined
  return records && { url, data, records }
}

/** Parses an answer; undefined for what is no JSON. */
export function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
