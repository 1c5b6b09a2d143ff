import { escapeText } from './escape-text.js'
import { afterItem, beforeItem, fitMark } from './fit-mark.js'
import type { LineItem, LinePlace } from './line-item.js'
import type { ViewNode } from '../markdown-view.js'
import { findPairs } from './pairing-signs.js'

/** A line that begins a paragraph, or one after a line break. */
type LineKind = 'paragraph' | 'line'

/**
 * Makes the texts of a line mean themselves, and ends the line's white space. A character is escaped only where CommonMark
 * or GFM would read something else.
 *
 * @see CommonMark 2.4, GFM 6
 */
export function escapeLine(items: readonly LineItem[], place: LinePlace): void {
  trimLines(items)
  const pairs = findPairs(items, place)
  const escaped: { readonly node: ViewNode; readonly text: string }[] = []
  let hasMarks = false
  const isFlat = place === 'flat' || place === 'rest'
  let start: LineKind | undefined = isFlat ? undefined : 'paragraph'
  for (let at = 0; at < items.length; at++) {
    const item = items[at]
    if (item === undefined) continue
    const { type, node } = item
    hasMarks ||= type === 'close'
    if (type === 'break') start = isFlat ? undefined : 'line'
    else if (type !== 'text') start = undefined
    else if (node.nodeValue !== '') {
      const text = escapeItem(items, at, pairs, start, place)
      if (text !== node.nodeValue) escaped.push({ node, text })
      start = undefined
    }
  }
  // Only now: what stands around a text is asked of its neighbours as they are read.
  for (const { node, text } of escaped) node.nodeValue = text
  if (!hasMarks) return
  const opened = new Map<ViewNode, number>()
  for (const [at, item] of items.entries()) {
    if (item.type === 'open') opened.set(item.node, at)
    else if (item.type === 'close') fitMark(items, opened.get(item.node) ?? at, at)
  }
}

// Most texts hold nothing that could mean anything.
const MEANINGFUL = /[\\`*_[\]<&~!>#=:|+-]|^\d|www/i

function escapeItem(
  items: readonly LineItem[],
  at: number,
  pairs: ReadonlySet<string>,
  start: LineKind | undefined,
  place: LinePlace,
): string {
  const item = items[at]
  const source = item?.node.nodeValue ?? ''
  if (item?.type !== 'text' || !MEANINGFUL.test(source)) return source
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

/** Whether the line would define an address: code and addresses do not keep `[a `]: b` from it. @see CommonMark 4.7 */
const isDefinition = (text: string, items: readonly LineItem[]): boolean =>
  text.startsWith('[') &&
  (/[^\\]\]:/.test(text) || items.some(({ node }) => node.kind === 'code' && node.nodeValue.includes(']:')))

/** White space at the ends of lines is not written, and what it would keep apart from the start stands there. */
function trimLines(items: readonly LineItem[]): void {
  let isStart = true
  for (const { type, node } of items) {
    if (type === 'break') isStart = true
    else if (type === 'opaque') isStart = false
    else if (type === 'text' && isStart) {
      node.nodeValue = node.nodeValue.trimStart()
      isStart = node.nodeValue === ''
    }
  }
  let isEnd = true
  for (let at = items.length - 1; at >= 0; at--) {
    const item = items[at]
    if (item === undefined) continue
    if (item.type === 'break') isEnd = true
    else if (item.type === 'opaque') isEnd = false
    else if (item.type === 'text' && isEnd) {
      item.node.nodeValue = item.node.nodeValue.trimEnd()
      isEnd = item.node.nodeValue === ''
    }
  }
}

interface LineStart {
  /** Whether the line is the first of its paragraph: less can begin in the middle of one. */
  readonly isFirst: boolean
  /** Whether the text is the whole line. */
  readonly isWhole: boolean
  /** Whether a line break follows the text. */
  readonly isBroken: boolean
  readonly isFollowedBySpace: boolean
  readonly isItem: boolean
}

/** Escapes what is read as a block at the start of a line. */
function escapeStart(text: string, { isFirst, isWhole, isBroken, isFollowedBySpace, isItem }: LineStart): string {
  const [sign, digits] = /^(?:#{1,6}|[-+*]|(\d{1,9})[.)])(?=\s|$)/.exec(text) ?? []
  if (sign !== undefined && (isFollowedBySpace || sign.length < text.length)) {
    if (digits === undefined) return `\\${text}`
    // CommonMark begins no list in a paragraph but with 1: other readers do.
    return `${digits}\\${text.slice(digits.length)}`
  }
  if (text.startsWith('>')) return `\\${text}`
  // `- --` is a rule, and no item.
  if (isWhole && isItem && isFirst && /^-[-\s]*$/.test(text)) return `\\${text}`
  if (isWhole && /^(?:-[ \t]*){3,}$|^(?:_[ \t]*){3,}$/.test(text)) return `\\${text}`
  // An underline of a heading, or the line under a table's header.
  if (isWhole && !isFirst && /^=+\s*$|^[-:|\s]*-[-:|\s]*$/.test(text)) return `\\${text}`
  // A break is a space as well: `- [x]` before one is a task.
  return isItem && isFirst && /^\[[ x]\]\s/i.test(isBroken ? `${text}\n` : text) ? `\\${text}` : text
}
