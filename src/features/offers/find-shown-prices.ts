import { type Element, isElement, isText, type ParentNode, walk } from '../../content/html/tree.js'
import { findPrices, type PriceSpot } from './find-prices.js'
import { NON_CONTENT } from './read-dish.js'

/** The prices that a page shows, as written. */
export interface ShownPrices {
  /** The first one after the main heading that is not struck out. */
  readonly main: string
  readonly all: readonly string[]
  /** Language of the page, as its `html` says. */
  readonly language: string | undefined
}

/** Maximum levels above a price whose names are read. */
const MAX_LEVELS = 3
/** Names of elements with prices that nobody pays for the product. */
const NOT_PAID =
  /(?:^|[-_ ])(?:old|was|before|regular|list|compare|rrp|msrp|uvp|strike|crossed|through|former|original|shipping|delivery|unit|per|save|saving|discount|rate|month|cart|basket|minicart|filter|related|recommend\w*|similar|upsell|cross)(?:$|[-_ ])/i
const STRUCK: ReadonlySet<string> = new Set(['del', 's', 'strike'])

/** Finds the prices that a page shows. @returns undefined without one after its main heading */
export function findShownPrices(root: ParentNode): ShownPrices | undefined {
  const spots = findPrices(root, NON_CONTENT)
  const spotOf = new Map(spots.map((spot) => [spot.node ?? spot.element, spot]))
  let isAfterHeading = false
  let main: PriceSpot | undefined
  let language: string | undefined
  walk(root, (node) => {
    if (main) return false
    if (isElement(node) && node.name === 'html') language = node.attribs['lang']
    if (isElement(node) && node.name === 'h1') isAfterHeading = true
    const spot = isElement(node) || isText(node) ? spotOf.get(node) : undefined
    if (spot && isAfterHeading && isPaid(spot.element)) main = spot
    return true
  })
  return main && { main: main.text, all: spots.map(({ text }) => text), language }
}

function isPaid(element: Element): boolean {
  let at: ParentNode | null = element
  for (let level = 0; level <= MAX_LEVELS && at && isElement(at); level += 1, at = at.parent)
    if (STRUCK.has(at.name) || NOT_PAID.test(`${at.attribs['class'] ?? ''} ${at.attribs['id'] ?? ''}`)) return false
  return true
}
