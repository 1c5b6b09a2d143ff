import { readAmount } from '../../base/text/read-amount.js'
import { type BlockJudgement, judgeBlock, type JudgedPage } from './judge-block.js'
import { type DataTable, keyRows, nameOfRow, splitWords } from './key-rows.js'
import type { ChangedBlock, PlacedChange } from './match-passages.js'

/** Typed data of two versions of a page. */
export interface DataVersions {
  readonly previous: readonly DataTable[]
  readonly current: readonly DataTable[]
  /** Headings of data that an earlier visit did not read whole: what is new to it may not be new to the page. */
  readonly uncertain: readonly string[]
}

/** A judged change of an entry, with its place. */
interface JudgedEntry {
  readonly change: PlacedChange
  readonly judgement: BlockJudgement
  /** Name of the entry. */
  readonly context: string
}

const PRICE = /price|preis|prix|precio|prezzo|prijs|preço|cost|amount/i
const OLD =
  /(?<!\p{L})(?:old|was(?!h)|before(?! (?:tax|vat))|former|previous|regular|original|list(?!ing)|strike|struck|crossed|compare|statt|ancien|vorher)/iu
const OLD_ALONE = /^(?:rrp|msrp|uvp)$/i
const STOCK = /avail|stock|verfügbar|disponib|lager/i

/** Tests for the price that an entry had, or that its maker advises: the one that is struck out. */
function isOldPrice(column: string): boolean {
  const words = splitWords(column)
  return OLD_ALONE.test(words) || (PRICE.test(words) && OLD.test(words))
}

/**
 * Judges typed data entry by entry and value by value. An entry is told from another one by what names it, so that no two entries are taken
 * for versions of one.
 */
export function judgeData({ previous, current, uncertain }: DataVersions, page: JudgedPage): JudgedEntry[] {
  const before = numberTables(previous)
  const now = numberTables(current)
  const names = [...new Set([...now.keys(), ...before.keys()])]
  return names.flatMap((name) => {
    const [was, is] = [before.get(name), now.get(name)]
    const { heading, kind } = is ?? was ?? UNNAMED
    const isKnown = !uncertain.includes(heading)
    const empty: DataTable = { heading, kind, columns: [], rows: [] }
    return judgeTable(
      was ?? { ...empty, columns: is?.columns ?? [] },
      is ?? { ...empty, columns: was?.columns ?? [] },
      {
        page,
        table: name,
        title: titleOf(heading, current) ?? heading,
        isKnown,
      },
    )
  })
}

const UNNAMED: DataTable = { heading: '', kind: 'row', columns: [], rows: [] }

/** Names tables by their format and their number among those of their kind. */
function numberTables(tables: readonly DataTable[]): ReadonlyMap<string, DataTable> {
  const named = new Map<string, DataTable>()
  const counts = new Map<string, number>()
  for (const table of tables) {
    const name = `${table.heading}\n${table.kind}`
    const number = (counts.get(name) ?? 0) + 1
    counts.set(name, number)
    named.set(`${name}\n${number}`, table)
  }
  return named
}

/**
 * Renames the columns of the former version that have another name now: of those that went and came, the pairs in which at least half of the
 * rows have the same value.
 */
function renameColumns(was: DataTable, is: DataTable): DataTable {
  const came = is.columns.filter((column) => !was.columns.includes(column))
  if (came.length === 0 || was.rows.length === 0) return was
  const keys = keyRows(was, is)
  const rows = new Map(is.rows.map((row, at) => [keys.current[at] ?? '', row]))
  const columns = was.columns.map((column) => {
    if (is.columns.includes(column)) return column
    const at = came.findIndex((name) => {
      const isSame = (row: readonly string[], index: number): boolean => {
        const now = rows.get(keys.previous[index] ?? '')
        const value = cellOf(was, row, column)
        return value !== '' && now !== undefined && cellOf(is, now, name) === value
      }
      return was.rows.filter(isSame).length >= was.rows.length / 2
    })
    return at === -1 ? column : (came.splice(at, 1)[0] ?? column)
  })
  return { ...was, columns }
}

function judgeTable(
  before: DataTable,
  is: DataTable,
  {
    page,
    table,
    title,
    isKnown,
  }: { readonly page: JudgedPage; readonly table: string; readonly title: string; readonly isKnown: boolean },
): JudgedEntry[] {
  const { heading, kind } = is
  const was = kind === 'row' ? renameColumns(before, is) : before
  const keys = keyRows(was, is)
  const rowsBefore = new Map(was.rows.map((row, at) => [keys.previous[at] ?? '', row]))
  const found = new Set(keys.current)
  const place = (key: string, column = ''): PlacedChange['around'] => {
    const own = [table, key, column].join('\n')
    return [own, own]
  }
  const whole = (change: 'added' | 'removed', row: readonly string[], key: string): JudgedEntry[] => {
    const { columns } = change === 'added' ? is : was
    // The value of an empty list.
    if (kind === 'item' && row[1] === '') return []
    const text = writeRow(kind, columns, row)
    const block: ChangedBlock = {
      change,
      kind,
      headings: [heading],
      ...(change === 'added' ? { text } : { previous: text }),
    }
    const judged = judgeBlock(block, page)
    const isUncertain = change === 'added' && !isKnown
    const judgement = isUncertain ? { ...judged, noise: 'its list was not read whole before' } : judged
    return [{ change: { block, around: place(key) }, judgement, context: '' }]
  }
  const all = [...new Set([...is.columns, ...was.columns])]
  const labels = kind === 'item' ? [...is.rows, ...was.rows].map(([label = '']) => label) : all
  // Alone, a `listPrice` is the price.
  const isBesidePrice = labels.some((label) => PRICE.test(label) && !isOldPrice(label))
  const ofCurrent = is.rows.flatMap((row, at): JudgedEntry[] => {
    const key = keys.current[at] ?? ''
    const old = rowsBefore.get(key)
    if (!old) return whole('added', row, key)
    const name = kind === 'item' ? '' : nameOfRow(is, row)
    const context = name === '' ? title : name
    const columns = kind === 'item' ? is.columns.slice(1) : all
    return columns.flatMap((column) => {
      const [previous, text] = [cellOf(was, old, column), cellOf(is, row, column)]
      const label = kind === 'item' ? (row[0] ?? '') : column
      if (previous === text || isSameAmount(previous, text) || isCurrencyOnly(label, previous, text)) return []
      const block: ChangedBlock = { change: 'edited', kind, headings: [heading], text, previous }
      const judgement = isBesidePrice && isOldPrice(label) ? judgeOldPrice(label, block) : judgeCell(label, block, page)
      return [{ change: { block, around: place(key, label) }, judgement, context }]
    })
  })
  const removed = was.rows.flatMap((row, at) => {
    const key = keys.previous[at] ?? ''
    return found.has(key) ? [] : whole('removed', row, key)
  })
  return [...ofCurrent, ...removed]
}

const cellOf = ({ columns }: DataTable, row: readonly string[], column: string): string =>
  row[columns.indexOf(column)] ?? ''

/** Returns the title among the single values of a format, such as that of a product. */
const titleOf = (heading: string, tables: readonly DataTable[]): string | undefined =>
  tables
    .find((table) => table.heading === heading && table.kind === 'item')
    ?.rows.find(([path = '']) => /^\S+ (?:title|name)$/i.test(path))?.[1]

const writeRow = (kind: DataTable['kind'], columns: readonly string[], row: readonly string[]): string =>
  kind === 'item'
    ? row.join(': ')
    : columns
        .map((_, at) => row[at] ?? '')
        .filter((cell) => cell !== '')
        .join(' | ')

/** Tests for the currency of a price that came or went, which the price itself tells. */
const isCurrencyOnly = (column: string, old: string, own: string): boolean =>
  /currency$/i.test(column) && (old === '' || own === '')

/** Tests for a price that is written in another way: `€12` and `12.00 €`, or `12 € EUR` of a former version. */
function isSameAmount(previous: string, text: string): boolean {
  const old = previous.replace(/^(-?[\d.]+ \p{Sc}) [A-Z]{3}$/u, '$1')
  const [before, now] = [readAmount(old), readAmount(text)]
  if (!before || before.value !== now?.value) return false
  const [sign, ownSign] = [old, text].map((side) => side.replaceAll(/[\d.,\s]/g, ''))
  return sign === ownSign && /\p{Sc}/u.test(text)
}

const quoteCell = ({ text = '', previous = '' }: ChangedBlock): string =>
  previous === '' ? `+ ${text}` : text === '' ? `− ${previous}` : `${previous} → ${text}`

const judgeOldPrice = (column: string, block: ChangedBlock): BlockJudgement => ({
  field: block.kind === 'item' ? 'item' : 'row',
  message: `${column}: ${quoteCell(block)}`,
})

/** Judges a value by its name and by what it says. */
function judgeCell(column: string, block: ChangedBlock, page: JudgedPage): BlockJudgement {
  const { text = '', previous = '', kind } = block
  const field = kind === 'item' ? 'item' : 'row'
  const message = quoteCell(block)
  const isAmount = [previous, text].every((side) => side === '' || readAmount(side) !== undefined)
  if (PRICE.test(column) && isAmount) return { field: 'price', message, previous, current: text }
  const judged = judgeBlock(block, page)
  const isState = STOCK.test(column) && !isAmount && judged.noise === undefined && judged.field === field
  return isState ? { field: 'availability', message, previous, current: text } : judged
}
