import { ownValue } from '../collections/own-value.js'
import { isCurrencyCode } from './currencies.js'

/** Words or letters that multiply the number before them, and the text after these words. */
interface Scale {
  readonly factor: number
  /** Unit or currency after the words. */
  readonly rest: string
}

/** Facts about the text before a word that may be a scale. */
interface ScaleScope {
  /** True if no space separates the word from the number. */
  readonly isAttached: boolean
  /** Currency before the number; empty if there is none. */
  readonly currency: string
  readonly decimal: '.' | ','
}

const list = (factor: number, words: string): [string, number][] => words.split(' ').map((word) => [word, factor])

/** Words that mean the same number beside anything that is counted. */
const WORDS: ReadonlyMap<string, number> = new Map([
  ...list(1e2, 'hundred'),
  ...list(1e3, 'thousand thousands tausend tsd duizend mila tys тыс'),
  ...list(1e5, 'lakh lakhs'),
  ...list(
    1e6,
    'million millions millionen mio mln millón millones milhão milhões milione milioni miljoen miljon miljoner milion miliony milionów milyon млн',
  ),
  ...list(1e7, 'crore crores'),
  ...list(
    1e9,
    'bn milliard milliards milliarde milliarden mrd mld mlrd mia bilhão bilhões miliardo miliardi miljard miljarder miliard miliardy miliardów milyar млрд',
  ),
])
/** English words that mean a million times as much in languages that write a decimal comma. */
const SHORT_SCALE: ReadonlyMap<string, number> = new Map([
  ...list(1e9, 'billion billions'),
  ...list(1e12, 'trillion trillions'),
])
/** Signs that are scales of money; beside other numbers, they are units as well: `5 mn` are minutes. */
const OF_MONEY: Readonly<Record<string, number>> = {
  k: 1e3,
  m: 1e6,
  mn: 1e6,
  mill: 1e6,
  b: 1e9,
  tn: 1e12,
}
/** Signs of money in India. `$120.50 CR` is a credit. */
const OF_RUPEES: Readonly<Record<string, number>> = { ...OF_MONEY, lac: 1e5, lacs: 1e5, cr: 1e7 }
/** Signs of money before its currency only: `kr. 129 md.` is a price for a month. */
const BEFORE_MONEY: Readonly<Record<string, number>> = { ...OF_MONEY, md: 1e9, mds: 1e9, mdr: 1e9 }
/** Signs of money whose meaning depends on the country: `mil` is a thousand or a million, `T€` a thousand, `$1T` a trillion. */
const AMBIGUOUS: ReadonlySet<string> = new Set('mm t mi mil bi bil 兆 조'.split(' '))
/** All signs of money. */
const SIGNS: ReadonlySet<string> = new Set(['l', ...AMBIGUOUS, ...Object.keys({ ...BEFORE_MONEY, ...OF_RUPEES })])
/** Signs that, after a space, may be the unit of a price: `€2.50 m`. */
const UNIT_OF_PRICE = /^(?:[bmt]|mm|[tT]n)$/u
/** Numbers that are written in short. Small `m` is the metre. */
const ATTACHED: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, M: 1e6, B: 1e9 }
/** Signs before things that are counted. Before other words, they are units: `2700K warm`. */
const OF_COUNTS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 }
/** Things that pages count by thousands. */
const COUNTED: ReadonlySet<string> = new Set(
  (
    'views viewers followers following subscribers members users people fans friends readers listeners players visits ' +
    'visitors downloads installs likes reactions comments replies answers questions posts tweets shares stars forks votes ' +
    'upvotes points ratings reviews plays streams sold orders employees students jobs photos videos songs words miles km ' +
    'vues abonnés membres aufrufe abonnenten mitglieder nutzer bewertungen seguidores suscriptores miembros ' +
    'visualizaciones inscritos membros visualizações iscritti visualizzazioni'
  ).split(' '),
)
/** Chinese, Japanese and Korean scales. Their words have no spaces. */
const EAST_ASIAN: Readonly<Record<string, number>> = {
  百: 1e2,
  백: 1e2,
  千: 1e3,
  천: 1e3,
  万: 1e4,
  萬: 1e4,
  만: 1e4,
  亿: 1e8,
  億: 1e8,
  억: 1e8,
}

const WORD = /^(\p{L}+)(?:\.(?!\p{L}))?(?=$|[\s\p{Sc}/+),;])/u
/** A currency at the beginning of what follows a scale, which needs no space before it: `M€`. */
const MONEY_AFTER = /^\s*(?:\p{Sc}|([A-Z]{3})(?![\p{L}\d])|(?:kr|zł|Kč|Ft|lei|лв)(?!\p{L}))/u

/**
 * Reads the scales at the beginning of a text after a number, such as those of `1.2M`, `1,2 Mio. €` and `3 thousand million`.
 * Undefined for a scale that has several meanings; a factor of 1 for no scale.
 */
export function readScale(after: string, scope: ScaleScope): Scale | undefined {
  let factor = 1
  let rest = after
  while (rest !== '') {
    const read = readOne(rest, factor === 1 ? scope : { ...scope, isAttached: false })
    if (read === undefined) return undefined
    if (read.factor === 1) break
    factor *= read.factor
    rest = read.rest
  }
  return { factor, rest }
}

function readOne(after: string, { isAttached, currency, decimal }: ScaleScope): Scale | undefined {
  const none: Scale = { factor: 1, rest: after }
  const eastAsian = ownValue(EAST_ASIAN, after.slice(0, 1))
  if (eastAsian !== undefined) return { factor: eastAsian, rest: after.slice(1).trim() }
  const found = WORD.exec(after)
  if (found === null) return none
  const [whole, word = ''] = found
  const lower = word.toLowerCase()
  const rest = after.slice(whole.length).replace(/^\+/u, '')
  const scaled = (factor: number | undefined): Scale => (factor === undefined ? none : { factor, rest: rest.trim() })
  const known = WORDS.get(lower)
  if (known !== undefined) return scaled(known)
  const short = SHORT_SCALE.get(lower)
  if (short !== undefined) return decimal === '.' ? scaled(short) : undefined
  if (!SIGNS.has(lower)) return none
  if (beginsWithMoney(rest)) return AMBIGUOUS.has(lower) ? undefined : scaled(ownValue(BEFORE_MONEY, lower))
  if (currency !== '') {
    if (!isAttached && UNIT_OF_PRICE.test(word)) return none
    const isRupee = /^(?:₹|INR|Rs\.?)$/u.test(currency)
    const factor = ownValue(isRupee ? OF_RUPEES : OF_MONEY, lower)
    // A letter that begins a text is none: `$12 K cups`.
    const isInText = factor !== undefined && !isAttached && /^\s+\p{L}/u.test(rest)
    // `₹45 L` is 45 lakhs, or a price for a litre.
    const isAmbiguous = AMBIGUOUS.has(lower) || (isRupee && word === 'L')
    return isInText || isAmbiguous ? undefined : scaled(factor)
  }
  if (COUNTED.has(/^\s?(\p{L}+)/u.exec(rest.toLowerCase())?.[1] ?? '')) return scaled(ownValue(OF_COUNTS, lower))
  return isAttached && rest === '' ? scaled(ownValue(ATTACHED, word)) : none
}

function beginsWithMoney(text: string): boolean {
  const found = MONEY_AFTER.exec(text)
  return found !== null && (found[1] === undefined || isCurrencyCode(found[1]))
}

/**
 * Returns the sign after a number that was not multiplied by it, although it is a scale in other texts: the `M` of `1,2 M`.
 *
 * @param after text after the number
 */
export function findOpenSign(after: string): string | undefined {
  const word = WORD.exec(after)?.[1]
  return word !== undefined && SIGNS.has(word.toLowerCase()) ? word : undefined
}
