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
