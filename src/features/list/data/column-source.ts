import type { JsonObject } from '../../../base/collections/is-object.js'
import type { ListField, ListValue } from '../../../content/extract/list/page-list.js'
import { collapse } from '../../../content/html/tree.js'
import { readAmount } from '../../../base/text/read-amount.js'
import { readDate } from '../../../base/text/read-date.js'
import { resolveUrl } from '../../../base/url.js'
import { type DataPath, readPath } from './data-path.js'

/** A value of a record inside a text. */
export interface PatternValue {
  readonly path: DataPath
  /** True if the value is percent-encoded. */
  readonly isEncoded: boolean
}

/** Describes how the value of a column is made from a record. Plain data. */
export type ColumnSource =
  | {
      readonly kind: 'value'
      readonly path: DataPath
      readonly type: ListField['type']
      /** Factor of a number: 0.01 for amounts in cents. */
      readonly factor?: number
      /** Length of a date in ISO 8601, as precise as the page writes it. Characters. */
      readonly length?: number
    }
  | { readonly kind: 'array'; readonly path: DataPath; readonly inner: DataPath }
  | { readonly kind: 'pattern'; readonly parts: readonly (string | PatternValue)[]; readonly isUrl: boolean }
  /** The same value in each row that has another field: the currency of a price. */
  | { readonly kind: 'constant'; readonly value: ListValue; readonly beside: string }

/** Maximum length of a value. Characters. */
const MAX_TEXT = 10_000
/** Times above this number are in milliseconds, otherwise in seconds, since the epoch. */
const MIN_MILLISECONDS = 1e11
const MAX_ARRAY = 1_000

/** Returns a value of data as text; undefined for what is no text or number, and for an empty or very long text. */
export function toText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  if (typeof value !== 'string' || value.length > MAX_TEXT) return undefined
  const text = collapse(value)
  return text === '' ? undefined : text
}

/** Resolves an address in data; undefined for a value that is none. */
export function toUrl(value: unknown, base: string): string | undefined {
  return typeof value === 'string' && /^(?:\/|\.{1,2}\/|https?:|\?)/iu.test(value)
    ? resolveUrl(value, base)?.href
    : undefined
}

/** Makes the value of a column from a record; undefined if the record has none. @param base URL of the page */
export function readSource(source: ColumnSource, record: JsonObject, base: string): ListValue | undefined {
  if (source.kind === 'constant') return undefined
  if (source.kind === 'pattern') return fill(source.parts, record, source.isUrl)
  if (source.kind === 'array') return readArray(readPath(record, source.path), source.inner)
  const value = readPath(record, source.path)
  if (source.type === 'number') return toNumber(value, source.factor ?? 1)
  if (source.type === 'boolean') return typeof value === 'boolean' ? value : undefined
  if (source.type === 'date') return toDate(value, source.length ?? 10)
  return source.type === 'url' ? toUrl(value, base) : toText(value)
}

function toNumber(value: unknown, factor: number): number | undefined {
  const number = typeof value === 'string' ? readAmount(value)?.value : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
  return factor === 1 ? number : Math.round(number) / Math.round(1 / factor)
}

function toDate(value: unknown, length: number): string | undefined {
  if (typeof value === 'string') {
    const date = readDate(value)
    return date !== undefined && date.length >= length ? date.slice(0, length) : undefined
  }
  if (typeof value !== 'number') return undefined
  const date = new Date(Math.abs(value) < MIN_MILLISECONDS ? value * 1000 : value)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, length)
}

function readArray(value: unknown, inner: DataPath): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const texts = value.slice(0, MAX_ARRAY).map((one) => toText(readPath(one, inner)))
  return texts.every((text) => text !== undefined) ? texts : undefined
}

function fill(parts: readonly (string | PatternValue)[], record: JsonObject, isUrl: boolean): string | undefined {
  let text = ''
  for (const part of parts) {
    const value = typeof part === 'string' ? part : readPart(part, record)
    if (value === undefined) return undefined
    text += value
  }
  // A value with the signs of another address, such as `../`, does not stand where the pattern has it.
  return !isUrl || resolveUrl(text)?.href === text ? text : undefined
}

/** Reads a value as it stands in a pattern. */
export function readPart({ path, isEncoded }: PatternValue, record: JsonObject): string | undefined {
  const text = toText(readPath(record, path))
  if (text === undefined || !isEncoded) return text
  // `encodeURIComponent` throws for half of a surrogate pair.
  return /\p{Cs}/u.test(text) ? undefined : encodeURIComponent(text)
}
