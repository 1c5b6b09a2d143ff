import { joinLines } from './join-lines.js'
import type { ViewNode } from '../markdown-view.js'
import type { Writer } from './writer.js'

/** A table with a line for each row. Without a header of its own it gets an empty one: GFM asks for one. @see GFM 4.10 */
export const writeTable: Writer = (_, { details }) => {
  const rows = (details.rows?.() ?? []).map((row) => row.map((cell) => (cell === undefined ? '' : cellText(cell))))
  const filled = rows.filter((row) => row.some((cell) => cell !== ''))
  const [first] = filled
  if (first === undefined) return ''
  const hasHeader = details.hasHeader === true && first === rows[0]
  const header = hasHeader ? first : first.map(() => '')
  const rule = first.map((_cell, at) => RULES[details.alignments?.[at] ?? 'none'])
  const lines = [header, rule, ...(hasHeader ? filled.slice(1) : filled)]
  return `\n\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n`
}

const RULES = { none: '---', left: ':---', center: ':---:', right: '---:' } as const

/** A cell's content on one line; `|` is escaped also in code, as GFM reads the cells first. */
const cellText = ({ nodeValue }: ViewNode): string => joinLines(nodeValue, '<br>').replaceAll('|', '\\|')
