import { escapeText } from './escape-text.js'
import { afterItem, beforeItem, fitMark } from './fit-mark.js'
import type { LineItem, LinePlace } from './line-item.js'
import type { ViewNode } from '../markdown-view.js'

/**
 * A line that starts a paragraph, or one after a line break. In Markdown, only a paragraph can start a list, heading
 * and the like.
 */
type LineKind = 'paragraph' | 'line'

/**
 * Escapes the texts of a line, and trims the white space at its ends. A character is escaped only where CommonMark or
 * GFM would parse it as markup.
 *
 * @param hasMarkup true for a line with a text that {@link mayBeMarkup}
 * @see https://spec.commonmark.org/0.31.2/#backslash-escapes
 * @see https://github.github.com/gfm/#inlines
 */
export function escapeLine(items: readonly LineItem[], place: LinePlace, hasMarkup: boolean): void {
  const { mayBeginBlock, hasMarks } = trimLines(items)
  if (hasMarkup || mayBeginBlock) escapeTexts(items, place)
  if (!hasMarks) return
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at]
    if (item?.type === 'close' && item.node.kind !== 'link') fitMark(items, findOpening(items, at, item.node), at)
  }
  for (const { type, node } of items)
    if (type === 'open' && node.syntax === 'plain') return escapeUnmarked(items, place)
}

/** Escapes texts in marks that are not written, so that what is around the mark is beside the text. */
function escapeUnmarked(items: readonly LineItem[], place: LinePlace): void {
  const isFlat = place === 'flat' || place === 'rest'
  let start: LineKind | undefined = isFlat ? undefined : 'paragraph'
  let isUnmarked = false
  for (const [at, { type, node }] of items.entries()) {
    if (type === 'break') start = isFlat ? undefined : 'line'
    if (type === 'open' || type === 'close') isUnmarked = type === 'open' && node.syntax === 'plain'
    if (type === 'opaque' || (type === 'open' && !isUnmarked)) start = undefined
    if (type !== 'text' || node.nodeValue === '') continue
    if (isUnmarked) {
      let text = escapeEdges(node.nodeValue, beforeItem(items, at), afterItem(items, at))
      if (start !== undefined) {
        const isFirst = start === 'paragraph'
        // A letter follows directly: without one, the mark would be written.
        const around = { isFirst, isWhole: false, isBroken: false, isFollowedBySpace: false, isItem: place === 'item' }
        text = escapeStart(text, around)
        if (isFirst && isDefinition(text, items)) text = `\\${text}`
      }
      node.nodeValue = text
    }
    start = undefined
  }
}

/** Escapes a sign at an end of a text that forms markup with the character beside it. */
function escapeEdges(text: string, before: string, after: string): string {
  const isEscaped = /(?:^|[^\\])(?:\\\\)*\\.$/.test(text)
  const pair = text.slice(-1) + after
  const escaped =
    !isEscaped && /^(?:!\[|\][([:]|<\S|&[#\w])$/.test(pair) ? `${text.slice(0, -1)}\\${text.slice(-1)}` : text
  return before === ']' && /^[([:]/.test(escaped) ? `\\${escaped}` : escaped
}

function escapeTexts(items: readonly LineItem[], place: LinePlace): void {
  const line = { items, place, pairs: findPairs(items, place) }
  const escaped: { readonly node: ViewNode; readonly text: string }[] = []
  // A heading or a cell: nothing in it can start a block.
  const isFlat = place === 'flat' || place === 'rest'
  let start: LineKind | undefined = isFlat ? undefined : 'paragraph'
  for (let at = 0; at < items.length; at++) {
    const item = items[at]
    if (item === undefined) continue
    const { type, node } = item
    if (type === 'break') start = isFlat ? undefined : 'line'
    else if (type !== 'text') start = undefined
    else if (node.nodeValue !== '') {
      const text = escapeItem(line, at, start)
      if (text !== node.nodeValue) escaped.push({ node, text })
      start = undefined
    }
  }
  // Assigned only now, because the escaping of a text depends on the unescaped texts beside it.
  for (const { node, text } of escaped) node.nodeValue = text
}

/** Returns the index of the item that opens a mark. It is near: marks of one kind do not nest. */
function findOpening(items: readonly LineItem[], close: number, mark: ViewNode): number {
  let at = close - 1
  while (at >= 0 && !(items[at]?.type === 'open' && items[at]?.node === mark)) at -= 1
  return at === -1 ? close : at
}

/**
 * True for a text with a sign that may be inline markup, alone or together with the texts beside it, of which a URL may be
 * divided over several.
 */
export const mayBeMarkup = (text: string): boolean => PART_OF_MARKUP.test(text)

const PART_OF_MARKUP = /[\\`*_[\]<&~]|:\/|^\/|!$|[Ww](?:[Ww]|$)|^[Ww]/
/** Inline markup, and the `!` before a link. */
const MARKUP = /[\\`*_[\]<&~]|:\/\/|www\.|!$/i
/** The first sign of blocks that begin with no sign of inline markup. */
const BLOCK_START = /^[\d#>=:|+-]/

interface Line {
  readonly items: readonly LineItem[]
  readonly place: LinePlace
  readonly pairs: ReadonlySet<string>
}

function escapeItem({ items, place, pairs }: Line, at: number, start: LineKind | undefined): string {
  const item = items[at]
  const source = item?.node.nodeValue ?? ''
  const mayNeedEscape = MARKUP.test(source) || (start !== undefined && BLOCK_START.test(source))
  if (item?.type !== 'text' || !mayNeedEscape) return source
  const around = { before: beforeItem(items, at, '*'), after: afterItem(items, at, '*'), inLink: item.inLink, pairs }
  let text = escapeText(source, around)
  if (start !== undefined) {
    const next = items[at + 1]
    const isWhole = next === undefined || next.type === 'break'
    const isFollowedBySpace = isWhole || around.after === ' '
    const isBroken = next?.type === 'break'
    const isItem = place === 'item'
    text = escapeStart(text, { isFirst: start === 'paragraph', isWhole, isBroken, isFollowedBySpace, isItem })
  }
  if (start === 'paragraph' && isDefinition(text, items)) text = `\\${text}`
  return text.endsWith('!') && around.after === '[' ? `${text.slice(0, -1)}\\!` : text
}

/**
 * True for a text that would be parsed as a link reference definition. Code and links in the label do not prevent it:
 * in ``[a `code]: b` ``, the label wins.
 *
 * @see https://spec.commonmark.org/0.31.2/#link-reference-definitions
 */
const isDefinition = (text: string, items: readonly LineItem[]): boolean =>
  text.startsWith('[') &&
  (/[^\\]\]:/.test(text) || items.some(({ node }) => node.kind === 'code' && node.nodeValue.includes(']:')))

/**
 * Removes white space at the ends of lines, which Markdown ignores, and which would hide a marker at the start. Tells whether
 * a line may begin with a marker, and whether there are marks other than links.
 */
function trimLines(items: readonly LineItem[]): { readonly mayBeginBlock: boolean; readonly hasMarks: boolean } {
  let mayBeginBlock = false
  let hasMarks = false
  let hasBreaks = false
  let isStart = true
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at]
    if (item === undefined) continue
    const { type, node } = item
    if (type === 'break') isStart = hasBreaks = true
    else if (type === 'opaque') isStart = false
    else if (type === 'close') hasMarks ||= node.kind !== 'link'
    else if (type === 'text' && isStart) {
      node.nodeValue = node.nodeValue.trimStart()
      isStart = node.nodeValue === ''
      mayBeginBlock ||= BLOCK_START.test(node.nodeValue)
    }
  }
  let isEnd = true
  for (let at = items.length - 1; at >= 0; at--) {
    const item = items[at]
    if (item === undefined) continue
    const { type, node } = item
    if (type === 'break') isEnd = true
    else if (type === 'opaque') isEnd = false
    else if (type === 'text' && isEnd) {
      node.nodeValue = node.nodeValue.trimEnd()
      isEnd = node.nodeValue === ''
    }
    if (!isEnd && !hasBreaks) break
  }
  return { mayBeginBlock, hasMarks }
}

interface LineStart {
  /** True for the first line of a paragraph. Fewer kinds of blocks can interrupt a paragraph. */
  readonly isFirst: boolean
  /** True if the text is the whole line. */
  readonly isWhole: boolean
  /** True if a line break follows the text. */
  readonly isBroken: boolean
  readonly isFollowedBySpace: boolean
  readonly isItem: boolean
}

/** Escapes text that would be parsed as a block at the start of a line. */
function escapeStart(text: string, { isFirst, isWhole, isBroken, isFollowedBySpace, isItem }: LineStart): string {
  const [sign, digits] = /^(?:#{1,6}|[-+*]|(\d{1,9})[.)])(?=\s|$)/.exec(text) ?? []
  if (sign !== undefined && (isFollowedBySpace || sign.length < text.length)) {
    if (digits === undefined) return `\\${text}`
    // CommonMark lets only a list that starts with 1 interrupt a paragraph. Other parsers accept any number.
    return `${digits}\\${text.slice(digits.length)}`
  }
  if (text.startsWith('>')) return `\\${text}`
  // `- --` is a thematic break, and not an item.
  if (isWhole && isItem && isFirst && /^-[-\s]*$/.test(text)) return `\\${text}`
  if (isWhole && /^(?:-[ \t]*){3,}$|^(?:_[ \t]*){3,}$/.test(text)) return `\\${text}`
  // An underline of a heading, or the delimiter row of a table.
  if (isWhole && !isFirst && /^=+\s*$|^[-:|\s]*-[-:|\s]*$/.test(text)) return `\\${text}`
  // A line break counts as a space: `- [x]` before one is a task.
  return isItem && isFirst && /^\[[ x]\]\s/i.test(isBroken ? `${text}\n` : text) ? `\\${text}` : text
}

const ALL: ReadonlySet<string> = new Set('*_~`')
const NONE: ReadonlySet<string> = new Set()
const SIGN = /[*_~`]/
const SPACE = /\s/
const BARE_URL = /^_(?:https?:\/\/|www\.)/i
const WORD = /[\p{L}\p{N}]/u

/**
 * Returns the signs that are parsed only in pairs and could form a pair in this line: a star alone is a star.
 *
 * @see https://spec.commonmark.org/0.31.2/#code-spans
 * @see https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis
 * @see https://github.github.com/gfm/#strikethrough-extension-
 */
function findPairs(items: readonly LineItem[], place: LinePlace): ReadonlySet<string> {
  // Texts before this one on the same line of Markdown may contain half of a pair. Even an escaped backtick can close
  // one.
  if (!items.some(({ type, node }) => type === 'text' && SIGN.test(node.nodeValue))) return NONE
  if (place === 'rest') return ALL
  const found = new Set<string>(place === 'flat' ? '`' : '')
  for (const { type, node } of items) {
    if (type === 'open' && (node.kind === 'strong' || node.kind === 'emphasis')) found.add('*')
    if (type === 'open' && node.kind === 'strike') found.add('~')
    if (type === 'opaque' && node.kind === 'code') found.add('`')
    // A backtick can also form a pair with one in a URL or in an image's alternative text.
    const around = `${node.details.href ?? ''}${node.details.title ?? ''}${type === 'opaque' ? node.nodeValue : ''}`
    if (around.includes('`')) found.add('`')
  }
  // A line break in a cell is a tag.
  const isTag = (item: LineItem | undefined): boolean => place === 'flat' && item?.type === 'break'
  const opened = new Set<string>()
  for (const [at, item] of items.entries()) {
    if (item.type !== 'text') continue
    const text = withoutMovingSpaces(items, at, item.node.nodeValue)
    for (const { 0: sign, index } of text.matchAll(/[*_~`]/g)) {
      if (found.has(sign)) continue
      const previous = index > 0 ? text.charAt(index - 1) : isTag(items[at - 1]) ? '>' : beforeItem(items, at, '*')
      const next =
        index + 1 < text.length ? text.charAt(index + 1) : isTag(items[at + 1]) ? '<' : afterItem(items, at, '*')
      // A URL may be written in angle brackets.
      const inWord =
        sign === '_' && WORD.test(previous) && WORD.test(next) && !BARE_URL.test(text.slice(index, index + 9))
      if (opened.has(sign) && (sign === '`' || (!SPACE.test(previous) && !inWord))) found.add(sign)
      if (sign === '`' || (!SPACE.test(next) && !inWord)) opened.add(sign)
    }
  }
  return found
}

/** Returns a text without the white space at the ends of a mark, which is written outside of the mark. */
function withoutMovingSpaces(items: readonly LineItem[], at: number, text: string): string {
  const start = items[at - 1]?.type === 'open' ? text.trimStart() : text
  return items[at + 1]?.type === 'close' ? start.trimEnd() : start
}
