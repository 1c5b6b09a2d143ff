import { type Element, isElement, isText, walk } from './tree.js'
import type { TableCell, TableRow } from './table-grid.js'
import { isPartOfPage } from './table-kind.js'

/** Class names of cells that name a column: `table-header`, `grid-head`, `th`. */
const HEADER = /(?:^|[\s_-])(?:header|heading|head|th)(?:$|[\s_-])/iu
const MIN_COLUMNS = 2
const MAX_COLUMNS = 12
/** Maximum length of the name of a column, and of a class attribute that is read. Characters. */
const MAX_NAME = 60
const MAX_CLASSES = 500
/** Maximum nodes in the name of a column, and characters of each that are read. */
const MAX_NAME_NODES = 40
const MAX_READ = 1000
/** Minimum rows below names that share no class with the cells of their columns. Two titles may stand before one part of a page. */
const MIN_ROWS = 2
/** Elements whose children may be cells. */
const CONTAINERS: ReadonlySet<string> = new Set(['div', 'section'])
const CELLS: ReadonlySet<string> = new Set(['div', 'span', 'p'])

/**
 * Reads a table that is made of elements which a style sheet arranges in columns, as those of Javadoc: cells that follow each
 * other in one element, those with the names of the columns first. The cells of a column have a class that no other column
 * has.
 *
 * @param isSkipped selects cells that are left out
 * @returns undefined for an element that is no such table
 */
export function readCellGrid(
  container: Element,
  isSkipped: (cell: Element) => boolean = () => false,
): TableRow[] | undefined {
  if (!CONTAINERS.has(container.name)) return undefined
  // Hardly any element has such a first child, so that the children of hardly any are collected.
  const first = container.children.find((child) => isElement(child) && !isSkipped(child))
  if (first === undefined || !isElement(first) || !hasHeaderClass(first)) return undefined
  const cells = container.children.filter(isElement).filter((cell) => !isSkipped(cell))
  // The classes are compared first: the names are texts, and elements may be nested deeply.
  if (!cells.slice(0, MIN_COLUMNS).every(hasHeaderClass)) return undefined
  const width = cells.findIndex((cell) => !isHeader(cell))
  if (width < MIN_COLUMNS || width > MAX_COLUMNS || cells.length % width > 0) return undefined
  const body = cells.slice(width)
  if (!body.every(({ name }) => CELLS.has(name)) || body.some(isHeader) || !haveOwnClasses(body, width))
    return undefined
  if (body.length < MIN_ROWS * width && !haveOwnClasses(cells, width)) return undefined
  if (body.some(isPartOfPage)) return undefined
  return [
    toRow(cells.slice(0, width), true),
    ...Array.from({ length: body.length / width }, (_, at) => toRow(body.slice(at * width, (at + 1) * width), false)),
  ]
}

const hasHeaderClass = ({ name, attribs }: Element): boolean =>
  CELLS.has(name) && HEADER.test((attribs['class'] ?? '').slice(0, MAX_CLASSES))

const isHeader = (cell: Element): boolean => hasHeaderClass(cell) && isName(cell)

/** True for an element with a short text. Of others, no more than a few nodes are read. */
function isName(cell: Element): boolean {
  let text = ''
  let nodes = 0
  walk(cell, (node) => {
    nodes += 1
    if (isText(node)) text = (text + node.data.slice(0, MAX_READ)).trimStart()
    return nodes > MAX_NAME_NODES || text.trimEnd().length > MAX_NAME ? 'stop' : true
  })
  return nodes <= MAX_NAME_NODES && text.trimEnd().length <= MAX_NAME
}

const toRow = (cells: readonly Element[], isHead: boolean): TableRow => ({
  inHead: isHead,
  cells: cells.map((element): TableCell => ({ element, columns: 1, rows: 1, isHead })),
})

/** Tests whether the cells of each column share a class that those of no other column have. */
function haveOwnClasses(cells: readonly Element[], width: number): boolean {
  const shared: ReadonlySet<string>[] = []
  const all: Set<string>[] = []
  // Most cells of a table have the classes of other cells.
  const split = new Map<string, ReadonlySet<string>>()
  for (const [at, { attribs }] of cells.entries()) {
    const column = at % width
    const classes = (attribs['class'] ?? '').slice(0, MAX_CLASSES)
    const own = split.get(classes) ?? new Set(classes.split(/\s+/u).filter(Boolean))
    split.set(classes, own)
    const known = shared[column]
    shared[column] = known === undefined || known === own ? own : new Set([...known].filter((name) => own.has(name)))
    const seen = (all[column] ??= new Set())
    for (const name of own) seen.add(name)
  }
  return shared.every((names, column) =>
    [...names].some((name) => all.every((others, other) => other === column || !others.has(name))),
  )
}
