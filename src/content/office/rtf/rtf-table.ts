import { type Element, append } from '../../html/tree.js'
import { createElement, spanAttributes, takeChildren } from '../elements/create-element.js'
import { extendHead } from '../elements/extend-head.js'

/** Definition of a cell in its row. */
export interface CellPlan {
  /** Position of its right border from the left, in twentieths of a point. */
  readonly right: number
  /** True if it is merged into the cell to its left. */
  readonly isAcross: boolean
  /** True if it is merged into the cell above. */
  readonly isDown: boolean
}

export interface RtfCell {
  readonly element: Element
}

export interface RtfRow {
  readonly cells: readonly RtfCell[]
  readonly plans: readonly CellPlan[]
  readonly isHead: boolean
}

/** Maximum distance at which two borders count as one, in twentieths of a point. */
const MAX_BORDER_DISTANCE = 30

const MAX_SPANNED = 1000

interface Placed {
  readonly element: Element
  readonly columns: number
  rows: number
}

/** Builds a table. Columns are derived from the borders of all rows; a cell spans the columns that it covers. */
export function buildRtfTable(rows: readonly RtfRow[]): Element {
  const columnOf = findColumns(rows)
  const table = createElement('table')
  let above = new Map<number, Placed>()
  const placed: Placed[] = []
  let part: Element | undefined
  for (const { cells, plans, isHead } of rows) {
    const name = isHead && part?.name !== 'tbody' ? 'thead' : 'tbody'
    if (part?.name !== name) {
      part = createElement(name)
      append(table, part)
    }
    const line = createElement('tr')
    append(part, line)
    const here = new Map<number, Placed>()
    let left = 0
    let last: Placed | undefined
    for (const [at, { element }] of cells.entries()) {
      const plan = plans[at]
      const end = Math.max(left + 1, plan === undefined ? left + 1 : columnOf(plan.right))
      const upper = plan?.isDown === true ? above.get(left) : undefined
      if (plan?.isAcross === true && last !== undefined) {
        for (const node of takeChildren(element)) append(last.element, node)
        Object.assign(last, { columns: last.columns + end - left })
      } else if (upper === undefined) {
        last = { element, columns: Math.min(end - left, MAX_SPANNED), rows: 1 }
        element.name = name === 'thead' ? 'th' : 'td'
        here.set(left, last)
        placed.push(last)
        append(line, element)
      } else {
        upper.rows += 1
        here.set(left, upper)
        last = upper
      }
      left = end
    }
    above = here
  }
  for (const { element, columns, rows: count } of placed) Object.assign(element.attribs, spanAttributes(columns, count))
  extendHead(table)
  return table
}

/** Returns a function that counts the columns that end at or before a border. */
function findColumns(rows: readonly RtfRow[]): (right: number) => number {
  const all = new Set(rows.flatMap(({ cells, plans }) => plans.slice(0, cells.length).map(({ right }) => right)))
  const columns = new Map<number, number>()
  let count = 0
  let before = -Infinity
  for (const right of [...all].sort((a, b) => a - b)) {
    if (right - before > MAX_BORDER_DISTANCE) count += 1
    before = right
    columns.set(right, count)
  }
  return (right) => columns.get(right) ?? count
}
