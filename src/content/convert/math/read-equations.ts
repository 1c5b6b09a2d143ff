import { type ChildNode, type Element, collapse, isElement, isText, walk } from '../../html/tree.js'
import type { TableRow } from '../../html/table-grid.js'
import { formulaSource, texOf } from './read-formula.js'

/** Class names of tables that lay out formulas and their numbers, as LaTeXML and TeX4ht write them. */
const EQUATIONS = /(?:^|[\s_-])(?:eqn|equation|equationgroup)(?=$|[\s_-])/i

/** The number of a formula: `(1)`, `(A.2)`, `(S3)`, `3.1a`. */
const NUMBER = /^\(?([A-Z]{0,2}\d{1,4}[a-z]?|[A-Z\d]{1,3}(?:\.\d{1,4}){1,3}[a-z]?)['′]?\)?$/
const PUNCTUATION = /^[.,;:]?$/

/** Content other than formulas. A table with any is no mere layout. */
const OTHER = new Set(['audio', 'embed', 'iframe', 'img', 'object', 'video'])

/**
 * Returns the formulas of a table that only lays out formulas: one for each row, whose parts the cells align at their
 * signs of equality, with the row's number.
 *
 * @returns undefined for any other table
 */
export function equationsIn(table: Element, rows: readonly TableRow[]): readonly string[] | undefined {
  if (!EQUATIONS.test(table.attribs['class'] ?? '')) return undefined
  const formulas: string[] = []
  for (const row of rows) {
    const formula = readRow(row)
    if (formula === undefined) return undefined
    if (formula !== '') formulas.push(formula)
  }
  return formulas.length === 0 ? undefined : formulas
}

/** Returns the formula of a row; undefined for a row with other content. */
function readRow({ cells }: TableRow): string | undefined {
  const parts: string[] = []
  let number: string | undefined
  let before = ''
  for (const { element, isHead } of cells) {
    const { tex, rest, hasOther } = readCell(element)
    const found = tex.length === 0 ? NUMBER.exec(rest)?.[1] : undefined
    // A second number is a value.
    if (isHead || hasOther || (found === undefined ? !PUNCTUATION.test(rest) : number !== undefined)) return undefined
    number ??= found
    if (tex.length === 0 && found !== undefined) continue
    const classes = element.attribs['class'] ?? ''
    // LaTeXML puts what is on each side of a sign of equality into a cell.
    const isNext = tex.length > 0 && TO_RIGHT.test(classes) && TO_LEFT.test(before)
    if (isNext || (parts.some(hasEquality) && tex.some(isEquation))) parts.push('\\qquad')
    parts.push(...tex, rest)
    before = classes
  }
  const formula = parts.filter((part) => part !== '').join(' ')
  if (number === undefined || formula.includes('\\tag')) return formula
  return formula === '' ? undefined : `${formula} \\tag{${number}}`
}

const hasEquality = (tex: string): boolean => tex.includes('=')
/** True for a whole equation, and not its right side alone. */
const isEquation = (tex: string): boolean => tex.includes('=', 1) && !tex.startsWith('=')

const TO_RIGHT = /(?:^|\s)ltx_align_right(?=\s|$)/
const TO_LEFT = /(?:^|\s)ltx_align_left(?=\s|$)/

/** A formula in lines has the style of a display anyway, and each of its cells states it. */
const STYLE = /^\\displaystyle(?![a-z])\s*/i

interface EquationCell {
  readonly tex: string[]
  rest: string
  hasOther: boolean
}

function readCell(element: Element): EquationCell {
  const cell: EquationCell = { tex: [], rest: '', hasOther: false }
  walk(element, readNode, undefined, cell)
  return { ...cell, rest: collapse(cell.rest) }
}

function readNode(node: ChildNode, cell: EquationCell): boolean {
  if (isText(node)) cell.rest += node.data
  if (!isElement(node)) return true
  cell.hasOther ||= OTHER.has(node.name)
  const tex = node.name === 'math' ? texOf(node) : formulaSource(node)
  if (tex !== undefined) cell.tex.push(tex.replace(STYLE, ''))
  return node.name !== 'math' && tex === undefined
}
