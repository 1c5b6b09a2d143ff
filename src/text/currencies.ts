import { ownValue } from '../collections/own-value.js'

/** Symbols and abbreviations that are unambiguous. */
const CURRENCIES: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  '₺': 'TRY',
  '₽': 'RUB',
  '₩': 'KRW',
  '฿': 'THB',
  '₪': 'ILS',
  '₫': 'VND',
  '₱': 'PHP',
  zł: 'PLN',
  r$: 'BRL',
  rp: 'IDR',
  rm: 'MYR',
  rmb: 'CNY',
  円: 'JPY',
  원: 'KRW',
}

/** Returns the ISO 4217 code of a currency sign in lower case; undefined for an ambiguous one, such as `$`. */
export const currencyOf = (sign: string): string | undefined => ownValue(CURRENCIES, sign)

let codes: ReadonlySet<string> | undefined

/** Tests whether a word is the ISO 4217 code of a currency. */
export const isCurrencyCode = (word: string): boolean =>
  (codes ??= new Set(Intl.supportedValuesOf('currency'))).has(word)
