/** A variant of a product, such as a size or a colour. */
export interface ProductVariant {
  id?: string
  sku?: string
  title?: string
  /** The attributes that distinguish it, for example `{ size: 'XL' }`. */
  values?: Record<string, string>
  /**
   * `currency` is of ISO 4217. Where the data of the page lacks it, it is read from the price that the page shows: `$` is that of the
   * country of the site (`.com.au`, `lang="en-CA"`), and without a clear one `formatted` alone has the sign.
   */
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
