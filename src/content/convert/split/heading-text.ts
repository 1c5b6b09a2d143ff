import { cutText } from '../../../base/text/cut-text.js'
import { findSpans } from './find-spans.js'

const MAX_HEADING_LENGTH = 120

const MARKS = /\\([!-/:-@[-`{-~])|<\/?[a-z][^<>]*>|\*+|~~|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/giu

/** Returns a heading's text without markup, at most 120 characters, for the path of each chunk in its section. */
export function headingText(heading: string): string {
  // Bounded before any search, because a heading may have any length.
  const text = heading.slice(0, 2000).replace(/\n[ \t]*(?:=+|-+)[ \t]*$/, '')
  const line = text.replace(/^ {0,3}#{1,6}/, '').replace(/[ \t]#+[ \t]*$/, '')
  const plain = plainText(line).replace(/\s+/g, ' ').trim()
  return plain.length <= MAX_HEADING_LENGTH ? plain : `${cutText(plain, MAX_HEADING_LENGTH - 1).trimEnd()}…`
}

/** Returns a text without marks, with the texts of its links and images and with its code as written. */
function plainText(line: string): string {
  const kept = findSpans(line)
    .flatMap(({ kind, from, to, inner: [start, end] }) => {
      if (kind === 'mark') return []
      if (kind === 'code') return [{ from, to, code: line.slice(start, end).trim() }]
      return [
        { from, to: start, code: '' },
        { from: end, to, code: '' },
      ]
    })
    .sort((one, other) => one.from - other.from)
  let plain = ''
  let at = 0
  for (const { from, to, code } of kept) {
    plain += withoutMarks(line.slice(at, from)) + code
    at = to
  }
  return plain + withoutMarks(line.slice(at))
}

const withoutMarks = (text: string): string => text.replace(MARKS, (_, escaped: string | undefined) => escaped ?? '')
