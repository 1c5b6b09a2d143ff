import type { LineItem, LinePlace } from './line-item.js'
import { afterItem, beforeItem } from './fit-mark.js'

const ALL: ReadonlySet<string> = new Set('*_~`')
const NONE: ReadonlySet<string> = new Set()
const SIGN = /[*_~`]/
const SPACE = /\s/
const ADDRESS = /^_(?:https?:\/\/|www\.)/i
const WORD = /[\p{L}\p{N}]/u

/**
 * Which of the signs that mean something only in pairs could find one in this line: a star alone is a star.
 *
 * @see CommonMark 6.1 and 6.2, GFM 6.5
 */
export function findPairs(items: readonly LineItem[], place: LinePlace): ReadonlySet<string> {
  // In the same line of Markdown, others may have found half of a pair. A backtick that is escaped can still be the second.
  if (!items.some(({ type, node }) => type === 'text' && SIGN.test(node.nodeValue))) return NONE
  if (place === 'rest') return ALL
  const found = new Set<string>(place === 'flat' ? '`' : '')
  for (const { type, node } of items) {
    if (type === 'open' && (node.kind === 'strong' || node.kind === 'emphasis')) found.add('*')
    if (type === 'open' && node.kind === 'strike') found.add('~')
    if (type === 'opaque' && node.kind === 'code') found.add('`')
    // A backtick finds its pair in an address, too, or in what an image is called.
    const around = `${node.details.href ?? ''}${node.details.title ?? ''}${type === 'opaque' ? node.nodeValue : ''}`
    if (around.includes('`')) found.add('`')
  }
  const opened = new Set<string>()
  for (const [at, item] of items.entries()) {
    if (item.type !== 'text') continue
    const text = item.node.nodeValue
    for (const { 0: sign, index } of text.matchAll(/[*_~`]/g)) {
      if (found.has(sign)) continue
      const previous = index > 0 ? text.charAt(index - 1) : beforeItem(items, at, '*')
      const next = index + 1 < text.length ? text.charAt(index + 1) : afterItem(items, at, '*')
      // An address may be written in angle brackets.
      const inWord =
        sign === '_' && WORD.test(previous) && WORD.test(next) && !ADDRESS.test(text.slice(index, index + 9))
      if (opened.has(sign) && (sign === '`' || (!SPACE.test(previous) && !inWord))) found.add(sign)
      if (sign === '`' || (!SPACE.test(next) && !inWord)) opened.add(sign)
    }
  }
  return found
}
