import { ownValue } from '../collections/own-value.js'

/** A word or letter that multiplies the number before it, and the text after that word. */
export interface Scale {
  readonly factor: number
  /** Unit or currency after the word. */
  readonly rest: string
}

/** Facts about the text before a word that may be a scale. */
interface ScaleScope {
  /** True if no space separates the word from the number. */
  readonly isAttached: boolean
  /** True if the amount has a currency before its number. */
  readonly isMoney: boolean
  readonly decimal: '.' | ','
}

const list = (factor: number, words: string): [string, number][] => words.split(' ').map((word) => [word, factor])

/** Words that mean the same number beside anything that is counted. */
const WORDS: ReadonlyMap<string, number> = new Map([
  ...list(1e3, 'thousand thousands tausend tsd duizend mila tys тыс'),
  ...list(1e5, 'lakh lakhs'),
  ...list(
    1e6,
    'million millions millionen mio mln millón millones milhão milhões milione milioni miljoen miljon miljoner milion miliony milionów milyon млн',
  ),
  ...list(1e7, 'crore crores'),
  ...list(
    1e9,
    'bn milliard milliards milliarde milliarden mrd mld mlrd mia mdr bilhão bilhões miliardo miliardi miljard miljarder miliard miliardy miliardów milyar млрд',
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
  mm: 1e6,
  mn: 1e6,
  mill: 1e6,
  b: 1e9,
  md: 1e9,
  mds: 1e9,
  tn: 1e12,
  cr: 1e7,
  lac: 1e5,
}
/** Signs of money whose meaning depends on the country: `mil` is a thousand or a million, `T€` a thousand, `$1T` a trillion. */
const AMBIGUOUS: ReadonlySet<string> = new Set('t l mi mil bi bil bio 兆 조'.split(' '))
/** Numbers that are written in short. Small `m` is the metre. */
const ATTACHED: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, M: 1e6, B: 1e9 }
/** Chinese, Japanese and Korean scales. Their words have no spaces. */
const EAST_ASIAN: Readonly<Record<string, number>> = {
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
const MONEY_AFTER = /^\s*(?:\p{Sc}|[A-Z]{3}\b|(?:kr|zł|Kč|Ft|lei|лв)(?!\p{L}))/u

/**
 * Reads the scale at the beginning of a text after a number, such as that of `1.2M`, `3.4bn` and `1,2 Mio. €`. Undefined for
 * a scale that has several meanings; a factor of 1 for no scale.
 */
export function readScale(after: string, { isAttached, isMoney, decimal }: ScaleScope): Scale | undefined {
  const eastAsian = ownValue(EAST_ASIAN, after.slice(0, 1))
  if (eastAsian !== undefined) return { factor: eastAsian, rest: after.slice(1).trim() }
  const found = WORD.exec(after)
  if (found === null) return { factor: 1, rest: after }
  const [whole, word = ''] = found
  const rest = after.slice(whole.length)
  const lower = word.toLowerCase()
  const scaled = (factor: number): Scale => ({ factor, rest: rest.trim() })
  const known = WORDS.get(lower)
  if (known !== undefined) return scaled(known)
  const short = SHORT_SCALE.get(lower)
  if (short !== undefined) return decimal === '.' ? scaled(short) : undefined
  if (isMoney || MONEY_AFTER.test(rest)) {
    const factor = ownValue(OF_MONEY, lower)
    // A letter that begins a text is none: `$12 K cups`.
    const isAlone = isAttached || !/^\s+\p{L}/u.test(rest) || MONEY_AFTER.test(rest)
    if (factor !== undefined) return isAlone ? scaled(factor) : undefined
    if (AMBIGUOUS.has(lower)) return undefined
  }
  const attached = isAttached || word === 'k' ? ownValue(ATTACHED, word) : undefined
  return attached === undefined ? { factor: 1, rest: after } : scaled(attached)
}
