import { findDecimal, readAmount, type UnitAmount } from '../../../base/text/read-amount.js'
import { findDayFirst, readDate } from '../../../base/text/read-date.js'
import { asciiNumbers } from '../../../base/text/plain-digits.js'
import { findOpenSign } from '../../../base/text/read-scale.js'
import type { ListColumn, ListValue } from './page-list.js'

/** Type of a column, and how its values are read. */
export type ColumnType = Pick<ListColumn, 'type' | 'unit' | 'decimal' | 'dayFirst'>

/** Minimum share of the values that must be readable as numbers or dates. The others stay text. */
const TYPED_SHARE = 0.8

const YES: ReadonlySet<string> = new Set(['yes', 'true', '✓', '✔', 'ja', 'oui', 'sí', 'sì', 'sim'])
const NO: ReadonlySet<string> = new Set(['no', 'false', '✗', '✘', '✕', 'nein', 'non', 'não'])

/**
 * Chooses the type of a column by its values.
 *
 * @param language of the page, which decides the order of day and month, and the decimal sign, where no value does
 */
export function typeColumn(texts: readonly string[], language: string): ColumnType {
  if (texts.every((text) => YES.has(text.toLowerCase()) || NO.has(text.toLowerCase())) && texts.length > 0)
    return { type: 'boolean' }
  const dayFirst = chooseDayFirst(texts, language)
  const dates = texts.filter((text) => readDate(text, dayFirst) !== undefined).length
  if (dates >= Math.max(1, texts.length * TYPED_SHARE) && !texts.every(isYear)) return { type: 'date', dayFirst }
  return typeNumbers(texts, language) ?? { type: 'text' }
}

/** Chooses the order of day and month; undefined if it is unknown, or if the values contradict each other. */
function chooseDayFirst(texts: readonly string[], language: string): boolean | undefined {
  const found = findDayFirst(texts)
  if (found !== undefined) return found === 'mixed' ? undefined : found
  if (/^en-us$/iu.test(language)) return false
  return language === '' || /^en$/iu.test(language) ? undefined : true
}

const BYTES = /^[kmgt]i?b$/iu

const isYear = (text: string): boolean => /^\d{4}$/u.test(text)

function typeNumbers(texts: readonly string[], language: string): ColumnType | undefined {
  // Numbers with leading zeros or very many digits are codes.
  if (texts.some((text) => /^[+(]?0\d|\d{16}/u.test(asciiNumbers(text)))) return undefined
  const decimal = findDecimal(texts, language)
  const amounts = texts.flatMap((text) => readUnit(text, decimal) ?? [])
  if (amounts.length < Math.max(1, texts.length * TYPED_SHARE)) return undefined
  // Beside `1.5 KB`, the `B` of `512B` is a byte and no billion.
  if (amounts.some(({ unit }) => BYTES.test(unit)) && texts.some((text) => /\dB$/u.test(text))) return undefined
  if (mixesScales(amounts)) return undefined
  const units = new Set(amounts.map(({ unit, isMoney }) => (isMoney ? 'money' : singular(unit))))
  units.delete('')
  if (units.size > 1) return undefined
  if (areCodes(texts)) return undefined
  const shown = new Map<string, number>()
  for (const { unit } of amounts) shown.set(unit, (shown.get(unit) ?? 0) + 1)
  const [unit = ''] = [...shown].sort(([, one], [, other]) => other - one).map(([name]) => name)
  const isShared = units.has('money') ? shown.size === 1 : true
  return {
    type: 'number',
    decimal: decimal === ',' ? decimal : undefined,
    unit: unit !== '' && isShared ? unit : undefined,
  }
}

/** Unit of an amount in a column. */
interface ColumnUnit {
  readonly unit: string
  readonly isMoney: boolean
  /** True if the number was multiplied by a scale. */
  readonly isScaled: boolean
  /** Sign after the number that may be a scale, and was not read as one. */
  readonly openSign?: string
}

const CODE = /^\d{1,3}\p{Lu}(?:[-/]\p{Lu})?$/u
const WHOLE_NUMBER = /^[1-9]\d{0,2}$/u
const QUANTITY = /\d{4}|\d[.,]\d/u

/**
 * Tests for numbers of which some have a capital letter or a range of them: platforms `7` and `7A`, or `7` and `7A-D`. Numbers
 * with a fraction, and large ones, are quantities: `2.5A`, `1,203E`.
 */
const areCodes = (texts: readonly string[]): boolean =>
  texts.some((text) => CODE.test(text)) &&
  texts.some((text) => WHOLE_NUMBER.test(text)) &&
  !texts.some((text) => QUANTITY.test(text))

/** Tests whether a sign may be the scale of some numbers only: `1,2 M` beside `900`. Small letters are units: `5 m` beside `0`. */
function mixesScales(amounts: readonly ColumnUnit[]): boolean {
  const open = amounts.flatMap(({ openSign }) => openSign ?? [])
  if (open.length === 0) return false
  return (
    amounts.some(({ isScaled }) => isScaled) ||
    (open.some((sign) => /\p{Lu}|^(?:k|mil)$/u.test(sign)) && amounts.some(({ unit }) => unit === ''))
  )
}

function readUnit(text: string, decimal: '.' | ','): ColumnUnit | undefined {
  const amount = readAmount(text, decimal)
  if (amount === undefined) return undefined
  const { unit, value, factor } = amount
  const isScaled = factor !== 1
  // A season or a month with its year is a date that has no day.
  if (!isScaled && isYearOf(amount) && asciiNumbers(text).includes(String(value))) return undefined
  const openSign = isScaled ? undefined : findOpenSign((text.split(/\d/u).at(-1) ?? '').trim())
  const shown = /^[.)#:+-]*$/u.test(unit) ? '' : unit
  return { unit: shown, isMoney: shown !== '' && isMoney(amount), isScaled, openSign }
}

/** True for a number that may be a year beside a word. `1,980 views` has a separator, which no year has. */
const isYearOf = (amount: UnitAmount): boolean =>
  /^\p{L}/u.test(amount.unit) &&
  Number.isInteger(amount.value) &&
  amount.value >= 1900 &&
  amount.value < 2100 &&
  !isMoney(amount)

/** True for an amount of money. */
export const isMoney = ({ unit, currency }: UnitAmount): boolean =>
  /\p{Sc}/u.test(unit) ||
  (currency !== undefined && unit !== '') ||
  /^(?:kr\.?|zł|Kč|Ft|lei|лв\.?|Fr\.?|Rs\.?)$/u.test(unit)

const singular = (unit: string): string => unit.toLowerCase().replace(/e?s$/u, '')

/** Reads a value as the type of its column; text if it cannot be. */
export function readTyped(text: string, { type, decimal, dayFirst }: ColumnType): ListValue {
  if (type === 'number') return readAmount(text, decimal)?.value ?? text
  if (type === 'date') return readDate(text, dayFirst) ?? text
  if (type === 'boolean') return YES.has(text.toLowerCase()) ? true : NO.has(text.toLowerCase()) ? false : text
  return text
}
