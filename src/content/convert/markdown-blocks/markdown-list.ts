import {
  closesFence,
  isBlank,
  isListMarker,
  isRule,
  readFence,
  readHeadingLevel,
  readIndent,
} from './markdown-lines.js'

/** The marker at the start of a line at any depth, with the markers of nested lists and quotes on the same line. */
const MARKERS = /^[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+|>[ \t]?){0,50}/

/**
 * Returns the end of the list that begins at `start`. Adjacent lists count as one.
 *
 * @see https://spec.commonmark.org/0.31.2/#lists
 */
export function readListEnd(lines: readonly string[], start: number): number {
  let end = start
  let content = 0
  let fence: string | undefined
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (isBlank(line)) continue
    const indent = readIndent(line)
    // Code in an item ends with the item, whether its fence was closed or not.
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

/** Returns the items of a list with their lines. Blank lines between items belong to the item before. */
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

/** Returns the width of an item's marker: lines indented as far belong to the item. */
const markerWidth = (line: string): number =>
  /^[ \t]*(?:[-+*]|\d{1,9}[.)])(?: {1,4}(?! )|[ \t]|$)/.exec(line)?.[0].length ?? 2

const beginsBlock = (line: string): boolean =>
  readFence(line) !== undefined || readHeadingLevel(line) !== undefined || isRule(line) || /^ {0,3}>/.test(line)

/** Splits an item into its marker, with the space after it, and its content without the indentation. */
export function splitMarker(item: string): { marker: string; content: string } {
  const marker = item.slice(0, markerWidth(item))
  const indent = new RegExp(`^[ \\t]{1,${Math.max(1, marker.length)}}`)
  const [first = '', ...rest] = item.slice(marker.length).split('\n')
  return { marker, content: [first, ...rest.map((line) => line.replace(indent, ''))].join('\n') }
}
