import { cutText } from '../../../base/text/cut-text.js'
import { NO_TEXT, shownText, SILENT_LINE } from './shown-text.js'
import { linkToText, withFragment } from './text-fragment.js'

/** Words of the passage in a link. A browser looks for them within one block of the page. */
const MAX_WORDS = 8
/** Words that are enough for a link. If a line has none with so many in a row, the next ones are read. */
const ENOUGH_WORDS = 4
/** Length of the passage after which it has no further word: those of Chinese or Thai are whole sentences. Characters. */
const MAX_LENGTH = 100

/** Words before the first word of the query. */
const WORDS_BEFORE = 2

/** Characters of a line that are read. */
const MAX_LINE_LENGTH = 500
/** Characters of a line in which words of a query are looked for. */
const MAX_SEARCHED_LENGTH = 3000

const HEADING = /^#{1,6} /

/**
 * Creates the URL that shows a passage in a browser: with words of its text as a text fragment. The page itself is not looked at: see
 * {@link linkChunks} for links that are compared with it.
 *
 * @param weigh weighs the words of a query that a word of the text has, for a link to the place that has most of them. @default the
 *   first words of the text
 * @see https://wicg.github.io/scroll-to-text-fragment/
 */
export function linkToPassage(url: string, markdown: string, weigh?: WeighWord): string {
  const lines = markdown
    .split('\n')
    .map((line) =>
      line
        .trimStart()
        .slice(0, weigh ? MAX_SEARCHED_LENGTH : MAX_LINE_LENGTH)
        .trimEnd(),
    )
    .filter((line) => line !== '' && !SILENT_LINE.test(line))
  // A heading is also in the table of contents, so that the text below it is the better mark.
  const texts = lines.filter((one) => !HEADING.test(one))
  const words = takeWords((weigh && findBest(texts, weigh)) ?? findFirst(texts.length > 0 ? texts : lines))
  return words === '' ? url : withFragment(url, linkToText(words))
}

/** Weighs the terms of a query that a word has: their numbers with their weights. None for a word without any. */
export type WeighWord = (word: string) => readonly (readonly [term: number, weight: number])[]

/** Finds the first words that are enough for a link, or else the most that stand in a row. */
function findFirst(lines: readonly string[]): readonly string[] {
  let most: readonly string[] = []
  for (const line of lines) {
    for (const words of readRuns(line.slice(0, MAX_LINE_LENGTH))) {
      if (words.length >= ENOUGH_WORDS) return words
      if (words.length > most.length) most = words
    }
  }
  return most
}

/** Finds the words of the window that has the terms of most weight, the first of several; undefined if none has any. */
function findBest(lines: readonly string[], weigh: WeighWord): readonly string[] | undefined {
  let best: readonly string[] | undefined
  let most = 0
  for (const words of lines.flatMap(readRuns)) {
    const terms = words.map(weigh)
    for (let from = 0; from === 0 || from + MAX_WORDS <= words.length; from += 1) {
      const found = new Map(terms.slice(from, from + MAX_WORDS).flat())
      let weight = 0
      for (const one of found.values()) weight += one
      if (weight <= most) continue
      most = weight
      // The match comes soon: a browser shows the beginning of the passage.
      const match = terms.findIndex((own, at) => at >= from && own.length > 0)
      best = words.slice(words.length <= MAX_WORDS ? 0 : Math.max(from, match - WORDS_BEFORE))
    }
  }
  return best
}

/** Takes the words that a link has. */
function takeWords(words: readonly string[]): string {
  let text = ''
  for (const word of words.slice(0, MAX_WORDS)) {
    if (text.length + word.length >= MAX_LENGTH) return text === '' ? cutText(word, MAX_LENGTH) : text
    text += text === '' ? word : ` ${word}`
  }
  return text
}

const HAS_WORD = /[\p{L}\p{N}]/u

/** Reads the words of a line as a reader sees them, in runs that stand in one row: those of each cell of a table apart. */
const readRuns = (line: string): string[][] =>
  line
    .split(/(?<!\\)\|/)
    .flatMap((cell) => {
      const runs = shownText(cell).split(NO_TEXT)
      return runs.map((run, at) => {
        // A word that an image or a note touches goes on there.
        const from = at > 0 ? run.replace(/^\S+/, '') : run
        return at < runs.length - 1 ? from.replace(/\S+$/, '') : from
      })
    })
    .map((run) => run.split(/\s+/))
    .map((words) =>
      words.slice(
        Math.max(
          0,
          words.findIndex((word) => HAS_WORD.test(word)),
        ),
      ),
    )
    .map((words) => words.filter((word) => word !== ''))
    .filter((words) => words.length > 0)
