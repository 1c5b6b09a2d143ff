import type { LineItem, LinePlace } from './line-item.js'
import { afterItem, beforeItem } from './fit-mark.js'

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
export function findPairs(items: readonly LineItem[], place: LinePlace): ReadonlySet<string> {
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
