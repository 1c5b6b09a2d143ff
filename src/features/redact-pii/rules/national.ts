import { groupBy } from '../../../base/collections/group-by.js'
import { hasLuhn, hasMod1110, hasVerhoeff, isDay, restOf97, weigh } from './check-digits.js'
import { isOtherNumber } from './context.js'
import type { FoundValue, TextRule, RuleText } from './found-value.js'
import { areDates, digitsOf, formOf, type NumberRun } from './number-run.js'

/** A national number of digits. */
interface NumberKind {
  /** Lengths. Digits. */
  readonly digits: number
  /** Form in which it is divided; absent for any. */
  readonly form?: RegExp
  isValid(digits: string): boolean
  /** Names that must stand before it, unless its form and its check digits leave no doubt. */
  readonly names?: RegExp
}

const dayFirst = (digits: string): boolean => isDay(digits.slice(0, 2), digits.slice(2, 4))
const yearFirst = (digits: string): boolean => isDay(digits.slice(4, 6), digits.slice(2, 4))
const modulo11 = (digits: string, weights: readonly number[]): number => weigh(digits, weights) % 11
const lastOf = (digits: string): number => Number(digits.at(-1))

const NORWAY_1 = [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]
const NORWAY_2 = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]
const BRAZIL_1 = [10, 9, 8, 7, 6, 5, 4, 3, 2]
const BRAZIL_2 = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]
const CHINA = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/** Check digit of which a rest of 10 counts as 0. */
const isRest = (sum: number, digit: number): boolean => ((sum * 10) % 11) % 10 === digit

const isSsn = (digits: string): boolean =>
  !/^(?:000|666)|^...00|0000$/.test(digits) && (digits.charAt(0) !== '9' || /^9..(?:[5-8]|9[0-24-9])/.test(digits))

function isTaxIdOfGermany(digits: string): boolean {
  if (digits.startsWith('0') || !hasMod1110(digits)) return false
  const distinct = new Set(digits.slice(0, 10)).size
  return distinct === 9 || distinct === 8
}

function isTurkish(digits: string): boolean {
  if (digits.startsWith('0')) return false
  const ten = weigh(digits, [7, -1, 7, -1, 7, -1, 7, -1, 7]) % 10
  return (ten + 10) % 10 === Number(digits[9]) && weigh(digits, Array<number>(10).fill(1)) % 10 === lastOf(digits)
}

function isBelgian(digits: string): boolean {
  const check = Number(digits.slice(9))
  return (
    yearFirst(digits) && [digits.slice(0, 9), `2${digits.slice(0, 9)}`].some((body) => 97 - restOf97(body) === check)
  )
}

const isPolish = (digits: string): boolean =>
  isDay(digits.slice(4, 6), String(Number(digits.slice(2, 4)) % 20)) &&
  weigh(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0

const isFrench = (digits: string): boolean =>
  /^[1-478]\d\d(?:0[1-9]|1[0-2]|[2-9]\d)/.test(digits) &&
  97 - restOf97(digits.slice(0, 13)) === Number(digits.slice(13))

const isBrazilian = (digits: string): boolean =>
  !/^(.)\1*$/.test(digits) &&
  isRest(weigh(digits, BRAZIL_1), Number(digits[9])) &&
  isRest(weigh(digits, BRAZIL_2), lastOf(digits))

const isRussianTax = (digits: string): boolean =>
  modulo11(digits, [7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 10 === Number(digits[10]) &&
  modulo11(digits, [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 10 === lastOf(digits)

function isJapanese(digits: string): boolean {
  const rest = modulo11(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2])
  return (rest <= 1 ? 0 : 11 - rest) === lastOf(digits)
}

const ID_WORDS = 'id(?:entity|entifi\\p{L}*)?[ -]?(?:number|no\\.?|nr\\.?|card)?'

/** Matches a name before a number: `BSN: `, `his NHS number is `. */
const named = (names: string): RegExp => new RegExp(`(?:^|[^\\p{L}])(?:${names})(?!\\p{L})[^\\d]{0,28}$`, 'u')

const kinds: readonly NumberKind[] = [
  { digits: 9, form: /^###-##-####$/, isValid: isSsn },
  { digits: 9, isValid: isSsn, names: named('ssn|social security|itin|tax ?id|tin') },
  { digits: 10, isValid: (d) => modulo11(d, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) === 0, names: named('nhs') },
  { digits: 11, isValid: isTaxIdOfGermany, names: named('steuer\\p{L}*(?:-id\\p{L}*)?|id-?nr|tin|tax id\\p{L}*') },
  { digits: 15, form: /^# ## ## ##(?: ### ### | ######[ -])##$|^#{15}$|^#{13} ##$/, isValid: isFrench },
  {
    digits: 9,
    isValid: (d) => modulo11(d, [9, 8, 7, 6, 5, 4, 3, 2, -1]) === 0,
    names: named('bsn|burgerservice\\p{L}*|sofi\\p{L}*'),
  },
  { digits: 11, form: /^##\.##\.##[- ]###[. -]##$/, isValid: isBelgian },
  {
    digits: 11,
    isValid: isBelgian,
    names: named('rijksregister\\p{L}*|registre national|national register|niss|insz|rrn'),
  },
  { digits: 11, isValid: isPolish, names: named('pesel') },
  {
    digits: 9,
    isValid: (d) => {
      const rest = modulo11(d, [9, 8, 7, 6, 5, 4, 3, 2])
      return (rest < 2 ? 0 : 11 - rest) === lastOf(d)
    },
    names: named('nif|contribuinte|n[uú]mero fiscal'),
  },
  { digits: 10, form: /^######-####$/, isValid: (d) => yearFirst(d) && hasLuhn(d) },
  {
    digits: 10,
    isValid: (d) => yearFirst(d) && hasLuhn(d),
    names: named('personnummer|pnr|personal number|samordnings\\p{L}*'),
  },
  {
    digits: 12,
    form: /^########-####$/,
    isValid: (d) => /^(?:19|20)/.test(d) && yearFirst(d.slice(2)) && hasLuhn(d.slice(2)),
  },
  {
    digits: 12,
    isValid: (d) => /^(?:19|20)/.test(d) && yearFirst(d.slice(2)) && hasLuhn(d.slice(2)),
    names: named('personnummer|pnr'),
  },
  {
    digits: 11,
    form: /^#{6} ?#{5}$/,
    isValid: (d) =>
      isDay(String(Number(d.slice(0, 2)) % 40), d.slice(2, 4)) &&
      modulo11(d, NORWAY_1) === 0 &&
      modulo11(d, NORWAY_2) === 0,
  },
  { digits: 10, isValid: dayFirst, names: named('cpr\\p{L}*(?:[ -]?(?:nr|nummer))?') },
  {
    digits: 13,
    form: /^###\.####\.####\.##$/,
    isValid: (d) => d.startsWith('756') && weigh(d, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0,
  },
  {
    digits: 13,
    isValid: (d) => d.startsWith('756') && weigh(d, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0,
    names: named('ahv\\p{L}*(?:-?nummer|-?nr)?|avs|avn'),
  },
  {
    digits: 10,
    isValid: (d) => isDay(d.slice(4, 6), d.slice(6, 8)) && modulo11(d, [3, 7, 9, -1, 5, 8, 4, 2, 1, 6]) === 0,
    names: named('svnr|sv-?nummer|sozialversicherung\\p{L}*|versicherungsnummer'),
  },
  { digits: 11, form: /^###\.###\.###-##$/, isValid: isBrazilian },
  { digits: 11, isValid: isBrazilian, names: named('cpf') },
  { digits: 12, isValid: (d) => /^[2-9]/.test(d) && hasVerhoeff(d), names: named('aadhaa?r|uidai|आधार') },
  { digits: 18, form: /^#{18}$/, isValid: (d) => isChinese(d, d.slice(17)) },
  { digits: 12, isValid: isJapanese, names: named('マイナンバー|個人番号|my number') },
  { digits: 11, isValid: isTurkish, names: named('t\\.?c\\.?(?: kimlik)?(?: no)?|kimlik(?: no)?') },
  { digits: 9, isValid: (d) => weigh(d, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0, names: named('tfn|tax file') },
  { digits: 9, isValid: hasLuhn, names: named('sin|social insurance|n\\.?a\\.?s|teudat zehut|ת\\.?ז\\.?') },
  { digits: 13, isValid: (d) => yearFirst(d) && hasLuhn(d), names: named(`${ID_WORDS}|rsa id|sa id`) },
  {
    digits: 13,
    isValid: (d) => yearFirst(d.slice(1)) && modulo11(d, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 10 === lastOf(d),
    names: named('cnp|cod numeric'),
  },
  {
    digits: 13,
    form: /^######-#######$/,
    isValid: (d) =>
      yearFirst(d) &&
      /^.{6}[1-8]/.test(d) &&
      (11 - modulo11(d, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5])) % 10 === lastOf(d),
  },
  {
    digits: 13,
    form: /^######-#######$/,
    isValid: (d) => yearFirst(d) && /^.{6}[1-8]/.test(d),
    names: named('주민등록번호|주민번호|rrn'),
  },
  {
    digits: 10,
    form: /^######\/####$/,
    isValid: (d) => isDay(d.slice(4, 6), String((Number(d.slice(2, 4)) % 50) % 20)) && Number(d) % 11 === 0,
  },
  { digits: 11, isValid: hasMod1110, names: named('oib') },
  { digits: 11, isValid: (d) => yearFirst(d.slice(1)), names: named('isikukood|asmens kodas|personal code') },
  { digits: 10, isValid: (d) => modulo11(d, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 10 === lastOf(d), names: named('егн|egn') },
  { digits: 11, isValid: (d) => dayFirst(d) && hasLuhn(d), names: named('amka|αμκα') },
  {
    digits: 11,
    form: /^##-########-#$/,
    isValid: (d) => /^(?:2[0347]|3[034])/.test(d) && isRest(modulo11(d, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]), lastOf(d)),
  },
  {
    digits: 11,
    form: /^###-###-### ##$/,
    isValid: (d) => (weigh(d, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101) % 100 === Number(d.slice(9)),
  },
  { digits: 12, isValid: isRussianTax, names: named('инн') },
  { digits: 9, form: /^##\.###\.###-#$/, isValid: (d) => isChilean(d.slice(0, 8), d.slice(8)) },
  { digits: 8, form: /^#\.###\.###-#$/, isValid: (d) => isChilean(d.slice(0, 7), d.slice(7)) },
  { digits: 9, isValid: (d) => isChilean(d.slice(0, 8), d.slice(8)), names: named('rut|run') },
  { digits: 13, isValid: (d) => /^[1-8]/.test(d), names: named('เลขประจำตัวประชาชน|thai id') },
  {
    digits: 16,
    isValid: (d) => isDay(String(Number(d.slice(6, 8)) % 40), d.slice(8, 10)),
    names: named('nik|nomor induk kependudukan'),
  },
]

function isChinese(digits: string, last: string): boolean {
  if (!/^[1-9]\d{5}(?:19|20)\d\d/.test(digits) || !isDay(digits.slice(12, 14), digits.slice(10, 12))) return false
  return '10X98765432'.charAt(modulo11(digits, CHINA)) === last.toUpperCase()
}

function isChilean(digits: string, last: string): boolean {
  let [sum, weight] = [0, 2]
  for (let at = digits.length - 1; at >= 0; at -= 1) {
    sum += weight * Number(digits[at])
    weight = weight === 7 ? 2 : weight + 1
  }
  return '0123456789K0'.charAt(11 - (sum % 11)) === last.toUpperCase()
}

const kindsByLength = groupBy(kinds, ({ digits }) => digits)

/** Finds a national number of digits that is a whole run. */
export function findNationalNumber(text: RuleText, run: NumberRun): FoundValue | undefined {
  const { groups, start, end } = run
  const digits = digitsOf(groups)
  const sized = kindsByLength.get(digits.length)
  if (!sized) return undefined
  const form = formOf(groups)
  const fitting = sized.filter((kind) => (kind.form?.test(form) ?? true) && kind.isValid(digits))
  if (fitting.length === 0 || areDates(groups)) return undefined
  const before = text.wordsBefore(start)
  const isNamed = fitting.some(({ names }) => names?.test(before)) && text.plain.charAt(start - 1) !== '.'
  const isPlain = !/[\w.,:=&?#/-]/.test(text.plain.charAt(start - 1)) && text.urlBefore(start) === ''
  const isSure = fitting.some(({ names }) => names === undefined) && isPlain && !isOtherNumber(before)
  return isNamed || isSure || (text.isLoose && isPlain) ? { start, end, entity: 'PERSON' } : undefined
}

/** A national number with letters. */
interface LetteredKind {
  readonly form: RegExp
  isValid(sign: string): boolean
  readonly names?: RegExp
  /** True if it needs none of its names. @default whether it has none */
  readonly isSure?: true
}

const DNI_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'
const FINNISH = '0123456789ABCDEFHJKLMNPRSTUVWXY'
const ODD_OF_ITALY = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

function isItalian(code: string): boolean {
  let sum = 0
  for (let at = 0; at < 15; at += 1) {
    const sign = code.charCodeAt(at)
    const value = sign < 58 ? sign - 48 : sign - 65
    sum += at % 2 === 0 ? (ODD_OF_ITALY[value] ?? 0) : value
  }
  return sum % 26 === code.charCodeAt(15) - 65
}

const ofMexico = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ'
const isMexican = (code: string): boolean =>
  (10 - (Array.from(code.slice(0, 17)).reduce((sum, sign, at) => sum + ofMexico.indexOf(sign) * (18 - at), 0) % 10)) %
    10 ===
  Number(code[17])

function isSingaporean(code: string): boolean {
  const sum = weigh(code.slice(1, 8), [2, 7, 6, 5, 4, 3, 2]) + (/^[TG]/.test(code) ? 4 : 0)
  return (/^[ST]/.test(code) ? 'JZIHGFEDCBA' : 'XWUTRQPNMLK').charAt(sum % 11) === code.charAt(8)
}

const isIrish = (code: string): boolean =>
  'WABCDEFGHIJKLMNOPQRSTUV'.charAt(
    (weigh(code.slice(0, 7), [8, 7, 6, 5, 4, 3, 2]) +
      (/[A-I]/.test(code.charAt(8)) ? (code.charCodeAt(8) - 64) * 9 : 0)) %
      23,
  ) === code.charAt(7)

const lettered: readonly LetteredKind[] = [
  {
    form: /^(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/,
    isValid: () => true,
    isSure: true,
    names: named('national insurance|nino?|ni'),
  },
  { form: /^[A-Z]{2}\d{6}[A-D]$/, isValid: () => true, names: named('national insurance|nino') },
  { form: /^[A-Z]{6}\d{2}[A-EHLMPR-T]\d{2}[A-Z]\d{3}[A-Z]$/, isValid: isItalian },
  {
    form: /^\d{8}[A-Z]$/,
    isValid: (code) => DNI_LETTERS.charAt(Number(code.slice(0, 8)) % 23) === code.charAt(8),
    names: named('dni|nif|documento nacional|d\\.n\\.i\\.?'),
  },
  {
    form: /^[XYZ]\d{7}[A-Z]$/,
    isValid: (code) =>
      DNI_LETTERS.charAt(Number(`${'XYZ'.indexOf(code.charAt(0))}${code.slice(1, 8)}`) % 23) === code.charAt(8),
  },
  {
    form: /^\d{6}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]$/,
    isValid: (code) =>
      dayFirst(code) && FINNISH.charAt(Number(code.slice(0, 6) + code.slice(7, 10)) % 31) === code.charAt(10),
  },
  { form: /^[A-Z]{3}P[A-Z]\d{4}[A-Z]$/, isValid: () => true, names: named('pan(?: card)?(?: n\\p{L}*)?|पैन') },
  { form: /^[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d$/, isValid: isMexican },
  { form: /^[STFG]\d{7}[A-Z]$/, isValid: isSingaporean, names: named(`nric|fin|${ID_WORDS}`) },
  { form: /^\d{7}[A-W][A-IW]?$/, isValid: isIrish, names: named('pps\\p{L}*(?: n\\p{L}*\\.?)?') },
  { form: /^\d{17}X$/, isValid: (code) => isChinese(code, 'X') },
  { form: /^\d{7,8}K$/, isValid: (code) => isChilean(code.slice(0, -1), 'K'), names: named('rut|run') },
  {
    form: /^\d{8}[A-Z]\d{3}$/,
    isValid: (code) => isDay(code.slice(2, 4), code.slice(4, 6)),
    names: named('rentenversicherung\\p{L}*|sozialversicherung\\p{L}*|versicherungsnummer|svnr|rvnr'),
  },
]

/** A word of digits and letters that may be divided by spaces, points and a hyphen. */
const LETTERED =
  /\b(?:[A-Z]{2} ?\d\d ?\d\d ?\d\d ?[A-D]|[A-Z]{3,6}\d{2,6}[A-Z0-9]{1,10}|[STFGXYZ]-?\d{7}-?[A-Z]|\d{1,2}\.\d{3}\.\d{3}-[Kk]|\d{6}[-+A-FU-Y]\d{3}[0-9A-Y]|\d{6,8}-?[A-Z]\d{0,3}[A-Z]?|\d\d ?\d{6} ?[A-Z] ?\d{3}|\d{17}[Xx])\b/g

/** Finds national numbers with letters. */
export const findLetteredNumbers: TextRule = (text) => {
  const found: FoundValue[] = []
  for (const { 0: whole, index } of text.plain.matchAll(LETTERED)) {
    const code = whole.replaceAll(/[ .]|(?<=[A-Z\d])-(?=[A-Zk]$)|(?<=^[A-Z])-/g, '').toUpperCase()
    const fitting = lettered.filter(({ form, isValid }) => form.test(code) && isValid(code))
    if (fitting.length === 0) continue
    const before = text.wordsBefore(index)
    const isNamed = fitting.some(({ names }) => names?.test(before))
    const isPlain = !/[\w.:=&?#/-]/.test(text.plain.charAt(index - 1)) && text.urlBefore(index) === ''
    const isSure =
      fitting.some(({ names, isSure: is }) => is ?? names === undefined) && isPlain && !isOtherNumber(before)
    if (isNamed || isSure || text.isLoose) found.push({ start: index, end: index + whole.length, entity: 'PERSON' })
  }
  return found
}
