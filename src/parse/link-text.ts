import { type ChildNode, Text } from '../tree.js'
import { makeElement } from './load-tree.js'

// `[text](address)` and `<https://…>`. No part can match in two ways, so it is linear on any text.
const MARKDOWN_LINK =
  /\[([^[\]\n]{1,300})\]\(\s*<?([^\s<>()]{1,2000}(?:\([^\s<>()]{0,200}\))?)|<(https?:\/\/[^\s<>]{1,2000})>/g

/** The text as nodes, with an `a` around each link that is written the Markdown way. */
export function linkText(text: string): ChildNode[] {
  const nodes: ChildNode[] = []
  let at = 0
  for (const match of text.matchAll(MARKDOWN_LINK)) {
    const [whole, label, target, address] = match
    const from = match.index + 1
    const shown = label ?? address ?? whole
    if (from > at) nodes.push(new Text(text.slice(at, from)))
    nodes.push(makeElement('a', { href: target ?? address ?? '' }, [new Text(shown)]))
    at = from + shown.length
  }
  if (at < text.length) nodes.push(new Text(text.slice(at)))
  return nodes
}
