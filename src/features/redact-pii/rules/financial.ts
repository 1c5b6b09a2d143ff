import { hasLuhn, restOf97 } from './check-digits.js'
import { isOtherNumber } from './context.js'
import type { FoundValue, TextRule, RuleText } from './found-value.js'
import { digitsOf, type DigitGroup, formOf, type NumberRun } from './number-run.js'

/** Lengths of IBANs. @see https://www.swift.com/standards/data-standards/iban-international-bank-account-number */
const IBAN_LENGTHS = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 ' +
    'FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 ' +
    'LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 ' +
    'RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

const IBAN_START = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[ -]?[A-Za-z0-9])/g
const ALNUM = /[A-Za-z0-9]/

function readIban(text: string, start: number): number | undefined {
  const length = IBAN_LENGTHS.get(text.slice(start, start + 2).toUpperCase())
  if (length === undefined) return undefined
  let read = ''
  let at = start
  while (read.length < length) {
    const sign = text.charAt(at)
    if (ALNUM.test(sign)) read += sign
    else if ((sign !== ' ' && sign !== '-') || !ALNUM.test(text.charAt(at + 1))) return undefined
    at += 1
  }
  if (ALNUM.test(text.charAt(at))) return undefined
  const upper = read.toUpperCase()
  return restOf97(upper.slice(4) + upper.slice(0, 4)) === 1 ? at : undefined
}

/** Finds bank accounts by their IBAN. */
export const findIbans: TextRule = ({ plain, wordsBefore }) => {
  const found: FoundValue[] = []
  for (const { index } of plain.matchAll(IBAN_START)) {
    const end = readIban(plain, index)
    // Small letters are those of a hash more often.
    const isSure = end !== undefined && (!/[a-z]/.test(plain.slice(index, end)) || wordsBefore(index).includes('iban'))
    if (end !== undefined && isSure) found.push({ start: index, end, entity: 'FINANCIAL' })
  }
  return found
}

/** Certainty of the number of an issuer: by its digits or its groups alone, or only where it is said to be a card. */
type Issuer = 'sure' | 'grouped' | 'named'

function issuerOf(digits: string): Issuer | undefined {
  const { length } = digits
  const four = Number(digits.slice(0, 4))
  const two = Math.floor(four / 100)
  if (length === 16) {
    if (four < 5000 && four >= 4000) return 'sure'
    if ((two >= 51 && two <= 55) || (four >= 2221 && four <= 2720)) return 'sure'
    if (four === 6011 || two === 65 || (four >= 6440 && four <= 6499)) return 'sure'
    if (four >= 3528 && four <= 3589) return 'sure'
    if (two === 62 || two === 81) return 'sure'
    if (two === 50 || (two >= 56 && two <= 58) || two === 60) return 'named'
  }
  if (length === 15 && (two === 34 || two === 37)) return 'sure'
  if (length === 14 && (two === 36 || two === 38 || two === 39 || (four >= 3000 && four < 3060))) return 'grouped'
  if ((length === 13 || length === 19) && two >= 40 && two < 50) return 'named'
  if (length >= 17 && length <= 19 && two === 62) return 'grouped'
  if (length >= 12 && length <= 19 && (two === 50 || (two >= 56 && two <= 58) || two === 67)) return 'named'
  return undefined
}

const CARD_FORM = /^(?:####([ -])####\1####\1####(?:\1###)?|####([ -])######\2#####?|######([ -])#{10,13})$/
const CARD_WORDS =
  /(?:card|karte|carte|carta|tarjeta|cart[aã]o|kort|kart|kaart|visa|mastercard|amex|american express|maestro|girocard|カード|卡号|信用卡|pan\b|cc\b|credit|kredit|debit|paid|pay|zahl|payé|pagad|pagat|betaal)[^\d]{0,24}$/

/** Finds a payment card among the groups of a run. */
export function findCard(text: RuleText, { groups, start, end }: NumberRun): FoundValue | undefined {
  for (const part of windows(groups)) {
    const digits = digitsOf(part)
    if (digits.length < 12 || digits.length > 19) continue
    const issuer = issuerOf(digits)
    if (issuer === undefined || !hasLuhn(digits) || /^(.)\1*$/.test(digits)) continue
    const isGrouped = CARD_FORM.test(formOf(part))
    if (part.length > 1 && !isGrouped) continue
    const [from, to] = [part[0]?.start ?? start, part.at(-1)?.end ?? end]
    const before = text.wordsBefore(from)
    const isNamed = CARD_WORDS.test(before)
    const isBare = !isGrouped && (/[\w.,:=&?#/-]/.test(text.plain.charAt(from - 1)) || text.urlBefore(from) !== '')
    const isSure = issuer === 'sure' ? !isBare : issuer === 'grouped' && isGrouped
    if (isNamed || text.isLoose || (isSure && !isOtherNumber(before)))
      return { start: from, end: to, entity: 'FINANCIAL' }
  }
  return undefined
}

/** Lists what a card may be of: all groups, or some that follow each other. */
function* windows(groups: readonly DigitGroup[]): Generator<readonly DigitGroup[]> {
  yield groups
  for (const size of [5, 4, 3, 2, 1])
    if (size < groups.length)
      for (let from = 0; from + size <= groups.length; from += 1) yield groups.slice(from, from + size)
}
