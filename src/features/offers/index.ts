import { defineFeature } from '../../kernel/engine/feature.js'
import { menu } from './menu-format.js'
import { product } from './product-format.js'

export type { MenuFormat } from './menu-format.js'
export type { ProductFormat } from './product-format.js'
export type { Menu, MenuItem, MenuOption, MenuOptionGroup, MenuPrice, MenuSection } from './menu.js'
export type { Product, ProductVariant } from './product.js'

declare module '../../kernel/enrich/format.js' {
  interface FeatureFormats {
    menu: typeof menu
    product: typeof product
  }
}

/** Products and menus of pages. @internal */
export const offers = defineFeature({ name: 'offers', formats: [menu, product] })
