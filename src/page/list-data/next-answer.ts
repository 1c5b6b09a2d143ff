import { isObject, type JsonObject } from '../../collections/is-object.js'
import { resolveUrl } from '../../url.js'
import type { AnswerSeries, NextAnswer, SeriesAnswer, SlotRule } from './answer-series.js'
import { toText } from './column-source.js'
import { type DataPath, printPath, readPath } from './data-path.js'
import { type ListFacts, readFacts } from './list-facts.js'
import { printSlot, readSlots, withSlots } from './url-slots.js'

/** Reads what an answer states about the end of its list. */
export const factsOf = ({ data }: Pick<SeriesAnswer, 'data'>, recordsPath: DataPath): ListFacts =>
  readFacts(
    recordsPath
      .map((_, at) => readPath(data, recordsPath.slice(0, at)))
      .filter((value): value is JsonObject => isObject(value))
      .toReversed(),
  )

/** Makes the URL of the request after an answer. */
export function findNextAnswer(
  series: Omit<AnswerSeries, 'mapping' | 'key' | 'base'>,
  answer: SeriesAnswer,
): NextAnswer {
  const { rule, recordsPath, hasFacts } = series
  const facts = factsOf(answer, recordsPath)
  if (hasFacts && facts.end !== undefined) return { end: `${facts.end} in the last answer` }
  if ('link' in rule) {
    const path = printPath(rule.link)
    const next = toText(readPath(answer.data, rule.link))
    const url = next === undefined ? undefined : resolveUrl(next, answer.url)?.href
    return url === undefined
      ? { end: `\`${path}\` of the last answer is empty` }
      : { url, evidence: `\`${path}\` of the answer before` }
  }
  const slots = readSlots(answer.url)
  const values = new Map<string, string>()
  for (const slot of rule.slots) {
    const end = findEnd(slot, answer, { total: facts.total, slots })
    if (end !== undefined) return { end }
    values.set(slot.slot, readNext(slot, answer, slots) ?? '')
  }
  return { url: withSlots(answer.url, values), evidence: rule.slots.map(describe).join(', ') }
}

function findEnd(
  rule: SlotRule,
  { data, records }: SeriesAnswer,
  { total, slots }: { total: number | undefined; slots: ReadonlyMap<string, string> },
): string | undefined {
  if (rule.kind === 'cursor')
    return toText(readPath(data, rule.path)) === undefined
      ? `\`${printPath(rule.path)}\` of the last answer is empty`
      : undefined
  if (records.length === 0) return 'the last answer has no entries'
  const offset = Number(slots.get(rule.slot))
  return rule.kind === 'step' && rule.step > 1 && total !== undefined && offset + records.length >= total
    ? `${offset + records.length} of ${total} entries`
    : undefined
}

/** Returns the next value of a slot; undefined if the answer has none. */
export function readNext(
  rule: SlotRule,
  { data, records }: SeriesAnswer,
  slots: ReadonlyMap<string, string>,
): string | undefined {
  if (rule.kind === 'step') return String(Number(slots.get(rule.slot)) + rule.step)
  return toText(readPath(rule.kind === 'cursor' ? data : records.at(-1), rule.path))
}

const describe = (rule: SlotRule): string =>
  rule.kind === 'step'
    ? `${printSlot(rule.slot)} + ${rule.step}`
    : `${printSlot(rule.slot)} is \`${printPath(rule.path)}\` of the ${rule.kind === 'cursor' ? 'answer' : 'last entry'} before`
