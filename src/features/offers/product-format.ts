import type { EnrichFormat } from '../../kernel/enrich/format.js'
import { compact } from '../../base/collections/compact.js'
import { ownValue } from '../../base/collections/own-value.js'
import { findDecimal, isCurrency, readAmount } from '../../base/text/read-amount.js'
import type { ShownPrices } from './find-shown-prices.js'
import type { Product, ProductVariant } from './product.js'
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
    const named = { ...found, variants: found.variants.map((variant) => nameCurrency(variant, shown, url)) }
    return { fields: { product: named }, warnings: [shown && warnOfPrice(named, shown)] }
  },
}

/** Signs of several currencies, and these by the country of a site. */
const OF_COUNTRY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  $: {
    us: 'USD',
    ca: 'CAD',
    au: 'AUD',
    nz: 'NZD',
    sg: 'SGD',
    hk: 'HKD',
    mx: 'MXN',
    tw: 'TWD',
    ar: 'ARS',
    cl: 'CLP',
    uy: 'UYU',
    jm: 'JMD',
    fj: 'FJD',
  },
  kr: { se: 'SEK', no: 'NOK', dk: 'DKK', is: 'ISK' },
  '¥': { jp: 'JPY', cn: 'CNY' },
  '￥': { jp: 'JPY', cn: 'CNY' },
}

/**
 * Completes a price without a currency by how the page shows it. A sign of several currencies, such as `$`, is that of the country of the
 * site: by the end of its host (`.com.au`), otherwise by the region of its language (`en-CA`). `en-US` says nothing: it is what shops of
 * any country are made with. Where both say nothing, the price has its sign alone, in `formatted`.
 */
function nameCurrency(variant: ProductVariant, shown: ShownPrices | undefined, url: string): ProductVariant {
  const { price } = variant
  if (!price) return variant
  const country = countryOf(url, shown?.language)
  const inCountry = (sign: string): string | undefined => {
    const currencies = ownValue(OF_COUNTRY, sign.toLowerCase().replace('.', ''))
    return currencies && country && ownValue(currencies, country)
  }
  // Data may have the sign in the place of a code.
  const { currency: given } = price
  if (given !== undefined) return { ...variant, price: { ...price, currency: inCountry(given) ?? given } }
  const texts = price.formatted !== undefined ? [price.formatted] : shown ? [shown.main, ...shown.all] : []
  const decimal = findDecimal(texts)
  const read = texts.map((text) => ({ text, amount: readAmount(text, decimal) }))
  const same = read.filter(({ amount }) => amount && amount.value === price.amount && isCurrency(amount.unit))
  const [first] = same
  // One amount with two signs is of a page that converts its prices.
  if (!first?.amount || same.some(({ amount }) => amount?.unit !== first.amount?.unit)) return variant
  const { unit } = first.amount
  const currency = first.amount.currency ?? inCountry(unit)
  return { ...variant, price: compact({ formatted: first.text, ...price, currency }) }
}

/** The country of a site, in lower case; undefined for one that is not clear. */
function countryOf(url: string, language = ''): string | undefined {
  const [, host] = /\.([a-z]{2})$/i.exec(new URL(url).hostname) ?? []
  // The end of a host is a country only where shops use it as one: `.co`, `.io` and `.ai` are used by all.
  if (host !== undefined && !/^(?:co|io|ai|me|tv|cc|fm|gg|ly|to|ws|sh|la|eu)$/.test(host)) return host
  const [, region] = /^[a-z]{2,3}(?:[-_][a-z]{4})?[-_]([a-z]{2})$/i.exec(language.trim()) ?? []
  return region === undefined || /^en[-_]us$/i.test(language.trim()) ? undefined : region.toLowerCase()
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
