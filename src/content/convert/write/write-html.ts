import { type DocumentLimits, limitWarning } from '../../html/document-limits.js'
import { shortenTree } from '../../html/shorten-tree.js'
import { type ChildNode, copyTree, type Element, isElement, isText, walk } from '../../html/tree.js'
import type { HtmlTree } from '../../parse/parser.js'

/** Writes a tree as HTML: beyond its limit the last elements without their attributes, and if that is not enough, without its end. */
export function writeHtml(
  tree: HtmlTree,
  { part }: DocumentLimits,
  { format, warn }: { readonly format: string; readonly warn: ((warning: string) => void) | undefined },
): string {
  const whole = serialize(tree)
  if (whole.length <= part) return whole
  const root = copyTree(tree.root)
  let left = part / 2
  const emptied = new Set<ChildNode>()
  walk(root, (node) => {
    if (!isElement(node) || Object.keys(node.attribs).length === 0) return
    left -= attributesOf(node)
    if (left >= 0) return
    node.attribs = {}
    emptied.add(node)
  })
  const shortened = tree.withRoot(root)
  const bare = serialize(shortened)
  let written = bare
  // Signs that are written as entities are longer than they are in the tree.
  for (let most = part; written.length > part; most /= 2) {
    shortenTree(root, lengthOf, most)
    written = serialize(shortened)
  }
  let remaining = 0
  walk(root, (node) => {
    if (emptied.has(node)) remaining += 1
  })
  if (remaining > 0) warn?.(limitWarning(remaining, `elements of \`${format}\` are without their attributes`, part))
  const leftOut = bare.length - written.length
  if (leftOut > 0) warn?.(limitWarning(leftOut, `characters at the end of \`${format}\` were left out`, part))
  return written
}

/** Length of a node without its children, in the tags or the text that it becomes. */
const lengthOf = (node: ChildNode): number =>
  isElement(node) ? 2 * node.name.length + TAG_SIGNS + attributesOf(node) : isText(node) ? node.data.length : 0

/** Signs of two tags, and of an attribute. */
const TAG_SIGNS = '<></>'.length
const ATTRIBUTE_SIGNS = ' =""'.length

function attributesOf({ attribs }: Element): number {
  let length = 0
  for (const name in attribs) length += name.length + ATTRIBUTE_SIGNS + (attribs[name]?.length ?? 0)
  return length
}

const serialize = (tree: HtmlTree): string => tree.$.html({ xml: { xmlMode: false, encodeEntities: 'utf8' } })
