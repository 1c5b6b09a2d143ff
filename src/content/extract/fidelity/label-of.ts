import { type ChildNode, type Element, collapse, isElement, isText, walk } from '../../html/tree.js'

/** Maximum length of a label or count, in characters, and maximum nodes in it. */
const MAX_LABEL = 60
const MAX_LABEL_NODES = 40

/** Returns the text of an element, or undefined if it is longer than a label. */
export function labelOf(element: Element): string | undefined {
  if (element.name === 'input') return collapse((element.attribs['value'] ?? '').slice(0, MAX_LABEL))
  const read: Label = { text: '', nodes: 0 }
  walk(element, addToLabel, undefined, read)
  if (read.nodes > MAX_LABEL_NODES) return undefined
  const label = collapse(read.text)
  return label.length > MAX_LABEL ? undefined : label
}

interface Label {
  text: string
  nodes: number
}

function addToLabel(node: ChildNode, label: Label): boolean | 'stop' {
  label.nodes += 1
  if (isText(node)) label.text += node.data.slice(0, 500)
  if (label.nodes > MAX_LABEL_NODES || label.text.length > 500) return 'stop'
  return !isElement(node) || (node.name !== 'style' && node.name !== 'script')
}
