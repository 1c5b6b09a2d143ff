import type { JsonObject } from '../../../base/collections/is-object.js'
import { type DataPath, readPath } from './data-path.js'
import { type ColumnSource, type PatternValue, readPart, readSource, toText } from './column-source.js'

/** A visible value, and the record of its row. */
export interface Example<Value> {
  readonly value: Value
  readonly record: JsonObject
}

type Parts = readonly (string | PatternValue)[]

/** Maximum places of a value in a text, and values that may stand in a text. */
const MAX_PLACES = 12
const MAX_VALUES = 24
/** Minimum length of a constant value of the records that makes a pattern uncertain. Characters. */
const MIN_CONSTANT = 3

/**
 * Finds the patterns with one or two values of a record that give the visible texts of all examples, such as
 * `https://example.com/lamps/` and the value `id`. A pattern is certain only if its values differ between the examples, and
 * its fixed text contains no value of the records that is the same in all examples, and another one in further records.
 *
 * @param records all records, of which the examples are a part
 */
export function learnPatterns(
  examples: readonly Example<string>[],
  paths: readonly DataPath[],
  { records, isUrl }: { records: readonly JsonObject[]; isUrl: boolean },
): ColumnSource[] {
  // In the longest text, a short value such as a number stands in the fewest wrong places.
  const [first] = examples.toSorted((one, other) => other.value.length - one.value.length)
  if (first === undefined) return []
  const varied = paths.filter((path) =>
    examples.some(({ record }) => readPath(record, path) !== readPath(first.record, path)),
  )
  const values = listValues(first, varied).slice(0, MAX_VALUES)
  const fits = (parts: Parts): boolean => {
    const source = { kind: 'pattern', parts, isUrl } as const
    return examples.every(({ value, record }) => readSource(source, record, '') === value)
  }
  const single = values.flatMap((value) => splitBy(first.value, value))
  const fitting = single.filter(fits)
  const found =
    fitting.length > 0
      ? fitting
      : single
          .flatMap(([before = '', one, after]) =>
            one === undefined || typeof after !== 'string'
              ? []
              : values.flatMap((value) => splitBy(after, value).map((parts) => [before, one, ...parts])),
          )
          .filter(fits)
  if (found.length === 0) return []
  const constants = listConstants(examples, paths, records)
  return found
    .filter((parts) => !parts.some((part) => typeof part === 'string' && constants.some((text) => part.includes(text))))
    .map((parts) => ({ kind: 'pattern', parts, isUrl }))
}

interface FoundValue {
  readonly part: PatternValue
  readonly text: string
}

/** Lists the values of a record that stand in the visible text, the longest first. */
function listValues({ value, record }: Example<string>, paths: readonly DataPath[]): FoundValue[] {
  const found = paths.flatMap((path) =>
    [false, true].flatMap((isEncoded): FoundValue[] => {
      const part = { path, isEncoded }
      const text = readPart(part, record)
      return text !== undefined && value.includes(text) ? [{ part, text }] : []
    }),
  )
  return found.sort((one, other) => other.text.length - one.text.length)
}

/** Splits a text at each place of a value. */
function splitBy(whole: string, { part, text }: FoundValue): Parts[] {
  const found: Parts[] = []
  for (let at = whole.indexOf(text); at >= 0 && found.length < MAX_PLACES; at = whole.indexOf(text, at + 1))
    found.push([whole.slice(0, at), part, whole.slice(at + text.length)])
  return found
}

/** Lists the texts that a value has in all examples, and not in all records. */
function listConstants(
  examples: readonly Example<string>[],
  paths: readonly DataPath[],
  records: readonly JsonObject[],
): string[] {
  return paths.flatMap((path) => {
    const text = toText(readPath(examples[0]?.record, path))
    if (text === undefined || text.length < MIN_CONSTANT) return []
    const isSame = (record: JsonObject): boolean => toText(readPath(record, path)) === text
    return examples.every(({ record }) => isSame(record)) && !records.every(isSame) ? [text] : []
  })
}
