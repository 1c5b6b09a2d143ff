import { PairNumbers } from '../../../base/collections/pair-numbers.js'
import type { Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { findKinds, kindOf } from './element-kinds.js'

/** Minimum members of a group. */
const MIN_MEMBERS = 3
/** Ways in which regions are alike, by which a group is told from another with the same element around it. */
const SIBLINGS = 0
const COUSINS = 1
const WRAPPED = 2
const IN_ROWS = 3
const WAYS = 4

/**
 * Finds groups of regions that may be the members of one list, the outer and larger ones first: siblings of one kind; cousins, such as the
 * cells of a grid that is a table; and what is of one kind inside of wrappers, rows or columns that may differ. A region may be in
 * several groups. The number that a name has for each member, as `sku-9310`, is no part of a kind.
 */
export function findMembers(read: TextBlocks): readonly (readonly Region[])[] {
  const { holders, regions } = read
  const kindOfRegion = numberKinds(read)
  /** The outermost region with the same text as each, and whether one inside it has the same. */
  const tops: Region[] = []
  const isWrapper = new Uint8Array(regions.length)
  const pairs = new PairNumbers()
  const groups = new Map<number, Region[]>()
  const add = (around: number, kind: number, way: number, region: Region): void => {
    const key = pairs.numberOf(around, WAYS * kind + way)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [region])
    else group.push(region)
  }
  for (const region of holders) {
    const { parent } = region
    const isWhole = parent?.parent !== undefined && parent.blocks === region.blocks
    tops[region.at] = isWhole ? (tops[parent.at] ?? region) : region
    if (isWhole) isWrapper[parent.at] = 1
  }
  const kindPairs = new PairNumbers()
  for (const region of holders) {
    const { at, parent, blocks } = region
    if (parent === undefined) continue
    const kind = kindOfRegion(region)
    add(parent.at, kind, SIBLINGS, region)
    if (parent.parent !== undefined)
      add(parent.parent.at, kindPairs.numberOf(kindOfRegion(parent), kind), COUSINS, region)
    const row = tops[at]?.parent
    if (isWrapper[at] === 1 || blocks < 2 || row === undefined) continue
    add(row.at, kind, WRAPPED, region)
    const grid = tops[row.at]?.parent
    if (grid !== undefined) add(grid.at, kind, IN_ROWS, region)
  }
  return [...groups.values()]
    .filter(({ length }) => length >= MIN_MEMBERS)
    .sort((one, other) => (one[0]?.depth ?? 0) - (other[0]?.depth ?? 0) || other.length - one.length)
}

/** Numbers the kinds of regions, without the numbers in their names. */
function numberKinds(read: TextBlocks): (region: Region) => number {
  const kinds = findKinds(read).ofRegions
  const byKind: number[] = []
  const byName = new Map<string, number>()
  return ({ at, element }) => {
    const kind = kinds[at] ?? 0
    let number = byKind[kind]
    if (number === undefined) {
      const name = kindOf(element).replace(/\d+/g, '#')
      number = byName.get(name) ?? byName.size + 1
      byName.set(name, number)
      byKind[kind] = number
    }
    return number
  }
}
