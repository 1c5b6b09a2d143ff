import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** What a page and its twin must have in common. */
interface TwinFacts {
  /** Kinds of the blocks in order, with their levels and depths. */
  readonly blocks: readonly string[]
  /** The text, with single spaces. */
  readonly text: string
  readonly code: readonly { readonly text: string; readonly language: string }[]
  readonly inlineCode: readonly string[]
  /** Links and images: their kinds, texts and targets, without the ending `.md`. */
  readonly links: readonly (readonly [kind: string, text: string, target: string])[]
}

const BLOCKS = new Set([
  'heading',
  'paragraph',
  'list',
  'listItem',
  'blockquote',
  'table',
  'tableRow',
  'tableCell',
  'code',
])

const textOf = (node: Nodes): string => {
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(textOf).join('') : 'alt' in node ? (node.alt ?? '') : ''
}

/** Reads Markdown with a library that the engine does not use, to judge its twins. */
export function readTwinFacts(markdown: string, url: string): TwinFacts {
  const root: Root = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const facts = {
    blocks: [] as string[],
    parts: [] as string[],
    code: [] as { text: string; language: string }[],
    inlineCode: [] as string[],
    links: [] as [string, string, string][],
  }
  const visit = (node: Nodes, depth: number): void => {
    if (BLOCKS.has(node.type)) facts.blocks.push(`${depth} ${node.type}${node.type === 'heading' ? node.depth : ''}`)
    if (node.type === 'code') {
      const language = [node.lang, node.meta].filter((word) => typeof word === 'string').join(' ')
      facts.code.push({ text: node.value, language })
    }
    if (node.type === 'inlineCode') facts.inlineCode.push(node.value)
    if (node.type === 'link' || node.type === 'image')
      facts.links.push([node.type, textOf(node), new URL(node.url, url).href.replace(/\.md$/, '')])
    if ('value' in node) facts.parts.push(node.value)
    if ('children' in node) for (const child of node.children) visit(child, depth + 1)
    if (BLOCKS.has(node.type)) facts.parts.push('\n')
  }
  visit(root, 0)
  const { parts, ...found } = facts
  return { ...found, text: parts.join('').split(/\s+/).join(' ').trim() }
}
