import { type Element, isElement, type ParentNode } from '../tree.js'
import type { Block, PageText, Region } from './read-blocks.js'

/** Which elements of a page stand beside others of their kind: the rows of a list, the cards of a grid. */
export interface Likenesses {
  /** How many of its parent's children are of the element's kind, itself included. */
  countOf(element: Element): number
  /** The text of all of them. Characters. */
  textOf(region: Region): number
  /** The text of the greatest group of the page. Characters. */
  readonly greatest: number
  /** Groups with a sentence's text or more. */
  readonly groups: number
}

/** Fewer are no row of likes. */
const LEAST = 3
const SENTENCE = 200
/** Further out, everything stands among others. */
const LEVELS = 7

/** Finds the groups of like elements of a page: those of one name and one first class under one parent. */
export function findLikenesses({ regionOf }: PageText): Likenesses {
  const counts = new Map<ParentNode, Map<string, number>>()
  const countOf = (element: Element): number => {
    const { parent } = element
    if (parent === null) return 1
    let kinds = counts.get(parent)
    if (kinds === undefined) {
      kinds = new Map()
      for (const child of parent.children) {
        if (!isElement(child)) continue
        const kind = kindOf(child)
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      }
      counts.set(parent, kinds)
    }
    return kinds.get(kindOf(element)) ?? 1
  }
  const texts = new Map<Region, Map<string, number>>()
  for (const region of regionOf.values()) {
    if (region.parent === undefined || countOf(region.element) < LEAST) continue
    const kinds = texts.get(region.parent) ?? new Map<string, number>()
    texts.set(region.parent, kinds)
    kinds.set(kindOf(region.element), (kinds.get(kindOf(region.element)) ?? 0) + region.text)
  }
  let greatest = 1
  let groups = 0
  for (const kinds of texts.values())
    for (const text of kinds.values()) {
      greatest = Math.max(greatest, text)
      if (text > SENTENCE) groups += 1
    }
  const textOf = (region: Region): number =>
    (region.parent === undefined ? undefined : texts.get(region.parent)?.get(kindOf(region.element))) ?? region.text
  return { countOf, textOf, greatest, groups }
}

function kindOf({ name, attribs }: Element): string {
  const classes = attribs['class']
  if (classes === undefined) return `${name}.`
  // Asked of each element many times over: most have one class, or a space after their first.
  const names = classes.trimStart()
  const end = names.search(/\s/)
  return `${name}.${end === -1 ? names : names.slice(0, end)}`
}

/** The group of likes around a block: how many they are, how much they hold, where they begin. */
export function readLikeness({ region }: Block, likenesses: Likenesses, page: Region): Record<string, number> {
  let one: Region | undefined
  let most = 1
  let level = -1
  for (let at = region, up = 0; up < LEVELS && at.parent !== undefined; up += 1, at = at.parent) {
    const count = likenesses.countOf(at.element)
    if (count <= most) continue
    one = at
    most = count
    level = up
  }
  const group = one?.parent
  const text = one === undefined ? 0 : likenesses.textOf(one)
  const pageText = Math.max(1, page.text)
  const countAt = (part: Region | undefined): number =>
    part === undefined ? 0 : Math.log1p(likenesses.countOf(part.element))
  return {
    likes: Math.log1p(most),
    likeLevel: level,
    likeLength: Math.log1p(one?.text ?? 0),
    likesHere: countAt(region),
    likesAround: countAt(region.parent),
    likesFurther: countAt(region.parent?.parent),
    groupShare: group === undefined ? 0 : group.text / pageText,
    groupOfGreatest: text / likenesses.greatest,
    groupAverage: text / most,
    groupHeadings: group === undefined ? 0 : Math.min(2, group.headings / most),
    groupImages: group === undefined ? 0 : Math.min(3, group.images / most),
    groupStart: group === undefined ? 0 : group.start / pageText,
    groupLinks: group === undefined || group.text === 0 ? 0 : group.link / group.text,
    groupsOfPage: likenesses.groups,
  }
}
