/** Number of letters that a stem of four letters or more may lack. */
const MAX_ENDING = 5
/** Endings of English words after a stem of three letters, with the last letter doubled or not: `logging` of `log`. */
const SHORT_ENDING = /^[a-z]?(?:s|es|ed|ing|er)$/
const VOWEL = /[aeiouy]/

/**
 * Tests whether a text is the stem of a word, as Porter's stemmer cuts it: `log` of `logging`, `gener` of `generator`. A stem of three
 * letters must have a vowel, so that `str` is none of `string`.
 */
export function isStemOf(stem: string, word: string): boolean {
  if (stem.length < 3 || !word.startsWith(stem)) return false
  const ending = word.slice(stem.length)
  if (stem.length > 3) return ending.length <= MAX_ENDING
  if (ending.length > 4 || !VOWEL.test(stem) || !SHORT_ENDING.test(ending)) return ending === ''
  return ending.length < 3 || ending === 'ing' || ending.startsWith(stem.slice(-1))
}
