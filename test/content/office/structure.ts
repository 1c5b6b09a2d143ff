import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** What stands in a document, and how it hangs together; not how it is written. */
export interface Structure {
  /** `## What to bring` */
  readonly headings: readonly string[]
  /** `1 - Register`: how deep, the kind of list or the item's number, and its own text. */
  readonly items: readonly string[]
  readonly tables: readonly (readonly (readonly string[])[])[]
  /** `text -> address` */
  readonly links: readonly string[]
  /** `1: text` */
  readonly notes: readonly string[]
  /** The labels of the marks of notes, in order. */
  readonly marks: readonly string[]
  /** The alternative texts of pictures. */
  readonly pictures: readonly string[]
  readonly code: readonly string[]
  readonly strong: readonly string[]
  readonly emphasis: readonly string[]
}

/** Reads the structure of Markdown with another library than wrote it. */
export function structureOf(markdown: string): Structure {
  const root: Root = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const found = {
    headings: [] as string[],
    items: [] as string[],
    tables: [] as string[][][],
    links: [] as string[],
    notes: [] as string[],
    marks: [] as string[],
    pictures: [] as string[],
    code: [] as string[],
    strong: [] as string[],
    emphasis: [] as string[],
  }
  const visit = (node: Nodes, depth: number): void => {
    if (node.type === 'heading') found.headings.push(`${'#'.repeat(node.depth)} ${textOf(node)}`)
    else if (node.type === 'link') found.links.push(`${textOf(node)} -> ${node.url}`)
    else if (node.type === 'footnoteReference') found.marks.push(node.label ?? '')
    else if (node.type === 'footnoteDefinition') found.notes.push(`${node.label}: ${textOf(node).trim()}`)
    else if (node.type === 'image') found.pictures.push(node.alt ?? '')
    else if (node.type === 'code') found.code.push(node.value)
    else if (node.type === 'strong') found.strong.push(textOf(node))
    else if (node.type === 'emphasis') found.emphasis.push(textOf(node))
    else if (node.type === 'table') found.tables.push(node.children.map((row) => row.children.map(textOf)))
    else if (node.type === 'list')
      for (const [at, { children }] of node.children.entries()) {
        const mark = node.ordered === true ? `${(node.start ?? 1) + at}.` : '-'
        const own = children.filter(({ type }) => type !== 'list').map(textOf)
        found.items.push(`${depth} ${mark} ${own.join(' ').trim()}`)
        for (const child of children) visit(child, depth + 1)
      }
    if (node.type !== 'list' && 'children' in node) for (const child of node.children) visit(child, depth)
  }
  visit(root, 0)
  return found
}

function textOf(node: Nodes): string {
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}
