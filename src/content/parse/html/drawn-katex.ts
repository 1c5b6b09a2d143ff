import { Element, findElement, isElement, isText, setChildren, Text, textOf } from '../../html/tree.js'
import { joinGlyphs, makeMath, rowOf, tokensOf } from './drawn-glyphs.js'
import { withScripts } from './drawn-positions.js'

/** A row of a vertical list, by which KaTeX places the parts of fractions, scripts, limits and tables. */
interface Row {
  readonly element: Element
  /** Height above the line of text, in `em`. */
  readonly height: number
  readonly isLine: boolean
}

const SKIPPED =
  /(?:^|\s)(?:katex-)?(?:strut|pstrut|vlist-s|mspace|nulldelimiter|frac-line|hide-tail|rule|hline|vertical-separator|arraycolsep|mathml|tag)(?=\s|$)/
const STYLES: ReadonlyMap<string, string> = new Map([
  ['mathbf', 'bold'],
  ['boldsymbol', 'bold-italic'],
  ['mathbb', 'double-struck'],
  ['mathcal', 'script'],
  ['mathscr', 'script'],
  ['mathfrak', 'fraktur'],
  ['mathsf', 'sans-serif'],
  ['mathtt', 'monospace'],
])

/**
 * Reads a formula that KaTeX has drawn, as MathML.
 *
 * @returns no elements if there is nothing that can be read
 * @see https://github.com/KaTeX/KaTeX/tree/main/src/functions
 */
export function readKatex(element: Element): Element[] {
  const read: Element[] = []
  for (const child of element.children) {
    if (isText(child)) read.push(...tokensOf(joinGlyphs(child.data), classesOf(element).has('mop')))
    if (!isElement(child) || child.name === 'svg' || SKIPPED.test(child.attribs['class'] ?? '')) continue
    const classes = classesOf(child)
    if (classes.has('msupsub')) {
      const base = read.pop()
      if (base === undefined) read.push(...readKatex(child))
      else read.push(addScripts(base, rowsOf(child)))
    } else read.push(...readPart(child, classes))
  }
  return read
}

/** Returns the class names of an element, without the prefix that newer versions write. */
const classesOf = ({ attribs }: Element): ReadonlySet<string> =>
  new Set((attribs['class'] ?? '').split(/\s+(?:katex-)?|^katex-/, 20))

function readPart(element: Element, classes: ReadonlySet<string>): Element[] {
  if (classes.has('mfrac')) return [readFraction(element)]
  if (classes.has('sqrt')) return [readRoot(element)]
  if (classes.has('op-limits')) return [readLimits(element)]
  if (classes.has('accent')) return [readAccent(element)]
  if (classes.has('overline')) return [makeMath('mover', [rowOf(readKatex(element)), ...tokensOf('‾')])]
  if (classes.has('underline')) return [makeMath('munder', [rowOf(readKatex(element)), ...tokensOf('_')])]
  if (classes.has('mtable')) return [readTable(element)]
  if (classes.has('text')) return [textToken(element)]
  const signs = joinGlyphs(textOf(element)).trim()
  if (classes.has('delimsizing') || classes.has('delim-size1')) return tokensOf(signs)
  const style = [...classes].map((name) => STYLES.get(name)).find((name) => name !== undefined)
  const inner = readKatex(element)
  if (style !== undefined) for (const token of inner) if (token.name === 'mi') token.attribs['mathvariant'] = style
  // Several letters of an operator, such as `sin`, are one name.
  if (classes.has('mop') && inner.every(({ name }) => name === 'mi')) return tokensOf(signs, true)
  // A group keeps its parts together, so that scripts after it belong to all of them.
  return classes.has('mord') || classes.has('minner')
    ? [rowOf(inner)].filter(({ children }) => children.length > 0)
    : inner
}

/** Returns the rows of the first vertical list in an element, from the top down. */
function rowsOf(element: Element): Row[] {
  const list = findElement(element, (one) => one !== element && classesOf(one).has('vlist'))
  const rows = (list?.children ?? []).filter(isElement).map((row): Row => {
    const strut = row.children.find((child) => isElement(child) && classesOf(child).has('pstrut'))
    const top = emOf(row, 'top')
    const height = strut !== undefined && isElement(strut) ? emOf(strut, 'height') : 0
    return { element: row, height: -top - height, isLine: /frac-line|hide-tail/.test(classesIn(row)) }
  })
  return rows.toSorted((one, other) => other.height - one.height)
}

const classesIn = (row: Element): string =>
  row.children.map((child) => (isElement(child) ? (child.attribs['class'] ?? '') : '')).join(' ')

const LENGTHS = {
  top: /(?:^|;)\s*top\s*:\s*(-?[\d.]+)em/,
  height: /(?:^|;)\s*height\s*:\s*(-?[\d.]+)em/,
} as const

const emOf = ({ attribs }: Element, property: keyof typeof LENGTHS): number =>
  Number(LENGTHS[property].exec(attribs['style'] ?? '')?.[1] ?? 0)

const contentOf = ({ element }: Row): Element[] => readKatex(element)

function addScripts(base: Element, rows: readonly Row[]): Element {
  const upper = rows.filter(({ height }, at) => (rows.length > 1 ? at === 0 : height > 0)).flatMap(contentOf)
  const lower = rows.filter(({ height }, at) => (rows.length > 1 ? at > 0 : height <= 0)).flatMap(contentOf)
  return withScripts(base, lower, upper)
}

function readFraction(element: Element): Element {
  const rows = rowsOf(element)
  const parts = rows.filter(({ isLine }) => !isLine).map((row) => rowOf(contentOf(row)))
  const fraction = makeMath('mfrac', parts)
  if (rows.every(({ isLine }) => !isLine)) fraction.attribs['linethickness'] = '0'
  return fraction
}

function readRoot(element: Element): Element {
  const degree = element.children.find((child) => isElement(child) && classesOf(child).has('root'))
  const body = element.children.find((child) => isElement(child) && classesOf(child).has('vlist-t'))
  const inside = (
    body !== undefined && isElement(body) ? rowsOf(element.children.length > 1 ? wrap(body) : element) : []
  )
    .filter(({ isLine }) => !isLine)
    .flatMap(contentOf)
  if (degree === undefined || !isElement(degree)) return makeMath('msqrt', inside)
  return makeMath('mroot', [rowOf(inside), rowOf(rowsOf(degree).flatMap(contentOf))])
}

/** Puts an element into one of its own for a search, and leaves it where it is. */
function wrap(element: Element): Element {
  const around = new Element('span', {})
  around.children = [element]
  return around
}

function readLimits(element: Element): Element {
  const rows = rowsOf(element)
  const at = rows.findIndex((row) => findElement(row.element, (one) => classesOf(one).has('mop')) !== undefined)
  const parts = rows.map((row) => rowOf(contentOf(row)))
  const base = parts[at]
  if (base === undefined) return rowOf(parts)
  const upper = parts.slice(0, at)
  const lower = parts.slice(at + 1)
  if (upper.length === 0) return lower.length === 0 ? base : makeMath('munder', [base, rowOf(lower)])
  return lower.length === 0
    ? makeMath('mover', [base, rowOf(upper)])
    : makeMath('munderover', [base, rowOf(lower), rowOf(upper)])
}

function readAccent(element: Element): Element {
  const rows = rowsOf(element)
  const accent = rows.find((row) => findElement(row.element, (one) => classesOf(one).has('accent-body')) !== undefined)
  const base = rowOf(rows.filter((row) => row !== accent).flatMap(contentOf))
  const sign = accent === undefined ? '' : textOf(accent.element).replace(/[\s\u200b]/g, '')
  return sign === '' ? base : makeMath('mover', [base, rowOf(tokensOf(sign))])
}

/** KaTeX draws a table column by column. */
function readTable(element: Element): Element {
  const columns = element.children
    .filter(isElement)
    .filter((child) => /col-align/.test(child.attribs['class'] ?? ''))
    .map((column) => rowsOf(column).map((row) => makeMath('mtd', contentOf(row))))
  const height = Math.max(0, ...columns.map(({ length }) => length))
  const rows = Array.from({ length: height }, (_, at) =>
    makeMath(
      'mtr',
      columns.map((column) => column[at] ?? makeMath('mtd', [])),
    ),
  )
  return makeMath('mtable', rows)
}

function textToken(element: Element): Element {
  const token = new Element('mtext', {})
  setChildren(token, [new Text(textOf(element))])
  return token
}
