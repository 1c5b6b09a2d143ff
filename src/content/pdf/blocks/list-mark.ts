import type { Line } from '../page-text.js'
import { plainDigits } from '../../../base/text/plain-digits.js'

/** Marker of a list item. */
export interface ListMark {
  /** Number of characters to remove from the line. */
  readonly length: number
  /** Horizontal position of the text after the marker. */
  readonly textLeft: number
  readonly number?: number
}

const BULLET =
  /^(?:[\u2022\u2023\u25e6\u2043\u2219\u25aa\u25ab\u25a0\u25a1\u25cf\u25cb\u25c6\u25c7\u27a2\u27a4\u2713\u2714\uf0b7\uf0a7\u00b7\u204c\u2605\u25b6\u25b8\u25ba\ue001]|[\u2013\u2014*-](?=\s)|o(?=\s))\s*/
const NUMBER = /^(\d{1,3})[.)]\s+/
const OTHER = /^(?:\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})\)|\[\d{1,3}\]|[a-z][.)])\s+/i

/** Finds the marker of a list item; undefined if the line has none. */
export function findListMark(line: Line): ListMark | undefined {
  const text = plainDigits(line.text)
  const bullet = BULLET.exec(text)
  if (bullet)
    return text.length > bullet[0].length || line.segments.length > 1 ? place(line, bullet[0].length) : undefined
  const number = NUMBER.exec(text)
  if (number) return { ...place(line, number[0].length), number: parseInt(number[1] ?? '', 10) }
  const other = OTHER.exec(text)
  // Letters and numbers in brackets are no list markers in Markdown: they stay in the text of the item.
  return other ? { ...place(line, other[0].length), length: 0 } : undefined
}

/** Tests if the line begins with a bullet that nothing but a list item begins with, unlike `-`, `*` and `o`. */
export const hasBullet = (line: Line): boolean => BULLET.test(line.text) && !/^[o*-]/.test(line.text)

/** Tests if the marker of a line is drawn apart from its text, as text that continues a line is not. */
export const hasMarkApart = (line: Line): boolean => {
  const [mark, text] = line.runs
  return (
    mark !== undefined &&
    text !== undefined &&
    text.left - mark.right > 0.5 * line.size &&
    /^(?:[^\p{L}\p{N}]|o|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])$/iu.test(mark.text.trim()) &&
    findListMark(line) !== undefined
  )
}

function place(line: Line, length: number): ListMark {
  let left = length
  for (const { text, left: from, right } of line.runs) {
    if (left < text.trimEnd().length) {
      const start = text.slice(0, left).length + (text.slice(left).length - text.slice(left).trimStart().length)
      return { length, textLeft: from + ((right - from) * start) / Math.max(1, text.length) }
    }
    left = Math.max(0, left - text.length)
  }
  return { length, textLeft: line.left }
}
