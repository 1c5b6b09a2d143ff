/** What a dish, or a size of it, costs. */
export interface MenuPrice {
  amount: number
  /** ISO 4217; absent where the page does not say which dollar it means, or nothing. */
  currency?: string
  /** As the page writes it, where that is more than the number. */
  formatted?: string
}

/** A dish or a drink. */
export interface MenuItem {
  name: string
  description?: string
  /** What it costs; the least of its `options` where there are several. */
  price?: MenuPrice
  /** Its sizes and the like. */
  options?: { name?: string; price: MenuPrice }[]
  /** `vegan`, `vegetarian`, `gluten-free`, `halal`, … as far as the page says so; a sign of its own, such as `V`, as it stands. */
  dietary?: string[]
  /** As the page says it, e.g. `420 kcal`. */
  calories?: string
  /** A URL. */
  image?: string
  /** A URL. */
  url?: string
}

/** A part of a menu. */
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
  /** ISO 4217, where all prices are in one currency. */
  currency?: string
  sections: MenuSection[]
}
