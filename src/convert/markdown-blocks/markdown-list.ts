import {
  closesFence,
  isBlank,
  isListMarker,
  isRule,
  readFence,
  readHeadingLevel,
  readIndent,
} from './markdown-lines.js'

/** A marker at the start of a line, however deep, and those of lists and quotes inside of it on the same line. */
const MARKERS = /^[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+|>[ \t]?){0,50}/

/** Where the list that begins at `start` ends: lists that follow at once are taken for one. @see CommonMark 5.3 */
export function readListEnd(lines: readonly string[], start: number): number {
  let end = start
  let content = 0
  let fence: string | undefined
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (isBlank(line)) continue
    const indent = readIndent(line)
    // Code in an item ends with its item, whether it was closed or not.
    if (indent < content) fence = undefined
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined
    } else {
      if (isListMarker(line) && (at === start || indent < content)) content = markerWidth(line)
      else if (indent < content && (at > end + 1 || beginsBlock(line))) return end + 1
      fence = readFence(line.replace(MARKERS, ''))
    }
    end = at
  }
  return end + 1
}

/** The items of a list, each with its lines, the blank ones between them at the end of the one before. */
export function readItems(text: string): string[] {
  const lines = text.split('\n')
  const items: string[][] = []
  let fence: string | undefined
  let content = 0
  for (const line of lines) {
    const indent = readIndent(line)
    if (indent < content && !isBlank(line)) fence = undefined
    if (fence !== undefined && closesFence(line, fence)) fence = undefined
    else if (fence === undefined) {
      if (isListMarker(line) && (items.length === 0 || indent < content)) {
        content = markerWidth(line)
        items.push([])
      }
      fence = readFence(line.replace(MARKERS, ''))
    }
    items.at(-1)?.push(line)
  }
  return items.map((item) => item.join('\n'))
}

/** Where the text of an item begins: what is indented as far belongs to it. */
const markerWidth = (line: string): number =>
  /^[ \t]*(?:[-+*]|\d{1,9}[.)])(?: {1,4}(?! )|[ \t]|$)/.exec(line)?.[0].length ?? 2

const beginsBlock = (line: string): boolean =>
  readFence(line) !== undefined || readHeadingLevel(line) !== undefined || isRule(line) || /^ {0,3}>/.test(line)

/** An item's marker, with the space behind it, and what it holds, no longer indented. */
export function splitMarker(item: string): { marker: string; content: string } {
  const marker = item.slice(0, markerWidth(item))
  const indent = new RegExp(`^[ \\t]{1,${Math.max(1, marker.length)}}`)
  const [first = '', ...rest] = item.slice(marker.length).split('\n')
  return { marker, content: [first, ...rest.map((line) => line.replace(indent, ''))].join('\n') }
}
