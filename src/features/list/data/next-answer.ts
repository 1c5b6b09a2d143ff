import { isObject, type JsonObject } from '../../../base/collections/is-object.js'
import { resolveUrl } from '../../../base/url.js'
import type { AnswerSeries, NextAnswer, SeriesAnswer, SlotRule } from './answer-series.js'
import { toText } from './column-source.js'
import { type DataPath, printPath, readPath } from './data-path.js'
import { type ListFacts, readFacts } from './list-facts.js'
import { printSlot, readSlots, withSlots } from './url-slots.js'

/** Reads what an answer states about the end of its list. Objects around an array of lists tell about all of them. */
export function factsOf({ data }: { readonly data: unknown }, recordsPath: DataPath): ListFacts {
  const around: JsonObject[] = []
  for (let length = recordsPath.length - 1; length >= 0; length -= 1) {
    const value = readPath(data, recordsPath.slice(0, length))
    if (!isObject(value)) break
    around.push(value)
  }
  return readFacts(around)
}

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
    const value = readPath(answer.data, rule.link)
    if (isEmpty(value)) return { end: `\`${path}\` of the last answer is empty` }
    const next = toText(value)
    const url = next === undefined ? undefined : resolveUrl(next, answer.url)?.href
    return url === undefined
      ? { stoppedBy: `\`${path}\` of the last answer is no URL.` }
      : { url, evidence: `\`${path}\` of the answer before` }
  }
  const slots = readSlots(answer.url)
  const values = new Map<string, string>()
  for (const slot of rule.slots) {
    const end = findEnd(slot, answer)
    if (end !== undefined) return { end }
    const value = readNext(slot, answer, slots)
    if (value === undefined) return { stoppedBy: `The last answer has no value for ${printSlot(slot.slot)}.` }
    values.set(slot.slot, value)
  }
  return { url: withSlots(answer.url, values), evidence: rule.slots.map(describe).join(', ') }
}

function findEnd(rule: SlotRule, { data, records }: SeriesAnswer): string | undefined {
  if (rule.kind === 'cursor')
    return isEmpty(readPath(data, rule.path)) ? `\`${printPath(rule.path)}\` of the last answer is empty` : undefined
  return records.length === 0 ? 'the last answer has no entries' : undefined
}

/** Tests for a value that states that nothing follows. A value that cannot be used, such as one too long, does not. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (typeof value === 'string' && value.trim() === '')

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
