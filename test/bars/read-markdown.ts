import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** What a reader of Markdown finds in it. */
export interface ReadMarkdown {
  /** The text in lines, code included. */
  readonly text: string
  readonly code: readonly string[]
  readonly links: ReadonlySet<string>
}

/** Reads Markdown with another library than wrote it. @see CommonMark, GitHub Flavored Markdown */
export function readMarkdown(markdown: string, url: string): ReadMarkdown {
  const root: Root = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const parts: string[] = []
  const code: string[] = []
  const links = new Set<string>()
  const visit = (node: Nodes): void => {
    if (node.type === 'code') code.push(node.value)
    if (node.type === 'link' && URL.canParse(node.url, url)) links.add(new URL(node.url, url).href)
    if (node.type === 'html') parts.push(node.value.replace(/<br\s*\/?>/gi, '\n').replace(/<[^>]*>/g, ''))
    else if ('value' in node) parts.push(node.value)
    if (node.type === 'break') parts.push('\n')
    // The number of a footnote is there to be read, as it is on the page.
    if (node.type === 'footnoteReference' || node.type === 'footnoteDefinition') parts.push(` ${node.label ?? ''} `)
    if ('children' in node) node.children.forEach(visit)
    if (!INLINE.has(node.type)) parts.push('\n')
  }
  visit(root)
  return { text: parts.join(''), code, links }
}

const INLINE = new Set(['text', 'emphasis', 'strong', 'delete', 'inlineCode', 'link', 'html', 'footnoteReference'])
