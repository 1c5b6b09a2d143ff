import { ownValue } from '../collections/own-value.js'
import { currencyOf } from './currencies.js'

/** A number in a text, with what stands around it. */
export interface UnitAmount {
  readonly value: number
  /** Sign or word of the currency, or the unit, as written; empty if there is none. */
  readonly unit: string
  /** ISO 4217 code of an unambiguous currency. */
  readonly currency?: string
}

/** Maximum length of a text that is a number with its unit. Characters. */
const MAX_LENGTH = 60

const NUMBER = /[-−+]?(?:\d[\d.,'’\u00a0\u202f ]*\d|\d)/u
const CURRENCY_SIGN = /^(?:[A-Z]{1,3})?\p{Sc}$|^(?:kr\.?|zł|Kč|Ft|lei|Fr\.?|R\$|[A-Z]{3})$/u
const UNIT = /^[\p{L}\p{Sc}%°µ²³/.\- ]{1,24}$/u
/** Numbers that are written in short: `1.2k`. Small `m` is the metre. */
const SHORT = /^\d[\d.,]*([kKMB])$/u
const MULTIPLES: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, M: 1e6, B: 1e9 }

/** Returns the number in a text that consists of a number and a unit; undefined for another text. */
export function readAmount(text: string, decimal: '.' | ',' = '.'): UnitAmount | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const found = NUMBER.exec(text)
  if (found === null) return undefined
  const before = text.slice(0, found.index).trim()
  const after = text.slice(found.index + found[0].length).trim()
  if (/\d/u.test(before + after)) return undefined
  const value = parseDigits(found[0], decimal)
  if (value === undefined) return undefined
  const short = SHORT.exec(text)?.[1]
  if (short !== undefined) return { value: Math.round(value * (ownValue(MULTIPLES, short) ?? 1) * 1e6) / 1e6, unit: '' }
  const sign = [before, after].find((part) => CURRENCY_SIGN.test(part)) ?? ''
  if (sign !== '') return { value, unit: sign, ...withCurrency(sign) }
  // A number after a word is a part of a name: `Room 5`.
  if (before !== '' && before !== '#') return undefined
  return after === '' || UNIT.test(after) ? { value, unit: after } : undefined
}

const withCurrency = (sign: string): Pick<UnitAmount, 'currency'> => {
  const currency = currencyOf(sign.toLowerCase()) ?? (/^[A-Z]{3}$/u.test(sign) ? sign : undefined)
  return currency === undefined ? {} : { currency }
}

function parseDigits(text: string, decimal: '.' | ','): number | undefined {
  const group = decimal === '.' ? ',' : '.'
  // Spaces and apostrophes separate thousands: anything else in front of them is another number.
  const [first = '', ...rest] = text.replace('−', '-').split(/[\u00a0\u202f '’]+/u)
  if (rest.some((part) => !/^\d{3}(?:\D|$)/u.test(part))) return undefined
  const bare = [first, ...rest].join('')
  const [whole = '', ...fractions] = bare.split(decimal)
  if (fractions.length > 1) return undefined
  const parts = whole.split(group)
  if (parts.length > 1 && parts.slice(1).some((part) => part.length !== 3)) return undefined
  const value = Number([parts.join(''), ...fractions].join('.'))
  return Number.isNaN(value) ? undefined : value
}

/** Finds the decimal sign that all numbers of a column have in common; a comma only if one number cannot be read otherwise. */
export function findDecimal(texts: readonly string[]): '.' | ',' {
  let commas = 0
  let points = 0
  for (const text of texts) {
    const digits = NUMBER.exec(text.slice(0, MAX_LENGTH))?.[0] ?? ''
    if (/,\d{1,2}$|,\d{4,}$|\.\d{3},/u.test(digits)) commas += 1
    if (/\.\d{1,2}$|\.\d{4,}$|,\d{3}\./u.test(digits)) points += 1
  }
  if (commas + points > 0) return commas > points ? ',' : '.'
  // `1.299 €` has a separator of thousands where no number of the column has a decimal sign.
  return texts.some((text) => /\d\.\d{3}(?!\d)/u.test(text) && /[€₺₫]|kr|zł|R\$/u.test(text)) ? ',' : '.'
}
