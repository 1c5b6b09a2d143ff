import type { Usual } from '../layout/measure-text.js'
import { type EdgeRow, type PageEdges, sharedText } from './page-edges.js'
import { countedTexts, isPageNumber, isRomanNumber } from './page-number.js'
import { PageOccurrences } from './page-occurrences.js'

/** Minimum number of nearby pages with the same header; the second number applies to files of fewer than four pages. */
const [MIN_PAGES, MIN_PAGES_SHORT] = [3, 2]
/** Minimum number of nearby pages for headers that change or resemble other content. */
const MIN_PAGES_OFTEN = 10
/**
 * Distances of the pages that a page is compared with: its neighbours, and pages further away. Neighbours alone may be
 * animation steps of one slide.
 */
const [BESIDE, FURTHER] = [
  [-2, -1, 1, 2],
  [-12, -9, -6, -4, 4, 6, 9, 12],
]
/** Share of common text above which pages are copies of one form, so that their repeated rows are content. */
const MAX_SHARED_TEXT = 0.35
/** Font sizes relative to the text: a row below the first is small print, a row from the second on is a heading. */
const [SMALL, LARGE] = [0.97, 1.14]
/** Maximum number of rows of a header that is not in small print. */
const MAX_ROWS = 2
/** Minimum distance between a header and the text, relative to the line pitch. */
const MIN_GAP = 1.3
/** Maximum line pitch of running text, in font sizes; table rows and slides have a larger one. */
const MAX_PITCH = 2.5
const MAX_HEAD_CHARACTERS = 200
const MAX_CHANGING_CHARACTERS = 120

/** Header and footer lines: by page index and line index, the reason why the line is dropped. */
export type RunningLines = ReadonlyMap<number, ReadonlyMap<number, string>>

type Side = 'top' | 'bottom' | 'aside'

/**
 * Finds running headers, footers and page numbers: rows at the edge of the page, apart from its text, that have the
 * same position and text, or count the pages, on several nearby pages.
 *
 * Headings, table rows, list items and repeated rows of form-like pages are not headers.
 */
export function findRunningLines(pages: readonly PageEdges[], usual: Usual): RunningLines {
  if (pages.length < 2) return new Map()
  const templates = pages.map((_page, at) => templateOf(pages, at))
  const found = (['top', 'bottom', 'aside'] as const).flatMap((side) =>
    new SideReader(pages, templates, usual, side).find(),
  )
  const unique = findUniqueRows(found, usual)
  const running = new Map<number, Map<number, string>>()
  for (const { row, reason } of found) {
    if (unique.has(row)) continue
    const own = running.get(row.page) ?? new Map<number, string>()
    running.set(row.page, own)
    for (const index of row.indexes) own.set(index, reason)
  }
  return running
}

interface RunningRow {
  readonly row: EdgeRow
  readonly side: Side
  readonly reason: string
}

/** True if a page has much text in common with its neighbours, or with pages further away. */
interface Template {
  readonly isBeside: boolean
  readonly isFurther: boolean
}

function templateOf(pages: readonly PageEdges[], at: number): Template {
  const own = pages[at]
  const shares = (steps: readonly number[]): number[] =>
    steps.flatMap((step) => {
      const other = pages[at + step]
      return own === undefined || other === undefined ? [] : sharedText(own, other)
    })
  const further = shares(FURTHER)
  return {
    isBeside: Math.max(0, ...shares(BESIDE)) > MAX_SHARED_TEXT,
    isFurther: further.reduce((sum, share) => sum + share, 0) > MAX_SHARED_TEXT * further.length,
  }
}

class SideReader {
  readonly #needed: number
  /** Rows with equal text, or a page count, at the same position. */
  readonly #texts = new PageOccurrences()
  /** The same for pages that resemble only their neighbours, of which more are required. */
  readonly #often = new PageOccurrences()
  /** Those rows that are separated from the text by a gap. */
  readonly #apart = new PageOccurrences()
  /** Differences between printed page numbers and page indexes, and the positions of rows that are page numbers. */
  readonly #numbers = new PageOccurrences()
  readonly #numberPlaces = new PageOccurrences()
  /** Positions of possible headers that change with sections, and their constant parts, such as a chapter title. */
  readonly #changing = new PageOccurrences()
  readonly #lasting = new PageOccurrences()

  constructor(
    readonly pages: readonly PageEdges[],
    readonly templates: readonly Template[],
    readonly usual: Usual,
    readonly side: Side,
  ) {
    this.#needed = pages.length < 4 ? MIN_PAGES_SHORT : MIN_PAGES
  }

  find(): RunningRow[] {
    this.pages.forEach((page, at) => this.#note(page, this.templates[at]))
    for (const page of this.pages) this.#noteNumbers(page)
    for (const page of this.pages) this.#noteApart(page)
    return this.pages.flatMap((page) => this.#findOn(page))
  }

  #note(page: PageEdges, template: Template | undefined): void {
    const rows = page[this.side]
    for (const row of rows) {
      const isNumber = isPageNumber(row.text)
      for (const { number, isAlone } of countedTexts(row.text))
        if (isNumber || isAlone) this.#numbers.add(String(number - row.page), row.page)
      if (isNumber || !this.#mayRun(row)) continue
      for (const key of this.#keysOf(row)) {
        if (template?.isBeside === false && !this.#isTitle(row)) this.#texts.add(key, row.page)
        if (template?.isFurther === false) this.#often.add(key, row.page)
      }
    }
    const [first] = rows
    if (first === undefined || template?.isBeside !== false || !this.#mayChange(first, page)) return
    this.#changing.add(String(first.place), first.page)
    for (const key of [...countingKeys(first), ...pieceKeys(first)]) this.#lasting.add(key, first.page)
  }

  #noteNumbers(page: PageEdges): void {
    for (const row of page[this.side]) if (this.#counts(row)) this.#numberPlaces.add(String(row.place), row.page)
  }

  /** Tests if a row is only a number that increases with the pages, on at least two of them. */
  #counts = (row: EdgeRow): boolean =>
    isPageNumber(row.text) &&
    row.gap > row.size &&
    countedTexts(row.text).some(
      ({ number }) => this.#numbers.near(String(number - row.page), row.page) >= MIN_PAGES_SHORT,
    )

  #isNumber = (row: EdgeRow): boolean =>
    this.#counts(row) ||
    (isPageNumber(row.text) &&
      row.gap > row.size &&
      (isRomanNumber(row.text) || this.#numberPlaces.near(String(row.place), row.page) >= MIN_PAGES))

  #noteApart(page: PageEdges): void {
    const rows = page[this.side]
    const depth = this.#depthOf(rows, (row) => this.#isApart(row, page))
    const row = rows[depth - 1]
    if (row !== undefined) for (const key of this.#keysOf(row)) this.#apart.add(key, row.page)
  }

  #findOn(page: PageEdges): RunningRow[] {
    const rows = page[this.side]
    const depth = this.#depthOf(rows, (row) =>
      this.#keysOf(row).some((key) => this.#apart.near(key, row.page) >= this.#needed),
    )
    const [first] = rows
    if (depth === 0 && first !== undefined && this.#changes(first, page))
      return [this.#describe(first, `is the running ${this.#name} of a section`)]
    // Vertical lines are tested one by one.
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
    return { top: 'head', bottom: 'foot', aside: 'note beside the text' }[this.side]
  }

  /** Counts the header rows from the edge inwards, up to the first row that does not repeat. */
  #depthOf(rows: readonly EdgeRow[], isApart: (row: EdgeRow) => boolean): number {
    let depth = 0
    let textRows = 0
    let isSmall = true
    for (const [index, row] of rows.entries()) {
      const isNumber = this.#isNumber(row)
      if (!isNumber) {
        if (!this.#repeats(row)) break
        textRows += 1
        isSmall &&= this.#isSmall(row)
        if (!isSmall && textRows > MAX_ROWS) return 0
      }
      if (isNumber || isApart(row)) depth = index + 1
    }
    return depth
  }

  #repeats = (row: EdgeRow): boolean =>
    this.#mayRun(row) &&
    this.#keysOf(row).some(
      (key) => this.#texts.near(key, row.page) >= this.#needed || this.#often.near(key, row.page) >= MIN_PAGES_OFTEN,
    )

  #isSmall = ({ size }: EdgeRow): boolean => size < SMALL * this.usual.size

  /** Tests if a row can be a header: it resembles no heading, table row or list item. */
  #mayRun(row: EdgeRow): boolean {
    const { text, size, isTableRow, isRepeatedWithin } = row
    if (isTableRow || isRepeatedWithin || size >= LARGE * this.usual.size || text.length > MAX_HEAD_CHARACTERS)
      return false
    if (this.side !== 'top' || this.#isSmall(row)) return true
    return !/[?!:;,]$/.test(text)
  }

  /** Tests if a row may be a title that several pages share. */
  #isTitle = (row: EdgeRow): boolean =>
    this.side === 'top' && row.isBold && !this.#isSmall(row) && !countedTexts(row.text).some(({ isAlone }) => isAlone)

  /** Lists keys of a row by position and text: as it is, and with each number replaced by a page count. */
  #keysOf(row: EdgeRow): string[] {
    const mayCount = this.side !== 'top' || this.#isSmall(row)
    const counted = countedTexts(row.text)
      .filter(({ isAlone }) => isAlone || mayCount)
      .map(({ number, text }) => `${row.place} ${number - row.page} ${text}`)
    return [`${row.place} ${row.text}`, ...counted]
  }

  /** Tests if a row is further from the text than lines are from each other. */
  #isApart({ gap }: EdgeRow, { pitch }: PageEdges): boolean {
    const { size, leading } = this.usual
    return gap >= MIN_GAP * Math.max(leading * size, Math.min(pitch, MAX_PITCH * size))
  }

  #mayChange = (row: EdgeRow, page: PageEdges): boolean =>
    this.#mayRun(row) &&
    this.#isApart(row, page) &&
    row.size <= 1.03 * this.usual.size &&
    (!row.isBold || countedTexts(row.text).some(({ isAlone }) => isAlone)) &&
    row.text.length <= MAX_CHANGING_CHARACTERS &&
    !/[.:;,?!]$/.test(row.text)

  /**
   * Tests if a row is a header that changes with sections: it is on most pages, and its text occurs elsewhere or next
   * to a page number.
   */
  #changes(row: EdgeRow, page: PageEdges): boolean {
    if (!this.#mayChange(row, page) || this.#changing.near(String(row.place), row.page) < MIN_PAGES_OFTEN) return false
    const isNumbered = countingKeys(row).some((key) => this.#lasting.near(key, row.page) >= MIN_PAGES)
    return (
      isNumbered ||
      pieceKeys(row).some((key) => this.#lasting.near(key, row.page) > 1) ||
      ((this.#isSmall(row) || row.isItalic) && wordsOf(row.text).every((word) => (this.usual.words.get(word) ?? 0) > 1))
    )
  }
}

/** Lists the numbers that stand alone in a row, as differences to the page index, with the row's position. */
const countingKeys = ({ text, place, page }: EdgeRow): string[] =>
  countedTexts(text).flatMap(({ number, isAlone }) => (isAlone ? `${place} ${number - page}` : []))

/**
 * Lists keys of the parts of a row between tabs, because a chapter title stays while a section title beside it changes.
 */
const pieceKeys = ({ text, place }: EdgeRow): string[] =>
  text.split('\t').flatMap((piece) => (/\p{L}{3}/u.test(piece) ? `${place} ${piece}` : []))

/**
 * Finds header and footer rows in text size with words that occur nowhere else in the file, such as a company name. The
 * first such header and the last such footer stay in the content, so that no word is lost.
 */
function findUniqueRows(found: readonly RunningRow[], usual: Usual): ReadonlySet<EdgeRow> {
  const times = new Map<string, number>()
  for (const { row } of found) for (const word of wordsOf(row.text)) times.set(word, (times.get(word) ?? 0) + 1)
  const known = new Set<string>()
  const unique = new Set<EdgeRow>()
  const kept = found.filter(({ row }) => row.size >= SMALL * usual.size && !isPageNumber(row.text))
  const [heads, feet] = (['top', 'bottom'] as const).map((on) => kept.filter(({ side }) => side === on))
  for (const { row } of [...(heads ?? []), ...(feet ?? []).reverse()]) {
    const own = wordsOf(row.text).filter((word) => (usual.words.get(word) ?? Infinity) <= (times.get(word) ?? 0))
    if (!own.some((word) => !known.has(word))) continue
    unique.add(row)
    for (const word of own) known.add(word)
  }
  return unique
}

/** Lists the words of a text, without Roman numerals, which are page numbers. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/\p{L}+(?:-\p{L}+)*(?![-\p{L}])/gu) ?? []).filter((word) => !/^[ivxlc]+$/.test(word))
