import { type ChildNode, Text } from '../../html/tree.js'
import { makeElement } from '../html/load-tree.js'
import { labelKey, type MarkdownMarks, NO_MARKS } from './markdown-marks.js'

// `[text](address)`, `[text][label]`, `<https://…>` and a bare `https://…`. No part can match in two ways, so that
// matching takes linear time on any text.
const LINK =
  /\[([^[\]\n]{1,300})\](?:\(\s*<?([^\s<>()]{1,2000}(?:\([^\s<>()]{0,200}\))?)|\[([^[\]\n]{0,300})\])?|<(https?:\/\/[^\s<>]{1,2000})>|\b(https?:\/\/[^\s<>"`|\\^{}[\]]{1,2000})/g

/** Maximum number of links of a text. */
const MAX_LINKS = 20_000

/**
 * Removes punctuation that ends a sentence or closes a bracket from a URL.
 *
 * @see https://github.github.com/gfm/#autolinks-extension-
 */
function trimAddress(address: string): string {
  const isOpened = address.includes('(')
  let end = address.length
  for (; end > 0; end--) {
    const last = address.charAt(end - 1)
    if (last === ')' && isOpened) break
    if (!".,;:!?)'*_~".includes(last)) break
  }
  return address.slice(0, end)
}

/**
 * Converts a text to nodes, with an `a` element around each Markdown link and each bare URL.
 *
 * @param marks positions of code, in which nothing is a link, and the URLs of link labels
 */
export function linkText(text: string, marks: MarkdownMarks = NO_MARKS): ChildNode[] {
  const nodes: ChildNode[] = []
  let at = 0
  let links = 0
  let code = 0
  for (const match of text.matchAll(LINK)) {
    while ((marks.code[code]?.[1] ?? Infinity) <= match.index) code += 1
    const isCode = (marks.code[code]?.[0] ?? Infinity) <= match.index
    const [, label, target, reference, marked, found] = match
    const address =
      found === undefined
        ? (target ??
          marked ??
          marks.labels.get(labelKey(reference === undefined || reference === '' ? (label ?? '') : reference)))
        : trimAddress(found)
    if (isCode || address === undefined) continue
    if (++links > MAX_LINKS) break
    const from = match.index + (found === undefined ? 1 : 0)
    const shown = label ?? address
    if (from > at) nodes.push(new Text(text.slice(at, from)))
    nodes.push(makeElement('a', { href: address }, [new Text(shown)]))
    at = from + shown.length
  }
  if (at < text.length) nodes.push(new Text(text.slice(at)))
  return nodes
}
