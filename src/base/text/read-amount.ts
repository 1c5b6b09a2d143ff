import { currencyOf, isCurrencyCode } from './currencies.js'
import { asciiNumbers } from './plain-digits.js'
import { readScale } from './read-scale.js'

/** A number in a text, with what stands around it. */
export interface UnitAmount {
  readonly value: number
  /** Sign or word of the currency, or the unit, as written; empty if there is none. */
  readonly unit: string
  /** Code of an unambiguous currency: of ISO 4217, or another in general use. */
  readonly currency?: string
  /** Factor of the scale that the number was multiplied by; 1 for none. */
  readonly factor: number
}

/** Maximum length of a text that is a number with its unit. Characters. */
const MAX_LENGTH = 60

const NUMBER = /[-−+]?(?:\d[\d.,'’\u00a0\u202f ]*\d|\d)/u
const CURRENCY_SIGN =
  /^(?:[A-Z]{1,3})?\p{Sc}$|^(?:kr\.?|zł|Kč|Ft|lei|лв\.?|Fr\.?|Rs\.?|Rp\.?|RM|RMB|грн\.?|S\/\.?|円|원)$/u
/** A remark after a currency: `€ (inkl. MwSt.)`, `円（税込）`. */
const IN_BRACKETS = /[(（][^()（）]*[)）]$/u
const UNIT = /^[\p{L}\p{Sc}%°µ²³/.\- ]{1,24}$/u

/** Tests for a currency. Not each word of three capitals is one: `RFC 2616`, `1200 RPM`. */
export const isCurrency = (text: string): boolean =>
  CURRENCY_SIGN.test(text) || (/^[A-Z]{3}$/u.test(text) && isCurrencyCode(text))

/** A sign before the currency. */
const SIGN_BEFORE = /^([-−+])\s?([\p{L}\p{Sc}.]{1,5}\s?)(?=\d)/u
/** A minus after a number. */
const MINUS_AFTER = /^([^\d−+-]{0,6})(\d[\d.,'’\u00a0\u202f ]*)[-−](?=$|\s)/u
/** A number with cents or thousands. After another one, a minus may be a part of a grade or a range: `2-`. */
const OF_ACCOUNT = /[.,'’\u00a0\u202f ]\d{2,3}$/u

/** Euros and cents around the sign: `12€99`. */
const AROUND_SIGN = /^(\d[\d.,'’\u00a0\u202f ]*?)\s?€\s?(\d{2})$/u
/** A dash in the place of cents: `299,-`, `1 299:-`. */
const NO_CENTS = /^\s?[.,:][-–—]{1,2}$/u

/** Moves the sign of an amount to its number: `-$5` is `$-5`, and `20,00-` of an account is `-20,00`. */
const moveSign = (text: string): string =>
  /[-−+]/u.test(text)
    ? text
        .replace(SIGN_BEFORE, '$2$1')
        .replace(MINUS_AFTER, (whole, before: string, digits: string) =>
          OF_ACCOUNT.test(digits) ? `${before}-${digits}` : whole,
        )
    : text

/**
 * Returns the number in a text that consists of a number and a unit; undefined for another text, and for a minus of unknown
 * meaning: `20 -`. The dash of `€20 -` and `20 - per night` is none. A scale multiplies the number: `1.2M` is 1200000. One
 * with several meanings makes the text none: `$5 mil`.
 */
export function readAmount(written: string, decimal: '.' | ',' = '.'): UnitAmount | undefined {
  if (written.length > MAX_LENGTH) return undefined
  const text = moveSign(asciiNumbers(written)).replace(AROUND_SIGN, `$1${decimal}$2 €`)
  const found = NUMBER.exec(text)
  if (found === null) return undefined
  const before = text.slice(0, found.index).trim()
  const behind = text.slice(found.index + found[0].length).replace(NO_CENTS, '')
  const isMoney = isCurrency(before)
  if (/\d/u.test(before + behind) || (/^\s*[-−]\s*$/u.test(behind) && !isMoney)) return undefined
  const digits = parseDigits(found[0], decimal)
  const scale = readScale(behind.trim(), {
    isAttached: !/^\s/u.test(behind),
    currency: isMoney ? before : '',
    decimal,
  })
  if (digits === undefined || scale === undefined) return undefined
  const { factor, rest: after } = scale
  const value = factor === 1 ? digits : Number((digits * factor).toPrecision(15))
  const sign = [before, after, after.replace(IN_BRACKETS, '').trimEnd()].find(isCurrency) ?? ''
  if (sign !== '') return { value, factor, unit: sign, currency: nameCurrency(sign) }
  // A number after a word is a part of a name: `Room 5`.
  if (before !== '' && before !== '#') return undefined
  if (after !== '' && !UNIT.test(after)) return undefined
  const first = /^[^\s/]+/u.exec(after)?.[0] ?? ''
  const isPrice = isCurrency(first) && (!/^[A-Z]+$/u.test(first) || FOR_UNIT.test(after.slice(first.length)))
  return { value, factor, unit: after, currency: isPrice ? nameCurrency(first) : undefined }
}

/** Unit of a price: `EUR/kg`. Without it, a code may be a word: `12 CAD drawings`. */
const FOR_UNIT = /^(?:\s?\/|\s(?:a|al|cada|each|je|par|per|por|pr\.?|pro)\s)/u

const nameCurrency = (sign: string): string | undefined =>
  currencyOf(sign.toLowerCase().replace(/\.$/u, '')) ?? (/^[A-Z]{3}$/u.test(sign) ? sign : undefined)

/** A number with separators as India writes them: 12 lakhs and 50 thousand are `12,50,000`. */
const INDIAN_GROUPS = /^[-+]?\d{1,2}(?:,\d{2})+,\d{3}$/u

function parseDigits(text: string, decimal: '.' | ','): number | undefined {
  const group = decimal === '.' ? ',' : '.'
  // Spaces and apostrophes separate thousands: anything else in front of them is another number.
  const [first = '', ...rest] = text.replace('−', '-').split(/[\u00a0\u202f '’]+/u)
  if (rest.some((part) => !/^\d{3}(?:\D|$)/u.test(part))) return undefined
  const bare = [first, ...rest].join('')
  const [whole = '', ...fractions] = bare.split(decimal)
  if (fractions.length > 1) return undefined
  const parts = whole.split(group)
  if (parts.length > 1 && parts.slice(1).some((part) => part.length !== 3) && !INDIAN_GROUPS.test(whole))
    return undefined
  const value = Number([parts.join(''), ...fractions].join('.'))
  return Number.isNaN(value) ? undefined : value
}

/**
 * Finds the decimal sign that all numbers of a column have in common. The numbers that can be read in one way only decide:
 * by more of them, if they disagree. Where there are none, as in a column of `1.234` and `999`, the language of the page
 * decides; prices have no three decimals, and a point in a measure separates no thousands. Without a known language, it is
 * the point, but for currencies of countries that write the comma.
 *
 * @param language of the page; empty if it is unknown
 */
export function findDecimal(texts: readonly string[], language = ''): '.' | ',' {
  let commas = 0
  let points = 0
  for (const written of texts) {
    const text = asciiNumbers(written.slice(0, MAX_LENGTH))
    const digits = NUMBER.exec(text)?.[0] ?? ''
    const cents = /\d([.,])[-–—]/u.exec(text)?.[1]
    if (SURE_COMMA.test(digits) || cents === ',') commas += 1
    if (SURE_POINT.test(digits) || cents === '.') points += 1
  }
  if (commas + points > 0) return commas > points ? ',' : '.'
  const unsure = texts.map(asciiNumbers).filter((text) => /\d[.,]\d{3}(?!\d)/u.test(text))
  if (unsure.some((text) => text.includes('.') && COMMA_MONEY.test(text))) return ','
  // `$1,299` on a page in Spanish has a separator of thousands, and `1.100 s` on one in German has a decimal sign.
  const isSure = (text: string): boolean =>
    text.includes(',') ? MONEY.test(text) : MEASURE.test(readAmount(text)?.unit ?? '')
  if (unsure.length === 0 || unsure.some(isSure)) return '.'
  const { hasComma, groupsByPoint } = signsOf(language)
  return hasComma && (groupsByPoint || unsure.every((text) => !text.includes('.'))) ? ',' : '.'
}

/** Money in a text: a sign, a word or an ISO 4217 code. */
const MONEY = /\p{Sc}|(?<!\p{L})(?:kr|zł|Kč|Ft|lei|лв|Fr|Rs|RM|[A-Z]{3})(?!\p{L})/u
/** Money of countries that write a decimal comma. */
const COMMA_MONEY =
  /[€₺₫]|R\$|(?<!\p{L})(?:kr|zł|Kč|Ft|lei|лв|Rp|EUR|TRY|VND|IDR|BRL|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN)(?!\p{L})/u
/** Units of numbers that rarely reach thousands: of angles, shares and short times. */
const MEASURE = /^(?:[°%‰].*|m?s|sec|Sek|min)\.?$/u

/**
 * Numbers with a decimal comma: not three digits follow it, thousands stand before it, or a zero or four digits; or points
 * separate thousands twice.
 */
const SURE_COMMA = /,\d{1,2}$|,\d{4,}$|[.\s'’]\d{3},|\.\d{3}\.|^[-−+]?(?:0|\d{4,}),\d{3}$/u
const SURE_POINT = /\.\d{1,2}$|\.\d{4,}$|[,\s'’]\d{3}\.|,\d{3},|^[-−+]?(?:0|\d{4,})\.\d{3}$/u

/**
 * Tells how a language writes numbers in its country. A point separates thousands in all countries with a decimal comma if
 * it does in one: texts in `de-AT` and `pt-PT` have points, although their standards ask for spaces. English has the
 * decimal point everywhere.
 */
function signsOf(language: string): { hasComma: boolean; groupsByPoint: boolean } {
  const [, name = '', country] =
    /^([a-z]{2,3})(?:[-_][a-z]{4})?(?:[-_]([a-z]{2}|\d{3}))?(?![a-z\d])/iu.exec(language) ?? []
  const locale = country === undefined ? name : `${name}-${country}`
  if (/^(?:en)?$/iu.test(name) || Intl.NumberFormat.supportedLocalesOf(locale).length === 0)
    return { hasComma: false, groupsByPoint: false }
  return { hasComma: signOf(locale, 'decimal') === ',', groupsByPoint: signOf(name, 'group') === '.' }
}

const signOf = (locale: string, type: 'decimal' | 'group'): string | undefined =>
  new Intl.NumberFormat(locale).formatToParts(1_234_567.5).find((part) => part.type === type)?.value
