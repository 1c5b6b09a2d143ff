import type { PageNodes } from '../../html/page-nodes.js'
import { type Element, isElement } from '../../html/tree.js'

const MEDIAWIKI = /(?:^|\s)mediawiki(?:\s|$)/

/**
 * Matches what MediaWiki puts among its articles for readers who edit or navigate: links that edit a section, boxes of links to
 * other articles, categories, and the address for the printed page.
 */
const CONTROL = /(?:^|\s)(?:mw-editsection|mw-jump-link|navbox|catlinks|printfooter)(?:\s|$)/

/**
 * Adds the controls on a page of MediaWiki to the elements that are no content. Inside of headings and beside the text they look
 * like parts of it.
 */
export function clearWikiControls(
  { attribs }: Element,
  { nodes }: PageNodes,
  cleared: ReadonlySet<Element>,
): ReadonlySet<Element> {
  if (!MEDIAWIKI.test(attribs['class'] ?? '')) return cleared
  const isControl = (node: PageNodes['nodes'][number]): node is Element =>
    isElement(node) && CONTROL.test(node.attribs['class'] ?? '')
  return new Set([...cleared, ...nodes.filter(isControl)])
}
