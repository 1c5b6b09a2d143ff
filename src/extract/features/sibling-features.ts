import { type Element, isElement, type ParentNode } from '../../html/tree.js'
import type { Put } from './feature-vector.js'
import type { Block, PageText, Region } from '../blocks/read-blocks.js'

/** Elements of one kind under one parent. */
interface Group {
  /** Those that nobody sees counted in. */
  count: number
  /** What they hold. Characters. */
  text: number
}

/** Which elements of a page stand beside others of their kind: the rows of a list, the cards of a grid. */
export interface SiblingGroups {
  /** By the place of a region among all, if it holds text. */
  readonly groupOf: readonly Group[]
  /** The text of the greatest group of the page. Characters. */
  readonly greatest: number
  /** Groups with a sentence's text or more. */
  readonly groups: number
}

/** Fewer are no row of likes. */
const MIN_GROUP_SIZE = 3
const MIN_GROUP_TEXT = 200
/** Further out, everything stands among others. */
const MAX_LEVELS = 7

/** Finds the groups of like elements of a page: those of one name and one first class under one parent. */
export function findSiblingGroups({ holders }: PageText): SiblingGroups {
  const kindsOf = new Map<ParentNode, Map<string, Group>>()
  const groupOf: Group[] = []
  for (const region of holders) {
    const { element } = region
    const { parent } = element
    const kinds = parent === null ? undefined : (kindsOf.get(parent) ?? countKinds(parent))
    if (parent !== null && kinds !== undefined) kindsOf.set(parent, kinds)
    const group = kinds?.get(kindOf(element)) ?? { count: 1, text: 0 }
    group.text += region.text
    groupOf[region.at] = group
  }
  let greatest = 1
  let groups = 0
  for (const kinds of kindsOf.values())
    for (const { count, text } of kinds.values()) {
      if (count < MIN_GROUP_SIZE) continue
      greatest = Math.max(greatest, text)
      if (text > MIN_GROUP_TEXT) groups += 1
    }
  return { groupOf, greatest, groups }
}

function countKinds(parent: ParentNode): Map<string, Group> {
  const kinds = new Map<string, Group>()
  for (const child of parent.children) {
    if (!isElement(child)) continue
    const kind = kindOf(child)
    const group = kinds.get(kind)
    if (group === undefined) kinds.set(kind, { count: 1, text: 0 })
    else group.count += 1
  }
  return kinds
}

/** What an element is like: others of its name and first class. */
export function kindOf({ name, attribs }: Element): string {
  const classes = attribs['class']
  if (classes === undefined) return `${name}.`
  // Asked of each element many times over: most have one class, or a space after their first.
  const names = classes.trimStart()
  const end = names.search(/\s/)
  return `${name}.${end === -1 ? names : names.slice(0, end)}`
}

/** The group of likes around a block: how many they are, how much they hold, where they begin. */
export function readSiblingFeatures({ region }: Block, likenesses: SiblingGroups, page: Region, put: Put): void {
  const countOf = (part: Region): number => likenesses.groupOf[part.at]?.count ?? 1
  let one: Region | undefined
  let most = 1
  let level = -1
  for (let at = region, up = 0; up < MAX_LEVELS && at.parent !== undefined; up += 1, at = at.parent) {
    const count = countOf(at)
    if (count <= most) continue
    one = at
    most = count
    level = up
  }
  const group = one?.parent
  const text = one === undefined ? 0 : most >= MIN_GROUP_SIZE ? (likenesses.groupOf[one.at]?.text ?? 0) : one.text
  const pageText = Math.max(1, page.text)
  const countAt = (part: Region | undefined): number => (part === undefined ? 0 : Math.log1p(countOf(part)))
  put('likes', Math.log1p(most))
  put('likeLevel', level)
  put('likeLength', Math.log1p(one?.text ?? 0))
  put('likesHere', countAt(region))
  put('likesAround', countAt(region.parent))
  put('likesFurther', countAt(region.parent?.parent))
  put('groupShare', group === undefined ? 0 : group.text / pageText)
  put('groupOfGreatest', text / likenesses.greatest)
  put('groupAverage', text / most)
  put('groupHeadings', group === undefined ? 0 : Math.min(2, group.headings / most))
  put('groupImages', group === undefined ? 0 : Math.min(3, group.images / most))
  put('groupStart', group === undefined ? 0 : group.start / pageText)
  put('groupLinks', group === undefined || group.text === 0 ? 0 : group.link / group.text)
  put('groupsOfPage', likenesses.groups)
}
