import { cutText } from '../../../base/text/cut-text.js'
import { STOP_WORDS, withoutParticles } from './goal-words.js'
import { PAIRED } from '../../../base/text/fold-case.js'
import { visitWords } from './split-words.js'

/** Maximum number of words of a query. Searches that ask for all words find nothing with more. */
const MAX_WORDS = 10
/** Maximum length of a query. Characters. */
const MAX_LENGTH = 150
const MAX_WORD_LENGTH = 60
/** Number of words of a query that is to find more. */
const FEW_WORDS = 2

/** A word in its own spelling, such as `node.js` and `C++`. A hyphen is an operator for some searches, and divides words for the others. */
const WORD = /[\p{L}\p{N}\p{M}]+(?:[._]+[\p{L}\p{N}\p{M}]+)*(?:[+#]{1,2}(?![\p{L}\p{N}]))?/gu
/**
 * Writes a goal as queries for the search page of a site: the words that are no stop words, then two of them, because many searches
 * find only pages with all words. The two are the most telling ones: names with digits, then the longest. Marks that searches read as
 * operators are left out.
 *
 * @returns one query or two, each once; none for a goal without words
 */
export function writeQueries(goal: string): string[] {
  const words = listWords(goal)
  const telling = words.toSorted((one, other) => weightOf(other) - weightOf(one))
  const few = new Set(telling.slice(0, words.length < 3 ? 1 : FEW_WORDS))
  const queries = [words, words.filter((word) => few.has(word))].map((list) => list.join(' '))
  return [...new Set(queries)].filter((query) => query !== '')
}

const weightOf = (word: string): number => word.length + (/\p{N}/u.test(word) ? MAX_WORD_LENGTH : 0)

function listWords(goal: string): string[] {
  const all = (withoutParticles(goal).match(WORD) ?? []).flatMap((word) => divide(cutText(word, MAX_WORD_LENGTH)))
  const unlike = [...new Map(all.map((word) => [word.toLowerCase(), word])).values()]
  const content = unlike.filter((word) => !isStopWord(word))
  const words: string[] = []
  let length = 0
  for (const word of content.length > 0 ? content : unlike) {
    length += word.length + 1
    if (length > MAX_LENGTH || words.length >= MAX_WORDS) break
    words.push(word)
  }
  return words
}

/** Divides a text without spaces between words. A single character is mostly a particle. */
function divide(word: string): string[] {
  if (!PAIRED.test(word)) return [word]
  const segments = Array.from(
    new Intl.Segmenter(undefined, { granularity: 'word' }).segment(word),
    ({ segment }) => segment,
  )
  const words = segments.filter((segment) => segment.length > 1)
  return words.length > 0 ? words : segments
}

function isStopWord(text: string): boolean {
  let isStop = true
  visitWords(text, (word) => {
    isStop &&= STOP_WORDS.has(word)
  })
  return isStop
}
