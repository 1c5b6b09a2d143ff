import type { TypicalText } from '../layout/measure-text.js'
import { type EdgeRow, type PageEdges, sharedText } from './page-edges.js'
import { countedTexts, isPageNumber, isRomanNumber } from './page-number.js'
import { findKeptRows, type RunningRow, type Side, SMALL_PRINT_SIZE, wordsOf } from './kept-rows.js'

/** Minimum number of pages in a file with headers. In a shorter one, repeated lines are no evidence of a header. */
const MIN_FILE_PAGES = 4
/** Minimum number of nearby pages with the same header, and of pages that a row counts. */
const [MIN_PAGES, MIN_COUNTED_PAGES] = [3, 2]
/** The same for headers that change, and for rows of pages that resemble their neighbours. */
const MIN_PAGES_UNCERTAIN = 10
/**
 * Page offsets for the comparison with a template: neighbours, and pages further away, because neighbouring pages may
 * be animation steps of one slide.
 */
const [NEIGHBOUR_OFFSETS, DISTANT_OFFSETS] = [
  [-2, -1, 1, 2],
  [-12, -9, -6, -4, 4, 6, 9, 12],
]
/** Share of equal text above which two pages come from one template. Their repeated rows are content. */
const MAX_SHARED_TEXT = 0.35
/** Size of headings, relative to the text. A header is smaller than a heading. */
const HEADING_SIZE = 1.14
/** Maximum number of rows of a header that is not in small print. */
const MAX_ROWS = 2
/** Minimum distance between a header and the text, relative to the line pitch. */
const MIN_GAP = 1.3
/** Maximum line pitch of running text, in font sizes; table rows and slides have a larger one. */
const MAX_PITCH = 2.5
const MAX_HEADER_CHARACTERS = 200
const MAX_CHANGING_CHARACTERS = 120

/** Header and footer lines: by page index and line index, the reason why the line is dropped. */
export type RunningLines = ReadonlyMap<number, ReadonlyMap<number, string>>

/**
 * Finds running headers, footers and page numbers: rows at the edge of the page, apart from its text, that have the
 * same position and text, or count the pages, on several nearby pages.
 *
 * Headings, table rows, list items and repeated rows of form-like pages are not headers.
 */
export function findRunningLines(pages: readonly PageEdges[], usual: TypicalText): RunningLines {
  if (pages.length < MIN_FILE_PAGES) return new Map()
  const templates = pages.map((_page, at) => findTemplate(pages, at))
  const isCopied = isOneForm(pages, usual)
  const found = (['top', 'bottom', 'aside'] as const)
    .flatMap((side) => new SideReader(pages, templates, usual, side).find())
    .filter(({ row }) => !isCopied || isPageNumber(row.text))
  const kept = findKeptRows(found, pages, usual)
  const running = new Map<number, Map<number, string>>()
  for (const { row, reason } of found) {
    if (kept.has(row)) continue
    const own = running.get(row.page) ?? new Map<number, string>()
    running.set(row.page, own)
    for (const index of row.indexes) own.set(index, reason)
  }
  return running
}

/** Minimum share of a file's pages with the same heading for each page to be a copy of one form. */
const MIN_FORM_SHARE = 0.75

/**
 * Tests if most pages begin with the same heading, such as "Invoice": each page is then a text of its own, with a
 * header and footer that belong to it.
 */
function isOneForm(pages: readonly PageEdges[], { size }: TypicalText): boolean {
  const counts = new Map<string, number>()
  for (const { top } of pages) {
    const headings = top.filter((row) => row.size >= HEADING_SIZE * size && /\p{L}{3}/u.test(row.text))
    for (const key of new Set(headings.map(({ place, text }) => `${place} ${text.replace(/\d+/g, '#')}`)))
      counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts.values()].some((count) => count >= MIN_FORM_SHARE * pages.length)
}

/** True if a page is filled in from the same template as its neighbours, or as pages further away. */
interface Template {
  readonly hasNeighbour: boolean
  readonly hasDistant: boolean
}

function findTemplate(pages: readonly PageEdges[], at: number): Template {
  const own = pages[at]
  const shares = (steps: readonly number[]): number[] =>
    steps.flatMap((step) => {
      const other = pages[at + step]
      return own === undefined || other === undefined ? [] : sharedText(own, other)
    })
  const distant = shares(DISTANT_OFFSETS)
  return {
    hasNeighbour: Math.max(0, ...shares(NEIGHBOUR_OFFSETS)) > MAX_SHARED_TEXT,
    hasDistant: distant.reduce((sum, share) => sum + share, 0) > MAX_SHARED_TEXT * distant.length,
  }
}

class SideReader {
  /** Rows by position and text. A number that increases with the pages is replaced, so that such rows are equal. */
  readonly #texts = new PageOccurrences()
  /** The same for pages that differ from distant pages, but may resemble neighbours; more of them are required. */
  readonly #uncertainTexts = new PageOccurrences()
  /** The innermost header rows that space separates from the text. */
  readonly #separatedTexts = new PageOccurrences()
  /** Page numbers on this side as their difference to the page index, and the positions of confirmed page numbers. */
  readonly #numbers = new PageOccurrences()
  readonly #numberPlaces = new PageOccurrences()
  /** Positions of possible headers whose text changes, and the parts of it that stay: numbers, chapter titles. */
  readonly #changing = new PageOccurrences()
  readonly #constantParts = new PageOccurrences()

  constructor(
    readonly pages: readonly PageEdges[],
    readonly templates: readonly Template[],
    readonly usual: TypicalText,
    readonly side: Side,
  ) {}

  find(): RunningRow[] {
    this.pages.forEach((page, at) => this.#record(page, this.templates[at]))
    for (const page of this.pages) this.#recordNumbers(page)
    for (const page of this.pages) this.#recordSeparated(page)
    return this.pages.flatMap((page) => this.#findOn(page))
  }

  #record(page: PageEdges, template: Template | undefined): void {
    const rows = page[this.side]
    for (const row of rows) {
      const isNumber = isPageNumber(row.text)
      for (const { number, isAlone } of countedTexts(row.text))
        if (isNumber || isAlone) this.#numbers.add(String(number - row.page), row.page)
      if (isNumber || !this.#mayRepeat(row)) continue
      for (const key of this.#keysOf(row)) {
        if (template?.hasNeighbour === false && !this.#isTitle(row)) this.#texts.add(key, row.page)
        if (template?.hasDistant === false) this.#uncertainTexts.add(key, row.page)
      }
    }
    const [first] = rows
    if (first === undefined || template?.hasNeighbour !== false || !this.#mayChange(first, page)) return
    this.#changing.add(String(first.place), first.page)
    for (const key of [...countingKeys(first), ...pieceKeys(first)]) this.#constantParts.add(key, first.page)
  }

  #recordNumbers(page: PageEdges): void {
    for (const row of page[this.side]) if (this.#countsPages(row)) this.#numberPlaces.add(String(row.place), row.page)
  }

  /** Tests if a row consists of a page number that also counts another page nearby. */
  #countsPages = (row: EdgeRow): boolean =>
    isPageNumber(row.text) &&
    row.gap > row.size &&
    countedTexts(row.text).some(
      ({ number }) => this.#numbers.countNear(String(number - row.page), row.page) >= MIN_COUNTED_PAGES,
    )

  #isPageNumberRow = (row: EdgeRow): boolean =>
    this.#countsPages(row) ||
    (isPageNumber(row.text) &&
      row.gap > row.size &&
      (isRomanNumber(row.text) || this.#numberPlaces.countNear(String(row.place), row.page) >= MIN_PAGES))

  #recordSeparated(page: PageEdges): void {
    const rows = page[this.side]
    const depth = this.#depthOf(rows, (row) => this.#isSeparated(row, page))
    const row = rows[depth - 1]
    if (row !== undefined) for (const key of this.#keysOf(row)) this.#separatedTexts.add(key, row.page)
  }

  #findOn(page: PageEdges): RunningRow[] {
    const rows = page[this.side]
    const depth = this.#depthOf(rows, (row) =>
      this.#keysOf(row).some((key) => this.#separatedTexts.countNear(key, row.page) >= MIN_PAGES),
    )
    const [first] = rows
    if (depth === 0 && first !== undefined && this.#isChangingHeader(first, page))
      return [this.#describe(first, `is the running ${this.#name} of a section`)]
    // Vertical lines are beside each other, so that each is tested by itself.
    const found = this.side === 'aside' ? rows.filter(this.#repeats) : rows.slice(0, depth)
    return found.map((row) =>
      this.#describe(
        row,
        isPageNumber(row.text)
          ? 'is the number of a page'
          : `is a running ${this.#name}, which repeats on pages nearby`,
      ),
    )
  }

  #describe = (row: EdgeRow, reason: string): RunningRow => ({ row, side: this.side, reason })

  get #name(): string {
    return { top: 'header', bottom: 'footer', aside: 'note beside the text' }[this.side]
  }

  /** Counts the rows of the header, from the edge of the page inwards, up to the first row that does not repeat. */
  #depthOf(rows: readonly EdgeRow[], isSeparated: (row: EdgeRow) => boolean): number {
    let depth = 0
    let textRows = 0
    let isSmall = true
    for (const [index, row] of rows.entries()) {
      const isNumber = this.#isPageNumberRow(row)
      if (!isNumber) {
        if (!this.#repeats(row)) break
        textRows += 1
        isSmall &&= this.#isSmall(row)
        if (!isSmall && textRows > MAX_ROWS) return 0
      }
      if (isNumber || isSeparated(row)) depth = index + 1
    }
    return depth
  }

  #repeats = (row: EdgeRow): boolean =>
    this.#mayRepeat(row) &&
    this.#keysOf(row).some(
      (key) =>
        this.#texts.countNear(key, row.page) >= MIN_PAGES ||
        this.#uncertainTexts.countNear(key, row.page) >= MIN_PAGES_UNCERTAIN,
    )

  #isSmall = ({ size }: EdgeRow): boolean => size < SMALL_PRINT_SIZE * this.usual.size

  /** Tests if a row can be a header: it does not look like a heading, a table row or a list item. */
  #mayRepeat(row: EdgeRow): boolean {
    const { text, size, isTableRow, isRepeatedWithin } = row
    if (isTableRow || isRepeatedWithin || size >= HEADING_SIZE * this.usual.size || text.length > MAX_HEADER_CHARACTERS)
      return false
    if (this.side !== 'top' || this.#isSmall(row)) return true
    return !/[?!:;,]$/.test(text)
  }

  /** Tests if a row may be a title that several pages share. */
  #isTitle = (row: EdgeRow): boolean =>
    this.side === 'top' && row.isBold && !this.#isSmall(row) && !countedTexts(row.text).some(({ isAlone }) => isAlone)

  /** Lists the keys of a row: position and text, also with each number as its difference to the page index. */
  #keysOf(row: EdgeRow): string[] {
    const mayCount = this.side !== 'top' || this.#isSmall(row)
    const counted = countedTexts(row.text)
      .filter(({ isAlone }) => isAlone || mayCount)
      .map(({ number, text }) => `${row.place} ${number - row.page} ${text}`)
    return [`${row.place} ${row.text}`, ...counted]
  }

  /** Tests if the space between a row and the text is larger than the space between lines. */
  #isSeparated({ gap }: EdgeRow, { pitch }: PageEdges): boolean {
    const { size, leading } = this.usual
    return gap >= MIN_GAP * Math.max(leading * size, Math.min(pitch, MAX_PITCH * size))
  }

  #mayChange = (row: EdgeRow, page: PageEdges): boolean =>
    this.#mayRepeat(row) &&
    this.#isSeparated(row, page) &&
    row.size <= 1.03 * this.usual.size &&
    (!row.isBold || countedTexts(row.text).some(({ isAlone }) => isAlone)) &&
    row.text.length <= MAX_CHANGING_CHARACTERS &&
    !/[.:;,?!]$/.test(row.text)

  /**
   * Tests if a row is a header whose text changes with the section: many pages nearby have a row at its position, and
   * its text occurs elsewhere or beside a page number.
   */
  #isChangingHeader(row: EdgeRow, page: PageEdges): boolean {
    if (!this.#mayChange(row, page) || this.#changing.countNear(String(row.place), row.page) < MIN_PAGES_UNCERTAIN)
      return false
    const isNumbered = countingKeys(row).some((key) => this.#constantParts.countNear(key, row.page) >= MIN_PAGES)
    return (
      isNumbered ||
      pieceKeys(row).some((key) => this.#constantParts.countNear(key, row.page) > 1) ||
      ((this.#isSmall(row) || row.isItalic) && wordsOf(row.text).every((word) => (this.usual.words.get(word) ?? 0) > 1))
    )
  }
}

/** Lists the keys of the separate numbers of a row: their difference to the page index. */
const countingKeys = ({ text, place, page }: EdgeRow): string[] =>
  countedTexts(text).flatMap(({ number, isAlone }) => (isAlone ? `${place} ${number - page}` : []))

/** Lists the keys of the pieces of a row: a chapter title stays when a section title beside it changes. */
const pieceKeys = ({ text, place }: EdgeRow): string[] =>
  text.split('\t').flatMap((piece) => (/\p{L}{3}/u.test(piece) ? `${place} ${piece}` : []))

/**
 * Number of pages before and after a page that count as near it. Headers change with chapters, so farther pages say
 * little.
 */
const MAX_DISTANCE = 12

/** Records the pages on which a key, such as the text of a row, occurs. Pages are added in order. */
class PageOccurrences {
  readonly #pages = new Map<string, number[]>()

  add(key: string, page: number): void {
    const known = this.#pages.get(key)
    if (known === undefined) this.#pages.set(key, [page])
    else if (known.at(-1) !== page) known.push(page)
  }

  /** Counts the pages with the key among those near a page, including that page. */
  countNear(key: string, page: number): number {
    const pages = this.#pages.get(key) ?? []
    let count = 0
    for (
      let at = firstFrom(pages, page - MAX_DISTANCE);
      at < pages.length && (pages[at] ?? 0) <= page + MAX_DISTANCE;
      at++
    )
      count += 1
    return count
  }
}

function firstFrom(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
