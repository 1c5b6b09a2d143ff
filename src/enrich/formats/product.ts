import type { EnrichFormat } from '../format.js'
import type { Product } from '../offers/product.js'
import { readProduct } from '../offers/read-product.js'

/**
 * The product that the page sells, read without a model: from the page's own structured data and, for what these leave open, from what it
 * brings for its scripts and tells its analytics.
 */
export interface ProductFormat {
  type: 'product'
}

/** What `product` fills. */
export interface ProductFields {
  /** The product; absent, with a `warning`, when the page does not clearly sell one. */
  product?: Product
}

/** @see docs/compatibility.md#page-data */
export const product: EnrichFormat<ProductFormat, ProductFields> = {
  type: 'product',
  needs: { facts: () => true },
  async make({ url }, _, { material, tree }) {
    const items = material?.items ?? []
    const told = readProduct(items, url)
    // What a page brings for its scripts is looked through only for what it does not say outright.
    const isWhole = told?.variants.every(({ price, availability }) => price && availability) === true
    const brought = isWhole ? [] : await tree.products()
    const found = brought.length > 0 ? readProduct([...items, ...brought], url) : told
    return found ? { fields: { product: found } } : { fields: {}, warnings: [UNSURE] }
  },
}

const UNSURE = 'There is no `product`: the page’s own data do not clearly name one product that is sold there.'
