import { readListEnd } from './markdown-list.js'
import {
  closesFence,
  isBlank,
  isDelimiterRow,
  isListMarker,
  isRule,
  readDefinitionLabel,
  readFence,
  readHeadingLevel,
} from './markdown-lines.js'

/** A block of Markdown as written, without blank lines around it. */
export interface MarkdownBlock {
  readonly kind: 'heading' | 'code' | 'table' | 'list' | 'quote' | 'text' | 'lines' | 'definition'
  readonly text: string
  /** Level of a heading, from 1. */
  readonly level?: number
  /** Label of a definition, normalized as for matching. */
  readonly label?: string
}

/**
 * Reads the blocks of Markdown, in order. It parses as much of CommonMark and GFM as is needed to cut between blocks
 * and inside long ones, in trawl's own output and in files that are Markdown. Front matter at the start is a block of
 * kind `lines`.
 *
 * @see https://spec.commonmark.org/0.31.2/#leaf-blocks
 * @see https://github.github.com/gfm/#tables-extension-
 */
export function readBlocks(markdown: string): MarkdownBlock[] {
  const lines = (markdown.includes('\r') ? markdown.replace(/\r\n?/g, '\n') : markdown).split('\n')
  const blocks: MarkdownBlock[] = []
  let at = frontMatterEnd(lines)
  if (at > 0) blocks.push({ kind: 'lines', text: lines.slice(0, at).join('\n') })
  while (at < lines.length) {
    if (isBlank(lines[at] ?? '')) at += 1
    else {
      const { end, ...block } = readBlock(lines, at)
      blocks.push(block)
      at = end
    }
  }
  return blocks
}

type ReadBlock = MarkdownBlock & { readonly end: number }

function readBlock(lines: readonly string[], start: number): ReadBlock {
  const first = lines[start] ?? ''
  const upTo = (end: number): { text: string; end: number } => ({ text: lines.slice(start, end).join('\n'), end })
  const fence = readFence(first)
  if (fence !== undefined) return readCode(lines, start, fence)
  const level = readHeadingLevel(first)
  if (level !== undefined) return { kind: 'heading', level, ...upTo(start + 1) }
  if (isRule(first)) return { kind: 'text', ...upTo(start + 1) }
  if (/^ {0,3}>/.test(first)) return { kind: 'quote', ...upTo(linesWhile(lines, start, isInQuote)) }
  if (isListMarker(first)) return { kind: 'list', ...upTo(readListEnd(lines, start)) }
  if (isTableAt(lines, start)) return { kind: 'table', ...upTo(linesWhile(lines, start + 1, continuesParagraph)) }
  const label = readDefinitionLabel(first)
  if (label !== undefined) return { kind: 'definition', label, ...upTo(definitionEnd(lines, start, label)) }
  if (first.trim() === '$$') {
    const end = lines.indexOf('$$', start + 1)
    if (end !== -1) return { kind: 'lines', ...upTo(end + 1) }
  }
  if (/^(?: {4}|\t)/.test(first)) return { kind: 'lines', ...upTo(indentedEnd(lines, start)) }
  return readParagraph(lines, start)
}

function readCode(lines: readonly string[], start: number, fence: string): ReadBlock {
  let end = start + 1
  while (end < lines.length && !closesFence(lines[end] ?? '', fence)) end += 1
  const isOpen = end === lines.length
  const text = lines.slice(start, end + 1)
  return { kind: 'code', text: (isOpen ? [...text, fence] : text).join('\n'), end: end + 1 }
}

function readParagraph(lines: readonly string[], start: number): ReadBlock {
  let end = start
  do {
    end += 1
    const line = lines[end] ?? ''
    const underline = /^ {0,3}(=+|-+)[ \t]*$/.exec(line)?.[1]
    if (underline !== undefined) {
      const level = underline.startsWith('=') ? 1 : 2
      return { kind: 'heading', level, text: lines.slice(start, end + 1).join('\n'), end: end + 1 }
    }
  } while (end < lines.length && continuesParagraph(lines[end] ?? '') && !isTableAt(lines, end))
  return { kind: 'text', text: lines.slice(start, end).join('\n'), end }
}

/** True for a line that continues a paragraph or a table: it is not blank, and starts no block. */
const continuesParagraph = (line: string): boolean =>
  !isBlank(line) &&
  readFence(line) === undefined &&
  readHeadingLevel(line) === undefined &&
  !/^ {0,3}(?:>|[-+*][ \t]|1[.)][ \t])/.test(line) &&
  !isRule(line)

const isInQuote = (line: string): boolean => /^ {0,3}>/.test(line) || continuesParagraph(line)

function linesWhile(lines: readonly string[], start: number, goesOn: (line: string) => boolean): number {
  let end = start + 1
  while (end < lines.length && goesOn(lines[end] ?? '')) end += 1
  return end
}

const isTableAt = (lines: readonly string[], at: number): boolean =>
  (lines[at] ?? '').includes('|') && isDelimiterRow(lines[at + 1] ?? '')

/** Returns the end of a definition with its next lines: a URL, a title, the text of a footnote. */
function definitionEnd(lines: readonly string[], start: number, label: string): number {
  const next = lines[start + 1] ?? ''
  if (label.startsWith('^'))
    return linesWhile(lines, start, (line) => continuesParagraph(line) && !readDefinitionLabel(line))
  if (/\]:[ \t]*$/.test(lines[start] ?? '') && !isBlank(next)) return start + 2
  return /^[ \t]*["'(]/.test(next) ? start + 2 : start + 1
}

/** Indented code continues over blank lines, up to the first line that is not indented. */
function indentedEnd(lines: readonly string[], start: number): number {
  let end = start + 1
  for (let at = end; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (/^(?: {4}|\t)/.test(line) && !isBlank(line)) end = at + 1
    else if (!isBlank(line)) break
  }
  return end
}

/** True for a text that introduces the next block: it ends in a colon. */
export const isLeadIn = ({ kind, text }: MarkdownBlock): boolean => kind === 'text' && /[:：][*_]*$/.test(text)

/** Returns the line after the front matter; 0 if there is none. */
export function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---' || isBlank(lines[1] ?? '')) return 0
  return lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line)) + 1
}
