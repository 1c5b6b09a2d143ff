import type { ViewKind, ViewNode } from '../markdown-view.js'

/** Writes nodes whose contents are Markdown already. */
export interface NodeWriter {
  /** Writes a node, a block without line feeds around it; `''` for one that is not written. */
  write(content: string, node: ViewNode): string
  /** Returns the minimum number of line feeds before and after a block. */
  breaksAround(block: ViewNode): number
}

/**
 * Writes all below a view node. Blocks are separated by one blank line at most, and white space at the ends of inline nodes is
 * moved out of them, where it stays parseable: the rules of Turndown, which `test/content/convert/write-view.test.ts` compares with.
 *
 * Turndown itself asks each node for its text several times, and searches its rules for each: a tenth of a digest. Recursion is
 * safe, because the parser bounds the depth.
 */
export function writeChildren(parent: ViewNode, writer: NodeWriter): string {
  let text = ''
  /** Line feeds after `text`. */
  let breaks = 0
  const { childNodes } = parent
  for (let at = 0; at < childNodes.length; at += 1) {
    const node = childNodes[at]
    if (node === undefined) continue
    if (node.isBlock) {
      // A block has its line feeds apart: to look for them in its text would copy it, as V8 joins its pieces first.
      const block = writer.write(writeChildren(node, writer), node)
      if (block === '') continue
      const own = writer.breaksAround(node)
      text += separate(breaks, own) + block
      breaks = own
      continue
    }
    const written = node.kind === 'text' ? node.nodeValue : writeInPlace(node, childNodes[at + 1], writer)
    if (!MAY_END_LINE.has(node.kind) && written !== '') {
      text += separate(breaks, 0) + written
      breaks = 0
      continue
    }
    let start = 0
    while (written.charCodeAt(start) === LINE_FEED) start += 1
    if (start === written.length) {
      breaks = Math.min(Math.max(breaks, start), MAX_BREAKS)
      continue
    }
    let end = written.length
    while (written.charCodeAt(end - 1) === LINE_FEED) end -= 1
    text += separate(breaks, start)
    text += start === 0 && end === written.length ? written : written.slice(start, end)
    breaks = written.length - end
  }
  return breaks === 0 ? text : text + '\n'.repeat(breaks)
}

/** Nodes that may begin or end with a line feed. To look for them in others would copy these, as V8 joins their pieces first. */
const MAY_END_LINE: ReadonlySet<ViewKind> = new Set<ViewKind>(['text', 'break', 'inlineText'])

const LINE_FEED = 10
const SEPARATORS = ['', '\n', '\n\n']
const MAX_BREAKS = 2

/** Returns the line feeds between two nodes, of which each has some on its side. */
const separate = (before: number, after: number): string =>
  SEPARATORS[Math.min(Math.max(before, after), MAX_BREAKS)] ?? ''

/** Writes an inline node, with the white space at its ends outside of it. */
function writeInPlace(node: ViewNode, next: ViewNode | undefined, writer: NodeWriter): string {
  const content = writeChildren(node, writer)
  const shown = node.edgeText
  if (shown === 'x') return writer.write(content, node)
  const isBlank = shown.trim() === ''
  const before = leading(shown, node)
  const after = isBlank ? '' : trailing(shown, next)
  if (isBlank) return before
  return before + writer.write(before === '' && after === '' ? content : content.trim(), node) + after
}

/** Returns the white space at the start, without spaces and line feeds that would follow a space. */
function leading(shown: string, { previousSibling }: ViewNode): string {
  const all = shown.slice(0, shown.length - shown.trimStart().length)
  const isAfterSpace = previousSibling !== null && !previousSibling.isBlock && previousSibling.edgeText.endsWith(' ')
  return isAfterSpace ? all.replace(/^[ \t\r\n]+/, '') : all
}

/** Returns the white space at the end, without spaces and line feeds that a space would follow. */
function trailing(shown: string, next: ViewNode | undefined): string {
  const all = shown.slice(shown.trimEnd().length)
  const isBeforeSpace = next !== undefined && !next.isBlock && next.edgeText.startsWith(' ')
  return isBeforeSpace ? all.replace(/[ \t\r\n]+$/, '') : all
}
