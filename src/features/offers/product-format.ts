import type { EnrichFormat } from '../../kernel/enrich/format.js'
import { findDecimal, readAmount } from '../../base/text/read-amount.js'
import type { ShownPrices } from './find-shown-prices.js'
import type { Product } from './product.js'
import { findProducts } from './tasks.js'
import { readProduct } from './read-product.js'

/**
 * The product that the page sells, read without a model: from its structured data and, for missing fields, from the
 * data embedded for its scripts and its analytics calls.
 */
export interface ProductFormat {
  type: 'product'
}

/** Fields that `product` fills. */
interface ProductFields {
  /** The product; absent, with a `warning`, when the page does not clearly sell one. */
  product?: Product
}

/** @see docs/compatibility/documents.md#page-data */
export const product: EnrichFormat<ProductFormat, ProductFields> = {
  type: 'product',
  traits: ['data'],
  needs: { facts: () => true },
  async produce({ url }, _, { inputs, tree }) {
    const items = inputs?.items ?? []
    const stated = readProduct(items, url)
    // Embedded data is costly to search, and needed only when the structured data is incomplete.
    const isWhole = stated?.variants.every(({ price, availability }) => price && availability) === true
    const embedded = isWhole ? [] : ((await tree.runOnBytes('offers/products', findProducts)) ?? [])
    const found = embedded.length > 0 ? readProduct([...items, ...embedded], url) : stated
    if (!found) return { fields: {}, warnings: [UNSURE] }
    const isPriced = found.variants.some(({ price }) => price)
    const shown = isPriced ? ((await tree.run('offers/prices')) as ShownPrices | undefined) : undefined
    return { fields: { product: found }, warnings: [shown && warnOfPrice(found, shown)] }
  },
}

/**
 * Returns a warning if the page shows another price than its data state, and that one nowhere. That of the data is kept: it belongs to a
 * product or a variant and has a currency, where the shown one may be that of another variant, before tax or of a currency of its own.
 */
function warnOfPrice({ variants }: Product, { main, all }: ShownPrices): string | undefined {
  const decimal = findDecimal([...all])
  const amounts = new Set(all.map((text) => readAmount(text, decimal)?.value))
  const stated = variants.flatMap(({ price, sale }) => [price?.amount, sale?.originalPrice].filter(isNumber))
  const shown = readAmount(main, decimal)
  if (shown === undefined || stated.some((amount) => amounts.has(amount))) return undefined
  const [lowest, currency] = [Math.min(...stated), variants.find(({ price }) => price)?.price?.currency]
  return `The page shows another price than its data state (${main}, and ${lowest}${currency === undefined ? '' : ` ${currency}`}): \`product\` has that of the data.`
}

const isNumber = (value: number | undefined): value is number => value !== undefined

const UNSURE = 'There is no `product`: the data of the page does not clearly describe one product that it sells.'
