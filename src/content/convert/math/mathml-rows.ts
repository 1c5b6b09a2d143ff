import { type Element, isElement } from '../../html/tree.js'
import { joinTex } from './tex-symbols.js'
import { ownValue } from '../../../base/collections/own-value.js'

/** A part of a row of a formula. */
interface RowPart {
  /** The element that it was made from. */
  readonly element?: Element
  readonly tex: string
  /** True for a bracket, whatever element it was made from. */
  readonly fence?: boolean
}

const OPENING: Readonly<Record<string, string | undefined>> = {
  '(': 'pmatrix',
  '[': 'bmatrix',
  '\\{': 'Bmatrix',
  '|': 'vmatrix',
  '\\Vert': 'Vmatrix',
}

const BRACKET = /^(?:[()[\]|]|\\[{}]|\\(?:l|r)(?:angle|ceil|floor|lbracket|rbracket)|\\Vert)$/
const TALL = /\\(?:frac|begin|sum|prod|int|binom|atop|underset|overset)\b/
const INFIX =
  /^(?:[=+<>-]|:=|\\(?:pm|mp|times|div|cdot|leq|geq|neq|equiv|approx|sim|simeq|cong|propto|in|notin|ni|subset|supset|subseteq|supseteq|cup|cap|setminus|wedge|vee|oplus|otimes|ll|gg|mid|parallel|(?:long|Long)?(?:left|right|leftright|Left|Right|Leftright)arrow|mapsto|implies|iff|coloneqq|vdash|models))$/

/**
 * Writes a row. Binary operators get spaces, brackets around tall parts grow, and brackets around a table select its
 * environment.
 */
export function writeRow(parts: readonly RowPart[]): string {
  const shown = parts.filter(({ tex }) => tex !== '')
  const tables = shown.map((part, at) => matrixIn(shown, part, at))
  const pieces = shown.map((part, at) => {
    if (tables[at + 1] !== undefined || isClosedBy(tables[at - 1], part)) return ''
    return tables[at] ?? (isInfix(shown, at) ? ` ${part.tex} ` : part.tex)
  })
  return growBrackets(shown, tables, joinTex(pieces))
}

const isInfix = (parts: readonly RowPart[], at: number): boolean =>
  at > 0 &&
  at + 1 < parts.length &&
  parts[at]?.element?.name === 'mo' &&
  INFIX.test(parts[at].tex) &&
  !isSign(parts[at - 1])

/** True if an operator after this part is unary, as the minus in `(-1)`. */
const isSign = (part: RowPart | undefined): boolean =>
  part !== undefined && (INFIX.test(part.tex) || /^(?:[([,]|\\\{)$/.test(part.tex))

function growBrackets(parts: readonly RowPart[], tables: readonly (string | undefined)[], tex: string): string {
  const [open] = parts
  const close = parts.at(-1)
  if (parts.length < 3 || open === undefined || close === undefined || !isBracket(open) || !isBracket(close)) return tex
  const inside = tex.slice(open.tex.length, tex.length - close.tex.length)
  if (tables.some((table) => table !== undefined) || !TALL.test(inside)) return tex
  // `(a)/(b)` starts and ends with a bracket, but they are not a pair.
  if (parts.slice(1, -1).some((part) => part.tex === close.tex || part.tex === open.tex)) return tex
  return `\\left${open.tex} ${inside.trim()} \\right${close.tex}`
}

const isBracket = ({ element, fence, tex }: RowPart): boolean =>
  BRACKET.test(tex) && (fence === true || element?.name === 'mo')

const bareMatrix = /^\\begin\{matrix\}([^]*)\\end\{matrix\}$/

/** Returns the table at this index with the brackets beside it. */
function matrixIn(parts: readonly RowPart[], { tex }: RowPart, at: number): string | undefined {
  const inside = bareMatrix.exec(tex)?.[1]
  const open = parts[at - 1]
  if (inside === undefined || open === undefined || !isBracket(open)) return undefined
  const close = parts[at + 1]
  const isClosed = close !== undefined && isBracket(close)
  const name = isClosed ? ownValue(OPENING, open.tex) : open.tex === '\\{' ? 'cases' : undefined
  return name === undefined ? undefined : `\\begin{${name}}${inside}\\end{${name}}`
}

const isClosedBy = (table: string | undefined, part: RowPart): boolean =>
  table !== undefined && !table.startsWith('\\begin{cases}') && isBracket(part)

/** Writes a table without brackets. Rows that are equations are aligned at their relation signs. */
export function writeMatrix(table: Element, writeCell: (cell: Element) => string): string {
  const rows = table.children
    .filter(isElement)
    .filter(({ name }) => name === 'mtr' || name === 'mlabeledtr')
    .map((row) =>
      row.children
        .filter(isElement)
        .slice(row.name === 'mlabeledtr' ? 1 : 0)
        .map(writeCell),
    )
  const alignment = table.attribs['columnalign'] ?? ''
  const name = /^right left\b/.test(alignment.trim()) || table.attribs['displaystyle'] === 'true' ? 'aligned' : 'matrix'
  return `\\begin{${name}} ${rows.map((cells) => cells.join(' & ')).join(' \\\\ ')} \\end{${name}}`
}
