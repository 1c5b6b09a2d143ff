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
  us$: 'USD',
  au$: 'AUD',
  a$: 'AUD',
  ca$: 'CAD',
  nz$: 'NZD',
  hk$: 'HKD',
  nt$: 'TWD',
  sg$: 'SGD',
  s$: 'SGD',
  mx$: 'MXN',
  '₴': 'UAH',
  '₦': 'NGN',
  '₸': 'KZT',
  '₡': 'CRC',
  '₲': 'PYG',
  '₾': 'GEL',
  '₼': 'AZN',
  '֏': 'AMD',
  '₮': 'MNT',
  '₵': 'GHS',
  '৳': 'BDT',
  '៛': 'KHR',
  '₭': 'LAK',
  kč: 'CZK',
  грн: 'UAH',
  's/': 'PEN',
  rp: 'IDR',
  rm: 'MYR',
  rmb: 'CNY',
  ntd: 'TWD',
  rur: 'RUB',
  円: 'JPY',
  원: 'KRW',
}

/** Returns the ISO 4217 code of a currency sign in lower case; undefined for an ambiguous one, such as `$`. */
export const currencyOf = (sign: string): string | undefined => ownValue(CURRENCIES, sign)

/** Codes that pages write though ISO 4217 lacks them. */
const OTHER_CODES = ['BTC', 'ETH', 'NTD', 'RUR']

let codes: ReadonlySet<string> | undefined

/** Tests whether a word is the code of a currency: of ISO 4217, or another in general use. */
export const isCurrencyCode = (word: string): boolean =>
  (codes ??= new Set([...Intl.supportedValuesOf('currency'), ...OTHER_CODES])).has(word)
