import {
  collapse,
  type Element,
  isElement,
  isText,
  type ParentNode,
  textOf,
  walk,
  isHeading,
} from '../../content/html/tree.js'
import { findPrices, type PriceSpot } from './find-prices.js'
import { NON_CONTENT, readDish } from './read-dish.js'
import { parseUrl } from '../../base/url.js'

/** A restaurant's menu, with names, descriptions and prices as the page writes them. */
export interface FoundMenu {
  readonly sections: readonly FoundSection[]
}

interface FoundSection {
  readonly name?: string
  readonly items: readonly FoundDish[]
}

interface FoundDish {
  readonly name: string
  readonly description?: string
  /** Prices as written. */
  readonly prices: readonly string[]
  /** Dietary signs, such as `v` and `gf`. */
  readonly marks: readonly string[]
}

/** Words for a menu in several languages. */
const MENU_WORDS =
  /(?:^|[^\p{L}])(?:menus?|speisekarte|speisen|getränkekarte|mittagskarte|carte|menú|menús|carta|menù|ementa|cardápio|menukaart|jadłospis|étlap|meny|menukort)(?:[^\p{L}]|$)/iu

/** Maximum number of prices of one dish, which are those of its sizes. */
const MAX_SIZES = 6
/** Minimum number of dishes in a menu. A page with fewer prices may be about something else. */
const MIN_DISHES = 4
/** Minimum share of dishes in elements of the same tag name and class. */
const MIN_SIMILAR_SHARE = 0.6
const MAX_NAME_LENGTH = 120
const MAX_DESCRIPTION_LENGTH = 600
/**
 * Finds the menu that a page shows by its layout: repeated elements with a name and a price, below headings. Only pages
 * that call themselves a menu in their URL, title or first heading are searched.
 * @internal
 */
export function findMenu(root: ParentNode, url: string): FoundMenu | undefined {
  if (!isMenuPage(root, url)) return undefined
  const spots = findPrices(root, NON_CONTENT)
  const inside = countInside(spots)
  const kinds = findDishKinds(inside)
  const dishes: { dish: FoundDish; box: Element }[] = []
  for (let at = 0; at < spots.length; at++) {
    const spot = spots[at]
    if (!spot) break
    const box = findBox(spot, inside, kinds)
    const group = containsOnlyPrice(box, spot) ? findGroup(spots.slice(at, at + MAX_SIZES), inside) : undefined
    const { name, description, marks } = readDish(group?.box ?? box, group?.spots ?? [spot])
    const prices = (group?.spots ?? [spot]).map(({ text }) => text)
    at += prices.length - 1
    if (name === '' || name.length > MAX_NAME_LENGTH) continue
    const described = description === '' || description.length > MAX_DESCRIPTION_LENGTH ? {} : { description }
    dishes.push({ dish: { name, ...described, prices, marks }, box: group?.box ?? box })
  }
  if (dishes.length < MIN_DISHES || !areSimilar(dishes.map(({ box }) => box))) return undefined
  return { sections: groupBySection(root, dishes) }
}

function isMenuPage(root: ParentNode, url: string): boolean {
  const texts: string[] = [decodePath(parseUrl(url)?.pathname ?? '')]
  walk(root, (node) => {
    if (!isElement(node)) return true
    if (node.name === 'title' || node.name === 'h1') texts.push(textOf(node))
    return node.name !== 'nav' && texts.length < 10
  })
  return texts.some((text) => MENU_WORDS.test(text))
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch (error) {
    if (error instanceof URIError) return path
    throw error
  }
}

function countInside(spots: readonly PriceSpot[]): Map<ParentNode, number> {
  const counts = new Map<ParentNode, number>()
  for (const { element } of spots) {
    for (let at: ParentNode | null = element; at; at = at.parent) counts.set(at, (counts.get(at) ?? 0) + 1)
  }
  return counts
}

/**
 * Returns the largest element around a price that contains no other price, no heading besides the dish's own, and no other
 * dish, which may have no price.
 */
function findBox(
  { element, before }: PriceSpot,
  inside: ReadonlyMap<ParentNode, number>,
  kinds: ReadonlySet<string>,
): Element {
  let box = element
  let hasName = before !== ''
  for (let above = box.parent; above && isElement(above) && above.name !== 'body'; above = above.parent) {
    if (inside.get(above) !== 1) break
    const isNamed = hasName || textOutside(box, element) !== ''
    if (isNamed && (headingsIn(above) > headingsIn(box) || isOneOfDishes(box, above, kinds))) break
    hasName = isNamed
    box = above
  }
  return box
}

const ENTRIES: ReadonlySet<string> = new Set(['li', 'tr', 'article'])
/** Parts of a dish, also where several of them have a price: cells, and elements within a line. */
const PARTS: ReadonlySet<string> = new Set(['td', 'th', 'span', 'a', 'b', 'i', 'em', 'strong', 'small', 'label'])

/** Returns the kind of an element that may be a dish; undefined for others. Elements without a class may be lines of one. */
function kindOf({ name, attribs }: Element): string | undefined {
  if (ENTRIES.has(name)) return name
  const classes = attribs['class'] ?? ''
  return classes === '' || PARTS.has(name) ? undefined : `${name} ${classes}`
}

/**
 * Finds the kinds of elements that are dishes: most of those with a price stand beside another one with a price. The lines
 * of a dish, of which one has the price, do not.
 */
function findDishKinds(inside: ReadonlyMap<ParentNode, number>): ReadonlySet<string> {
  const surplus = new Map<string, number>()
  for (const { children } of inside.keys()) {
    const counts = new Map<string, number>()
    for (const child of children) {
      const kind = isElement(child) && inside.has(child) ? kindOf(child) : undefined
      if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    }
    for (const [kind, count] of counts) surplus.set(kind, (surplus.get(kind) ?? 0) + (count > 1 ? count : -1))
  }
  return new Set([...surplus].flatMap(([kind, count]) => (count > 0 ? [kind] : [])))
}

/** Tests for a dish beside another element of its kind, which may have no price. */
function isOneOfDishes(box: Element, { children }: Element, kinds: ReadonlySet<string>): boolean {
  const kind = kindOf(box)
  if (kind === undefined || !kinds.has(kind)) return false
  return children.some(
    (child) => child !== box && isElement(child) && kindOf(child) === kind && collapse(textOf(child)) !== '',
  )
}

/** True if an element contains nothing but a price. */
const containsOnlyPrice = (box: Element, { element, before }: PriceSpot): boolean =>
  before === '' && textOutside(box, element) === ''

/**
 * Groups the sizes of one dish: prices after its name, with only signs between them. Any text between them may be the
 * name of another dish, and ends the group.
 */
function findGroup(
  spots: readonly PriceSpot[],
  inside: ReadonlyMap<ParentNode, number>,
): { box: Element; spots: readonly PriceSpot[] } | undefined {
  const [first] = spots
  let above = first?.element.parent
  while (above && isElement(above) && above.name !== 'body') {
    const own = spots.slice(0, inside.get(above) ?? 0)
    if ((inside.get(above) ?? Infinity) > spots.length) return undefined
    const [before, after] = textsAround(above, own)
    if (after) return undefined
    if (before) return { box: above, spots: own }
    above = above.parent
  }
  return undefined
}

/** Tells whether there is text before the first of these prices, and after it. */
function textsAround(box: Element, spots: readonly PriceSpot[]): [before: boolean, after: boolean] {
  const elements = new Set<unknown>(spots.map(({ element }) => element))
  let [before, after, isPast] = [false, false, false]
  walk(box, (node) => {
    if (elements.has(node)) {
      isPast = true
      return false
    }
    if (!isText(node) || !/[\p{L}\d]/u.test(node.data)) return true
    if (isPast) after = true
    else before = true
    return true
  })
  return [before, after]
}

const textOutside = (box: Element, spot: Element): string => {
  const texts: string[] = []
  walk(box, (node) => {
    if (node === spot) return false
    if (isText(node)) texts.push(node.data)
    return true
  })
  return box === spot ? '' : collapse(texts.join(' '))
}

function headingsIn(box: Element): number {
  let count = isHeading(box) ? 1 : 0
  walk(box, (node) => void (isElement(node) && isHeading(node) && count++))
  return count
}

function areSimilar(boxes: readonly Element[]): boolean {
  const counts = new Map<string, number>()
  for (const { name, attribs } of boxes) {
    const kind = `${name} ${collapse(attribs['class'] ?? '').split(' ')[0] ?? ''}`
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return Math.max(...counts.values()) / boxes.length >= MIN_SIMILAR_SHARE
}

/** Groups dishes by the heading above them. */
function groupBySection(root: ParentNode, dishes: readonly { dish: FoundDish; box: Element }[]): FoundSection[] {
  const byBox = new Map<Element, FoundDish[]>()
  for (const { box, dish } of dishes) byBox.set(box, [...(byBox.get(box) ?? []), dish])
  const sections: { name?: string; items: FoundDish[] }[] = []
  let heading: string | undefined
  let isNew = true
  walk(root, (node) => {
    if (!isElement(node)) return true
    if (NON_CONTENT.has(node.name)) return false
    const own = byBox.get(node)
    if (!own) {
      if (!/^h[2-6]$|^caption$/.test(node.name)) return true
      heading = collapse(textOf(node))
      isNew = true
      return false
    }
    if (isNew) sections.push({ name: heading || undefined, items: [] })
    isNew = false
    sections.at(-1)?.items.push(...own)
    return false
  })
  return sections
}
