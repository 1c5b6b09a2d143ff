import { type Element, isElement, type ParentNode, walk } from '../../html/tree.js'
import type { StructuredItem } from './structured-item.js'

/** Maximum rows that are read, and maximum length of a label. A longer one is a sentence. */
const MAX_ROWS = 500
const MAX_LABEL = 60

/**
 * Reads the tables of a page that consist of labels and values, with two cells in each row, and its definition lists. A
 * label with two different values is ambiguous, and is left out.
 */
export function readTableItem(root: ParentNode, read: (element: Element) => string): StructuredItem | undefined {
  const values = new Map<string, Set<string>>()
  const add = (label: Element, value: Element): void => {
    const name = read(label).replace(/\s*:$/, '')
    const text = read(value)
    if (name === '' || name.length > MAX_LABEL || text === '' || values.size >= MAX_ROWS) return
    values.set(name, (values.get(name) ?? new Set()).add(text))
  }
  walk(root, (node) => {
    if (!isElement(node)) return true
    if (node.name === 'table') {
      for (const [label, value] of pairsOf(node)) add(label, value)
      return false
    }
    if (node.name === 'dl') {
      const parts = node.children
        .filter(isElement)
        .flatMap((child) => (child.name === 'div' ? child.children.filter(isElement) : child))
      for (const [index, part] of parts.entries()) {
        const next = parts[index + 1]
        const isPair = part.name === 'dt' && next?.name === 'dd' && parts[index + 2]?.name !== 'dd'
        if (isPair && next) add(part, next)
      }
    }
    return true
  })
  const single = [...values].flatMap(([name, texts]) => (texts.size === 1 ? [[name, [...texts]] as const] : []))
  return single.length === 0 ? undefined : { source: 'table', types: [], properties: Object.fromEntries(single) }
}

/** Returns label and value of each row; none if any row has more or fewer than two cells. */
function pairsOf(table: Element): [Element, Element][] {
  const rows: Element[] = []
  walk(table, (node) => {
    if (isElement(node) && node.name === 'tr') rows.push(node)
    return rows.length <= MAX_ROWS
  })
  const pairs: [Element, Element][] = []
  for (const row of rows) {
    const cells = row.children.filter(isElement).filter(({ name }) => name === 'td' || name === 'th')
    const [label, value, more] = cells
    if (!label) continue
    if (!value || more || value.name === 'th') return []
    pairs.push([label, value])
  }
  return pairs
}
