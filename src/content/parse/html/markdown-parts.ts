import {
  append,
  type Document,
  type Element,
  findElement,
  isElement,
  parentElement,
  setChildren,
  textOf,
  walk,
} from '../../html/tree.js'
import type { TreeRepair } from './tree-repair.js'
import { markdownToHtml } from '../../html/markdown-html.js'
import { buildTree, cleanSource } from './build-tree.js'

const MARK = /data-markdown|text\/(?:x-)?markdown|<textarea[^<>]{0,200}\bid=["']?source\b/i

/** Maximum characters of Markdown on a page. The rest stays unread. */
const MAX_MARKDOWN = 2_000_000

/**
 * Replaces the Markdown that a page's scripts would show with its HTML: slides of reveal.js (`section data-markdown`) and remark
 * (`textarea id="source"`), and scripts of the type `text/markdown`.
 *
 * @see https://revealjs.com/markdown/, https://github.com/gnab/remark
 */
export const markdownParts: TreeRepair = { mark: MARK, sign: /markdown|<textarea/i, apply: readMarkdownParts }

function readMarkdownParts(document: Document): void {
  const found: Element[] = []
  let isRemark = false
  walk(document, (node) => {
    if (!isElement(node)) return true
    if (node.name === 'script') isRemark ||= namesRemark(node)
    if (!isMarkdown(node)) return node.name !== 'pre' && node.name !== 'template'
    found.push(node)
    return false
  })
  let left = MAX_MARKDOWN
  for (const element of found) {
    if (element.name === 'textarea' && element.attribs['id'] === 'source' && !isRemark) continue
    const text = textOf(sourceOf(element))
    left -= text.length
    if (text.trim() === '' || left < 0) continue
    const { body } = buildTree(cleanSource(markdownToHtml(withoutIndent(text))), LIMITS)
    element.name = element.name === 'section' ? 'section' : 'div'
    for (const name of ['type', 'hidden', 'data-markdown']) delete element.attribs[name]
    const { children } = body
    setChildren(element, [])
    for (const child of children) {
      child.prev = null
      child.next = null
      append(element, child)
    }
  }
}

const LIMITS = { maxDepth: 50, maxNodes: 2 * MAX_MARKDOWN, isXml: false }

const namesRemark = (script: Element): boolean =>
  /\bremark(?:-[\w.]{1,20})?(?:\.min)?\.js/.test(script.attribs['src'] ?? '') ||
  /\bremark\.create\b/.test(textOf(script))

const isTemplate = ({ name, attribs }: Element): boolean =>
  (name === 'script' && /^text\/(?:template|(?:x-)?markdown|plain)$/.test(attribs['type'] ?? '')) ||
  (name === 'textarea' && attribs['data-template'] !== undefined)

/** True for the outermost element that declares its contents to be Markdown. */
function isMarkdown(element: Element): boolean {
  const { name, attribs } = element
  if (name === 'script') return /^text\/(?:x-)?markdown$/.test(attribs['type'] ?? '') && !isInHead(element)
  if (name === 'textarea') return attribs['id'] === 'source'
  if (attribs['data-markdown'] === undefined) return false
  // An address is that of a file, which is not at hand. HTML in it was made from Markdown already.
  return findElement(element, isTemplate) !== undefined || !element.children.some(isElement)
}

function isInHead(element: Element): boolean {
  return parentElement(element)?.name === 'head'
}

const sourceOf = (element: Element): Element => findElement(element, isTemplate) ?? element

/** Removes the indentation that all lines have, which would make code of them. */
function withoutIndent(text: string): string {
  const lines = text.split('\n')
  const written = lines.filter((line) => line.trim() !== '')
  const indent = written.reduce((least, line) => Math.min(least, line.length - line.trimStart().length), Infinity)
  return lines.map((line) => line.slice(Math.min(indent, line.length))).join('\n')
}
