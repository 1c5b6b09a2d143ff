import type { EnrichFormat } from '../../kernel/enrich/format.js'
import type { Product } from './product.js'
import { findProducts } from './tasks.js'
import { readProduct } from './read-product.js'

/**
 * The product that the page sells, read without a model: from its structured data and, for missing fields, from the
 * data embedded for its scripts and its analytics calls.
 */
export interface ProductFormat {
  type: 'product'
}

/** Fields that `product` fills. */
interface ProductFields {
  /** The product; absent, with a `warning`, when the page does not clearly sell one. */
  product?: Product
}

/** @see docs/compatibility/documents.md#page-data */
export const product: EnrichFormat<ProductFormat, ProductFields> = {
  type: 'product',
  traits: ['data'],
  needs: { facts: () => true },
  async produce({ url }, _, { inputs, tree }) {
    const items = inputs?.items ?? []
    const stated = readProduct(items, url)
    // Embedded data is costly to search, and needed only when the structured data is incomplete.
    const isWhole = stated?.variants.every(({ price, availability }) => price && availability) === true
    const embedded = isWhole ? [] : ((await tree.runOnBytes('offers/products', findProducts)) ?? [])
    const found = embedded.length > 0 ? readProduct([...items, ...embedded], url) : stated
    return found ? { fields: { product: found } } : { fields: {}, warnings: [UNSURE] }
  },
}

const UNSURE = 'There is no `product`: the data of the page does not clearly describe one product that it sells.'
