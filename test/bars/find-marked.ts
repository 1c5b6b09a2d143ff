import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { MarkedPage } from './marked-pdfs.js'

/** What of a marked page was found. */
export interface Found {
  readonly headings: { readonly marked: number; readonly found: number; readonly wrong: readonly string[] }
  /** Pairs of headings that are found: whether the one is as deep as the other, deeper or less deep. */
  readonly levels: { readonly pairs: number; readonly right: number }
  /** Tables with all their rows and columns, and what else is shown as a table. */
  readonly tables: { readonly marked: number; readonly found: number; readonly wrong: readonly string[] }
}

/** Compares a page of the Markdown of a file, read with `pageMarkers`, with what is marked on it. */
export function findMarked(markdown: string, { page, headings, others = [], tables }: MarkedPage): Found {
  const [, rest = ''] = markdown.split(`— Page ${page} —\n`)
  const [own = ''] = rest.split(/^— Page \d+ —$/m)
  const root: Root = fromMarkdown(own, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const seen = root.children.flatMap((node) =>
    node.type === 'heading' ? [[node.depth, plain(textOf(node))] as const] : [],
  )
  const known = new Set([...headings.map(([, text]) => plain(text)), ...others.map(plain)])
  const found = headings.flatMap(([depth, text]) => {
    const level = seen.find(([, other]) => other === plain(text))?.[0]
    return level === undefined ? [] : [{ depth, level }]
  })
  const pairs = found.flatMap((a, index) => found.slice(index + 1).map((b) => [a, b] as const))
  const shapes = root.children.flatMap((node) => {
    if (node.type !== 'table') return []
    const rows = node.children.filter((row) => row.children.some((cell) => textOf(cell).trim() !== ''))
    return `${rows.length} × ${node.children[0]?.children.length ?? 0}`
  })
  const left = [...shapes]
  const right = tables.filter(([rows, columns]) => {
    const at = left.indexOf(`${rows} × ${columns}`)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
  return {
    headings: {
      marked: headings.length,
      found: found.length,
      wrong: seen.flatMap(([, text]) => (known.has(text) ? [] : text)),
    },
    levels: {
      pairs: pairs.length,
      right: pairs.filter(([a, b]) => Math.sign(a.depth - b.depth) === Math.sign(a.level - b.level)).length,
    },
    tables: { marked: tables.length, found: right.length, wrong: left },
  }
}

/** Letters and digits alone; a mark of a note behind a heading is none of it. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

function textOf(node: Nodes): string {
  if (node.type === 'footnoteReference' || node.type === 'html') return ''
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}
