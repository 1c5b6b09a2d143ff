import { joinLines } from './join-lines.js'
import type { ViewNode } from '../markdown-view.js'
import type { Writer } from './writer.js'

/**
 * Writes a table with a line for each row. GFM requires a header, which is empty if the table has none.
 *
 * @see https://github.github.com/gfm/#tables-extension-
 */
export const writeTable: Writer = (_, { details }) => {
  const rows = (details.rows?.() ?? []).map((row) => row.map((cell) => (cell === undefined ? '' : cellText(cell))))
  const filled = rows.filter((row) => row.some((cell) => cell !== ''))
  const [first] = filled
  if (first === undefined) return ''
  const hasHeader = details.hasHeader === true && first === rows[0]
  const header = hasHeader ? first : first.map(() => '')
  const rule = first.map((_cell, at) => RULES[details.alignments?.[at] ?? 'none'])
  const lines = [header, rule, ...(hasHeader ? filled.slice(1) : filled)]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const RULES = { none: '---', left: ':---', center: ':---:', right: '---:' } as const

/** Writes a cell on one line. `|` is escaped even in code, because GFM splits the cells first. */
const cellText = ({ nodeValue }: ViewNode): string => joinLines(nodeValue, '<br>').replaceAll('|', '\\|')
