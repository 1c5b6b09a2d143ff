import { isLayout } from '../../html/table-kind.js'
import { readRows } from '../../html/table-grid.js'
import { type Element, isElement } from '../../html/tree.js'
import type { Block } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'

/**
 * Minimum rows of a table of data with text in two cells or more, of one that no header cell or caption declares data, and minimum words
 * of the table.
 */
const MIN_ROWS = 3
const MIN_PLAIN_ROWS = 7
const MIN_CELLS = 2
const MIN_WORDS = 12
/** Minimum words of a table relative to the content: a few beside a long text are one of many details. */
const MIN_SHARE = 0.04
/** Maximum share of texts that the content says elsewhere, as the copy of a table for narrow screens does. */
const MAX_SAID = 0.7
/** Maximum share of a table's words that is in the content for the table to be lost. */
const MAX_KEPT = 0.2
/** Maximum share of links: what leads to other pages, such as a calendar of posts, says nothing itself. */
const MAX_LINKS = 0.6
/** Maximum share of cells with a day of a month, and no more: a calendar to choose from has little else. */
const MAX_DAYS = 0.6
const DAY = /^\d{1,2}$/

/** A table of data that was left out. */
interface LostTable {
  readonly rows: number
  /** Its first text. */
  readonly start: string
}

interface TableText {
  readonly table: Element
  readonly blocks: Block[]
  readonly cells: Set<Element>
}

/** Finds the tables of data of which hardly anything is in the content: of text and numbers in rows and columns, and no layout. */
export function findLostTables(
  { blocks, regions }: TextBlocks,
  kept: readonly Block[],
  isLost: (block: Block) => boolean,
): LostTable[] {
  const tableOf: (TableText | undefined)[] = []
  const cellOf: (Element | undefined)[] = []
  const tables: TableText[] = []
  // Parents stand before their children.
  for (const { at, element, parent } of regions) {
    const { name } = element
    const isCell = name === 'td' || name === 'th'
    cellOf[at] = isCell ? element : parent && cellOf[parent.at]
    tableOf[at] = parent && tableOf[parent.at]
    if (name === 'table') tables.push((tableOf[at] = { table: element, blocks: [], cells: new Set() }))
  }
  for (const block of blocks) {
    const table = tableOf[block.region.at]
    const cell = cellOf[block.region.at]
    if (table === undefined || cell === undefined) continue
    table.blocks.push(block)
    table.cells.add(cell)
  }
  const said = new Set(kept.map(({ text }) => text))
  const least = Math.max(MIN_WORDS, MIN_SHARE * wordsOf(kept))
  return tables.flatMap((each) => {
    const lost = each.blocks.filter(isLost)
    const [first] = lost
    const words = wordsOf(lost)
    if (first === undefined || words < least || words < (1 - MAX_KEPT) * wordsOf(each.blocks)) return []
    if (isToFollow(lost) || lost.filter(({ text }) => said.has(text)).length > MAX_SAID * lost.length) return []
    const rows = countRows(each)
    return rows === 0 ? [] : [{ rows, start: first.text }]
  })
}

/** Counts the rows of a table of data; 0 for one of layout, and of too few rows. */
function countRows({ table, cells }: TableText): number {
  const rows = readRows(table)
  if (isLayout(table, rows)) return 0
  const isDeclared =
    rows.some((row) => row.inHead || row.cells.some(({ isHead }) => isHead)) ||
    table.children.some((child) => isElement(child) && child.name === 'caption')
  const full = rows.filter((row) => row.cells.filter(({ element }) => cells.has(element)).length >= MIN_CELLS).length
  return full < (isDeclared ? MIN_ROWS : MIN_PLAIN_ROWS) ? 0 : full
}

/** True for texts that are links, or days to choose from. */
function isToFollow(blocks: readonly Block[]): boolean {
  const text = blocks.reduce((sum, block) => sum + block.text.length, 0)
  const links = blocks.reduce((sum, { link }) => sum + link, 0)
  const days = blocks.filter((block) => DAY.test(block.text)).length
  return links > MAX_LINKS * text || days > MAX_DAYS * blocks.length
}

const wordsOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { words }) => sum + words, 0)
