import { cutText } from '../../../base/text/cut-text.js'

/** Words of the passage in a link. A browser looks for them within one block of the page. */
const MAX_WORDS = 8
/** Length of the passage after which it has no further word: those of Chinese or Thai are whole sentences. Characters. */
const MAX_LENGTH = 100

/** Words before the first word of the query. */
const WORDS_BEFORE = 2

/** Characters of a line that are read. */
const MAX_LINE_LENGTH = 500
/** Characters of a line in which words of a query are looked for. */
const MAX_SEARCHED_LENGTH = 3000

/** Lines that show no text of their own: fences, rules, heads of tables, definitions of links. */
const SILENT = /^(?:`{3}|~{3}|[-*_=|: ]+$|\[[^\]]+\]: )/

/** Characters of Markdown before the text of a block: quotes, lists, headings, cells. */
const PREFIX = /^(?:[>|\s]|#{1,6} |[-*+] |\d{1,9}[.)] |\[[ xX]\] )+/
const HEADING = /^#{1,6} /

/**
 * Creates the URL that shows a passage in a browser: with words of its text as a text fragment.
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
    .filter((line) => line !== '' && !SILENT.test(line))
  // A heading is also in the table of contents, so that the text below it is the better mark.
  const texts = lines.filter((one) => !HEADING.test(one))
  const line = (texts[0] ?? lines[0])?.slice(0, MAX_LINE_LENGTH)
  const first = line === undefined ? [] : (readCells(line)[0] ?? [])
  const words = takeWords((weigh && findBest(texts, weigh)) ?? first)
  if (words === '') return url
  const fragment = encodeURIComponent(words.toWellFormed()).replaceAll('-', '%2D')
  return `${url}${url.includes('#') ? '' : '#'}:~:text=${fragment}`
}

/** Weighs the terms of a query that a word has: their numbers with their weights. None for a word without any. */
export type WeighWord = (word: string) => readonly (readonly [term: number, weight: number])[]

/** Finds the words of the window that has the terms of most weight, the first of several; undefined if none has any. */
function findBest(lines: readonly string[], weigh: WeighWord): readonly string[] | undefined {
  let best: readonly string[] | undefined
  let most = 0
  for (const words of lines.flatMap(readCells)) {
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

/** Reads the words of a line as a reader sees them, of each cell of a table apart. */
const readCells = (line: string): string[][] =>
  line
    .replace(PREFIX, '')
    .split(/(?<!\\)\|/)
    .map((cell) =>
      cell
        .replace(/!\[[^[\]]*\]\((?:[^()]|\([^()]*\))*\)/g, ' ')
        .replace(/\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
        .replace(/\[([^[\]]*)\]\[[^[\]]*\]/g, '$1')
        .replace(/(?<!\\)[[\]]/g, '')
        .replace(/<[^<>]*>/g, ' ')
        .replace(/(?<!\\)[*`~]+|(?<![\p{L}\p{N}\\])_+|(?<!\\)_+(?![\p{L}\p{N}])/gu, '')
        .replace(/\\([!-/:-@[-`{-~])/g, '$1')
        .trim()
        .split(/\s+/)
        .filter((word) => word !== ''),
    )
