import { resolveUrl } from '../../url.js'

/** Facts of a Markdown text, for the comparison of two. */
export interface MarkdownFacts {
  /** Lines outside of code that have words. */
  readonly lines: readonly MarkdownLine[]
  /** Fenced code blocks in order. */
  readonly code: readonly { readonly text: string; readonly hasLanguage: boolean }[]
  /** Fenced code that is not closed; then nothing can be said about what follows. */
  readonly isOpen: boolean
}

/** A line outside of code. */
export interface MarkdownLine {
  readonly words: readonly string[]
  /** Markup whose loss would make the text worse. */
  readonly marks: Readonly<Record<Mark, number>>
  /** Targets of links and images, absolute, in the form of {@link toTarget}. */
  readonly targets: readonly string[]
  /** True for a line that is one link. */
  readonly isLink: boolean
}

/** Kinds of markup that are counted. */
export const marks = ['headings', 'items', 'rows', 'strong', 'code'] as const

/** A kind of markup. */
export type Mark = (typeof marks)[number]

const FENCE = /^[ \t>]{0,40}(`{3,}|~{3,})/
const LIST_MARK = /^[ \t>]{0,40}(?:[-*+]|\d{1,9}[.)])[ \t]/
const HEADING = /^[ \t>]{0,40}#{1,6}[ \t]/
const WORD = /[\p{L}\p{N}]+/gu

/** A fence of code that is open. */
interface Fence {
  readonly mark: string
  /** Characters before the mark. */
  readonly indent: number
  readonly hasLanguage: boolean
}

/** A line, and what it is: text, the start or end of code, or code of the fence. */
export type WalkedLine =
  | { readonly line: string; readonly kind: 'text' | 'end' }
  | { readonly line: string; readonly kind: 'start' | 'code'; readonly fence: Fence }

/** Walks over the lines of a Markdown text. */
export function* walkLines(markdown: string): Generator<WalkedLine, void, void> {
  let fence: Fence | undefined
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[1]
    if (fence && mark?.startsWith(fence.mark) && line.replace(/^[ \t>]{0,40}/, '').trimEnd() === mark) {
      fence = undefined
      yield { line, kind: 'end' }
    } else if (fence) yield { line, kind: 'code', fence }
    else if (mark === undefined) yield { line, kind: 'text' }
    else {
      const indent = line.indexOf(mark)
      fence = { mark, indent, hasLanguage: line.slice(indent + mark.length).trim() !== '' }
      yield { line, kind: 'start', fence }
    }
  }
}

/** Reads the facts of a Markdown text in one pass. @param url the address that its links are relative to */
export function readMarkdownFacts(markdown: string, url: string): MarkdownFacts {
  const lines: MarkdownLine[] = []
  const code: { readonly lines: string[]; readonly hasLanguage: boolean }[] = []
  let isOpen = false
  for (const walked of walkLines(markdown)) {
    const { line, kind } = walked
    if (kind === 'start') code.push({ lines: [], hasLanguage: walked.fence.hasLanguage })
    else if (kind === 'code') code.at(-1)?.lines.push(removeIndent(line, walked.fence.indent))
    if (kind === 'start' || kind === 'end') isOpen = kind === 'start'
    if (kind !== 'text') continue
    const read = readLine(line, url)
    if (read.words.length > 0 || read.targets.length > 0) lines.push(read)
  }
  return {
    lines,
    code: code.map(({ lines: text, hasLanguage }) => ({ text: text.join('\n').trimEnd(), hasLanguage })),
    isOpen,
  }
}

/** Removes the indent of code in a list, as far as a line has it. */
function removeIndent(line: string, indent: number): string {
  let from = 0
  while (from < indent && (line[from] === ' ' || line[from] === '\t' || line[from] === '>')) from += 1
  return line.slice(from)
}

function readLine(line: string, url: string): MarkdownLine {
  const [text, targets] = splitTargets(line, url)
  const content = line.replace(LIST_MARK, '').trim()
  const isLink = content.startsWith('[') && content.indexOf(')', content.indexOf('](')) === content.length - 1
  return {
    words: text.replace(LIST_MARK, '').toLowerCase().match(WORD) ?? [],
    marks: {
      headings: HEADING.test(line) ? 1 : 0,
      items: LIST_MARK.test(line) ? 1 : 0,
      rows: line.trimStart().startsWith('|') ? 1 : 0,
      strong: line.split('**').length - 1,
      code: line.split('`').length - 1,
    },
    targets,
    isLink: isLink && targets.length === 1,
  }
}

/** Separates the targets of links and images from the text of a line. */
function splitTargets(line: string, url: string): [text: string, targets: readonly string[]] {
  const [first = '', ...others] = line.split('](')
  const targets: string[] = []
  let text = first
  for (const part of others) {
    const end = part.search(/[)\s]/)
    if (end === -1) {
      text += ` ${part}`
      continue
    }
    const target = toTarget(part.slice(0, end), url)
    if (target !== undefined) targets.push(target)
    text += ` ${part.slice(end)}`
  }
  return [text, targets]
}

/**
 * Writes the target of a link so that those of a page and of its twin can be compared: without fragment, and without the ending
 * of a file, because twins link to twins.
 */
export function toTarget(href: string, url: string): string | undefined {
  const resolved = resolveUrl(href.replace(/^<|>$/g, ''), url)
  if (!resolved) return undefined
  const path = resolved.pathname.replace(/\/index(?:\.(?:html?|md))?$|\.(?:html?|md)$|\/$/, '').replace(/\.html$/, '')
  return `${resolved.protocol}//${resolved.host}${path}${resolved.search}`
}
