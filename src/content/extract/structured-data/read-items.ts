import { collapse, isElement, textOf, walk, type Element, type ParentNode } from '../../html/tree.js'
import type { ExtractedPage, HtmlMetadata } from '../extracted-page.js'
import { readLinkedData } from './linked-data.js'
import { readMarkedItems } from './marked-items.js'
import { MAX_CHARACTERS, ReadingBudget, warnOfItems } from './reading-budget.js'
import type { StructuredItem, StructuredValue } from './structured-item.js'

/**
 * Reads the structured data of a page, the most reliable source first: JSON-LD, microdata, RDFa, meta tags, tables of
 * labels and values. The tables are those of the content; all other sources cover the whole page.
 *
 * @param warn receives a sentence if the page has more structured data than is read
 */
export function readItems({ page, tree, metadata }: ExtractedPage, warn: (warning: string) => void): StructuredItem[] {
  const { root } = page.tree
  const budget = new ReadingBudget()
  const blocks: string[] = []
  let left = MAX_CHARACTERS
  walk(root, (node) => {
    if (!isElement(node)) return true
    if (node.name === 'script' && /^application\/ld\+json/i.test(node.attribs['type']?.trim() ?? '')) {
      const text = textOf(node)
      left -= text.length
      if (left >= 0) blocks.push(text)
      else budget.leaveOut()
    }
    return true
  })
  const table = readTableItem(tree.root, (element) => collapse(textOf(element)))
  const meta = readMetaItem(metadata)
  const linked = readLinkedData(blocks, budget)
  const marked = readMarkedItems(root, page.baseUrl)
  for (const warning of warnOfItems(budget.leftOut + marked.leftOut)) warn(warning)
  return [...linked, ...marked.items, ...(meta ? [meta] : []), ...(table ? [table] : [])]
}

/** Meta tags for each schema.org property. The first one on the page counts. */
const PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  name: ['og:title'],
  headline: ['og:title'],
  description: ['og:description', 'description'],
  image: ['og:image', 'og:image:secure_url'],
  url: ['og:url', 'canonicalUrl'],
  datePublished: ['article:published_time', 'og:published_time'],
  dateModified: ['article:modified_time', 'og:updated_time'],
  articleSection: ['article:section'],
  keywords: ['article:tag'],
  author: ['author'],
  brand: ['product:brand', 'og:brand'],
  sku: ['product:retailer_item_id'],
  inLanguage: ['language'],
}

const OFFER: Readonly<Record<string, readonly string[]>> = {
  price: ['product:price:amount', 'og:price:amount'],
  priceCurrency: ['product:price:currency', 'og:price:currency'],
  availability: ['product:availability', 'og:availability'],
}

/** Reads the item that the page's meta tags describe; undefined if they describe none. */
function readMetaItem(metadata: HtmlMetadata): StructuredItem | undefined {
  const properties = readAll(metadata, PROPERTIES)
  const offer = readAll(metadata, OFFER)
  if (Object.keys(offer).length > 0) properties['offers'] = [{ source: 'meta', types: ['Offer'], properties: offer }]
  if (Object.keys(properties).length === 0) return undefined
  return { source: 'meta', types: typeOf(metadata['og:type']), properties }
}

function readAll(
  metadata: HtmlMetadata,
  names: Readonly<Record<string, readonly string[]>>,
): Record<string, StructuredValue[]> {
  const read: Record<string, StructuredValue[]> = {}
  for (const [name, keys] of Object.entries(names)) {
    const values = keys.map((key) => [metadata[key] ?? []].flat().filter((value) => value.trim() !== ''))
    const first = values.find((list) => list.length > 0)
    if (first) read[name] = first
  }
  return read
}

function typeOf(kind: HtmlMetadata[string]): string[] {
  const name = typeof kind === 'string' ? kind.toLowerCase() : ''
  if (/(?:^|[.:])product(?:\.item|\.group)?$/.test(name)) return ['Product']
  return name === 'article' || name === 'news' || name === 'blog' ? ['Article'] : []
}

/** Maximum rows that are read, and maximum length of a label. A longer one is a sentence. */
const MAX_ROWS = 500
const MAX_LABEL = 60

/**
 * Reads the tables of a page that consist of labels and values, with two cells in each row, and its definition lists. A
 * label with two different values is ambiguous, and is left out.
 */
function readTableItem(root: ParentNode, read: (element: Element) => string): StructuredItem | undefined {
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
