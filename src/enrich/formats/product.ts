import type { EnrichFormat } from '../format.js'
import type { Product } from '../product.js'
import { readProduct } from '../read-product.js'

/** The product that the page sells, read from the page's own structured data without a model. */
export interface ProductFormat {
  type: 'product'
}

/** What `product` fills. */
export interface ProductFields {
  /** The product; absent, with a `warning`, when the page does not clearly sell one. */
  product?: Product
}

/** @see behaviour 6.8 */
export const product: EnrichFormat<ProductFormat, ProductFields> = {
  type: 'product',
  needs: { facts: () => true },
  async make({ url }, _, { material }) {
    const found = readProduct(material?.items ?? [], url)
    return found ? { fields: { product: found } } : { fields: {}, warnings: [UNSURE] }
  },
}

const UNSURE = 'There is no `product`: the page’s own data do not clearly name one product that is sold there.'
