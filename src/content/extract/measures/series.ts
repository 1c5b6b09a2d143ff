import { PairNumbers } from '../../../base/collections/pair-numbers.js'
import type { Block, Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { findKinds } from './element-kinds.js'
import { findMember, findSiblingGroups } from './sibling-features.js'

/** The blocks at the same place in each member of a series, such as the prices of all cards. */
export type Slot = readonly Block[]

/** Siblings of one kind: cards, posts, rows, items, and the paragraphs of a text. */
export interface Series {
  /** The members that have text, in document order. */
  readonly members: readonly Region[]
  /** Blocks of all members, in document order. */
  readonly blocks: readonly Block[]
  readonly slots: readonly Slot[]
}

/** The series of a page. Each block belongs to one at most: that with most members around it. */
interface PageSeries {
  readonly all: readonly Series[]
  /** The series and the slot of each block, by {@link Block.at}. */
  readonly ofBlocks: readonly (Series | undefined)[]
  readonly slotOf: readonly (Slot | undefined)[]
}

/** Levels of ancestors that are examined where the nearest have no siblings: a remark in a table of layout is deep in its row. */
const MAX_LEVELS = 10

/** The series of pages that are being read: several steps of the choice of content need them. */
const known = new WeakMap<TextBlocks, PageSeries>()

/** Finds the series of a page. */
export function findSeries(read: TextBlocks): PageSeries {
  let found = known.get(read)
  if (found === undefined) known.set(read, (found = readSeries(read)))
  return found
}

interface OpenSeries extends Series {
  readonly members: Region[]
  readonly blocks: Block[]
  readonly slots: Block[][]
  readonly byPlace: Map<number, Block[]>
}

function readSeries(read: TextBlocks): PageSeries {
  const siblings = findSiblingGroups(read)
  const kinds = findKinds(read).ofRegions
  const paths = new PairNumbers()
  /** Returns the number of the way from a member of a series to a region in it, by the kinds of the elements. */
  const placeIn = (member: Region, region: Region): number => {
    let path = 0
    for (let at: Region | undefined = region; at !== undefined && at !== member; at = at.parent)
      path = paths.numberOf(path, kinds[at.at] ?? 0)
    return path
  }
  const byGroup = new Map<number, OpenSeries>()
  const ofBlocks: (Series | undefined)[] = []
  const slotOf: (Slot | undefined)[] = []
  for (const block of read.blocks) {
    const member = findMember(block.region, siblings) ?? findMember(block.region, siblings, MAX_LEVELS)
    const group = member === undefined ? 0 : (siblings.groupOf[member.at] ?? 0)
    if (member === undefined || group === 0) {
      ofBlocks.push(undefined)
      slotOf.push(undefined)
      continue
    }
    let series = byGroup.get(group)
    if (series === undefined) {
      series = { members: [], blocks: [], slots: [], byPlace: new Map() }
      byGroup.set(group, series)
    }
    if (series.members.at(-1) !== member) series.members.push(member)
    series.blocks.push(block)
    const around = placeIn(member, block.region)
    // A title and a button may be lines of one element.
    const place = block.inner.name === 'button' ? -1 - around : around
    let slot = series.byPlace.get(place)
    if (slot === undefined) {
      series.byPlace.set(place, (slot = []))
      series.slots.push(slot)
    }
    slot.push(block)
    ofBlocks.push(series)
    slotOf.push(slot)
  }
  return { all: [...byGroup.values()], ofBlocks, slotOf }
}
