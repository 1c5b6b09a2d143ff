import type { Block, Region } from './block.js'
import type { TextBlocks } from './read-blocks.js'

/**
 * Groups blocks that are kept or dropped together: those of one code listing and those of one data table. Every other
 * block is a group of its own.
 */
export function findUnits({ blocks, regions, names }: TextBlocks): Block[][] {
  if (!names.has('pre') && !names.has('table')) return blocks.map((block) => [block])
  const wholes = findWholes(regions)
  const units: Block[][] = []
  let current = NONE
  for (const block of blocks) {
    const whole = wholes[block.region.at] ?? NONE
    const last = units.at(-1)
    if (whole !== NONE && whole === current && last !== undefined) last.push(block)
    else units.push([block])
    current = whole
  }
  return units
}

const NONE = -1

/** Finds for each region the outermost code listing or data table around it, or itself. */
function findWholes(regions: readonly Region[]): Int32Array {
  const isTable = findDataTables(regions)
  const wholes = new Int32Array(regions.length)
  // Parents stand before their children.
  for (const { at, element, parent } of regions) {
    const around = parent === undefined ? NONE : (wholes[parent.at] ?? NONE)
    wholes[at] = around === NONE && (element.name === 'pre' || isTable[at] === 1) ? at : around
  }
  return wholes
}

/** Marks the tables with header cells and no nested table. All others may be layout. */
function findDataTables(regions: readonly Region[]): Uint8Array {
  /** The innermost table of each region. */
  const tables = new Int32Array(regions.length)
  const isHeaded = new Uint8Array(regions.length)
  const isOuter = new Uint8Array(regions.length)
  for (const { at, element, parent } of regions) {
    const table = parent === undefined ? NONE : (tables[parent.at] ?? NONE)
    tables[at] = element.name === 'table' ? at : table
    if (table === NONE) continue
    if (element.name === 'table') isOuter[table] = 1
    else if (element.name === 'th') isHeaded[table] = 1
  }
  return isHeaded.map((headed, at) => (headed === 1 && isOuter[at] === 0 ? 1 : 0))
}
