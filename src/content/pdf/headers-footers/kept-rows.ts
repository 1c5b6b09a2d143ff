import type { TypicalText } from '../layout/measure-text.js'
import type { EdgeRow, PageEdges } from './page-edges.js'
import { isPageNumber } from './page-number.js'

/** Part of a page in which headers and footers are searched for. */
export type Side = 'top' | 'bottom' | 'aside'

/** Row that was found to be a header, footer or page number. */
export interface RunningRow {
  readonly row: EdgeRow
  readonly side: Side
  readonly reason: string
}

/** Size of small print, relative to the text. */
export const SMALL_PRINT_SIZE = 0.97
/** Maximum share of a page's text, 0 to 1, in its headers and footers. With more they are content. */
const MAX_DROPPED_SHARE = 0.5

/** Finds the headers and footers that stay in the content, so that no word and no page is lost. */
export const findKeptRows = (
  found: readonly RunningRow[],
  pages: readonly PageEdges[],
  usual: TypicalText,
): ReadonlySet<EdgeRow> =>
  new Set([...findRowsWithUniqueWords(found, usual), ...findRowsOfMostlyRunningPages(found, pages)])

/**
 * Finds headers and footers in text size with words that occur nowhere else in the file, such as the name of a company.
 * Of these the first header and the last footer stay in the content, so that no word is lost.
 */
function findRowsWithUniqueWords(found: readonly RunningRow[], usual: TypicalText): ReadonlySet<EdgeRow> {
  const counts = new Map<string, number>()
  for (const { row } of found) for (const word of wordsOf(row.text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const keptWords = new Set<string>()
  const unique = new Set<EdgeRow>()
  const kept = found.filter(({ row }) => row.size >= SMALL_PRINT_SIZE * usual.size && !isPageNumber(row.text))
  const [headers, footers] = (['top', 'bottom'] as const).map((on) => kept.filter(({ side }) => side === on))
  for (const { row } of [...(headers ?? []), ...(footers ?? []).reverse()]) {
    const own = wordsOf(row.text).filter((word) => (usual.words.get(word) ?? Infinity) <= (counts.get(word) ?? 0))
    if (!own.some((word) => !keptWords.has(word))) continue
    unique.add(row)
    for (const word of own) keptWords.add(word)
  }
  return unique
}

/** Finds the rows, but page numbers, of pages of which the headers and footers would be most of the text. */
function findRowsOfMostlyRunningPages(found: readonly RunningRow[], pages: readonly PageEdges[]): EdgeRow[] {
  const rows = found.map(({ row }) => row).filter(({ text }) => !isPageNumber(text))
  const amounts = new Map<number, number>()
  for (const { page, text } of rows) amounts.set(page, (amounts.get(page) ?? 0) + text.length)
  const mostly = new Set(
    pages
      .filter(({ page, characters }) => (amounts.get(page) ?? 0) > MAX_DROPPED_SHARE * characters)
      .map(({ page }) => page),
  )
  return rows.filter(({ page }) => mostly.has(page))
}

/** Lists the words of a text without Roman numbers, which count pages. */
export const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/\p{L}+(?:-\p{L}+)*(?![-\p{L}])/gu) ?? []).filter((word) => !/^[ivxlc]+$/.test(word))
