import { collapse, isElement, textOf, walk } from '../../html/tree.js'
import type { ExtractedPage } from '../extracted-page.js'
import { readLinkedData } from './linked-data.js'
import { readMarkedItems } from './marked-items.js'
import { readMetaItem } from './meta-item.js'
import { readTableItem } from './table-item.js'
import type { StructuredItem } from './structured-item.js'

/** Maximum JSON-LD that is read on a page. Characters. */
const MAX_CHARACTERS = 4_000_000

/**
 * Reads the structured data of a page, the most reliable source first: JSON-LD, microdata, RDFa, meta tags, tables of
 * labels and values. The tables are those of the content; all other sources cover the whole page.
 */
export function readItems({ page, tree, metadata }: ExtractedPage): StructuredItem[] {
  const { root } = page.tree
  const blocks: string[] = []
  let left = MAX_CHARACTERS
  walk(root, (node) => {
    if (!isElement(node)) return true
    if (node.name === 'script' && /^application\/ld\+json/i.test(node.attribs['type']?.trim() ?? '')) {
      const text = textOf(node)
      left -= text.length
      if (left >= 0) blocks.push(text)
    }
    return true
  })
  const table = readTableItem(tree.root, (element) => collapse(textOf(element)))
  const meta = readMetaItem(metadata)
  return [
    ...readLinkedData(blocks),
    ...readMarkedItems(root, page.baseUrl),
    ...(meta ? [meta] : []),
    ...(table ? [table] : []),
  ]
}
