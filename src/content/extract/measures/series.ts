import { onceFor } from '../../../base/collections/once-for.js'
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

/** First class names of every other member, and of the first and last: they tell how a member looks, not what it is. */
const ALTERNATING =
  /^(?:(?:row|item|views-row|list|post|entry)?[-_]?(?:odd|even|alt|alternate|first|last)|(?:row|bg)[-_]?[012])$/i
const MAX_NAMES = 200

/** Finds the series of a page. */
export const findSeries: (read: TextBlocks) => PageSeries = onceFor(readSeries)

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
  /** The first group of those whose members alternate. */
  const firstOf = new Map<string, number>()
  const mergedOf = new Map<number, number>()
  /** Returns the group of a member, or that of the members between its own. */
  const groupOfMember = (member: Region): number => {
    const group = siblings.groupOf[member.at] ?? 0
    const before = mergedOf.get(group)
    if (before !== undefined) return before
    const names = (member.element.attribs['class'] ?? '').slice(0, MAX_NAMES).trim().split(/\s+/)
    const key = ALTERNATING.test(names[0] ?? '')
      ? `${member.parent?.at ?? 0} ${member.element.name} ${names[1] ?? ''}`
      : ''
    const merged = key === '' ? group : (firstOf.get(key) ?? group)
    if (key !== '' && merged === group) firstOf.set(key, group)
    mergedOf.set(group, merged)
    return merged
  }
  const ofBlocks: (Series | undefined)[] = []
  const slotOf: (Slot | undefined)[] = []
  for (const block of read.blocks) {
    const member = findMember(block.region, siblings) ?? findMember(block.region, siblings, MAX_LEVELS)
    const group = member === undefined ? 0 : groupOfMember(member)
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
