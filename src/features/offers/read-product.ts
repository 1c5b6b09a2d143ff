import { compact } from '../../base/collections/compact.js'
import type { StructuredItem } from '../../content/extract/structured-data/structured-item.js'
import type { Product, ProductVariant } from './product.js'
import { isItem, pickItems } from '../../content/extract/facts/pick-item.js'
import { valuesAt } from '../../content/extract/facts/read-fact.js'
import { absolute, first, imageOf, omitEmpty, readAvailability, readOriginalPrice, readPrice } from './read-offer.js'

/** Maximum variants to return. */
const MAX_VARIANTS = 200

/**
 * Reads the product that a page sells from its structured data: JSON-LD first, then microdata, RDFa and meta tags, each
 * one filling the gaps of those before. Undefined when the page does not clearly sell one product.
 *
 * @see docs/compatibility/documents.md#page-data
 */
export function readProduct(items: readonly StructuredItem[], url: string): Product | undefined {
  const products = pickItems(items, url, {
    asked: 1,
    findAnswered: (item, kind) => (kind === 'Product' && first(item, 'name') !== undefined ? ['name'] : []),
  })
  const [main, ...others] = products.map(({ item }) => item)
  const title = main && first(main, 'name')
  if (!main || title === undefined) return undefined
  const all = [main, ...others]
  const read = (...paths: string[]): string | undefined =>
    all.flatMap((item) => paths.flatMap((path) => first(item, path) ?? []))[0]
  const own = readVariants(main, url)
  // If the main syntax has neither price nor SKU, another one may list the variants.
  const isSilent = own.length === 1 && own.every(({ price, sku }) => price === undefined && sku === undefined)
  const listed = isSilent ? others.map((item) => readVariants(item, url)).find(({ length }) => length > 1) : undefined
  const variants = listed ?? own
  const [only] = variants
  // Meta tags may complete a single variant.
  const filled =
    variants.length > 1 || !only ? variants : [others.flatMap((item) => readVariants(item, url)).reduce(fillIn, only)]
  if (
    filled.every(
      ({ price, sku, availability }) => price === undefined && sku === undefined && availability === undefined,
    )
  )
    return undefined
  const address = read('url')
  return {
    title,
    ...omitEmpty({
      brand: read('brand', 'manufacturer'),
      category: read('category'),
      url: address === undefined ? undefined : absolute(address, url),
      description: read('description'),
    }),
    variants: filled,
  }
}

function fillIn(variant: ProductVariant, other: ProductVariant): ProductVariant {
  const filled = { ...other, ...variant }
  const [own, same] = [variant.price, other.price]
  const lacksCurrency = own && same && own.currency === undefined && own.amount === same.amount
  return lacksCurrency ? { ...filled, price: { ...same, ...own } } : filled
}

/** Reads the variants of a product: listed variants, otherwise its offers, otherwise the product itself. */
function readVariants(product: StructuredItem, url: string): ProductVariant[] {
  const nested = valuesAt(product, 'hasVariant').filter(isItem).slice(0, MAX_VARIANTS)
  if (nested.length > 0) return nested.map((item) => readVariant(item, offersOf(item)[0], url, product))
  const offers = offersOf(product)
  const named = offers.filter(
    (offer) => first(offer, 'sku') !== undefined || valuesAt(offer, 'itemOffered').some(isItem),
  )
  if (offers.length > 1 && named.length === offers.length) {
    return offers.slice(0, MAX_VARIANTS).map((offer) => {
      const item = valuesAt(offer, 'itemOffered').find(isItem)
      return readVariant(item ?? { ...offer, properties: keepOwn(offer) }, offer, url, product)
    })
  }
  // Offers of several sellers are not variants; the lowest price counts.
  return [readVariant(product, offers.length > 1 ? cheapest(offers) : offers[0], url)]
}

const keepOwn = ({ properties }: StructuredItem): StructuredItem['properties'] =>
  Object.fromEntries(
    Object.entries(properties).filter(([name]) => ['sku', 'name', 'image', 'color', 'size'].includes(name)),
  )

/** The offers of an item; an aggregate offer is replaced by the offers in it, unless it alone has a price. */
const offersOf = (item: StructuredItem): StructuredItem[] =>
  valuesAt(item, 'offers')
    .filter(isItem)
    .flatMap((offer) => {
      const inner = valuesAt(offer, 'offers').filter(isItem)
      return inner.length > 0 && (inner.some(readPrice) || !readPrice(offer)) ? inner : [offer]
    })

function cheapest(offers: readonly StructuredItem[]): StructuredItem | undefined {
  const priced = offers.flatMap((offer) => {
    const { amount } = readPrice(offer) ?? {}
    return amount === undefined ? [] : [{ offer, amount }]
  })
  return priced.toSorted((one, other) => one.amount - other.amount)[0]?.offer ?? offers[0]
}

function readVariant(
  item: StructuredItem,
  offer: StructuredItem | undefined,
  url: string,
  group?: StructuredItem,
): ProductVariant {
  const images = valuesAt(item, 'image').flatMap((value) => imageOf(value, url) ?? [])
  const values = readValues(item)
  const price = offer && readPrice(offer)
  const original = offer && readOriginalPrice(offer)
  const availability = offer && readAvailability(offer)
  const title = first(item, 'name')
  return {
    ...omitEmpty({
      id: first(item, 'productID') ?? first(item, 'gtin') ?? first(item, 'gtin13') ?? first(item, 'mpn'),
      sku: first(item, 'sku') ?? (offer && first(offer, 'sku')),
      title: group && title !== first(group, 'name') ? title : undefined,
    }),
    ...compact({
      values: Object.keys(values).length > 0 && group ? values : undefined,
      price,
      sale: original !== undefined && price && original > price.amount ? { originalPrice: original } : undefined,
      availability,
      images: images.length > 0 ? images : undefined,
    }),
  }
}

/** Attributes that distinguish variants. */
const AXES = ['color', 'size', 'material', 'pattern', 'suggestedAge', 'suggestedGender']

function readValues(item: StructuredItem): Record<string, string> {
  const own = AXES.flatMap((name) => {
    const value = first(item, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const others = valuesAt(item, 'additionalProperty')
    .filter(isItem)
    .flatMap((property) => {
      const [name, value] = [first(property, 'name'), first(property, 'value')]
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    })
  return Object.fromEntries([...own, ...others])
}
