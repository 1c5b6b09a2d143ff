import type { ParsedPage } from '../../content/parse/parser.js'
import type { StructuredItem } from '../../content/extract/structured-data/structured-item.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import { readPageData } from '../../content/hydration/page-data.js'
import { findMenu as findShownMenu, type FoundMenu } from './find-menu.js'
import { findShownPrices, type ShownPrices } from './find-shown-prices.js'
import { readStateProducts } from './state-product.js'

/** Finds the menu in the layout of a page. @returns undefined when none is clear */
export const findMenu = ({ tree, url }: ParsedPage): FoundMenu | undefined => findShownMenu(tree.root, url)

/** Finds the prices that a page shows. @returns undefined when it shows none for what it is about */
export const findPrices = ({ tree }: ParsedPage): ShownPrices | undefined => findShownPrices(tree.root)

/** Finds the product that a page is about, in the data that it embeds for its scripts. @returns none when that is ambiguous */
export function findProducts(page: FetchedPage): StructuredItem[] {
  const brought = readPageData(page)
  return brought ? readStateProducts(brought) : []
}
