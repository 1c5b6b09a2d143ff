import { isOtherNumber } from './context.js'
import type { FoundValue, RuleText } from './found-value.js'
import { areDates, digitsOf, type DigitGroup, formOf, type NumberRun } from './number-run.js'

/**
 * Lengths of national numbers by calling code, without the code; what is not listed has 6 to 12 digits.
 *
 * @see https://www.itu.int/rec/T-REC-E.164
 */
const LENGTHS = new Map(
  (
    '1:10 7:10 20:8-10 27:9 30:10 31:9 32:8-9 33:9 34:9 36:8-9 39:6-11 40:9 41:9 43:4-13 44:9-10 45:8 46:7-10 47:8 48:9 49:5-13 ' +
    '51:8-9 52:10-11 53:8 54:10-11 55:10-11 56:9 57:10 58:10 60:8-10 61:9 62:8-12 63:8-10 64:8-10 65:8 66:8-9 81:9-10 82:8-11 ' +
    '84:9-10 86:10-11 90:10 91:10 92:9-10 93:9 94:9 95:7-10 98:10 212:9 213:8-9 216:8 218:9 220:7 221:9 233:9 234:8-10 254:9 ' +
    '351:9 352:6-11 353:7-9 354:7 355:8-9 356:8 357:8 358:6-12 359:8-9 370:8 371:8 372:7-8 373:8 374:8 375:9 376:6 377:8-9 ' +
    '380:9 381:8-9 382:8 385:8-9 386:8 387:8 389:8 420:9 421:9 423:7 852:8 853:8 855:8-9 880:8-10 886:8-9 961:7-8 962:8-9 ' +
    '963:8-9 964:8-10 965:8 966:9 967:7-9 968:8 970:9 971:8-9 972:8-9 973:8 974:8 975:8 976:8 977:8-10 992:9 993:8 994:9 995:9 ' +
    '996:9 998:9'
  )
    .split(' ')
    .map((entry): [string, readonly [number, number]] => {
      const [code = '', range = ''] = entry.split(':')
      const [low = 0, high = low] = range.split('-').map(Number)
      return [code, [low, high]]
    }),
)
const OTHER_CODES = /^(?:2[1-9]\d|3[578]\d|4[23]\d|5[09]\d|6[789]\d|8[05678]\d|9[679]\d)/

/** Words that say that a telephone number follows. */
const STRONG =
  /(?:(?:^|[^\p{L}])(?:tel|tél|tlf|tfno|tel[eé]f\p{L}*|t[eé]l[eé]ph\p{L}*|tele?foon\p{L}*|phones?|telephone\p{L}*|fon|fono|fone|mobile?s?|mobiltelefon\p{L}*|m[oó]vil\p{L}*|telem[oó]vel|handy\p{L}*|cell|cellulare|celular|portable|gsm|fax|telefax|téléfax|telecopie|sms|whatsapp|viber|hotline|helpline|rufnummer|durchwahl|festnetz|puh\.?|puhelin\p{L}*|matkapuh\p{L}*|komórk\p{L}*|kom\.|cep tel\p{L}*|тел|телефон\p{L}*|моб|мобильн\p{L}*|факс|τηλ\p{L}*|κιν\p{L}*|फ़ोन|फोन|मोबाइल|هاتف|جوال|טלפון|נייד)(?!\p{L})|電話|携帯|电话|手机|电話|傳真|传真|전화|휴대폰|โทร|[☎☏📞📱✆]|(?:^|[\s(|])(?:t|p|m|f|h|ph|tf|tel)[.:]\s?$)[^\d]{0,24}$/u
const WEAK =
  /(?:^|[^\p{L}])(?:call|dial|ring|text|reach|ruf\p{L}*|anruf\p{L}*|erreich\p{L}*|rückruf|appel\p{L}*|joignable|ll[aá]m\p{L}*|chiam\p{L}*|lig(?:ue|ar?)|bel|bellen|zadzwo\p{L}*|dzwo\p{L}*|volej\p{L}*|soita\p{L}*|ringe?n?|arayın|позвон\p{L}*|звон\p{L}*|contact|kontakt\p{L}*|contacto|contatti)(?!\p{L})[^\d/#|]{0,30}$/u
/** Parts of URLs that a telephone number follows. */
const IN_URL =
  /(?:^(?:tel|sms|callto|whatsapp|viber|facetime|skype):|wa\.me\/|[?&](?:phone|tel|telephone|mobile|number|call)=)[+(]?$/i
/** Text between two numbers of one list. */
const NEXT = /^[ ,;/]{0,3}(?:(?:or|and|und|oder|ou|et|o|y|e|bzw\.?|eller|och|og|lub|of|en)\s)?\s?[(+]?$/

/** A form of North America that nothing else has. */
const NORTH_AMERICA = /^(?:#-)?###-###-####$/

const isNorthAmerican = (digits: string): boolean =>
  /^1?[2-9](?!11)\d\d[2-9]\d{6}$/.test(digits) && !/^1?(\d)\1{9}$/.test(digits)

/** Tests whether digits after a calling code are as many as its country has. */
function isAbroad(digits: string): boolean {
  for (const size of [1, 2, 3]) {
    const code = digits.slice(0, size)
    const range = LENGTHS.get(code) ?? (size === 3 && OTHER_CODES.test(code) ? [6, 12] : undefined)
    if (!range) continue
    const [low, high] = range
    // A trunk prefix is written out of habit.
    const rest = digits.slice(size)
    const national = code === '39' ? rest : rest.replace(/^0/, '')
    if (code === '1' && !isNorthAmerican(national)) return false
    return national.length >= low && national.length <= high && (code === '39' || !national.startsWith('0'))
  }
  return false
}

/** Tests whether groups are numbers drawn from fifty, in their order. */
const isDraw = (groups: readonly DigitGroup[]): boolean =>
  groups.every(({ digits }, at) => Number(digits) <= 50 && Number(digits) > Number(groups[at - 1]?.digits ?? 0))

/** Tests whether groups have a form that telephone numbers at home have, and nothing else. */
function isSureAtHome(groups: readonly DigitGroup[], isInBrackets: boolean): boolean {
  const digits = digitsOf(groups)
  const form = formOf(groups)
  const [first, second] = groups
  if (!first || !second || areDates(groups)) return false
  const separators = new Set(groups.slice(1).map(({ separator }) => separator))
  if (separators.has('.') && (groups.length < 4 || separators.size > 1))
    return form === '###.###.####' && isNorthAmerican(digits)
  if (NORTH_AMERICA.test(form) || (isInBrackets && /^###\)###[- ]####$/.test(form))) return isNorthAmerican(digits)
  if (digits.length < 9 || digits.length > 11 || groups.length > 5) return false
  if (isInBrackets) return first.digits.length >= 2 && first.digits.length <= 5 && second.digits.length >= 3
  if (!digits.startsWith('0') || first.digits.length < 2 || digits.startsWith('00')) return false
  const last = groups.at(-1)
  // French numbers, but not those of a draw of lots.
  if (groups.length === 5) return /^##(?:([ .-])##)(?:\1##){3}$/.test(form) && !isDraw(groups)
  if (separators.has('.')) return false
  if (groups.length === 2) return first.digits.length >= 3 && first.digits.length <= 5 && second.digits.length >= 5
  return (
    first.digits.length <= 5 &&
    groups.slice(1).every((group) => group.digits.length >= 2 || (group === last && group.separator === '-'))
  )
}

/** Evidence for a telephone number, before its form is looked at. */
type Sign = 'strong' | 'weak' | 'none' | 'against'

function readSign(text: RuleText, start: number, after: number | undefined): Sign {
  const url = text.urlBefore(start)
  if (url !== '') return IN_URL.test(url) ? 'strong' : 'against'
  if (after !== undefined && NEXT.test(text.plain.slice(after, start))) return 'strong'
  const before = text.wordsBefore(start)
  if (STRONG.test(before)) return 'strong'
  const isOther = isOtherNumber(before)
  if (WEAK.test(before)) return isOther ? 'against' : 'weak'
  if (/[\p{L}\p{N}_.,:=&?#/@$€£-]$/u.test(text.plain.slice(start - 1, start))) return 'against'
  return isOther ? 'against' : 'none'
}

/** A part of a run that may be a number. */
interface Candidate {
  readonly groups: readonly DigitGroup[]
  readonly start: number
  readonly isInBrackets: boolean
  readonly hasPlus: boolean
}

function isPhone({ groups, isInBrackets, hasPlus }: Candidate, sign: Sign, isLoose: boolean): boolean {
  const digits = digitsOf(groups)
  const { length } = digits
  // A calling code has up to three.
  const isLong = hasPlus || digits.startsWith('00') || /^#{3,4}-#{7,8}-#{1,4}$/.test(formOf(groups))
  if (length < 6 || length > (isLong ? 15 : 13)) return false
  const last = groups.at(-1)
  if (last && groups.length > 1 && last.digits.length === 1 && !'-/'.includes(last.separator)) return false
  if (hasPlus) return sign !== 'against' ? isAbroad(digits) : false
  if (sign === 'against') return false
  if (areDates(groups)) return false
  const form = formOf(groups)
  // Decimal numbers, and addresses of computers.
  if (/^#+\.#+$/.test(form) && sign !== 'strong') return false
  if (sign === 'strong') return !/^#{1,3}(?:\.#{1,3}){3}$/.test(form)
  if (digits.startsWith('00') && isAbroad(digits.slice(2)) && (groups.length > 1 || sign === 'weak')) return true
  if (sign === 'weak') return length >= 7 && (groups.length > 1 || length >= 9)
  return isSureAtHome(groups, isInBrackets) || (isLoose && length >= 9 && length <= 12 && groups.length > 1)
}

/** Finds a telephone number that begins a run. @param after end of the number before it in a list */
export function findPhone(text: RuleText, run: NumberRun, after: number | undefined): FoundValue | undefined {
  const { plain } = text
  if (digitsOf(run.groups).length < 6) return undefined
  for (let from = 0; from < Math.min(run.groups.length, 4); from += 1) {
    const head = run.groups[from]
    if (!head) return undefined
    const lead = /(?:\+ ?)?\(?\+?$/.exec(plain.slice(Math.max(0, head.start - 4), head.start))?.[0] ?? ''
    const start = head.start - lead.length
    const hasPlus = lead.includes('+')
    const sign = readSign(text, start, from === 0 ? after : undefined)
    const isInBrackets = lead.includes('(')
    for (let size = run.groups.length - from; size > 0; size -= 1) {
      const groups = run.groups.slice(from, from + size).filter(
        // The trunk prefix in brackets: +49 (0) 30.
        ({ digits, separator }, at) => !(hasPlus && at === 1 && digits === '0' && separator === '('),
      )
      if (
        !isPhone(
          { groups, start, isInBrackets, hasPlus },
          hasPlus && sign === 'against' && !isOfWord(plain, start) && text.urlBefore(start) === '' ? 'none' : sign,
          text.isLoose,
        )
      )
        continue
      const end = run.groups[from + size - 1]?.end ?? run.end
      const isOpen = isInBrackets && !plain.slice(start, end).includes(')')
      return { start: isOpen ? start + lead.indexOf('(') + 1 : start, end, entity: 'PHONE' }
    }
    if (sign !== 'none') return undefined
  }
  return undefined
}

const isOfWord = (plain: string, start: number): boolean =>
  /[\p{L}\p{N}_+=]$/u.test(plain.slice(Math.max(0, start - 1), start))
