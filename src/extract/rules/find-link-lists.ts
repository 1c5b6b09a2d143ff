import { type Element, findElement, isElement, walk } from '../../html/tree.js'
import type { Holding } from './measure.js'

const LISTS = new Set(['div', 'ul', 'ol', 'section', 'aside', 'dl', 'table'])

/** A block is a list of links from this share of its text on; a paragraph, which may well be one, from that. */
const LINK_SHARE = 0.6
const PARAGRAPH_LINK_SHARE = 0.85

/** Where the text of an article begins and ends: the shares of its prose that lie before. */
const TEXT_BEGINS = 0.05
const TEXT_ENDS = 0.9

/**
 * The lists of links around the text of an article, and the single links put between its paragraphs: further reading, tags,
 * other articles. A list in the midst of the text belongs to it, and so does one in an item of another list that is none of links.
 */
export function findLinkLists(root: Element, held: Holding): Element[] {
  const found: Element[] = []
  const all = held(root)
  let before = 0
  walk(root, (node) => {
    if (!isElement(node)) return false
    const { text, link, prose } = held(node)
    const isLeaf = !node.children.some((child) => isElement(child) && held(child).prose > 0)
    if (isLeaf) before += prose
    const isInText = before > TEXT_BEGINS * all.prose && before < TEXT_ENDS * all.prose
    const isList =
      LISTS.has(node.name) && text >= 20 && link >= LINK_SHARE * text && prose <= 0.2 * text && text <= 0.3 * all.text
    const isParagraph = node.name === 'p' && text > 12 && link > PARAGRAPH_LINK_SHARE * text
    if (!isParagraph && (!isList || isInText || holdsData(node) || isInItem(node, root))) return true
    found.push(node)
    return false
  })
  return found
}

const holdsData = (element: Element): boolean =>
  findElement(element, ({ name }) => name === 'pre' || name === 'th') !== undefined

function isInItem({ name, parent }: Element, root: Element): boolean {
  if (name !== 'ul' && name !== 'ol') return false
  let at = parent
  while (at !== null && at !== root && isElement(at) && at.name !== 'li') at = at.parent
  return at !== null && at !== root && isElement(at)
}
