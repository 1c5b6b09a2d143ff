/** Price of an item, or of one size of it. */
export interface MenuPrice {
  amount: number
  /** ISO 4217; absent when the page states no currency, or an ambiguous one such as `$`. */
  currency?: string
  /** The price as the page writes it, when that is more than the number. */
  formatted?: string
}

/** A size or another variant of an item. */
export interface MenuOption {
  name?: string
  price: MenuPrice
}

/** Variants of an item, of which one is chosen. */
export interface MenuOptionGroup {
  options: MenuOption[]
}

/** A dish or a drink. */
export interface MenuItem {
  /** Name of the item in its menu, made of the names of section and dish: the same as long as these are. */
  id: string
  name: string
  description?: string
  /** Its images, as the page states them. */
  images: { url: string }[]
  /** The price; the lowest of the variants when there are several. */
  price?: MenuPrice
  /** `inStock` is true unless the page says otherwise, and `text` is what it says. */
  availability: { inStock: boolean; text?: string }
  /**
   * `vegan`, `vegetarian`, `gluten-free`, `halal`, …, as far as the page states it; other marks, such as `V`, verbatim.
   */
  dietary: string[]
  /** Kilocalories, as far as the page states them. */
  calories?: number
  /** Sizes and other variants with prices: one group, or none. */
  optionGroups: MenuOptionGroup[]
  /** `merchantItemId` is the identifier or SKU that the page states. */
  identifiers: { merchantItemId?: string }
  /** A URL of its own. */
  url?: string
  /** The URL of the page. */
  sourceUrl: string
}

/** A section of a menu. */
export interface MenuSection {
  /** Name of the section in its menu. */
  id: string
  /** Its name, behind those of the sections that it is part of: `Drinks / Beer`. Empty for items outside of sections. */
  name: string
  description?: string
  items: MenuItem[]
}

/** A menu. */
export interface Menu {
  /** Always true: a page without a menu has no field. */
  isMenu: true
  /** Origin of the menu, as a number: 1 if the page states it as data, 0.8 if it was found in the layout. */
  confidence: number
  /** `name` as the page states it, otherwise the title of the site or its host; `type` and `location` as far as they are stated. */
  merchant: { name: string; type?: string; location?: string }
  name?: string
  description?: string
  /** A URL. */
  url?: string
  /** ISO 4217, when all prices share one currency. */
  currency?: string
  sections: MenuSection[]
  /** The URL of the page. */
  sourceUrl: string
}
