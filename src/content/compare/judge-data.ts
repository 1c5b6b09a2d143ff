import { readAmount } from '../../base/text/read-amount.js'
import { type BlockJudgement, judgeBlock, type JudgedPage } from './judge-block.js'
import { type DataTable, keyRows, nameOfRow } from './key-rows.js'
import type { ChangedBlock, PlacedChange } from './match-passages.js'

/** Typed data of two versions of a page. */
export interface DataVersions {
  readonly previous: readonly DataTable[]
  readonly current: readonly DataTable[]
  /** Headings of data that an earlier visit did not read whole: what is new to it may not be new to the page. */
  readonly uncertain: readonly string[]
}

/** A judged change of an entry, with its place. */
export interface JudgedEntry {
  readonly change: PlacedChange
  readonly judgement: BlockJudgement
  /** Name of the entry. */
  readonly context: string
}

const PRICE = /price|preis|prix|precio|prezzo|prijs|preço|cost|amount/i
const OLD = /old|was|before|former|previous|regular|original|list|strike|struck|crossed|compare|statt|ancien|vorher/i
const OLD_ALONE = /^(?:rrp|msrp|uvp)$/i
const STOCK = /avail|stock|verfügbar|disponib|lager/i

/** Tests for the price that an entry had, or that its maker advises: the one that is struck out. */
const isOldPrice = (column: string): boolean => OLD_ALONE.test(column) || (PRICE.test(column) && OLD.test(column))

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
    const isKnown = previous.some((table) => table.heading === heading) && !uncertain.includes(heading)
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

function judgeTable(
  was: DataTable,
  is: DataTable,
  {
    page,
    table,
    title,
    isKnown,
  }: { readonly page: JudgedPage; readonly table: string; readonly title: string; readonly isKnown: boolean },
): JudgedEntry[] {
  const { heading, kind } = is
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
  const ofCurrent = is.rows.flatMap((row, at): JudgedEntry[] => {
    const key = keys.current[at] ?? ''
    const before = rowsBefore.get(key)
    if (!before) return whole('added', row, key)
    const name = kind === 'item' ? '' : nameOfRow(is, row)
    const context = name === '' ? title : name
    const columns = kind === 'item' ? is.columns.slice(1) : [...new Set([...is.columns, ...was.columns])]
    return columns.flatMap((column) => {
      const [old, own] = [cellOf(was, before, column), cellOf(is, row, column)]
      const label = kind === 'item' ? (row[0] ?? '') : column
      if (old === own || isCurrencyOnly(label, old, own)) return []
      const block: ChangedBlock = { change: 'edited', kind, headings: [heading], text: own, previous: old }
      const judgement = judgeCell(label, block, page)
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

/** Judges a value by its name and by what it says. */
function judgeCell(column: string, block: ChangedBlock, page: JudgedPage): BlockJudgement {
  const { text = '', previous = '', kind } = block
  const field = kind === 'item' ? 'item' : 'row'
  const message = previous === '' ? `+ ${text}` : text === '' ? `− ${previous}` : `${previous} → ${text}`
  if (isOldPrice(column)) return { field, message: `${column}: ${message}` }
  const isAmount = [previous, text].every((side) => side === '' || readAmount(side) !== undefined)
  if (PRICE.test(column) && isAmount) return { field: 'price', message, previous, current: text }
  const judged = judgeBlock(block, page)
  const isState = STOCK.test(column) && !isAmount && judged.noise === undefined && judged.field === field
  return isState ? { field: 'availability', message, previous, current: text } : judged
}
