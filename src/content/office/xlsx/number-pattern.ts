/** A section of a number format. */
interface Section {
  /** Tests if the section applies to a value. */
  readonly applies: (value: number) => boolean
  readonly before: string
  readonly after: string
  /** Places of digits, such as `#,##0.0`; empty in a section that is only text. */
  readonly places: string
  /** Places of digits and the characters between them, such as `000-00-0000`; empty if nothing separates the digits. */
  readonly mask: string
  /** True if its words or signs say that the number is negative, such as `▼0` beside `▲0`. */
  readonly isNegative: boolean
}

/** Number format that adds text, separators or leading zeros to the digits of a number. */
export type NumberPattern = readonly Section[]

/**
 * Reads the sections of a number format. Returns nothing if they add nothing to the digits.
 *
 * @see ECMA-376 part 1, section 18.8.31
 */
export function readPattern(code: string): NumberPattern | undefined {
  const written = splitSections(code).slice(0, 3)
  const sections = written.map((section, at) => readSection(section, at, written.length))
  const [positive, negative] = sections
  // A minus beside `5°S` would make it `5°N`.
  if (positive && negative && !written.slice(0, 2).some(readCondition)) {
    const words = wordsOf(negative)
    sections[1] = { ...negative, isNegative: words !== '' && words !== wordsOf(positive) }
  }
  return sections.some(({ before, after, mask, places }) => before + after + mask !== '' || leastDigits(places) > 1)
    ? sections
    : undefined
}

/** Returns the letters and signs of a section, without those of numbers. */
const wordsOf = ({ before, after }: Section): string => `${before}${after}`.replace(/[^\p{L}\p{S}]|[+\u2212]/gu, '')

/** Writes a number with all its digits and what its format adds to them. Returns nothing if the format adds nothing. */
export function fillPattern(
  value: number,
  pattern: NumberPattern,
  write: (value: number) => string,
): string | undefined {
  const section = pattern.find(({ applies }) => applies(value))
  if (section === undefined) return undefined
  const { before, after, mask, places, isNegative } = section
  const text = before + after
  // Words such as `Yes` are shown instead of the number. A dash for zero is not.
  if (places === '') return /\p{L}/u.test(text) ? text.trim() : undefined
  const size = Math.abs(value)
  if (mask !== '') {
    const filled = value >= 0 && Number.isSafeInteger(value) ? fillMask(String(size), mask) : undefined
    return filled === undefined ? undefined : `${before}${filled}${after}`
  }
  // The unit is that of the scaled number: `0.0,,"M"` shows millions.
  const digits = padStart(write(text === '' ? size : size / scaleOf(places)), leastDigits(places))
  return value < 0 && !isNegative ? writeNegative(before, digits, after) : `${before}${digits}${after}`
}

/** Writes a negative number with a minus in front, whether its section has a minus, parentheses or only a colour. */
function writeNegative(before: string, digits: string, after: string): string {
  const isInParentheses = before.startsWith('(') && after.endsWith(')')
  const [left, right] = isInParentheses ? [before.slice(1), after.slice(0, -1)] : [before, after]
  return `-${left.replace(/^[-\u2212]\s?|[-\u2212]$/g, '')}${digits}${right}`
}

// A semicolon in quotes or after a backslash separates nothing.
const splitSections = (code: string): string[] => {
  const sections = ['']
  for (const [part] of code.matchAll(/"[^"]*"?|\\[^]|[^]/g))
    if (part === ';') sections.push('')
    else sections.push(`${sections.pop() ?? ''}${part}`)
  return sections
}

/** Matches a text, a character for alignment, a bracket, a place of a digit, or another character. */
const TOKENS = /"[^"]*"?|[\\_*][^]|\[[^\]]*\]|general|e[+-]|[^]/gi

function readSection(written: string, at: number, count: number): Section {
  const tokens = [...written.matchAll(TOKENS)].map(([token]) => token)
  const [first, last] = [tokens.findIndex(isPlace), tokens.findLastIndex(isPlace)]
  // The denominator of a fraction can be stated: `# ??/16`.
  const denominator = /^\/\d+/.exec(tokens.slice(last + 1).join(''))?.[0] ?? ''
  const [start, end] = first === -1 ? [tokens.length, tokens.length] : [first, last + 1 + denominator.length]
  const shown = tokens.slice(start, end)
  const places = shown.filter(isPlace).join('')
  const between = shown.filter((token) => !isPlace(token)).map(textOf)
  // A space or a point between the digits of `# ##0` separates thousands, and a slash makes a fraction.
  const isMask =
    /^[0#?]+$/.test(places) &&
    !between.some((text) => /[/0#?]/.test(text)) &&
    between.some((text) => text !== '' && (places.startsWith('0') || !/^[\s.,'\u2019]+$/.test(text)))
  const [before, after] = [tokens.slice(0, start), tokens.slice(end)].map((parts) => parts.map(textOf).join(''))
  const isShown = isMask || /[\p{L}\p{S}#%‰'"′″]/u.test(`${before}${after}`)
  return {
    applies: readCondition(written) ?? usualCondition(at, count),
    before: isShown ? (before ?? '').trimStart() : '',
    after: isShown ? (after ?? '').trimEnd() : '',
    places,
    mask: isMask ? shown.map((token) => (isPlace(token) ? token : textOf(token))).join('') : '',
    isNegative: false,
  }
}

const isPlace = (token: string): boolean => /^(?:[0#?.,]|general|e[+-])$/i.test(token)

/** Returns the displayed text of a token that is not a place of a digit. */
function textOf(token: string): string {
  if (token.startsWith('"')) return token.replaceAll('"', '')
  if (token.startsWith('\\')) return token.slice(1)
  if (token.startsWith('[')) return /^\[\$([^\]-]*)/.exec(token)?.[1] ?? ''
  // A letter without quotes is part of a word of the program, such as `G/通用格式` for `General`.
  return /^(?:[_*@]|\p{L})/u.test(token) ? '' : token
}

/** Reads the condition of a section: `[<1000]`. */
function readCondition(written: string): Section['applies'] | undefined {
  const [, operator, limit] = /\[(<=|>=|<>|<|>|=)(-?\d{1,20}(?:\.\d{1,20})?)\]/.exec(written) ?? []
  const number = Number(limit)
  switch (operator) {
    case '<':
      return (value) => value < number
    case '>':
      return (value) => value > number
    case '<=':
      return (value) => value <= number
    case '>=':
      return (value) => value >= number
    case '=':
      return (value) => value === number
    case '<>':
      return (value) => value !== number
    default:
      return undefined
  }
}

/** Returns the condition of a section that states none: the sections are for positive numbers, negative ones and zero. */
function usualCondition(at: number, count: number): Section['applies'] {
  if (at === count - 1) return () => true
  if (at === 1) return (value) => value < 0
  return count === 2 ? (value) => value >= 0 : (value) => value > 0
}

/** Returns the minimum number of digits before the decimal point. */
const leastDigits = (places: string): number => /^0{1,20}(?=\.|$)/.exec(places)?.[0].length ?? 1

/** Returns the divisor of a number: 1000 for each comma after the last digit before the decimal point, or after all. */
const scaleOf = (places: string): number => 1000 ** Math.min(/[0#?](,+)(?:\.|$)/.exec(places)?.[1]?.length ?? 0, 6)

const padStart = (digits: string, least: number): string => {
  const [whole = '', ...fraction] = digits.split('.')
  return digits.includes('e') ? digits : [whole.padStart(least, '0'), ...fraction].join('.')
}

/**
 * Puts digits into their places, from the last one. The first place takes all digits that are left. Returns nothing if a
 * separator would have no digit beside it.
 */
function fillMask(digits: string, mask: string): string | undefined {
  const first = mask.search(/[0#?]/)
  const firstSeparator = mask.search(/[^0#?]/)
  let left = digits
  let filled = ''
  for (let at = mask.length - 1; at >= first; at -= 1) {
    const place = mask.charAt(at)
    if (!/[0#?]/.test(place)) filled = place + filled
    else {
      const digit = at === first ? left : left.slice(-1)
      if (digit === '' && place !== '0' && at > firstSeparator) return undefined
      filled = (digit || (place === '0' ? '0' : '')) + filled
      left = left.slice(0, -1)
    }
  }
  return /^\d/.test(filled) ? filled : undefined
}
