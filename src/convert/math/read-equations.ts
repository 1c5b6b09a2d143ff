import { type Element, collapse, isElement, isText, walk } from '../../html/tree.js'
import type { TableRow } from '../../html/table-grid.js'
import { texOf } from './read-formula.js'

/** Class names of tables that lay out formulas and their numbers, as LaTeXML and TeX4ht write them. */
const EQUATIONS = /(?:^|[\s_-])(?:eqn|equation|equationgroup)(?=$|[\s_-])/i

/** The number of a formula: `(1)`, `(A.2)`, `3.1a`. */
const NUMBER = /^\(?(\d{1,4}[a-z]?|[A-Z\d]{1,3}(?:\.\d{1,4}){1,3}[a-z]?)['′]?\)?$/
const PUNCTUATION = /^[.,;:]?$/

/**
 * Returns the formulas of a table that only lays out formulas: one for each row, whose parts the cells align at their
 * signs of equality, with the row's number.
 *
 * @returns undefined for any other table
 */
export function equationsIn(table: Element, rows: readonly TableRow[]): readonly string[] | undefined {
  if (!EQUATIONS.test(table.attribs['class'] ?? '')) return undefined
  const formulas: string[] = []
  for (const { cells } of rows) {
    const parts: string[] = []
    let number = ''
    for (const { element } of cells) {
      const { tex, rest } = readCell(element)
      const found = tex.length === 0 ? NUMBER.exec(rest)?.[1] : undefined
      if (found !== undefined) number = ` \\tag{${found}}`
      else if (!PUNCTUATION.test(rest)) return undefined
      else parts.push(...tex, rest)
    }
    const formula = parts.filter((part) => part !== '').join(' ')
    if (formula !== '') formulas.push(formula + number)
    else if (number !== '') return undefined
  }
  return formulas.length === 0 ? undefined : formulas
}

/** A formula in lines has the style of a display anyway, and each of its cells states it. */
const STYLE = /^\\displaystyle(?![a-z])\s*/i

function readCell(cell: Element): { readonly tex: readonly string[]; readonly rest: string } {
  const tex: string[] = []
  let rest = ''
  walk(cell, (node) => {
    if (isText(node)) rest += node.data
    if (!isElement(node) || node.name !== 'math') return true
    const part = texOf(node)?.replace(STYLE, '')
    if (part !== undefined) tex.push(part)
    return false
  })
  return { tex, rest: collapse(rest) }
}
