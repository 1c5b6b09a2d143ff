import { splitPrices } from '../../base/text/split-prices.js'
import { readPriceInParts } from './price-in-parts.js'
import { collapse, type Element, isElement, isText, walk } from './tree.js'

const STRUCK: ReadonlySet<string> = new Set(['del', 's', 'strike'])
const STRUCK_CLASS = /(?:^|[\s_-])(?:line-through|strike(?:through|d)?|struck|crossed)(?:$|[\s_-])/iu
const STRUCK_STYLE = /line-through/iu
/** Maximum characters of an attribute that are read, and of a price that is struck out. */
const MAX_ATTRIBUTE = 500
const MAX_TEXT = 80
/** Maximum nodes in an element that is struck out. */
const MAX_NODES = 40

/** True for an element whose text is struck out: by its name, by its own style or by its class. */
export const isStruckOut = ({ name, attribs }: Element): boolean =>
  STRUCK.has(name) ||
  STRUCK_CLASS.test((attribs['class'] ?? '').slice(0, MAX_ATTRIBUTE)) ||
  STRUCK_STYLE.test((attribs['style'] ?? '').slice(0, MAX_ATTRIBUTE))

/**
 * Returns the price in an element that strikes it out: the one before a sale. Undefined for another element.
 *
 * @param isSkipped true for an element that is not read
 */
export function readStruckPrice(element: Element, isSkipped: (element: Element) => boolean): string | undefined {
  if (!isStruckOut(element)) return undefined
  const parts = splitPrices(readPriceInParts(element, isSkipped) ?? textIn(element, isSkipped))
  return parts?.length === 1 ? parts[0]?.text : undefined
}

function textIn(element: Element, isSkipped: (element: Element) => boolean): string {
  let [text, nodes] = ['', 0]
  walk(element, (node) => {
    nodes += 1
    if (isElement(node) && isSkipped(node)) return false
    if (isText(node)) text += node.data.slice(0, 2 * MAX_TEXT)
    return nodes > MAX_NODES || text.length > 4 * MAX_TEXT ? 'stop' : true
  })
  const collapsed = collapse(text)
  return nodes > MAX_NODES || collapsed.length > MAX_TEXT ? '' : collapsed
}
