import type { EnrichFormat } from '../format.js'

/** The product that the page sells, read from the page's own structured data without a model. */
export interface ProductFormat {
  type: 'product'
}

/** One way in which a product is sold: a size, a colour. */
export interface ProductVariant {
  id?: string
  sku?: string
  title?: string
  /** What sets it apart, e.g. `{ size: 'XL' }`. */
  values?: Record<string, string>
  price?: { amount: number; currency?: string; formatted?: string }
  sale?: { originalPrice: number }
  availability?: { inStock: boolean; text?: string }
  /** URLs. */
  images?: string[]
}

/** A product. */
export interface Product {
  title: string
  brand?: string
  category?: string
  url?: string
  description?: string
  variants: ProductVariant[]
}

/** What `product` fills. */
export interface ProductFields {
  /** The product; absent, with a `warning`, when the page does not clearly sell one. */
  product?: Product
}

/** @see behaviour 6.8 */
export const product: EnrichFormat<ProductFormat, ProductFields> = { type: 'product' }
