import { type Document, type Element, isElement, isText, setChildren, Text, walk } from '../../html/tree.js'
import type { TreeRepair } from './tree-repair.js'

/**
 * Makes a listing of the source of a diagram, whose lines count: a script draws a `div` of this class, and in text their
 * ends would be spaces.
 *
 * @see https://mermaid.js.org/intro/syntax-reference.html
 */
export const diagramSource: TreeRepair = { mark: /mermaid/, classSign: /mermaid/, apply: listDiagrams }

const NAMED = /(?:^|\s)(?:mermaid|language-mermaid)(?:\s|$)/
/** The word that a source begins with, after its settings and remarks. */
const KIND =
  /^(?:(?:graph|flowchart|journey|gantt|pie|mindmap|timeline|kanban|zenuml|gitGraph|C4[A-Z][a-z]+|(?:block|packet|sankey|architecture|radar|treemap|xychart)(?:-beta)?|[a-z]+(?:Diagram|Chart)(?:-v2)?)\b|---\s*\n|%%)/

const WRAPPERS: ReadonlySet<string> = new Set(['div', 'p', 'section', 'span'])

function listDiagrams(document: Document): void {
  walk(document, (node) => {
    if (!isElement(node) || !WRAPPERS.has(node.name) || !NAMED.test(node.attribs['class'] ?? '')) return
    const source = sourceOf(node)
    if (source === undefined || !KIND.test(source)) return
    node.name = 'pre'
    setChildren(node, [new Text(source)])
  })
}

/** Returns the text of an element without the indentation that all lines have; undefined if anything but line breaks is in it. */
function sourceOf({ children }: Element): string | undefined {
  let text = ''
  for (const child of children) {
    if (isText(child)) text += child.data
    // Within a label, which the script reads as HTML.
    else if (isElement(child) && child.name === 'br') text += '<br/>'
    else if (isElement(child)) return undefined
  }
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const indent = indents.reduce((least, one) => Math.min(least, one), Infinity)
  return lines
    .map((line) => line.slice(indent).trimEnd())
    .join('\n')
    .trim()
}
