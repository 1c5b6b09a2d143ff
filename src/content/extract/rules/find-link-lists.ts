import { type Element, findElement, isElement, walk } from '../../html/tree.js'
import type { MeasureOf } from './measure.js'

const LISTS = new Set(['div', 'ul', 'ol', 'section', 'aside', 'dl', 'table'])

/** Minimum share of links in the text of a list of links, and of a paragraph that consists of links. */
const MIN_LIST_LINK_SHARE = 0.6
const MIN_PARAGRAPH_LINK_SHARE = 0.85

/** Minimum text of a list and of a paragraph of links, in characters. */
const MIN_LIST_TEXT = 20
const MIN_PARAGRAPH_TEXT = 13

/** Maximum share of a list's text that is prose, and maximum share of the root's text that is in the list. */
const MAX_LIST_PROSE = 0.2
const MAX_LIST_TEXT = 0.3

/** A list is in the middle of an article if more than 5 % and less than 90 % of the article's prose precede it. */
const TEXT_START = 0.05
const TEXT_END = 0.9

/**
 * Finds the lists of links around the text of an article, and single links between its paragraphs: further reading,
 * tags, other articles. A list in the middle of the text belongs to it, and so does one in an item of another list that
 * does not consist of links.
 */
export function findLinkLists(root: Element, measureOf: MeasureOf): Element[] {
  const found: Element[] = []
  const all = measureOf(root)
  let before = 0
  walk(root, (node) => {
    if (!isElement(node)) return false
    const { text, link, prose } = measureOf(node)
    const isLeaf = !node.children.some((child) => isElement(child) && measureOf(child).prose > 0)
    if (isLeaf) before += prose
    const isInText = before > TEXT_START * all.prose && before < TEXT_END * all.prose
    const isList =
      LISTS.has(node.name) &&
      text >= MIN_LIST_TEXT &&
      link >= MIN_LIST_LINK_SHARE * text &&
      prose <= MAX_LIST_PROSE * text &&
      text <= MAX_LIST_TEXT * all.text
    const isParagraph = node.name === 'p' && text >= MIN_PARAGRAPH_TEXT && link > MIN_PARAGRAPH_LINK_SHARE * text
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
