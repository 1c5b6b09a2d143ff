/** Price of an item, or of one size of it. */
export interface MenuPrice {
  amount: number
  /** ISO 4217; absent when the page states no currency, or an ambiguous one such as `$`. */
  currency?: string
  /** The price as the page writes it, when that is more than the number. */
  formatted?: string
}

/** A dish or a drink. */
export interface MenuItem {
  name: string
  description?: string
  /** The price; the lowest of `options` when there are several. */
  price?: MenuPrice
  /** Sizes and other variants. */
  options?: { name?: string; price: MenuPrice }[]
  /**
   * `vegan`, `vegetarian`, `gluten-free`, `halal`, …, as far as the page states it; other marks, such as `V`, verbatim.
   */
  dietary?: string[]
  /** As the page states it, for example `420 kcal`. */
  calories?: string
  /** A URL. */
  image?: string
  /** A URL. */
  url?: string
}

/** A section of a menu. */
export interface MenuSection {
  name?: string
  description?: string
  items: MenuItem[]
  sections?: MenuSection[]
}

/** A menu. */
export interface Menu {
  name?: string
  description?: string
  /** A URL. */
  url?: string
  /** ISO 4217, when all prices share one currency. */
  currency?: string
  sections: MenuSection[]
}
