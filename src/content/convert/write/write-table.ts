import type { ViewDetails, ViewNode } from '../markdown-view.js'
import type { Writer } from './writer.js'

/**
 * Writes a table with a line for each row. GFM requires a header, which is empty if the table has none.
 *
 * @see https://github.github.com/gfm/#tables-extension-
 */
export const writeTable: Writer = (_, { details }, { budget }) => {
  const { rows = [] } = details
  const written = new Set<ViewNode>()
  let table = ''
  for (const row of rows) {
    // A cell that spans rows is in each of them. Beyond the budget it is in the first one only, and empty cells at the end are left out.
    const line = writeRow(budget.take(lengthOf(row)) ? row : withoutRepeats(row, written))
    for (const cell of row) if (cell !== undefined) written.add(cell)
    if (line === undefined) continue
    if (table !== '') table += `\n${line}`
    else if (details.hasHeader === true && row === rows[0]) table = `${line}\n${ruleBelow(row, details)}`
    else table = `|${'  |'.repeat(row.length)}\n${ruleBelow(row, details)}\n${line}`
  }
  return table
}

/** Returns a row without the cells that were written before, whose place stays empty, and without empty cells at its end. */
function withoutRepeats(
  row: readonly (ViewNode | undefined)[],
  written: ReadonlySet<ViewNode>,
): (ViewNode | undefined)[] {
  const cells = row.map((cell) => (cell !== undefined && written.has(cell) ? undefined : cell))
  return cells.slice(0, cells.findLastIndex((cell) => cell !== undefined) + 1)
}

const lengthOf = (row: readonly (ViewNode | undefined)[]): number => {
  let length = 0
  for (const cell of row) length += CELL_SIGNS + (cell === undefined ? 0 : cell.nodeValue.length)
  return length
}

/** Characters of the sign and the spaces of a cell. */
const CELL_SIGNS = 3

/** Writes a row; undefined for one without text. */
function writeRow(row: readonly (ViewNode | undefined)[]): string | undefined {
  let line = '|'
  let isFilled = false
  for (const cell of row) {
    const text = cell === undefined ? '' : cellText(cell)
    isFilled ||= text !== ''
    line += ` ${text} |`
  }
  return isFilled ? line : undefined
}

/** Writes the rule below the header, which states the alignment of the columns. */
function ruleBelow(header: readonly unknown[], { alignments }: ViewDetails): string {
  let rule = '|'
  for (let at = 0; at < header.length; at += 1) rule += ` ${RULES[alignments?.[at] ?? 'none']} |`
  return rule
}

const RULES = { none: '---', left: ':---', center: ':---:', right: '---:' } as const

/** Writes a cell on one line. `|` is escaped even in code, because GFM splits the cells first. */
const cellText = ({ nodeValue }: ViewNode): string => joinLines(nodeValue, '<br>').replaceAll('|', '\\|')

/**
 * Joins several lines to one, without the white space around them and without blank lines. A regular expression for
 * white space around line breaks would take quadratic time on white space without any.
 */
export function joinLines(text: string, separator: string): string {
  if (!text.includes('\n')) return text.trim()
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(separator)
}
