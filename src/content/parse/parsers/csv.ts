import { type Element, Text } from '../../html/tree.js'
import { NOTHING_DROPPED } from '../../../base/text/dropped-lines.js'
import { decodeText } from '../../encoding/decode-text.js'
import { findDelimiter, readRecords } from '../text/delimited-records.js'
import { loadTree, makeElement, wrapInPage } from '../html/load-tree.js'
import type { Parser } from '../parser.js'
import { mediaTypeOf } from '../media-type/sniff-media-type.js'

const TYPES: ReadonlySet<string> = new Set([
  'text/csv',
  'text/x-csv',
  'text/comma-separated-values',
  'application/csv',
  'application/x-csv',
  'text/tab-separated-values',
])

/**
 * Maximum number of rows and cells. They take one or two seconds; a caller with larger tables needs the file itself.
 */
const MAX_ROWS = 2000
const MAX_COLUMNS = 100
const MAX_CELLS = 20_000

/**
 * Matches the media type parameter of a table without a header.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4180#section-3
 */
const HEADLESS = /;\s*header\s*=\s*"?absent"?\s*(?:;|$)/i

/**
 * Reads CSV and TSV as a table. The first row is the header, unless the server sends `header=absent`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
export const csv: Parser = {
  name: 'csv',
  accepts: (mediaType) => TYPES.has(mediaType),
  parse(input) {
    const text = decodeText(input, 'text')
    // Spreadsheet programs write `sep=` before the first row.
    const [line = '', named] = /^sep=(.)(?:\r\n?|\n|$)/.exec(text) ?? []
    const content = text.slice(line.length)
    const delimiter = named ?? (mediaTypeOf(input) === 'text/tab-separated-values' ? '\t' : findDelimiter(content))
    const { records, total, widest } = readRecords(content, delimiter, { records: MAX_ROWS, cells: MAX_COLUMNS })
    const columns = Math.min(widest, MAX_COLUMNS)
    const rows = records.slice(0, Math.max(1, Math.floor(MAX_CELLS / Math.max(1, columns))))
    const isWhole = rows.length === total && columns === widest
    return {
      url: input.url,
      baseUrl: input.url,
      tree: loadTree(
        wrapInPage(rows.length === 0 ? [] : [makeTable(rows, columns, HEADLESS.test(input.contentType ?? ''))]),
      ),
      text,
      isFile: true,
      dropped: isWhole ? NOTHING_DROPPED : undefined,
      warnings: [...warnOf('rows', total, rows.length), ...warnOf('columns', widest, columns)],
    }
  },
}

const warnOf = (what: string, all: number, shown: number): string[] =>
  all > shown ? [`The table has ${all} ${what}: the last ${all - shown} were left out.`] : []

/** Builds a table; short rows are filled with empty cells. */
function makeTable(records: readonly (readonly string[])[], columns: number, isHeadless: boolean): Element {
  const [names = [], ...rows] = isHeadless ? [[], ...records] : records
  const cellsOf = (row: readonly string[], name: 'th' | 'td'): Element[] =>
    Array.from({ length: columns }, (_, at) => makeCell(name, row[at] ?? ''))
  const makeRow = (cells: readonly Element[]): Element => makeElement('tr', {}, cells)
  return makeElement('table', {}, [
    makeElement('thead', {}, [makeRow(cellsOf(names, 'th'))]),
    makeElement(
      'tbody',
      {},
      rows.map((row) => makeRow(cellsOf(row, 'td'))),
    ),
  ])
}

function makeCell(name: 'th' | 'td', value: string): Element {
  const lines = value.trim().split(/\r\n?|\n/)
  const content = lines.flatMap((line, at) => (at === 0 ? [new Text(line)] : [makeElement('br', {}), new Text(line)]))
  return makeElement(name, {}, content)
}
