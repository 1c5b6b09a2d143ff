import { Document, Element, Text } from '../../html/tree.js'
import type { ParsedPage } from '../../parse/parser.js'
import { isDelimiterRow, readFence, readHeadingLevel } from '../markdown-blocks/markdown-lines.js'
import { NEW_ELEMENT, NOT_FOUND, type PageHeading, WordsOnPage, SAME_LINE, WordReader } from './page-words.js'
import { shownText, SILENT_LINE } from './shown-text.js'
import { linkToText } from './text-fragment.js'

/** Words of a text fragment, at most and at least. Fewer are taken if a chunk has no more in a line. */
const MAX_WORDS = 8
const ENOUGH_WORDS = 4
/** Characters of a text fragment of one word, at least. */
const MIN_WORD_LENGTH = 6
/** Characters of a text fragment, at most. */
const MAX_LENGTH = 100
/** Words of a chunk among which the first ones of a fragment are looked for. */
const MAX_STARTS = 200
/** Number of places that have one word, from which on a place is not looked for by it. */
const MAX_PLACES = 64
/** Length of the chunks of a page that get links: more would take the time in which the page is read. Characters. */
const MAX_CHUNKS_LENGTH = 1_000_000
/** Words before a passage that tell it from others with its words, at most. */
const MAX_PREFIX = 6

/** The words of a chunk. */
interface ChunkWords {
  /** Words of its first heading; none if it begins with another block. */
  readonly heading: readonly number[]
  /** Words of its text, without headings and heads of tables; of its headings if it has no other. */
  readonly words: readonly number[]
}

/** A part of the words of a page, as `[from, to)`. */
interface Passage {
  readonly from: number
  readonly to: number
}

/**
 * Links to the chunks of a page: to the id of the heading that a chunk begins with, or else to words that the page has once, and in one
 * place that a browser finds. A chunk without either gets no link, nor do those of a page of more than a million characters.
 *
 * @returns for each chunk what follows the address of the page, from `#` on; undefined for none
 * @see https://wicg.github.io/scroll-to-text-fragment/
 */
export function linkChunks(page: ParsedPage, chunks: readonly { markdown: string }[]): (string | undefined)[] {
  const length = chunks.reduce((sum, { markdown }) => sum + markdown.length, 0)
  const isFile = page.isFile !== undefined || page.base64 !== undefined
  if (isFile || length > MAX_CHUNKS_LENGTH) return chunks.map(() => undefined)
  const reader = new WordReader()
  const read = chunks.map(({ markdown }) => readChunk(markdown, reader))
  const root = page.markdown === undefined ? page.tree.root : asLines(page.text)
  return new ChunkLinks(new WordsOnPage(root, reader), read).list()
}

/** Returns the tree of a text that is shown as it is. */
const asLines = (text: string): Document => new Document([new Element('pre', {}, [new Text(text)])])

function readChunk(markdown: string, reader: WordReader): ChunkWords {
  const lines = markdown.split('\n').map((line) => line.trimStart())
  const levels = lines.map((line) => readHeadingLevel(line) !== undefined)
  const first = lines.findIndex((line) => line !== '')
  const heading = levels[first] === true ? readLines([lines[first] ?? ''], reader) : []
  const isText = (_: string, at: number): boolean => levels[at] !== true && !isDelimiterRow(lines[at + 1] ?? '')
  const words = readLines(lines.filter(isText), reader)
  return { heading, words: words.length > 0 ? words : readLines(lines, reader) }
}

/** Characters of a line that are read. */
const MAX_LINE_LENGTH = 3000

/** Reads the words of the lines that show text. */
const readLines = (lines: readonly string[], reader: WordReader): number[] =>
  lines
    .filter((line) => !isSilent(line))
    .flatMap((line) => line.slice(0, MAX_LINE_LENGTH).split(/(?<!\\)\|/))
    .flatMap((cell) => reader.read(shownText(cell)))

const isSilent = (line: string): boolean => readFence(line) !== undefined || SILENT_LINE.test(line)

/** Links to the chunks of one page. */
class ChunkLinks {
  readonly #page: WordsOnPage
  readonly #chunks: readonly ChunkWords[]
  readonly #places: Places
  readonly #inChunks: Places
  /** Index of the chunk that each word of all chunks is in. */
  readonly #owners: Int32Array
  /** Headings of the page, by the numbers of their words. */
  readonly #headings = new Map<string, PageHeading[]>()

  constructor(page: WordsOnPage, chunks: readonly ChunkWords[]) {
    this.#page = page
    this.#chunks = chunks
    this.#places = new Places(page.numbers)
    // A border between two chunks, so that no passage is found over it.
    const all = chunks.flatMap(({ words }) => [...words, 0])
    this.#owners = Int32Array.from(
      chunks.flatMap(({ words }, at) => Array.from({ length: words.length + 1 }, () => at)),
    )
    this.#inChunks = new Places(Int32Array.from(all))
    for (const heading of page.headings) {
      const key = page.numbers.subarray(heading.from, heading.to).join(' ')
      const same = this.#headings.get(key)
      if (same) same.push(heading)
      else this.#headings.set(key, [heading])
    }
  }

  list(): (string | undefined)[] {
    const found = this.#chunks.map((chunk, at) => this.#findOnce(chunk.words, at))
    return this.#chunks.map((chunk, at) => {
      const passage = found[at]
      const id = this.#findHeading(chunk.heading, passage?.from)?.id
      if (id !== undefined) return `#${encodeURIComponent(id.toWellFormed())}`
      if (passage) return linkToText(this.#textOf(passage))
      const least = at === 0 ? 0 : found[at - 1]?.to
      const most = at === this.#chunks.length - 1 ? this.#page.starts.length : found[at + 1]?.from
      return least === undefined || most === undefined ? undefined : this.#findBetween(chunk.words, [least, most])
    })
  }

  /** Finds the first words of a chunk that neither its page nor another chunk has twice. */
  #findOnce(words: readonly number[], chunk: number): Passage | undefined {
    let short: Passage | undefined
    for (let start = 0; start < Math.min(words.length, MAX_STARTS); start += 1) {
      const passage = this.#passagesAt(words, start).find(
        (one) => this.#isTelling(one) && this.#isOnce(one.from, one.to) && this.#isOf(chunk, one.from, one.to),
      )
      if (passage === undefined) continue
      if (this.#isLong(passage)) return passage
      short ??= passage
    }
    return short
  }

  #isOnce(from: number, to: number): boolean {
    return this.#places.find(this.#page.numbers.subarray(from, to)).length === 1
  }

  /** True if no other chunk has the words: some are repeated in Markdown, such as cells over several rows. */
  #isOf(chunk: number, from: number, to: number): boolean {
    const found = this.#inChunks.find(this.#page.numbers.subarray(from, to))
    return found.length > 0 && found.every((at) => this.#owners[at] === chunk)
  }

  /** True for several words, or a long one: a short one may stand anywhere once scripts have run. */
  #isTelling({ from, to }: Passage): boolean {
    const { starts, ends } = this.#page
    return to - from > 1 || (ends[from] ?? 0) - (starts[from] ?? 0) >= MIN_WORD_LENGTH
  }

  #isLong({ from, to }: Passage): boolean {
    const { starts, ends } = this.#page
    return to - from >= ENOUGH_WORDS && (ends[to - 1] ?? 0) - (starts[from] ?? 0) >= 2 * (to - from)
  }

  /** Lists the longest passages of the page that begin as a chunk does at one of its words. */
  #passagesAt(words: readonly number[], start: number): Passage[] {
    const first = this.#places.find(words.slice(start, start + 2))
    const all = first.length > 0 ? first : this.#places.find(words.slice(start, start + 1))
    return all.flatMap((from) => {
      if (this.#page.gaps[from] === NOT_FOUND || !this.#beginsWord(from)) return []
      for (const most of [SAME_LINE + 1, NEW_ELEMENT]) {
        const to = this.#endOf(words, start, { from, most })
        if (to !== undefined) return [{ from, to }]
      }
      return []
    })
  }

  /** Returns the last end of the words that a passage and a chunk have in common; undefined without one. */
  #endOf(words: readonly number[], start: number, { from, most }: { from: number; most: number }): number | undefined {
    const { numbers, gaps, starts, ends } = this.#page
    let last: number | undefined
    for (let at = from; at < numbers.length && numbers[at] === words[start + at - from]; at += 1) {
      if (at > from && (gaps[at] ?? 0) > most) break
      const length = (ends[at] ?? 0) - (starts[from] ?? 0)
      if (length > MAX_LENGTH || (at - from >= MAX_WORDS && length > MAX_LENGTH / 2)) break
      if (this.#endsWord(at)) last = at + 1
    }
    return last !== undefined && (last - from > 1 || most === NEW_ELEMENT) ? last : undefined
  }

  #beginsWord(at: number): boolean {
    const start = this.#page.starts[at] ?? 0
    return BEGINS.test(this.#page.text.slice(Math.max(0, start - 3), start))
  }

  #endsWord(at: number): boolean {
    const end = this.#page.ends[at] ?? 0
    return ENDS.test(this.#page.text.slice(end, end + 3))
  }

  #textOf({ from, to }: Passage): string {
    return this.#page.text.slice(this.#page.starts[from], this.#page.ends[to - 1])
  }

  /** Finds the heading of a chunk: the last one with its words before the text of the chunk. */
  #findHeading(words: readonly number[], before: number | undefined): PageHeading | undefined {
    if (words.length === 0) return undefined
    const same = this.#headings.get(words.join(' ')) ?? []
    if (before !== undefined) return same.findLast(({ to }) => to <= before)
    return same.length === 1 ? same[0] : undefined
  }

  /**
   * Finds words of a chunk that its page has several times, but once between the chunk before and the one after, and links to them with
   * the words before them.
   */
  #findBetween(words: readonly number[], [least, most]: readonly [number, number]): string | undefined {
    for (let start = 0; start < Math.min(words.length, MAX_WORDS); start += 1) {
      const inside = this.#passagesAt(words, start).filter(({ from, to }) => from >= least && to <= most)
      const [passage] = inside
      if (inside.length !== 1 || passage === undefined) continue
      const prefix = this.#findPrefix(passage)
      if (prefix !== undefined) return linkToText(this.#textOf(passage), prefix)
    }
    return undefined
  }

  /** Finds words right before a passage with which it is the only one of the page. */
  #findPrefix({ from, to }: Passage): string | undefined {
    const { gaps, starts, text } = this.#page
    for (let first = from - 1; first >= Math.max(0, from - MAX_PREFIX); first -= 1) {
      if (first < from - 1 && (gaps[first + 1] ?? 0) > NEW_ELEMENT) return undefined
      if (!this.#beginsWord(first) || !this.#isOnce(first, to)) continue
      // All that stands between belongs to it, but for the border of a block.
      const prefix = text.slice(starts[first], starts[from]).replace(/[\uFFFC\s]+$/, '')
      return prefix.includes('\uFFFC') ? undefined : prefix
    }
    return undefined
  }
}

/** White space, the border of a block, a sign that opens or ends something: a word begins after them in every language. */
const BEGINS = /(?:^|[\s\uFFFC。，、；：！？（「『《【—–…]|(?<![\p{L}\p{N}\p{M}])[\p{Ps}\p{Pi}"'])$/u
/** The same for the end of a word. */
const ENDS = /^(?:$|[\s\uFFFC。，、；：！？）」』》】—–…]|[\p{Pe}\p{Pf}"'.,;:!?]+(?:$|[^\p{L}\p{N}\p{M}]))/u

/** The places of words in a text. */
class Places {
  readonly #words: Int32Array
  /** Index of the first place of each word in {@link #sorted}. */
  readonly #from: Int32Array
  readonly #sorted: Int32Array

  constructor(words: Int32Array) {
    this.#words = words
    const most = words.reduce((found, word) => Math.max(found, word), 0)
    const from = new Int32Array(most + 2)
    for (const word of words) from[word + 1] = (from[word + 1] ?? 0) + 1
    for (let at = 1; at < from.length; at += 1) from[at] = (from[at] ?? 0) + (from[at - 1] ?? 0)
    const next = from.slice()
    const sorted = new Int32Array(words.length)
    for (const [at, word] of words.entries()) {
      const place = next[word] ?? 0
      sorted[place] = at
      next[word] = place + 1
    }
    this.#from = from
    this.#sorted = sorted
  }

  /** Finds the places of several words one after the other; none if each of them stands in too many places. */
  find(words: ArrayLike<number>): number[] {
    let offset = 0
    let places: Int32Array | undefined
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at] ?? 0
      const own = this.#sorted.subarray(
        this.#from[word] ?? this.#sorted.length,
        this.#from[word + 1] ?? this.#sorted.length,
      )
      if (word === 0 || own.length === 0) return []
      if (places !== undefined && places.length <= own.length) continue
      places = own
      offset = at
    }
    if (places === undefined || places.length > MAX_PLACES) return []
    return Array.from(places, (place) => place - offset).filter((from) => {
      if (from < 0) return false
      for (let at = 0; at < words.length; at += 1) if (this.#words[from + at] !== words[at]) return false
      return true
    })
  }
}
