import type { Block, TextBlocks, Region } from './read-blocks.js'

/**
 * Groups blocks that are kept or dropped together: those of one code listing and those of one data table. Every other
 * block is a group of its own.
 */
export function findUnits({ blocks, regions }: TextBlocks): Block[][] {
  const wholes = findWholes(regions)
  const units: Block[][] = []
  let current: Region | undefined
  for (const block of blocks) {
    const whole = wholes.get(block.region)
    const last = units.at(-1)
    if (whole !== undefined && whole === current && last !== undefined) last.push(block)
    else units.push([block])
    current = whole
  }
  return units
}

/** Maps each region in a code listing or a data table to the outermost such element. */
function findWholes(regions: readonly Region[]): ReadonlyMap<Region, Region> {
  const tables = findDataTables(regions)
  const wholes = new Map<Region, Region>()
  // Parents stand before their children.
  for (const region of regions) {
    const around = region.parent === undefined ? undefined : wholes.get(region.parent)
    const whole = around ?? (region.element.name === 'pre' || tables.has(region) ? region : undefined)
    if (whole !== undefined) wholes.set(region, whole)
  }
  return wholes
}

/** Finds the tables with header cells and no nested table. All others may be layout. */
function findDataTables(regions: readonly Region[]): ReadonlySet<Region> {
  const around = new Map<Region, Region>()
  const headed = new Set<Region>()
  const outer = new Set<Region>()
  for (const region of regions) {
    const table = region.parent === undefined ? undefined : around.get(region.parent)
    if (region.element.name === 'table') {
      around.set(region, region)
      if (table !== undefined) outer.add(table)
    } else if (table !== undefined) {
      around.set(region, table)
      if (region.element.name === 'th') headed.add(table)
    }
  }
  return new Set([...headed].filter((table) => !outer.has(table)))
}
