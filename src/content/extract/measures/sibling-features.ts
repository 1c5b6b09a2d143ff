import { onceFor } from '../../../base/collections/once-for.js'
import { isElement } from '../../html/tree.js'
import type { Put } from './feature-vector.js'
import type { Block, Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { findKinds } from './element-kinds.js'

/**
 * Groups of similar siblings on a page, such as the rows of a list or the cards of a grid: siblings with the same tag name and
 * first class.
 */
interface SiblingGroups {
  /** The group of each region that contains text, by {@link Region.at}. All others are alone in group 0. */
  readonly groupOf: Int32Array
  /** Number of elements in each group, including invisible ones. */
  readonly counts: readonly number[]
  /** Visible text in all elements of each group, in characters. */
  readonly texts: readonly number[]
  /** Text of the largest group of the page, in characters. */
  readonly greatest: number
  /** Number of groups with more than {@link MIN_GROUP_TEXT} characters of text. */
  readonly groups: number
}

/** Minimum number of siblings in a group. */
const MIN_GROUP_SIZE = 3
const MIN_GROUP_TEXT = 200
/** Levels of ancestors that are examined: all elements further out have siblings. */
const MAX_LEVELS = 7

/** Finds groups of siblings with the same tag name and first class. */
export const findSiblingGroups: (page: TextBlocks) => SiblingGroups = onceFor(groupSiblings)

function groupSiblings(page: TextBlocks): SiblingGroups {
  const { regions, regionOf, holders } = page
  const kinds = findKinds(page)
  const groupOf = new Int32Array(regions.length)
  const counts = [1]
  const texts = [0]
  /** The group of each kind among the siblings that were counted last, whose groups begin with `first`. */
  const groupOfKind: number[] = []
  for (const { at, element } of holders) {
    const { parent } = element
    if (groupOf[at] !== 0 || parent === null) continue
    const first = counts.length
    for (const child of parent.children) {
      if (!isElement(child)) continue
      const region = regionOf.get(child)
      const kind = (region && kinds.ofRegions[region.at]) || kinds.numberOf(child)
      let group = groupOfKind[kind] ?? 0
      if (group < first) {
        groupOfKind[kind] = group = counts.length
        counts.push(0)
        texts.push(0)
      }
      counts[group] = (counts[group] ?? 0) + 1
      texts[group] = (texts[group] ?? 0) + (region?.text ?? 0)
      if (region !== undefined && region.blocks > 0) groupOf[region.at] = group
    }
  }
  let greatest = 1
  let groups = 0
  for (let group = 1; group < counts.length; group += 1) {
    const text = texts[group] ?? 0
    if ((counts[group] ?? 0) < MIN_GROUP_SIZE) continue
    greatest = Math.max(greatest, text)
    if (text > MIN_GROUP_TEXT) groups += 1
  }
  return { groupOf, counts, texts, greatest, groups }
}

/**
 * Returns the element around a region that has most siblings of its kind; undefined if none has any.
 *
 * @param levels number of elements that are examined, from the region outwards
 */
export function findMember(
  region: Region,
  { groupOf, counts }: SiblingGroups,
  levels: number = MAX_LEVELS,
): Region | undefined {
  let one: Region | undefined
  let most = 1
  for (let at = region, up = 0; up < levels && at.parent !== undefined; up += 1, at = at.parent) {
    const count = counts[groupOf[at.at] ?? 0] ?? 1
    if (count <= most) continue
    one = at
    most = count
  }
  return one
}

/** Writes features of the largest group of siblings around a block: their number, text, links and position. */
export function readSiblingFeatures({ region }: Block, siblings: SiblingGroups, page: Region, put: Put): void {
  const { groupOf, counts, texts } = siblings
  const countOf = (part: Region | undefined): number => (part === undefined ? 0 : (counts[groupOf[part.at] ?? 0] ?? 1))
  const one = findMember(region, siblings)
  const most = one === undefined ? 1 : countOf(one)
  const level = one === undefined ? -1 : region.depth - one.depth
  const group = one?.parent
  const text = one === undefined ? 0 : most >= MIN_GROUP_SIZE ? (texts[groupOf[one.at] ?? 0] ?? 0) : one.text
  const pageText = Math.max(1, page.text)
  put('likes', Math.log1p(most))
  put('likeLevel', level)
  put('likeLength', Math.log1p(one?.text ?? 0))
  put('likesHere', Math.log1p(countOf(region)))
  put('likesAround', Math.log1p(countOf(region.parent)))
  put('likesFurther', Math.log1p(countOf(region.parent?.parent)))
  put('groupShare', group === undefined ? 0 : group.text / pageText)
  put('groupOfGreatest', text / siblings.greatest)
  put('groupAverage', text / most)
  put('groupHeadings', group === undefined ? 0 : Math.min(2, group.headings / most))
  put('groupImages', group === undefined ? 0 : Math.min(3, group.images / most))
  put('groupStart', group === undefined ? 0 : group.start / pageText)
  put('groupLinks', group === undefined || group.text === 0 ? 0 : group.link / group.text)
  put('groupsOfPage', siblings.groups)
}
