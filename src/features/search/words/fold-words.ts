import { foldCase, PAIRED } from '../../../base/text/fold-case.js'

/** Words, with the marks that belong to their letters. */
const WORD = /[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*/gu

/** Runs of one kind within a word: pairs of characters, or letters. */
const RUN = new RegExp(`${PAIRED.source}[${PAIRED.source.slice(1, -1)}\\p{M}]*|[^${PAIRED.source.slice(1, -1)}]+`, 'gu')

/** A capital after a small letter or a digit, or before a small letter: the parts of `parseHTTPHeader`. */
const CAPITAL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

/** Longest word that is indexed: longer ones are data. Characters. */
export const MAX_WORD_LENGTH = 60

/**
 * Splits a text into words as the index has them: in lower case and without accents, a name such as `shared_buffers` or
 * `HashMap` as a whole and in its parts, and Chinese, Japanese, Korean and Thai by overlapping pairs of characters.
 */
export function foldWords(text: string): string[] {
  const words: string[] = []
  for (const [word] of text.normalize('NFC').matchAll(WORD)) {
    if (word.length > MAX_WORD_LENGTH && !PAIRED.test(word)) continue
    if (!PAIRED.test(word)) addName(word, words)
    else for (const [run] of word.matchAll(RUN)) addRun(run, words)
  }
  return words
}

function addRun(run: string, words: string[]): void {
  if (!PAIRED.test(run)) return addName(run, words)
  const characters = Array.from(run.normalize('NFKC'))
  for (let at = 1; at < characters.length; at += 1) words.push(`${characters[at - 1]}${characters[at]}`)
  // Each character begins a word, so that one alone is found by the beginnings of words.
  words.push(characters.at(-1) ?? '')
}

function addName(name: string, words: string[]): void {
  const whole = foldCase(name)
  if (whole !== '') words.push(whole)
  const parts = name.split('_').flatMap((part) => part.split(CAPITAL))
  if (parts.length === 1) return
  for (const part of parts) {
    const folded = foldCase(part)
    if (folded !== '' && folded !== whole) words.push(folded)
  }
}

/** Tests for a word of a script that is indexed by pairs of characters. */
export const isPaired = (word: string): boolean => PAIRED.test(word)
