import { composeText } from './fold-case.js'

/**
 * A run of letters and digits, with accents and invisible characters among them. Everything else, such as white space and marks of
 * Markdown, is not compared.
 */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad\u200b-\u200d\u2060]*/gu

/** Target of a link of Markdown, which a reader does not see. */
const TARGET = /\]\([^()\s]*\)/g

interface PlacedWord {
  readonly word: string
  readonly start: number
  readonly end: number
}

/**
 * Finds the words of a quote in a text, one after the other and without a word in between.
 *
 * @returns the passage as the text has it, with the marks between its words; undefined when it is not there
 */
export function findQuote(text: string, quote: string): string | undefined {
  const wanted = placeWords(quote).map(({ word }) => word)
  const words = placeWords(text)
  const [first] = wanted
  if (first === undefined) return undefined
  for (let at = 0; at + wanted.length <= words.length; at += 1) {
    if (words[at]?.word !== first || !wanted.every((word, index) => words[at + index]?.word === word)) continue
    return text.slice(words[at]?.start, words[at + wanted.length - 1]?.end)
  }
  return undefined
}

function placeWords(text: string): PlacedWord[] {
  // Blanks of the same length, so that places stay the same.
  const shown = text.replace(TARGET, (target) => ' '.repeat(target.length))
  return Array.from(shown.matchAll(WORD), ({ 0: word, index }) => ({
    word: composeText(word).toLowerCase(),
    start: index,
    end: index + word.length,
  }))
}
