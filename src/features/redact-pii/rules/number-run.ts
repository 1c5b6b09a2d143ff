/** Digits with what people write between them: `030 / 12 34 56`, `(212) 555-0100`, `4111-1111-…`. */
export interface NumberRun {
  readonly start: number
  readonly end: number
  readonly groups: readonly DigitGroup[]
}

/** Digits without anything between them. */
export interface DigitGroup {
  readonly digits: string
  readonly start: number
  readonly end: number
  /** Signs before it in its run, without spaces around a sign: ` `, `-`, `/`, `.`, `(`, `)`. */
  readonly separator: string
}

/** Longest run that is read. Digits and separators after it begin another. */
const MAX_GROUPS = 14
const MAX_SEPARATOR = 3

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isLetter = (code: number): boolean =>
  (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || (code >= 0xc0 && code < 0x2_50)

const SEPARATOR = /^(?: ?[-/(] ?|  ?|\.|\) ?[-/]? ?| ?[-/]? ?\(| - | \/ )$/

const DIGIT = /\d/g

/** Finds the runs of digits with at least five of them, by one walk over the text. */
export function findNumberRuns(text: string): NumberRun[] {
  const runs: NumberRun[] = []
  let at = 0
  for (;;) {
    DIGIT.lastIndex = at
    at = DIGIT.exec(text)?.index ?? -1
    if (at === -1) break
    const groups: DigitGroup[] = []
    let separator = ''
    let count = 0
    for (;;) {
      const start = at
      while (isDigit(text.charCodeAt(at))) at += 1
      groups.push({ digits: text.slice(start, at), start, end: at, separator })
      count += at - start
      let next = at
      while (next - at < MAX_SEPARATOR && ' -/.()'.includes(text.charAt(next) || 'x')) next += 1
      separator = text.slice(at, next)
      if (next === at || groups.length === MAX_GROUPS || !isDigit(text.charCodeAt(next)) || !SEPARATOR.test(separator))
        break
      separator = separator.trim() || ' '
      at = next
    }
    const [first] = groups
    if (count < 5 || !first) continue
    // Numbers within words, such as hashes, are none.
    if (isLetter(text.charCodeAt(first.start - 1)) || isLetter(text.charCodeAt(at))) {
      const whole = trimWords(text, groups)
      if (whole) runs.push(whole)
      continue
    }
    runs.push({ start: first.start, end: at, groups })
  }
  return runs
}

/** Returns a run without the groups at its ends that are parts of words. */
function trimWords(text: string, all: readonly DigitGroup[]): NumberRun | undefined {
  const groups = all.filter(
    (group) => !isLetter(text.charCodeAt(group.start - 1)) && !isLetter(text.charCodeAt(group.end)),
  )
  const [first, last] = [groups.at(0), groups.at(-1)]
  return first && last && groups.length > 0 ? { start: first.start, end: last.end, groups } : undefined
}

/** Returns the digits of some groups. */
export const digitsOf = (groups: readonly DigitGroup[]): string => groups.map(({ digits }) => digits).join('')

/** Writes the form of some groups: `###-##-####`. */
export const formOf = (groups: readonly DigitGroup[]): string =>
  groups.map(({ digits, separator }, at) => (at === 0 ? '' : separator) + '#'.repeat(digits.length)).join('')

const isYear = (digits: string): boolean => /^(?:1[5-9]|20)\d\d$/.test(digits)

/** Tests whether some groups are dates, years or times, and no number. */
export function areDates(groups: readonly DigitGroup[]): boolean {
  if (groups.every(({ digits }) => isYear(digits))) return true
  return groups.some(({ digits: first }, at) => {
    const [second, third] = [groups[at + 1], groups[at + 2]]
    if (!second || !third || !'-/.'.includes(second.separator) || second.separator !== third.separator) return false
    const isIso = isYear(first) && second.digits.length <= 2 && third.digits.length <= 2
    const isLocal = first.length <= 2 && second.digits.length <= 2 && isYear(third.digits)
    const [a, b] = isIso ? [second.digits, third.digits] : [first, second.digits]
    return (isIso || isLocal) && Number(a) <= 31 && Number(b) <= 31 && (Number(a) <= 12 || Number(b) <= 12)
  })
}
