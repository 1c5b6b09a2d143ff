import type { ListValue } from '../../content/extract/list/page-list.js'
import { readAmount } from '../../base/text/read-amount.js'
import { readDate } from '../../base/text/read-date.js'
import { isOf } from '../../base/json-schema/schema-shape.js'
import { optionKey } from '../../base/json-schema/option-key.js'
import type { RowProperty } from './row-property.js'

const YES =
  /^(?:yes|true|✓|✔|ja|oui|sí|sì|sim|in ?stock|available|auf lager|lieferbar|en stock|disponible|disponibile|disponível|op voorraad)$/iu
const NO =
  /^(?:no|false|✗|✘|✕|nein|non|não|out ?of ?stock|sold ?out|unavailable|not available|ausverkauft|nicht verfügbar|épuisé|agotado|esaurito|esgotado|uitverkocht)$/iu

/**
 * Converts a value of a row to the type of a property: a text with a number to a number, a date to a day, a text to the
 * option that it means.
 *
 * @returns undefined if there is no such value
 */
export function fitValue(value: ListValue, property: RowProperty): unknown {
  const { types, options, format } = property
  if (options) return options.values.has(value) ? value : options.byKey.get(optionKey(value))
  if (types.length === 0) return value
  if (types.includes('array')) return fitArray(value, property)
  if (Array.isArray(value)) return types.includes('string') ? value.join(', ') : fitSingle(value, property)
  if (types.includes('string') && typeof value === 'string') return fitText(value, format)
  if (types.some((type) => isOf(value, type))) return value
  if (types.includes('number') || types.includes('integer')) return fitNumber(value, types.includes('number'))
  if (types.includes('boolean')) return fitFlag(value)
  return types.includes('string') ? String(value) : undefined
}

function fitArray(value: ListValue, { item }: RowProperty): unknown {
  const parts = Array.isArray(value) ? value : [value]
  const made = parts.map((part) => (item ? fitValue(part, item) : part))
  return made.includes(undefined) ? undefined : made
}

const fitSingle = ([only, ...others]: readonly string[], property: RowProperty): unknown =>
  only === undefined || others.length > 0 ? undefined : fitValue(only, property)

/** Shortens a date with a time to its day where the schema asks for a day. */
function fitText(value: string, format: string | undefined): string | undefined {
  if (format !== 'date' && format !== 'date-time') return value
  const date = /^\d{4}-\d{2}-\d{2}/u.test(value) ? value : readDate(value)
  return format === 'date' ? date?.slice(0, 10) : date
}

function fitNumber(value: ListValue, mayBeFraction: boolean): number | undefined {
  const number = typeof value === 'string' ? readAmount(value)?.value : typeof value === 'number' ? value : undefined
  return number !== undefined && (mayBeFraction || Number.isInteger(number)) ? number : undefined
}

function fitFlag(value: ListValue): boolean | undefined {
  const text = String(value).trim()
  return YES.test(text) ? true : NO.test(text) ? false : undefined
}
