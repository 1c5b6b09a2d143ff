import { joinRuns } from '../layout/join-runs.js'
import type { Line, PdfPageText } from '../page-text.js'
import { isPageNumber } from './page-number.js'
import { plainDigits } from '../../text/plain-digits.js'

/** Rows at the top and at the bottom of a page that may be its head and foot. */
const MAX_EDGE_ROWS = 3
/** Share of the page's height, from its edge, that heads and feet stand in. */
const EDGE_SHARE = 0.2
/** Rows of a page that are compared with those of other pages. */
const MAX_COMPARED_ROWS = 300
/** Characters of a row that it is compared by. */
const MAX_ROW_CHARACTERS = 200

/** A row at the edge of a page: all that stands at one height, over the columns. */
export interface EdgeRow {
  readonly page: number
  /** Indexes of its lines among those of the page, in the order of its regions. */
  readonly indexes: readonly number[]
  /** Its text, with a tab between the pieces that stand apart. */
  readonly text: string
  readonly size: number
  readonly isBold: boolean
  readonly isItalic: boolean
  /** Whether it is a row of a table that is drawn. */
  readonly isTableRow: boolean
  /** Its height on the page, rounded so that it can be compared. */
  readonly place: number
  /** Whether another row of the page says the same but for its numbers. */
  readonly isRepeatedWithin: boolean
  /** Distance to the next row inwards, from baseline to baseline. Points. */
  readonly gap: number
}

/** What is kept of a page until all are read. */
export interface PageEdges {
  readonly page: number
  /** From the edge inwards. */
  readonly top: readonly EdgeRow[]
  readonly bottom: readonly EdgeRow[]
  /** The first lines that run up or down the page beside its text. */
  readonly aside: readonly EdgeRow[]
  /** The usual distance from one row to the next. Points; 0 for a page of one row. */
  readonly pitch: number
  /** Hashes of the rows that say something which no other row of the page says, by place and wording without numbers. */
  readonly rows: Int32Array
  /** The characters of each of them. */
  readonly lengths: Uint8Array
  /** Characters of all rows but the page's number. */
  readonly characters: number
}

interface Part {
  readonly line: Line
  /** Which of the page's lines it is. */
  readonly index: number
}

interface Row {
  readonly lines: Part[]
  readonly y: number
}

/** What is kept of a page to find its head and foot by. */
export function readEdges(page: PdfPageText): PageEdges {
  const { rows, aside } = rowsOf(page)
  const wordings = rows.map(wordingOf)
  const times = new Map<string, number>()
  for (const wording of wordings) times.set(wording, (times.get(wording) ?? 0) + 1)
  const edgesOn = (sorted: readonly Row[], isNear: (y: number) => boolean): EdgeRow[] =>
    sorted
      .slice(0, MAX_EDGE_ROWS)
      .filter(({ y }) => isNear(y))
      .map((row, at) => describe(row, sorted[at + 1], page.index, (times.get(wordingOf(row)) ?? 0) > 1))
  const gaps = rows.slice(1).map((row, at) => row.y - (rows[at]?.y ?? 0))
  const unique = rows.flatMap(({ y }, at) => {
    const wording = wordings[at] ?? ''
    return times.get(wording) === 1 && /\p{L}/u.test(wording) && !isPageNumber(wording.replaceAll('#', '1'))
      ? { y, wording }
      : []
  })
  const compared = unique.slice(0, MAX_COMPARED_ROWS)
  return {
    page: page.index,
    top: edgesOn(rows, (y) => y < EDGE_SHARE * page.height),
    bottom: edgesOn([...rows].reverse(), (y) => y > (1 - EDGE_SHARE) * page.height),
    aside: aside
      .slice(0, MAX_EDGE_ROWS)
      .map((part) => describe({ lines: [part], y: part.line.y }, undefined, page.index, false)),
    pitch: gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0,
    rows: Int32Array.from(compared, ({ y, wording }) => hashOf(`${Math.round(y / 4)} ${wording}`)),
    lengths: Uint8Array.from(compared, ({ wording }) => wording.length),
    characters: wordings.reduce(
      (sum, wording) => sum + (isPageNumber(wording.replaceAll('#', '1')) ? 0 : wording.length),
      0,
    ),
  }
}

/** Share of a page's text that another page has in the same place, but for its numbers. */
export function sharedText(page: PageEdges, other: PageEdges): number {
  const rows = new Set(other.rows)
  let shared = 0
  for (const [at, row] of page.rows.entries()) if (rows.has(row)) shared += page.lengths[at] ?? 0
  return shared / Math.max(1, page.characters)
}

function hashOf(text: string): number {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return hash
}

/** The rows of a page from top to bottom, and what runs up or down the page, unless all of it does. */
function rowsOf({ regions }: PdfPageText): { readonly rows: readonly Row[]; readonly aside: readonly Part[] } {
  const all = regions.flatMap(({ lines }) => lines).map((line, index) => ({ line, index }))
  const upright = all.filter(({ line }) => !isTurned(line))
  const aside = upright.length > 0 ? all.filter(({ line }) => isTurned(line)) : []
  const rows: Row[] = []
  for (const part of (upright.length > 0 ? upright : all).sort((a, b) => a.line.y - b.line.y)) {
    const last = rows.at(-1)
    if (last !== undefined && part.line.y - last.y < 0.5 * part.line.size) last.lines.push(part)
    else rows.push({ lines: [part], y: part.line.y })
  }
  for (const { lines } of rows) lines.sort((a, b) => a.line.left - b.line.left)
  return { rows, aside }
}

const isTurned = ({ runs }: Line): boolean => runs.some(({ isUnplaced }) => isUnplaced)

/** A row as other rows are compared with it: without its numbers. */
const wordingOf = ({ lines }: Row): string =>
  plainDigits(lines.map(({ line }) => line.text).join('\t'))
    .slice(0, MAX_ROW_CHARACTERS)
    .replace(/\d+/g, '#')

function describe({ lines, y }: Row, next: Row | undefined, page: number, isRepeatedWithin: boolean): EdgeRow {
  const pieces = lines.flatMap(({ line }) => (line.row === undefined ? textsOf(line) : line.text))
  return {
    page,
    indexes: lines.map(({ index }) => index),
    text: plainDigits(pieces.join('\t')).slice(0, MAX_ROW_CHARACTERS + 1),
    size: Math.max(...lines.map(({ line }) => line.size)),
    isBold: lines.some(({ line }) => line.isBold),
    isItalic: lines.every(({ line }) => line.runs.every((run) => run.isItalic || !/\p{L}/u.test(run.text))),
    isTableRow: lines.some(({ line }) => line.row !== undefined),
    place: Math.round(y / 4),
    isRepeatedWithin,
    gap: next === undefined ? Infinity : Math.abs(next.y - y),
  }
}

/** The texts of a line that stand apart from each other. */
const textsOf = ({ segments, text }: Line): string[] =>
  segments.length < 2 ? [text] : segments.map(({ runs }) => joinRuns(runs))
