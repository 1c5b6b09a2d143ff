import { collapse, isElement, textOf, walk } from '../../html/tree.js'
import type { ExtractedPage } from '../extracted-page.js'
import { readLinkedData } from './linked-data.js'
import { readMarkedItems } from './marked-items.js'
import { readMetaItem } from './meta-item.js'
import { readTableItem } from './table-item.js'
import { MAX_CHARACTERS, ReadingBudget, warnOfItems } from './reading-budget.js'
import type { StructuredItem } from './structured-item.js'

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
