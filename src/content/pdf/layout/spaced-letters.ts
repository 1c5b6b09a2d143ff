import type { Run } from '../page-text.js'

/** Matches letters with a space between each two. */
const SPACED = /^\p{L}(?: \p{L})*[.,:;!?]?$/u
/** Minimum number of letters of a line, in capitals and in others, and of its longest word. */
const [MIN_CAPITALS, MIN_LETTERS, MIN_WORD] = [5, 6, 4]
/** Maximum number of letters of a word. Where there are more, the spaces between words are lost. */
const MAX_WORD = 18
/** Minimum share of letters other than those of answers, notes and bases. */
const MIN_OTHERS = 0.4
const OTHERS = /[^A-EGTa-egt]/g

/**
 * Joins the letters of a line that are drawn apart from each other, as those of titles are: `L I G H T`. The words are apart as runs.
 * Other lines are returned as they are, and so are lists of letters, such as `A B C D E`.
 */
export function joinSpacedLetters(runs: readonly Run[]): readonly Run[] {
  if (!runs.every(({ text }) => SPACED.test(text.trim()))) return runs
  const words = runs.map(({ text }) => text.replaceAll(' ', ''))
  const letters = words.join('')
  const [longest] = words.toSorted((a, b) => b.length - a.length)
  const isCapital = letters === letters.toUpperCase()
  if (letters.length < (isCapital ? MIN_CAPITALS : MIN_LETTERS)) return runs
  if (longest === undefined || longest.length < MIN_WORD || longest.length > MAX_WORD) return runs
  if ((letters.match(OTHERS)?.length ?? 0) < MIN_OTHERS * letters.length || isAlphabet(letters)) return runs
  return runs.map((run, at) => ({ ...run, text: words[at] ?? '' }))
}

/** Tests if most letters come after the one before them in the alphabet. */
function isAlphabet(letters: string): boolean {
  const codes = Array.from(letters, (letter) => letter.codePointAt(0) ?? 0)
  return 2 * codes.filter((code, at) => at > 0 && code === (codes[at - 1] ?? 0) + 1).length > codes.length
}
