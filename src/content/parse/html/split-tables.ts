import {
  type Document,
  type Element,
  collapse,
  findElement,
  isElement,
  setChildren,
  textOf,
  walk,
} from '../../html/tree.js'
import type { TreeRepair } from './tree-repair.js'

/** Classes of the elements that scripts for tables put around the copy of a head, which stays in view while the rows scroll. */
const HEAD =
  /(?:^|\s)(?:dataTables_scrollHead|dt-scroll-head|k-grid-header|fixed-table-header|ui-jqgrid-hdiv|ht_clone_\w+|tablesorter-sticky-wrapper|floatThead-container|ant-table-header|el-table__header-wrapper|v-data-table__head)(?=\s|$)/
const MARK =
  /dataTables_scrollHead|dt-scroll-head|k-grid-header|fixed-table-header|ui-jqgrid-hdiv|ht_clone_|tablesorter-sticky|floatThead|ant-table-header|el-table__header|v-data-table__head/

/** Maximum characters of a head. */
const MAX_HEAD = 10_000

/**
 * Joins the tables that scripts have split so that their heads stay in view: the head is a table of its own, and the table with the
 * rows has a copy of it without height, or none.
 *
 * @see https://datatables.net/reference/option/scrollY
 */
export const splitTables: TreeRepair = { mark: MARK, classSign: MARK, apply: joinSplitTables }

function joinSplitTables(document: Document): void {
  const heads: Element[] = []
  const tables: Element[] = []
  walk(document, (node) => {
    if (!isElement(node)) return true
    if (HEAD.test(node.attribs['class'] ?? '')) heads.push(node)
    if (node.name === 'table') tables.push(node)
    return true
  })
  const places = new Map(tables.map((table, at) => [table, at]))
  for (const around of heads) {
    const head = findElement(around, isTable)
    const at = head === undefined ? undefined : places.get(head)
    if (head === undefined || at === undefined || findElement(head, isDataCell) !== undefined) continue
    // A clone may follow the table that it is of.
    const body = tables.slice(Math.max(0, at - 1), at + 2).find((table) => table !== head && isOf(head, table))
    if (body === undefined) continue
    if (textOfHead(body) === '') {
      const row = findElement(head, ({ name }) => name === 'thead') ?? findElement(head, ({ name }) => name === 'tr')
      const own = findElement(body, ({ name }) => name === 'thead')
      if (row !== undefined) setChildren(body, [row, ...body.children.filter((child) => child !== own)])
    }
    setChildren(
      around,
      around.children.filter((child) => child !== head && !holds(child, head)),
    )
  }
}

const holds = (outer: Element['children'][number], inner: Element): boolean =>
  isElement(outer) && findElement(outer, (element) => element === inner) !== undefined

const isTable = ({ name }: Element): boolean => name === 'table'
const isDataCell = ({ name }: Element): boolean => name === 'td'

/** Tests whether a table has the rows of a head: it has the same head, or none and as many columns. */
function isOf(head: Element, table: Element): boolean {
  const stated = textOfHead(head)
  if (stated === '' || stated.length > MAX_HEAD) return false
  const own = textOfHead(table)
  return own === stated || (own === '' && columnsOf(head) === columnsOf(table))
}

function textOfHead(table: Element): string {
  const row = findElement(table, ({ name }) => name === 'thead') ?? findElement(table, ({ name }) => name === 'tr')
  if (row === undefined || (row.name === 'tr' && findElement(row, ({ name }) => name === 'th') === undefined)) return ''
  return collapse(textOf(row))
}

function columnsOf(table: Element): number {
  const row = findElement(table, ({ name, children }) => name === 'tr' && children.some(isElement))
  return row?.children.filter(isElement).length ?? 0
}
