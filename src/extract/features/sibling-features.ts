import { PairNumbers } from '../../collections/pair-numbers.js'
import { type Element, isElement } from '../../html/tree.js'
import type { Put } from './feature-vector.js'
import type { Block, TextBlocks, Region } from '../blocks/read-blocks.js'

/** Siblings with the same tag name and first class. */
interface Group {
  /** Number of elements, including invisible ones. */
  count: number
  /** Visible text in all of them, in characters. */
  text: number
}

/** Groups of similar siblings on a page, such as the rows of a list or the cards of a grid. */
export interface SiblingGroups {
  /** Indexed by {@link Region.at}, for regions that contain text. */
  readonly groupOf: readonly Group[]
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
export function findSiblingGroups({ holders }: TextBlocks): SiblingGroups {
  const kinds = new Map<string, number>()
  const numbers = new PairNumbers()
  /** Groups by the number of their parent and kind. */
  const all: (Group | undefined)[] = []
  const groupOf: Group[] = []
  const isCounted: true[] = []
  for (const { at, element, parent: around, text } of holders) {
    const { parent } = element
    const place = around === undefined ? 0 : around.at + 1
    if (parent !== null && isCounted[place] !== true) {
      isCounted[place] = true
      for (const child of parent.children) {
        if (!isElement(child)) continue
        const number = numbers.numberOf(place, numberOf(kindOf(child), kinds))
        const group = (all[number] ??= { count: 0, text: 0 })
        group.count += 1
      }
    }
    const group = all[numbers.numberOf(place, numberOf(kindOf(element), kinds))] ?? { count: 1, text: 0 }
    group.text += text
    groupOf[at] = group
  }
  let greatest = 1
  let groups = 0
  for (const group of all) {
    if (group === undefined || group.count < MIN_GROUP_SIZE) continue
    greatest = Math.max(greatest, group.text)
    if (group.text > MIN_GROUP_TEXT) groups += 1
  }
  return { groupOf, greatest, groups }
}

/** Returns the number of a name, from 1; a new one for a name that has none. */
export function numberOf(name: string, numbers: Map<string, number>): number {
  const number = numbers.get(name) ?? numbers.size + 1
  numbers.set(name, number)
  return number
}

/** Returns an element's kind: its tag name and first class. */
export function kindOf({ name, attribs }: Element): string {
  const classes = attribs['class']
  if (classes === undefined) return `${name}.`
  // Called many times for each element. A regular expression would take several times as long.
  const names = classes.trimStart()
  let end = 0
  while (end < names.length && !endsName(names.charCodeAt(end))) end += 1
  if (names.charCodeAt(end) > LAST_ASCII) end = names.search(/\s|$/)
  return `${name}.${names.slice(0, end)}`
}

const SPACE = 32
const LAST_ASCII = 127

/** True for white space of ASCII, and for signs that may be other white space. */
const endsName = (code: number): boolean =>
  code <= SPACE ? code === SPACE || (code >= 9 && code <= 13) : code > LAST_ASCII

/** Writes features of the largest group of siblings around a block: their number, text, links and position. */
export function readSiblingFeatures({ region }: Block, siblings: SiblingGroups, page: Region, put: Put): void {
  const countOf = (part: Region): number => siblings.groupOf[part.at]?.count ?? 1
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
  const text = one === undefined ? 0 : most >= MIN_GROUP_SIZE ? (siblings.groupOf[one.at]?.text ?? 0) : one.text
  const pageText = Math.max(1, page.text)
  const countAt = (part: Region | undefined): number => (part === undefined ? 0 : Math.log1p(countOf(part)))
  put('likes', Math.log1p(most))
  put('likeLevel', level)
  put('likeLength', Math.log1p(one?.text ?? 0))
  put('likesHere', countAt(region))
  put('likesAround', countAt(region.parent))
  put('likesFurther', countAt(region.parent?.parent))
  put('groupShare', group === undefined ? 0 : group.text / pageText)
  put('groupOfGreatest', text / siblings.greatest)
  put('groupAverage', text / most)
  put('groupHeadings', group === undefined ? 0 : Math.min(2, group.headings / most))
  put('groupImages', group === undefined ? 0 : Math.min(3, group.images / most))
  put('groupStart', group === undefined ? 0 : group.start / pageText)
  put('groupLinks', group === undefined || group.text === 0 ? 0 : group.link / group.text)
  put('groupsOfPage', siblings.groups)
}
