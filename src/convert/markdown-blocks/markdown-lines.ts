export const isBlank = (line: string): boolean => line.trim() === ''

/** The signs that a code fence is made of; undefined for another line. @see CommonMark 4.5 */
export const readFence = (line: string): string | undefined =>
  /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line)?.slice(1).find(Boolean)

/** Whether a line ends the code of a fence. */
export function closesFence(line: string, fence: string): boolean {
  const text = line.trim()
  return text.startsWith(fence) && text === fence.charAt(0).repeat(text.length)
}

/** The level of a heading of one line. @see CommonMark 4.2 */
export const readHeadingLevel = (line: string): number | undefined =>
  /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(line)?.[1]?.length

/** @see CommonMark 4.1, "thematic break" */
export const isRule = (line: string): boolean => /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/.test(line)

/** @see CommonMark 5.2 */
export const isListMarker = (line: string): boolean =>
  /^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/.test(line) && !isRule(line)

/** The line under the header of a table, which says how the columns are aligned. @see GFM 4.10 */
export const isDelimiterRow = (line: string): boolean =>
  line.includes('|') && readIndent(line) < 4 && /^\|?[ \t]*:?-+:?(?:[ \t]*\|[ \t]*:?-+:?)*[ \t]*\|?$/.test(line.trim())

/** The label that a line defines: of a link, or, with `^`, of a footnote. @see CommonMark 4.7 */
export function readDefinitionLabel(line: string): string | undefined {
  const label = /^ {0,3}\[((?:\\.|[^\\[\]]){1,999})\]:/.exec(line)?.[1]
  return label === undefined || isBlank(label) ? undefined : foldLabel(label)
}

/** A label in the form in which two of them are compared. @see CommonMark 6.3, "matches" */
export const foldLabel = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase()

/** How many columns a line is indented; a tab counts four. */
export function readIndent(line: string): number {
  let indent = 0
  for (const character of line) {
    if (character === ' ') indent += 1
    else if (character === '\t') indent += 4
    else break
  }
  return indent
}
