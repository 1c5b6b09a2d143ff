import { type Block, isWithin, type Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'

/** Minimum rows of a grid, and minimum share of them with two cells or more. */
const MIN_ROWS = 3
const MIN_ROW_SHARE = 0.6
/** Maximum mean text of a cell. Longer cells are parts of a page. Characters. */
const MAX_CELL_LENGTH = 200
/** Minimum share of a grid's words that is kept for the rest to be kept as well. */
const MIN_KEPT_SHARE = 0.25
/** The same for a row, whatever the rest of the table. */
const MIN_KEPT_ROW_SHARE = 0.5
/** Maximum share of links in a grid. A menu has more. */
const MAX_LINK_SHARE = 0.5

/**
 * Adds the rest of tables, and of their rows, of which some cells are kept. Tables with header cells are kept or dropped as a
 * whole before; these have none, as most of HTML 3.2. A cell is worth nothing without the others of its row.
 *
 * @param isAccepted true for a region that the markup rules take for content
 */
export function keepTablesWhole(read: TextBlocks, kept: Set<Block>, isAccepted: (region: Region) => boolean): void {
  for (const rows of findGrids(read)) {
    const cells = rows.flat()
    const isPart = isKeptInPart(cells, kept, MIN_KEPT_SHARE)
    for (const row of isPart ? [cells] : rows.filter((one) => isKeptInPart(one, kept, MIN_KEPT_ROW_SHARE)))
      if (row.every(({ region }) => isAccepted(region))) for (const block of row) kept.add(block)
  }
}

function isKeptInPart(blocks: readonly Block[], kept: ReadonlySet<Block>, least: number): boolean {
  const share = wordsOf(blocks.filter((block) => kept.has(block))) / wordsOf(blocks)
  return share >= least && share < 1
}

/** A table of rows of short cells, as it is read. */
interface Grid {
  readonly rows: Map<Region, Block[]>
  readonly cells: Set<Region>
  text: number
  link: number
}

/** Finds the rows of the tables without nested tables that have several short cells in most of their rows. */
function findGrids({ blocks, regions }: TextBlocks): readonly (readonly (readonly Block[])[])[] {
  const grids = new Map<Region, Grid>()
  const outer = new Set<Region>()
  const tables = regions.filter(({ element }) => element.name === 'table')
  for (const region of tables) {
    const around = findAround(region.parent, ['table'])
    if (around !== undefined) outer.add(around)
  }
  for (const block of blocks) {
    const cell = findAround(block.region, ['td', 'th'])
    const row = findAround(cell?.parent, ['tr'])
    const table = findAround(row?.parent, ['table'])
    if (cell === undefined || row === undefined || table === undefined || outer.has(table)) continue
    const grid = grids.get(table) ?? { rows: new Map<Region, Block[]>(), cells: new Set(), text: 0, link: 0 }
    grids.set(table, grid)
    grid.cells.add(cell)
    grid.text += block.text.length
    grid.link += block.link
    const others = grid.rows.get(row)
    if (others === undefined) grid.rows.set(row, [block])
    else others.push(block)
  }
  return [...grids.values()].filter(isGrid).map(({ rows }) => [...rows.values()])
}

function isGrid({ rows, cells, text, link }: Grid): boolean {
  if (rows.size < MIN_ROWS || text > MAX_CELL_LENGTH * cells.size || link > MAX_LINK_SHARE * text) return false
  const wide = [...rows.values()].filter(([first, ...others]) => {
    const cell = findAround(first?.region, ['td', 'th'])
    return cell !== undefined && others.some(({ region }) => !isWithin(region, cell))
  })
  return wide.length >= MIN_ROW_SHARE * rows.size
}

function findAround(region: Region | undefined, names: readonly string[]): Region | undefined {
  let at = region
  while (at !== undefined && !names.includes(at.element.name)) at = at.parent
  return at
}

/** A block without a word counts as one. */
const wordsOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { words }) => sum + Math.max(1, words), 0)
