import { foldCase, PAIRED } from '../../../base/text/fold-case.js'

/** Longest word that is compared. Characters. */
const MAX_WORD_LENGTH = 40

const LETTER = /[\p{L}\p{N}]/u
const MARK = /\p{M}/u
/** Characters that are one with the character before, and half-width letters. */
const IN_PARTS = /[\u1160-\u11ff\u3099\u309a\uff66-\uff9f]/

/**
 * Visits the words of a text in lower case and without accents. `camelCase` and `snake_case` are divided, because URLs and
 * names of programs consist of such words. A script without spaces gives each pair of neighbouring characters, and a
 * character alone by itself.
 *
 * @param visit called with each word, and with the part from its last capital letter on, where other capital letters stand before:
 *   `file` of `QFile`, but also `lite` of `SQLite`. It counts only where the whole word says nothing
 */
export function visitWords(text: string, visit: (word: string, end?: string) => void): void {
  let word = ''
  /** Position of the last capital letter of the word. */
  let lastUpper = 0
  /** Last character of a run without spaces, and the number of its pairs. */
  let [last, pairs] = ['', 0]
  const endRun = (): void => {
    if (last !== '' && pairs === 0 && LETTER.test(last)) visit(last)
    last = ''
    pairs = 0
  }
  const end = (): void => {
    const hasEnd = lastUpper > 0 && lastUpper < word.length - 1
    if (word !== '') visit(foldCase(word), hasEnd ? foldCase(word.slice(lastUpper)) : undefined)
    word = ''
    lastUpper = 0
  }
  for (const char of IN_PARTS.test(text) ? text.normalize('NFKC') : text) {
    const kind = kindOf(char)
    if (kind !== 'unspaced' && last !== '') endRun()
    if (kind === 'other') end()
    else if (kind === 'unspaced') {
      end()
      if (last !== '') {
        pairs += 1
        visit(last + char)
      }
      last = char
    } else {
      if (kind === 'upper') {
        if (isLower(word.at(-1))) end()
        lastUpper = word.length
      }
      if (word.length < MAX_WORD_LENGTH) word += char
    }
  }
  end()
  endRun()
}

const isLower = (char: string | undefined): boolean => char !== undefined && kindOf(char) === 'lower'

/** Kind of a character. A letter without cases counts as neither `upper` nor `lower`. */
function kindOf(char: string): 'lower' | 'upper' | 'letter' | 'unspaced' | 'other' {
  const code = char.charCodeAt(0)
  if (code < 0x80) {
    if (code >= 0x61 && code <= 0x7a) return 'lower'
    if (code >= 0x41 && code <= 0x5a) return 'upper'
    return code >= 0x30 && code <= 0x39 ? 'letter' : 'other'
  }
  if (!LETTER.test(char) && !MARK.test(char)) return 'other'
  if (PAIRED.test(char)) return 'unspaced'
  const [lower, upper] = [char.toLowerCase(), char.toUpperCase()]
  if (lower === upper) return 'letter'
  return char === lower ? 'lower' : 'upper'
}
