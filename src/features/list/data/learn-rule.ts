import { resolveUrl } from '../../../base/url.js'
import type { NextRule, SeriesAnswer, SlotRule } from './answer-series.js'
import { toText } from './column-source.js'
import { type DataPath, listPaths, readPath } from './data-path.js'
import { readNext } from './next-answer.js'
import { readSlots } from './url-slots.js'

/** Names of values that lead to the next part of a list. */
const LEADS_ON = /cursor|next|after|token|offset|page|continu|start|from|scroll|marker/iu
/** Minimum length of a cursor whose name says nothing. Characters. */
const MIN_CURSOR = 6
/** Maximum values of an answer that are searched for a cursor, and their depth. */
const MAX_VALUES = 5_000
const MAX_DEPTH = 6

/** A request and the one after it. */
interface Pair {
  readonly before: SeriesAnswer
  readonly after: SeriesAnswer
}

/**
 * Learns how the URL of a request follows from the answer before it. All changes between the recorded requests have to be
 * explained. Returns undefined if they are not.
 */
export function learnRule(answers: readonly SeriesAnswer[], recordsPath: DataPath): NextRule | undefined {
  const pairs = answers.slice(1).flatMap((after, at): Pair[] => {
    const before = answers[at]
    return before ? [{ before, after }] : []
  })
  const last = pairs.at(-1)
  if (last === undefined) return undefined
  const paths = listValuePaths(last.before.data, recordsPath)
  const link = paths.find((path) =>
    pairs.every(({ before, after }) => {
      const text = toText(readPath(before.data, path))
      return text !== undefined && /[/?]/u.test(text) && resolveUrl(text, before.url)?.href === after.url
    }),
  )
  if (link) return { link }
  const slots = listChanged(last).map((slot) => learnSlot(slot, pairs, paths))
  const found = slots.filter((rule) => rule !== undefined)
  return found.length > 0 && found.length === slots.length ? { slots: found } : undefined
}

/** Lists the slots of which two requests have different values, but not growing times that keep caches away. */
function listChanged({ before, after }: Pair): string[] {
  const [old, now] = [readSlots(before.url), readSlots(after.url)]
  const isTime = (value: string | undefined): value is string => value !== undefined && /^1\d{12}$/u.test(value)
  const isGrowingTime = (one: string | undefined, other: string | undefined): boolean =>
    isTime(one) && isTime(other) && one < other
  return [...new Set([...old.keys(), ...now.keys()])].filter(
    (slot) => old.get(slot) !== now.get(slot) && !isGrowingTime(old.get(slot), now.get(slot)),
  )
}

function learnSlot(slot: string, pairs: readonly Pair[], paths: readonly DataPath[]): SlotRule | undefined {
  const fits = (rule: SlotRule): boolean =>
    pairs.every(({ before, after }) => readNext(rule, before, readSlots(before.url)) === readSlots(after.url).get(slot))
  const cursor = paths
    .map((path): SlotRule => ({ kind: 'cursor', slot, path }))
    .find((rule) => fits(rule) && isCursor(rule, pairs))
  if (cursor) return cursor
  const last = pairs.at(-1)
  const step =
    Number(last && readSlots(last.after.url).get(slot)) - Number(last && readSlots(last.before.url).get(slot))
  const stepRule: SlotRule = { kind: 'step', slot, step }
  if (last && Number.isSafeInteger(step) && isStep(step, slot, last) && fits(stepRule)) return stepRule
  const lastRecord = last?.before.records.at(-1)
  const own = lastRecord ? listPaths([lastRecord]).values : []
  return own.map((path): SlotRule => ({ kind: 'entry', slot, path })).find(fits)
}

/** Tests for a value that leads on: it is another one in the last answer, and is called so or is no short number. */
function isCursor(rule: SlotRule, pairs: readonly Pair[]): boolean {
  if (rule.kind === 'step') return false
  const after = pairs.at(-1)?.after
  if (!after) return false
  const now = readSlots(after.url).get(rule.slot) ?? ''
  const isNamed = rule.path.some((name) => LEADS_ON.test(name))
  return toText(readPath(after.data, rule.path)) !== now && (isNamed || now.length >= MIN_CURSOR)
}

/** Tests for a page number, or for an offset that grows by the number of entries or by the limit of an answer. */
const isStep = (step: number, slot: string, { before }: Pair): boolean =>
  step === 1 ||
  (step > 1 &&
    (step === before.records.length ||
      [...readSlots(before.url)].some(([name, value]) => name !== slot && value === String(step))))

/** Lists the paths of the values of an answer that are not in its records. */
function listValuePaths(data: unknown, recordsPath: DataPath): DataPath[] {
  const records = readPath(data, recordsPath)
  const found: DataPath[] = []
  const open: { value: unknown; path: DataPath }[] = [{ value: data, path: [] }]
  for (let at = 0; at < open.length && open.length < MAX_VALUES; at += 1) {
    const { value, path = [] } = open[at] ?? {}
    if (typeof value !== 'object' || value === null) {
      found.push(path)
      continue
    }
    if (value === records || path.length >= MAX_DEPTH) continue
    for (const [name, inner] of Object.entries(value).slice(0, MAX_VALUES))
      open.push({ value: inner, path: [...path, name] })
  }
  return found
}
