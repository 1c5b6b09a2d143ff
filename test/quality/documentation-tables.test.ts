import type { CheerioAPI } from 'cheerio'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { extract } from '../../src/content/extract/extract.js'
import type { ListRow, PageList } from '../../src/content/extract/list/page-list.js'
import { parseHtml } from '../content/parse/pages.js'

/** Pages of Debian's documentation packages with tables. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  'python3.11/html/library': ['curses', 'codecs', 'mailbox', 'inspect', 'http'].map((name) => `${name}.html`),
  'postgresql-doc-15/html': [
    'sql-keywords-appendix',
    'monitoring-stats',
    'brin-builtin-opclasses',
    'errcodes-appendix',
    'features-sql-standard',
    'multibyte',
  ].map((name) => `${name}.html`),
  'rust-doc/html': [
    'rustc/platform-support',
    'reference/inline-assembly',
    'book/appendix-02-operators',
    'reference/tokens',
    'reference/expressions/operator-expr',
  ].map((name) => `${name}.html`),
  'openjdk-17-doc/api': [
    'java.base/java/util/Formatter',
    'java.base/java/math/RoundingMode',
    'java.base/java/text/MessageFormat',
    'java.base/java/text/SimpleDateFormat',
    'java.base/java/util/package-summary',
    'java.base/java/util/ArrayList',
    'java.base/module-summary',
    'index',
  ].map((name) => `${name}.html`),
}

const paths = Object.entries(PAGES).flatMap(([folder, names]) =>
  names.map((name) => `/usr/share/doc/${folder}/${name}`),
)
const installed = paths.filter((path) => existsSync(path))
const reason = installed.length === paths.length ? '' : ' (skipped: a documentation package is not installed)'

const textOf = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Reads the rows of the tables with headers, cell by cell: cells that span rows are in each, those that span columns in the first. */
function readTables($: CheerioAPI): string[][][] {
  return [...readElements($), ...readGrids($)]
}

/** Reads the summaries of Javadoc, whose tables are made of cells in one element. */
function readGrids($: CheerioAPI): string[][][] {
  return $('.summary-table')
    .toArray()
    .map((grid) => {
      const width = $(grid).children('.table-header').length
      const cells = $(grid)
        .children(':not(.table-header)')
        .toArray()
        .map((cell) => textOf($(cell).text()))
      return Array.from({ length: cells.length / width }, (_, at) => cells.slice(at * width, (at + 1) * width))
    })
    .filter((rows) => rows.length > 0)
}

function readElements($: CheerioAPI): string[][][] {
  return $('table')
    .toArray()
    .filter((table) => $(table).find('th').length > 0 && $(table).find('table').length === 0)
    .map((table) => {
      const grid: string[][] = []
      const taken: boolean[][] = []
      const rows = $(table).find('tr').toArray()
      for (const [at, row] of rows.entries()) {
        let column = 0
        for (const cell of $(row).children('td,th').toArray()) {
          while (taken[at]?.[column] === true) column += 1
          const [down, right] = [Number($(cell).attr('rowspan') ?? 1), Number($(cell).attr('colspan') ?? 1)]
          for (let below = 0; below < down; below += 1)
            for (let beside = 0; beside < right; beside += 1) {
              ;(taken[at + below] ??= [])[column + beside] = true
              ;(grid[at + below] ??= [])[column + beside] = beside === 0 ? textOf($(cell).text()) : ''
            }
          column += right
        }
      }
      return rows.flatMap((row, at) => ($(row).children('td').length > 0 ? [grid[at] ?? []] : []))
    })
    .filter((rows) => rows.length > 0)
}

const ANSWERS: Readonly<Record<string, string>> = { Yes: 'true', No: 'false' }

const bare = (value: unknown): string => (ANSWERS[String(value)] ?? String(value)).replace(/[\s,]/g, '')

/** True if a row has the text of each cell. Numbers and dates are compared by what they are written with. */
function hasCells(item: ListRow, cells: readonly string[]): boolean {
  const values = Object.values(item).map(bare)
  return cells.every(
    (cell) =>
      cell === '' ||
      values.includes(bare(cell)) ||
      values.some((value) => value !== '' && Number(value) === Number.parseFloat(bare(cell))),
  )
}

/** Finds the list with the most of a table's rows: several tables may begin with the same row. */
function findTable(lists: readonly PageList[], rows: readonly string[][]): PageList | undefined {
  const counts = lists
    .filter(({ items }) => items[0] !== undefined && hasCells(items[0], rows[0] ?? []))
    .map((list) => ({ list, count: rows.filter((row, at) => hasCells(list.items[at] ?? {}, row)).length }))
  return counts.sort((one, other) => other.count - one.count)[0]?.list
}

test.skipIf(reason !== '')(
  `every cell of the tables of 24 pages of documentation is read${reason}`,
  { timeout: 120_000 },
  () => {
    expect(paths).toHaveLength(24)
    let cells = 0
    const missed: string[] = []
    for (const path of installed) {
      const page = parseHtml(readFileSync(path, 'utf8'))
      const tables = readTables(page.tree.$)
      const { lists = [] } = extract(page, {
        onlyMainContent: false,
        includeTags: [],
        excludeTags: [],
        list: { all: true },
      })
      for (const rows of tables) {
        const list = findTable(lists, rows)
        for (const row of rows) {
          cells += row.filter((cell) => cell !== '').length
          if (list === undefined || !list.items.some((item) => hasCells(item, row)))
            missed.push(`${path}: ${row.join(' | ')}`)
        }
      }
    }
    console.log(`${cells} cells, ${missed.length} rows missed`)
    expect(missed).toEqual([])
  },
)
