import type { Chunk } from '../../content/convert/split/chunk-markdown.js'
import type { QuotedPath } from '../../base/llm/answers/quotes.js'
import { isTurnOver, yieldTurn } from '../../base/concurrency/yield-turn.js'
import { isObject } from '../../base/collections/is-object.js'
import { pointTo } from '../../base/json-schema/schema-shape.js'
import { cutText } from '../../base/text/cut-text.js'
import { composeText, PAIRED } from '../../base/text/fold-case.js'
import { indexOf, type SearchBudget, SearchedText } from './searched-text.js'

/** Source of a value of `json`. */
export interface Evidence {
  /** Place of the value in `json`, as a JSON Pointer (RFC 6901). */
  path: string
  /**
   * `verbatim`: the quote contains the value. `quoted`: the quote is on the page and says the same in other words.
   * `structured`: the value is from the page's structured data. `none`: nothing on the page was found that supports it.
   * `unsearched`: it was not found in the part of a very long page that was searched.
   */
  support: 'verbatim' | 'quoted' | 'structured' | 'none' | 'unsearched'
  /** Words of the page, verbatim; absent when there is no support. */
  quote?: string
  /** Headings above the quote, outermost first; the kind of structured data, such as `json-ld`. */
  place?: string[]
}

/** A value that was read from the page's structured data. */
export interface FactSource {
  readonly path: string
  readonly source: string
  readonly text: string
}

/** Maximum values to cite. */
const MAX_VALUES = 300
/** Maximum characters of a quote. */
const MAX_QUOTED = 300
/** Maximum characters of a page that are searched. Reading them takes 0.5 s, in turns of the event loop. */
const MAX_PAGE_LENGTH = 4_000_000
/** Maximum lines of a page that are searched. A line takes as long as some 50 characters, however short it is. */
const MAX_LINES = 200_000
/** Maximum characters of a line, a value or a quote that are looked at: they are read within one turn. */
const MAX_LINE_LENGTH = 100_000
/** Characters that are compared for all values together: 300 values in 500,000 characters, each in three ways. */
const MAX_COMPARED = 450_000_000
/** Number of characters that are compared in the time in which one is normalised. */
const NORMALISING = 50

/**
 * Cites the source of each value: structured data first, then the quote of the model if the page contains it, then a line of the page that
 * contains the value. It yields to the event loop, and its work is bounded.
 */
export async function findCitations(
  value: unknown,
  chunks: readonly Chunk[],
  quotes: readonly QuotedPath[],
  facts: readonly FactSource[],
): Promise<Evidence[]> {
  const page = await readPage(chunks)
  const quoteOf = new Map(quotes.toReversed().map(({ path, quote }) => [path, quote]))
  const budget = { left: MAX_COMPARED }
  const citations: Evidence[] = []
  for (const { path, leaf } of leavesOf(value, '')) {
    if (citations.length === MAX_VALUES) break
    if (isTurnOver()) await yieldTurn()
    if (leaf === undefined) continue
    const fact = facts.find((one) => path === one.path || path.startsWith(`${one.path}/`))
    citations.push(
      fact
        ? { path, support: 'structured', quote: cutText(fact.text, MAX_QUOTED), place: [fact.source] }
        : { path, ...(await findSupport(leaf, quoteOf.get(path), page, budget)) },
    )
  }
  return citations
}

/** A page to search, normalised. */
interface SearchedPage {
  readonly lines: SearchedText<{ readonly line: string; readonly place: readonly string[] }>
  /** Its chunks, for texts over several lines, and the headings above each. */
  readonly whole: SearchedText<readonly string[]>
  /** False when a part of the page is left out. */
  readonly isWhole: boolean
}

async function readPage(chunks: readonly Chunk[]): Promise<SearchedPage> {
  const lines: SearchedPage['lines'] = new SearchedText()
  const whole: SearchedPage['whole'] = new SearchedText()
  let left = MAX_PAGE_LENGTH
  let linesLeft = MAX_LINES
  let isWhole = true
  for (const { path, markdown } of chunks) {
    let separator = '\n'
    isWhole &&= markdown.length <= left
    for (const [line] of markdown.slice(0, left).matchAll(/[^\n]+/g)) {
      if (isTurnOver()) await yieldTurn()
      linesLeft -= 1
      if (linesLeft < 0) break
      isWhole &&= line.length <= MAX_LINE_LENGTH
      const plain = readingsOf(line.slice(0, MAX_LINE_LENGTH))
      if (plain.text === '') continue
      lines.add(` ${plain.all} `, { line: line.trim(), place: path }, '\n')
      whole.add(plain.text, path, separator)
      separator = ' '
    }
    left -= markdown.length
    if (left < 0 || linesLeft < 0) break
  }
  return { lines, whole, isWhole: isWhole && linesLeft >= 0 }
}

async function findSupport(
  leaf: string | number | boolean,
  quote: string | undefined,
  page: SearchedPage,
  budget: SearchBudget,
): Promise<Omit<Evidence, 'path'>> {
  if (budget.left < 0) return { support: 'unsearched' }
  const text = String(leaf).slice(0, MAX_LINE_LENGTH)
  const words = quote?.slice(0, MAX_LINE_LENGTH)
  budget.left -= NORMALISING * (text.length + (words?.length ?? 0))
  const wanted = plainOf(text)
  const said = words === undefined ? undefined : readingsOf(words)
  const place = said && said.text !== '' ? await page.whole.find(said.text, budget) : undefined
  if (quote !== undefined && said && place) {
    const isVerbatim = wanted !== '' && indexOf(` ${said.all} `, asWord(wanted), budget) >= 0
    return { support: isVerbatim ? 'verbatim' : 'quoted', quote: cutText(quote, MAX_QUOTED), place: [...place] }
  }
  // A boolean has no text to search for.
  if (typeof leaf !== 'boolean' && wanted !== '') {
    const found = await page.lines.find(asWord(wanted), budget)
    if (found) return { support: 'verbatim', quote: cutText(found.line, MAX_QUOTED), place: [...found.place] }
    const across = wanted.length > 20 ? await page.whole.find(wanted, budget) : undefined
    if (across) return { support: 'verbatim', quote: cutText(String(leaf), MAX_QUOTED), place: [...across] }
  }
  return { support: page.isWhole && budget.left >= 0 ? 'none' : 'unsearched' }
}

/** Writes the warning about values without support; undefined when there are none. */
export function describeUnsupported(citations: readonly Evidence[]): string | undefined {
  const warnings = [
    ...warnAbout(citations, 'none', 'Nothing on the page supports'),
    ...warnAbout(citations, 'unsearched', 'The page is too long to be searched in full for'),
  ]
  return warnings.length === 0 ? undefined : warnings.join(' ')
}

function warnAbout(citations: readonly Evidence[], which: Evidence['support'], what: string): string[] {
  const paths = citations.filter(({ support }) => support === which).map(({ path }) => path)
  if (paths.length === 0) return []
  const named = paths.slice(0, 10).join(', ')
  return [`${what} ${named}${paths.length > 10 ? ` and ${paths.length - 10} more` : ''}: see \`evidence\`.`]
}

/** A value in an answer; undefined for one that is not cited. */
type Leaf = string | number | boolean | undefined

/** Lists the values in an answer, lazily: it may have more than are cited, and millions that are not. */
function* leavesOf(value: unknown, path: string): Generator<{ path: string; leaf: Leaf }> {
  const isCited = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  yield { path, leaf: isCited && value !== '' ? value : undefined }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* leavesOf(item, pointTo(path, index))
  } else if (isObject(value)) {
    for (const [name, part] of Object.entries(value)) yield* leavesOf(part, pointTo(path, name))
  }
}

/** A number with the same separator between all its thousands: `1.299,50`, `1 299,50`, `1.299`. */
const GROUPED = /(?<![\d.,])\d{1,3}([. \u00a0\u2009\u202f'’])\d{3}(?:\1\d{3}){0,5}(?:[.,]\d{1,4})?(?![.,]{0,9}\d)/g

/**
 * Normalises a text for comparison: `all` has its numbers without thousands separators after it, because German and
 * French use a point or a space.
 */
function readingsOf(given: string): { readonly text: string; readonly all: string } {
  const numbers = Array.from(given.matchAll(GROUPED), ([number, sign = '']) => {
    const [whole = '', decimals] = number.replaceAll(sign, '').split(/[.,]/)
    return decimals === undefined ? whole : `${whole}.${decimals}`
  })
  const text = plainOf(given)
  return { text, all: [text, ...numbers.map(plainOf)].join(' ') }
}

/**
 * Normalises a text for comparison: no Markdown, lower case, numbers without thousands separators. What is left are words
 * of letters and digits between single spaces, and points before decimals.
 */
const plainOf = (text: string): string =>
  partNames(composeText(text))
    .replace(/\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)/g, ' ')
    .toLowerCase()
    .replace(/(?<=\d)[,'’\u00a0\u202f](?=\d{3}(?!\d))/g, '')
    .replace(/(\d),(?=\d{2}(?!\d))/g, '$1.')
    .replace(/[^\p{L}\p{N}\p{M}.]+/gu, ' ')
    .replace(/(?<=\d)\.0+(?!\d)|\.(?!\d)/g, ' ')
    .replace(/(\.\d*?[1-9])0+(?!\d)/g, '$1')
    .replace(/ +/g, ' ')
    .trim()

/** Separates numbers and names from the texts without spaces around them. */
const partNames = (text: string): string =>
  PAIRED.test(text) ? text.replace(/[\p{Script=Latin}\d.,]+/gu, ' $& ') : text

/** Encloses a text in spaces, so that it is found as a word; but for scripts without spaces, whose words stand within sentences. */
const asWord = (text: string): string =>
  `${PAIRED.test(text.slice(0, 1)) ? '' : ' '}${text}${PAIRED.test(text.slice(-1)) ? '' : ' '}`
