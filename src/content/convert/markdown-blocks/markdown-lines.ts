export const isBlank = (line: string): boolean => line.trim() === ''

/**
 * Returns the characters of a code fence; undefined for another line.
 *
 * @see https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
export function readFence(line: string): string | undefined {
  const [start = '', fence] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
  // What follows backticks has none, or they are inline code.
  return fence?.startsWith('`') && line.includes('`', start.length) ? undefined : fence
}

/** True for a line that closes a fence. */
export function closesFence(line: string, fence: string): boolean {
  const text = line.trim()
  return text.startsWith(fence) && text === fence.charAt(0).repeat(text.length)
}

/** Returns the level of a heading on one line. @see https://spec.commonmark.org/0.31.2/#atx-headings */
export const readHeadingLevel = (line: string): number | undefined =>
  /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(line)?.[1]?.length

/** True for a thematic break. @see https://spec.commonmark.org/0.31.2/#thematic-breaks */
export const isRule = (line: string): boolean => /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/.test(line)

/** True for a line that starts a list item. @see https://spec.commonmark.org/0.31.2/#list-items */
export const isListMarker = (line: string): boolean =>
  /^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/.test(line) && !isRule(line)

/**
 * True for the line below the header of a table, which states the alignment of columns.
 *
 * @see https://github.github.com/gfm/#tables-extension-
 */
export const isDelimiterRow = (line: string): boolean =>
  line.includes('|') && readIndent(line) < 4 && /^\|?[ \t]*:?-+:?(?:[ \t]*\|[ \t]*:?-+:?)*[ \t]*\|?$/.test(line.trim())

/**
 * Returns the label that a line defines, of a link or, with `^`, of a footnote.
 *
 * @see https://spec.commonmark.org/0.31.2/#link-reference-definitions
 */
export function readDefinitionLabel(line: string): string | undefined {
  const label = /^ {0,3}\[((?:\\.|[^\\[\]]){1,999})\]:/.exec(line)?.[1]
  return label === undefined || isBlank(label) ? undefined : foldLabel(label)
}

/** Normalizes a label for comparison. @see https://spec.commonmark.org/0.31.2/#matches */
export const foldLabel = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase()

/** Returns the indentation of a line in columns; a tab counts four. */
export function readIndent(line: string): number {
  let indent = 0
  for (const character of line) {
    if (character === ' ') indent += 1
    else if (character === '\t') indent += 4
    else break
  }
  return indent
}
