import { ownValue } from '../../../base/collections/own-value.js'
import {
  closesFence,
  foldLabel,
  isDelimiterRow,
  isRule,
  readFence,
  readHeadingLevel,
} from '../markdown-blocks/markdown-lines.js'
import { frontMatterEnd } from '../markdown-blocks/markdown-blocks.js'
import { findSpans } from './find-spans.js'

/** A place in Markdown that has the URL of a picture or a link. */
interface LinkTarget {
  /** True where a picture has the URL; a definition is one if a picture refers to it. */
  readonly isPicture: boolean
  /** The URL as written, with its angle brackets, as `[from, to)`. */
  readonly from: number
  readonly to: number
  /** The URL without escapes. */
  readonly href: string
}

/** The URL of a definition, before it is known what refers to it. */
interface Definition extends Omit<LinkTarget, 'isPicture'> {
  readonly label: string
}

/** A container of blocks: an item with the column of its contents, a quote without one. */
type Container = { readonly column: number } | 'quote'

/**
 * Finds the URLs of pictures and links in Markdown, in order: in their parentheses and in definitions of references. Not in code, and not in
 * HTML that is a block of its own. Linear in the length of the text.
 *
 * @see https://spec.commonmark.org/0.31.2/#appendix-a-parsing-strategy
 */
export function findTargets(markdown: string): LinkTarget[] {
  const { prose, definitions } = new ProseReader(markdown).read()
  const targets: LinkTarget[] = []
  const pictured = new Set<string>()
  for (const [start, end] of prose) {
    const text = markdown.slice(start, end)
    const spans = findSpans(text)
    const covered: (readonly [number, number])[] = []
    for (const { kind, from, to, inner } of spans) {
      if (kind === 'mark') continue
      covered.push([from, kind === 'code' ? to : inner[0]])
      if (kind === 'code') continue
      const isPicture = text[from] === '!'
      const [, close] = inner
      if (text[close + 1] === '(') {
        const found = readDestination(text, skipSpace(text, close + 2))
        if (found) targets.push({ isPicture, ...found, from: start + found.from, to: start + found.to })
      } else if (isPicture) {
        const label = text.slice(close + 2, to - 1)
        pictured.add(foldLabel(label.trim() === '' ? text.slice(inner[0], close) : label))
      }
    }
    if (definitions.length > 0) for (const label of listShortcuts(text, covered)) pictured.add(label)
  }
  const seen = new Set<string>()
  for (const { label, ...place } of definitions) {
    // If a label is defined twice, the first definition counts.
    if (!seen.has(label)) targets.push({ ...place, isPicture: pictured.has(label) })
    seen.add(label)
  }
  return targets.sort((one, other) => one.from - other.from)
}

/** A label in unescaped brackets. */
const LABEL = /\\.|\[((?:\\.|[^\\[\]]){1,999})\]/gs

/** Lists the labels of pictures that are nothing but a label. @param covered starts of links and pictures that have a target, and code */
function* listShortcuts(text: string, covered: readonly (readonly [number, number])[]): Generator<string, void, void> {
  const starts = covered.toSorted(([one], [other]) => one - other)
  let next = 0
  for (const { 0: found, 1: label, index } of text.matchAll(LABEL)) {
    const after = text[index + found.length]
    if (label === undefined || text[index - 1] !== '!' || after === '(' || after === '[') continue
    while (next < starts.length && (starts[next]?.[1] ?? 0) <= index) next += 1
    const isCovered = (starts[next]?.[0] ?? Infinity) <= index
    if (!isCovered && !isEscaped(text, index - 1)) yield foldLabel(label)
  }
}

function isEscaped(text: string, index: number): boolean {
  let slashes = 0
  while (text[index - 1 - slashes] === '\\') slashes += 1
  return slashes % 2 === 1
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1
  return at
}

const ANGLE = /<((?:\\.|[^\\<>\n])*)>/y
/** Maximum depth of parentheses in a URL, as in `findSpans`. */
const MAX_PARENTHESES = 32

/** Reads a URL with its escapes. @param isWhole true where parentheses mean nothing, as in a definition. @default false */
function readDestination(text: string, from: number, isWhole = false): Omit<LinkTarget, 'isPicture'> | undefined {
  ANGLE.lastIndex = from
  const quoted = ANGLE.exec(text)
  if (quoted) return { from, to: ANGLE.lastIndex, href: unescapeUrl(quoted[1] ?? '') }
  let depth = 0
  let at = from
  for (; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === '\\' && at + 1 < text.length && !/\s/.test(text.charAt(at + 1))) at += 1
    else if (/\s/.test(sign)) break
    else if (!isWhole && sign === '(') {
      depth += 1
      if (depth > MAX_PARENTHESES) return undefined
    } else if (!isWhole && sign === ')') {
      if (depth === 0) break
      depth -= 1
    }
  }
  return at === from ? undefined : { from, to: at, href: unescapeUrl(text.slice(from, at)) }
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Removes the escapes of a URL: backslashes, and the character references that URLs have. */
const unescapeUrl = (text: string): string =>
  text.replace(ESCAPE, (whole: string, escaped: string | undefined, reference = '') => {
    if (escaped !== undefined) return escaped
    const code = Number(reference.startsWith('#') ? reference.slice(1).replace(/^x/i, '0x') : Number.NaN)
    if (Number.isNaN(code)) return ownValue(NAMED, reference.toLowerCase()) ?? whole
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

const ESCAPE = /\\([!-/:-@[-`{-~])|&(#\d{1,7}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos);/gi

const MARKER = /(?:[-+*]|(\d{1,9})[.)])(?=\s|$)/y
const NOTE = /\[\^[^[\]\s]+\]:/y
const DEFINITION = /\[((?:\\.|[^\\[\]])+)\]:[ \t]*/sy
const HTML_START = /<(?:(!--)|(pre|script|style|textarea)(?=[\s>]|$))/iy
const COMMENT_END = /-->/
const TAG_END = /<\/(?:pre|script|style|textarea)>/i

const CELL_END = /(?<!\\)\|/g

/** Maximum depth of quotes and lists: what is deeper is read as text. */
const MAX_DEPTH = 50

/** A position in a line, with its column. */
interface Cursor {
  readonly at: number
  readonly column: number
}

/** Reads which parts of Markdown are text with links, block by block. */
class ProseReader {
  readonly #text: string
  readonly #prose: (readonly [number, number])[] = []
  readonly #definitions: Definition[] = []
  #containers: Container[] = []
  /** Start and end of the open paragraph, or of the line of a table; cells of a table are parts of their own. */
  #paragraph: { from: number; to: number; isTable: boolean } | undefined
  #fence: { readonly mark: string; readonly depth: number } | undefined
  #htmlEnd: RegExp | undefined
  /** Label of a definition whose URL is on the next line. */
  #awaited: string | undefined

  constructor(text: string) {
    this.#text = text
  }

  read(): { prose: readonly (readonly [number, number])[]; definitions: readonly Definition[] } {
    const text = this.#text
    let at = findFrontMatterEnd(text)
    while (at < text.length) {
      const feed = text.indexOf('\n', at)
      const end = feed === -1 ? text.length : feed
      this.#readLine(at, text[end - 1] === '\r' && end > at ? end - 1 : end)
      at = end + 1
    }
    this.#endParagraph()
    return { prose: this.#prose, definitions: this.#definitions }
  }

  #readLine(start: number, end: number): void {
    const text = this.#text
    const { cursor, matched } = this.#matchContainers({ at: start, column: 0 }, end)
    if (this.#fence) {
      const { mark, depth } = this.#fence
      if (matched >= depth) {
        if (closesFence(text.slice(cursor.at, end), mark)) this.#fence = undefined
        return
      }
      this.#fence = undefined
    }
    if (this.#htmlEnd) {
      if (this.#htmlEnd.test(text.slice(cursor.at, end))) this.#htmlEnd = undefined
      return
    }
    if (skipIndent(text, cursor, end).at < end) return this.#readBlock(cursor, end, matched)
    this.#endParagraph()
    this.#awaited = undefined
    this.#containers.length = matched
  }

  /** Matches the open containers of the last line with the start of this one. */
  #matchContainers(start: Cursor, end: number): { cursor: Cursor; matched: number } {
    const text = this.#text
    let cursor = start
    let matched = 0
    for (const container of this.#containers) {
      const next = skipIndent(text, cursor, end)
      if (container === 'quote') {
        if (text[next.at] !== '>' || next.at >= end || next.column - cursor.column > 3) break
        cursor = skipSign(text, next, end)
      } else if (next.at < end) {
        if (next.column < container.column) break
        cursor = skipIndent(text, cursor, end, container.column)
      }
      matched += 1
    }
    return { cursor, matched }
  }

  #readBlock(start: Cursor, end: number, given: number): void {
    const text = this.#text
    let cursor = start
    let matched = given
    /** Ends what the line does not continue. */
    const open = (container?: Container): void => {
      this.#endParagraph()
      this.#awaited = undefined
      this.#containers.length = matched
      if (container === undefined) return
      this.#containers.push(container)
      matched += 1
    }
    for (;;) {
      const next = skipIndent(text, cursor, end)
      const { at, column } = next
      if (at >= end) return open()
      const isIndented = column - cursor.column > 3
      if (isIndented && this.#paragraph) return this.#addToParagraph(at, end, matched)
      if (isIndented) return open()
      const line = text.slice(at, end)
      const mayNest = matched < MAX_DEPTH
      if (line.startsWith('>') && mayNest) {
        open('quote')
        cursor = skipSign(text, next, end)
        continue
      }
      if (isRule(line)) return open()
      const item = mayNest ? (this.#readMarker(next, end) ?? this.#readNote(next)) : undefined
      if (item) {
        open({ column: item.content })
        cursor = item.cursor
        continue
      }
      const mark = readFence(line)
      if (mark !== undefined) {
        open()
        this.#fence = { mark, depth: matched }
        return
      }
      if (readHeadingLevel(line) !== undefined) {
        open()
        this.#prose.push([at, end])
        return
      }
      if (this.#beginsHtml(at, end)) return open()
      if (this.#paragraph || !this.#readDefinition(at, end, matched)) this.#addToParagraph(at, end, matched)
      return
    }
  }

  #addToParagraph(from: number, end: number, matched: number): void {
    const open = this.#paragraph
    if (!open) {
      this.#containers.length = matched
      this.#paragraph = { from, to: end, isTable: false }
      return
    }
    if (!open.isTable && isDelimiterRow(this.#text.slice(from, end))) {
      open.isTable = true
      this.#endParagraph()
      this.#paragraph = { from, to: end, isTable: true }
    } else if (open.isTable) {
      this.#endParagraph()
      this.#paragraph = { from, to: end, isTable: true }
    } else open.to = end
  }

  #endParagraph(): void {
    const { from, to, isTable } = this.#paragraph ?? { from: 0, to: 0, isTable: false }
    this.#paragraph = undefined
    if (!isTable && to > from) this.#prose.push([from, to])
    if (!isTable) return
    let at = from
    for (const { index } of this.#text.slice(from, to).matchAll(CELL_END)) {
      this.#prose.push([at, from + index + 1])
      at = from + index + 1
    }
    this.#prose.push([at, to])
  }

  /** Reads the marker of an item. @returns where its contents begin, and the column of those on further lines */
  #readMarker({ at, column }: Cursor, end: number): { cursor: Cursor; content: number } | undefined {
    MARKER.lastIndex = at
    const [marker, number] = MARKER.exec(this.#text) ?? []
    if (marker === undefined) return undefined
    const after = { at: at + marker.length, column: column + marker.length }
    const next = skipIndent(this.#text, after, end)
    const isEmpty = next.at >= end
    // An empty item, and one that does not begin with 1, are no end of a paragraph.
    if (this.#paragraph && (isEmpty || (number !== undefined && Number(number) !== 1))) return undefined
    if (!isEmpty && next.column - after.column <= 4) return { cursor: next, content: next.column }
    const one = { at: Math.min(after.at + 1, end), column: after.column + 1 }
    return { cursor: one, content: one.column }
  }

  /** Reads the label of a footnote, whose further lines are indented. */
  #readNote({ at, column }: Cursor): { cursor: Cursor; content: number } | undefined {
    NOTE.lastIndex = at
    if (!NOTE.test(this.#text)) return undefined
    const to = NOTE.lastIndex
    return { cursor: { at: to, column: column + to - at }, content: column + 4 }
  }

  #beginsHtml(at: number, end: number): boolean {
    HTML_START.lastIndex = at
    const found = HTML_START.exec(this.#text)
    if (!found) return false
    const closes = found[1] === undefined ? TAG_END : COMMENT_END
    if (!closes.test(this.#text.slice(HTML_START.lastIndex, end))) this.#htmlEnd = closes
    return true
  }

  /** Reads a definition, or the URL of one that was begun on the line before. */
  #readDefinition(at: number, end: number, matched: number): boolean {
    const text = this.#text.slice(at, end)
    let label = this.#awaited
    let from = 0
    this.#awaited = undefined
    if (label === undefined) {
      DEFINITION.lastIndex = 0
      const found = DEFINITION.exec(text)
      if (!found?.[1]?.trim()) return false
      label = foldLabel(found[1])
      from = DEFINITION.lastIndex
      this.#containers.length = matched
      if (from >= text.length) {
        this.#awaited = label
        return true
      }
    }
    const found = readDestination(text, from, true)
    if (!found) return false
    this.#definitions.push({ ...found, label, from: at + found.from, to: at + found.to })
    return true
  }
}

function findFrontMatterEnd(text: string): number {
  if (!text.startsWith('---')) return 0
  const lines = text.split('\n')
  return lines.slice(0, frontMatterEnd(lines)).reduce((sum, line) => sum + line.length + 1, 0)
}

/** Skips white space, up to a column. */
function skipIndent(text: string, from: Cursor, end: number, most = Infinity): Cursor {
  let { at, column } = from
  for (; at < end && column < most; at += 1) {
    if (text[at] === ' ') column += 1
    else if (text[at] === '\t') column += 4 - (column % 4)
    else break
  }
  return { at, column }
}

/** Skips the sign of a quote, and a space after it. */
const skipSign = (text: string, { at, column }: Cursor, end: number): Cursor =>
  skipIndent(text, { at: at + 1, column: column + 1 }, end, column + 2)
