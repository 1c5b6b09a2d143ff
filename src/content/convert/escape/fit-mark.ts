import type { LineItem } from './line-item.js'
import type { ViewNode } from '../markdown-view.js'

const WORD = /[\p{L}\p{N}]/u
const SPACE = /\s/
const PUNCTUATION = /[\p{P}\p{S}]/u

const isSign = (character: string): boolean => character !== '' && PUNCTUATION.test(character)
// Half of a surrogate pair, as of an emoji. Parsers disagree whether it is punctuation.
const isSurrogate = (character: string): boolean => /[\uD800-\uDFFF]/.test(character)
const isStars = ({ kind, syntax }: ViewNode): boolean => (kind === 'strong' || kind === 'emphasis') && syntax !== 'tag'

/**
 * Returns the last character before an item as Markdown is written; a space at the start of a line.
 *
 * @param star the character to return for the `*` of a mark; by default, these are skipped, because adjacent ones are
 * one delimiter run
 */
export function beforeItem(items: readonly LineItem[], at: number, star = ''): string {
  for (let index = at - 1; index >= 0; index--) {
    const edge = edgeOf(items[index], -1, star)
    if (edge !== '') return edge
  }
  return ' '
}

/** Returns the first character after an item. */
export function afterItem(items: readonly LineItem[], at: number, star = ''): string {
  for (let index = at + 1; index < items.length; index++) {
    const edge = edgeOf(items[index], 0, star)
    if (edge !== '') return edge
  }
  return ' '
}

function edgeOf(item: LineItem | undefined, end: 0 | -1, star: string): string {
  if (item === undefined) return ''
  const { type, node } = item
  if (type === 'text') return lastOrFirst(node.nodeValue, end)
  if (type === 'break') return ' '
  if (type === 'opaque') {
    if (node.kind === 'code') return '`'
    return node.kind === 'image' ? (end === 0 ? '!' : ')') : lastOrFirst(node.nodeValue, end)
  }
  // Punctuation that was moved out of a mark is written on its outer side.
  const moved = type === 'open' ? node.signsBefore : node.signsAfter
  if (type === 'close' && end === -1 && moved === '' && SPACE.test(textEdge(node, -1))) return ' '
  if (moved !== '' && (type === 'open') === (end === 0)) return lastOrFirst(moved, end)
  if (isStars(node)) return star || lastOrFirst(moved, end)
  if (node.kind === 'link') return type === 'open' ? '[' : end === 0 ? ']' : ')'
  return node.kind === 'strike' && node.syntax === 'signs' ? '~' : end === 0 ? '<' : '>'
}

const lastOrFirst = (text: string, end: 0 | -1): string => (end === 0 ? text.charAt(0) : text.slice(-1))

/**
 * Makes sure that a mark is parsed as one. `**` between a letter outside and punctuation inside is not a delimiter.
 * Signs at the ends are moved out, as in `**Note**:read` for `**Note:**read`; where that does not help, the mark
 * becomes an HTML tag.
 *
 * @see https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run
 */
export function fitMark(items: readonly LineItem[], open: number, close: number): void {
  const mark = items[close]?.node
  if (mark === undefined || (mark.kind !== 'strong' && mark.kind !== 'emphasis' && mark.kind !== 'strike')) return
  const first = mark.childNodes[0]
  const last = mark.childNodes.at(-1)
  if (
    first?.kind === 'text' &&
    !BARE_URL.test(first.nodeValue) &&
    isSign(first.nodeValue.charAt(0)) &&
    WORD.test(beforeItem(items, open))
  ) {
    const signs = SIGNS_AT_START.exec(first.nodeValue)?.[0] ?? ''
    if (signs.length < first.nodeValue.length) {
      mark.note({ signsBefore: signs })
      first.nodeValue = first.nodeValue.slice(signs.length)
    }
  }
  if (
    last?.kind === 'text' &&
    !BARE_URL.test(last.nodeValue) &&
    isSign(last.nodeValue.slice(-1)) &&
    WORD.test(afterItem(items, close))
  ) {
    let start = last.nodeValue.length
    while (start > 0 && SIGN_AT_END.test(last.nodeValue.charAt(start - 1))) start -= 1
    if (start > 0) {
      mark.note({ signsAfter: last.nodeValue.slice(start) })
      last.nodeValue = last.nodeValue.slice(0, start)
    }
  }
  if (isDelimiterRead(items, open, close, mark)) return
  // Bold on punctuation alone is not visible.
  const isPlain = mark.childNodes.every((child) => child.kind === 'text' && !WORD.test(child.nodeValue))
  mark.note({ syntax: isPlain ? 'plain' : 'tag' })
}

// Signs may belong to a URL.
const BARE_URL = /:\/\/|www\b/i
const SIGNS_AT_START = /^(?:\\[!-/:-@[-`{-~]|(?!\\)[\p{P}\p{S}]|\s)+/u
const SIGN_AT_END = /[\p{P}\p{S}\s]/u

function isDelimiterRead(items: readonly LineItem[], open: number, close: number, mark: ViewNode): boolean {
  if (starsBefore(items, open) + (mark.kind === 'strong' ? 2 : 1) > 3) return false
  const first = textEdge(mark, 0)
  const last = textEdge(mark, -1)
  // White space at the ends is written outside.
  const star = mark.kind === 'strike' ? '*' : ''
  const before = mark.signsBefore.slice(-1) || (SPACE.test(first) ? ' ' : beforeItem(items, open, star))
  const after = mark.signsAfter.charAt(0) || (SPACE.test(last) ? ' ' : afterItem(items, close, star))
  const isFree = (outside: string): boolean => SPACE.test(outside) || isSign(outside)
  const mayStick = (inside: string): boolean => !isSign(inside) && !isSurrogate(inside)
  return (
    (mayStick(innerEdge(items, open, close, star)) || isFree(before)) &&
    (mayStick(innerEdge(items, close, open, star)) || isFree(after))
  )
}

/** Returns the character at an end of a mark, including white space; `''` if there is no text. */
function textEdge(mark: ViewNode, end: 0 | -1): string {
  let at: ViewNode | undefined = mark
  while (at !== undefined && at.kind !== 'text') at = at.childNodes.at(end)
  return at === undefined ? '' : lastOrFirst(at.nodeValue, end)
}

/** Returns the first character other than white space inside a mark, from one of its ends. */
function innerEdge(items: readonly LineItem[], from: number, to: number, star: string): string {
  const step = from < to ? 1 : -1
  const end = from < to ? 0 : -1
  for (let index = from + step; index !== to; index += step) {
    const item = items[index]
    const edge =
      item?.type === 'text'
        ? lastOrFirst(end === 0 ? item.node.nodeValue.trimStart() : item.node.nodeValue.trimEnd(), end)
        : edgeOf(item, end, star)
    if (edge !== '' && edge !== ' ') return edge
  }
  return ''
}

/** Counts the stars directly before a mark if they close other marks. */
function starsBefore(items: readonly LineItem[], open: number): number {
  let stars = 0
  let ended = false
  for (let index = open - 1; index >= 0; index--) {
    const item = items[index]
    if (item === undefined || (item.type !== 'open' && item.type !== 'close') || !isStars(item.node)) break
    if ((item.type === 'open' ? item.node.signsBefore : item.node.signsAfter) !== '') break
    // White space at the end of a mark is written after it.
    if (item.type === 'close' && SPACE.test(textEdge(item.node, -1))) break
    ended ||= item.type === 'close'
    stars += item.node.kind === 'strong' ? 2 : 1
  }
  return ended ? stars : 0
}
