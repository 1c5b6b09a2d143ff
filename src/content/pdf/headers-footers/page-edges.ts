import { joinRuns } from '../layout/join-runs.js'
import type { Line, PdfPageText } from '../page-text.js'
import { isPageNumber } from './page-number.js'
import { plainDigits } from '../../../base/text/plain-digits.js'

/** Maximum number of rows of a running header or footer. */
const MAX_EDGE_ROWS = 3
/** Part of the page height, from the edge, where headers and footers are searched for. */
const EDGE_SHARE = 0.2
/** Maximum number of rows of a page that are compared with other pages. */
const MAX_COMPARED_ROWS = 300
/** Maximum number of characters of a row that are compared. */
const MAX_ROW_CHARACTERS = 200

/** Row at the edge of a page: all text at one height, across columns. */
export interface EdgeRow {
  readonly page: number
  /** Indexes of its lines in the page, in the order of the regions. */
  readonly indexes: readonly number[]
  /** Text, with a tab between separate pieces. */
  readonly text: string
  readonly size: number
  readonly isBold: boolean
  readonly isItalic: boolean
  /** True for a row of a table with ruling lines. */
  readonly isTableRow: boolean
  /** Vertical position, rounded for comparison. */
  readonly place: number
  /** True if another row of the page has the same text, apart from numbers. */
  readonly isRepeatedWithin: boolean
  /** Distance between its baseline and that of the next row inwards, in points. */
  readonly gap: number
}

/** Facts about the edges of a page, kept until all pages are read. */
export interface PageEdges {
  readonly page: number
  /** Rows from the edge inwards. */
  readonly top: readonly EdgeRow[]
  readonly bottom: readonly EdgeRow[]
  /** Lines of vertical text beside the text, at most as many as header rows. */
  readonly aside: readonly EdgeRow[]
  /** Typical distance between baselines, in points; 0 for a page with one row. */
  readonly pitch: number
  /** Hashes of the position and text, without numbers, of the rows that occur once on the page. */
  readonly rows: Int32Array
  /** Number of characters of each row in `rows`. */
  readonly lengths: Uint8Array
  /** Number of characters of all rows, without the page number. */
  readonly characters: number
}

interface Part {
  readonly line: Line
  /** Index of the line in the page. */
  readonly index: number
}

interface Row {
  readonly lines: Part[]
  readonly y: number
}

/** Collects the facts about a page by which its header and footer are found. */
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

/** Computes the share of a page's text, 0 to 1, that another page has at the same position; numbers are ignored. */
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

/** Groups lines to rows from top to bottom, and separates vertical text, unless all text is vertical. */
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

/** Returns the text of a row without numbers, for comparison. */
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

/** Lists the separate pieces of text of a line. */
const textsOf = ({ segments, text }: Line): string[] =>
  segments.length < 2 ? [text] : segments.map(({ runs }) => joinRuns(runs))
