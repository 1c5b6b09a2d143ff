import { yieldIfHeld } from '../../base/concurrency/yield-turn.js'
import { countWords } from '../../base/text/words-in.js'

/** Characters counted between two looks at the time: a million letters beyond ASCII take 40 ms. */
const SLICE_LENGTH = 2 ** 16

/** Counts the words and numbers of a text of any length: the event loop goes on between its parts. */
export async function countWordsInTurns(text: string): Promise<number> {
  let words = 0
  for (let start = 0, end = 0; start < text.length; start = end) {
    if (start > 0) await yieldIfHeld()
    end = start + SLICE_LENGTH
    // Not between the halves of a character.
    if (LOW_SURROGATE.test(text.charAt(end))) end += 1
    words += countWords(text.slice(start, end))
    if (ENDS_IN_WORD.test(text.slice(end - 2, end)) && BEGINS_IN_WORD.test(text.slice(end, end + 2))) words -= 1
  }
  return words
}

const LOW_SURROGATE = /[\uDC00-\uDFFF]/
const ENDS_IN_WORD = /[\p{L}\p{N}_]$/u
const BEGINS_IN_WORD = /^[\p{L}\p{N}_]/u
