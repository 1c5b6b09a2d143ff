import { findSpans } from '../split/find-spans.js'

/** Lines that show no text of their own: fences, rules, heads of tables, definitions of links and notes. */
export const SILENT_LINE = /^(?:`{3}|~{3}|[-*_=|: ]+$|\[[^\]]+\]: |\${2}$)/

/** Stands in a text for what is no text on the page: an image, a formula, a note, a line break. */
export const NO_TEXT = '\u0001'

/** Characters of Markdown before the text of a block: quotes, lists, headings, cells. */
const PREFIX = /^(?:[>|\s]|#{1,6} |[-*+] |\d{1,9}[.)] |\[[ xX]\] )+/

/** The end of a link that begins before a quotation, and the start of one that ends behind it. */
const CUT_START = /^([^[\]]*)(?<!\\)\]\([^()\s]*\)?/
const CUT_END = /(?<![\\!])\[([^[\]]*)$/
const NOTE =
  /\[\^[^\]\s]{1,100}\]|<[^<>]*>|&(?:#\w{1,8}|\w{2,31});|(?<!\\)\${1,2}(?![\s$])[^$]{1,500}(?<![\s\\])\${1,2}(?!\d)/g
const MARKS = /\\([!-/:-@[-`{-~])|\*+|~~|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu

/**
 * Returns a line of Markdown as the page shows it: without marks and targets of links, with {@link NO_TEXT} for what is no text.
 *
 * @param line without line breaks; its length must be bounded
 */
export function shownText(line: string): string {
  const text = line.replace(PREFIX, '').replace(CUT_START, '$1').replace(CUT_END, '$1')
  let shown = ''
  let at = 0
  for (const { from, to, value } of findParts(text)) {
    if (from < at) continue
    shown += plain(text.slice(at, from)) + value
    at = to
  }
  return shown + plain(text.slice(at))
}

interface ReplacedPart {
  readonly from: number
  readonly to: number
  readonly value: string
}

/** Finds the parts of a line that are not shown as they are written, in order. */
function findParts(text: string): ReplacedPart[] {
  return findSpans(text)
    .flatMap(({ kind, from, to, inner: [start, end] }): ReplacedPart[] => {
      if (kind === 'mark') return []
      if (kind === 'code') return [{ from, to, value: text.slice(start, end).trim() }]
      if (text[from] === '!') return [{ from, to, value: NO_TEXT }]
      return [
        { from, to: start, value: '' },
        { from: end, to, value: '' },
      ]
    })
    .sort((one, other) => one.from - other.from)
}

const plain = (text: string): string =>
  text.replace(NOTE, NO_TEXT).replace(MARKS, (_, escaped: string | undefined) => escaped ?? '')
