import { cutText } from '../../text/cut-text.js'

const MAX_HEADING_LENGTH = 120

const LINK = /!?\[((?:\\.|[^\\[\]])*)\](?:\((?:\\.|[^\\()]|\([^()]*\))*\)|\[[^[\]]*\])/g
const MARKS = /\\([!-/:-@[-`{-~])|(`+)(.*?)\2(?!`)|<\/?[a-z][^<>]*>|\*+|~~|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/giu

/** Returns a heading's text without markup, at most 120 characters, for the path of each chunk in its section. */
export function headingText(heading: string): string {
  // Bounded before any search, because a heading may have any length.
  const text = heading.slice(0, 2000).replace(/\n[ \t]*(?:=+|-+)[ \t]*$/, '')
  const line = text.replace(/^ {0,3}#{1,6}/, '').replace(/[ \t]#+[ \t]*$/, '')
  const plain = line
    // Twice, for an image in a link.
    .replace(LINK, '$1')
    .replace(LINK, '$1')
    .replace(MARKS, (_, escaped: string | undefined, ticks: string | undefined, code: string | undefined) =>
      ticks === undefined ? (escaped ?? '') : (code ?? '').trim(),
    )
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length <= MAX_HEADING_LENGTH ? plain : `${cutText(plain, MAX_HEADING_LENGTH - 1).trimEnd()}…`
}
