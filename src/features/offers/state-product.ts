import type { StructuredItem, StructuredValue } from '../../content/extract/structured-data/structured-item.js'
import type { EmbeddedData } from '../../content/hydration/page-data.js'
import { isObject, type JsonObject } from '../../base/collections/is-object.js'
import {
  amountIn,
  type Amount,
  currencyOf,
  type IsAmountVisible,
  isSamePrice,
  searchVisibleAmounts,
  textIn,
} from './state-price.js'

/** Maximum values to search in the data of one page. */
const MAX_SEARCHED = 50_000
const MAX_VARIANTS = 200
/** Characters. */
const MAX_NAME = 300
/** Maximum items of a list to read: the same list may occur in thousands of objects. */
const MAX_LISTED = 250
/** Maximum wrappers around a list; the data may be cyclic. */
const MAX_WRAPPERS = 4
const MAX_IMAGES = 50
/** Maximum characters of a description or an image URL. */
const MAX_DESCRIPTION = 100_000

/**
 * Finds the product that a page is about in the data embedded for its scripts: an object with the page's own URL or
 * title, and a price or variants. Empty when several objects qualify and disagree.
 *
 * @see docs/compatibility/documents.md#page-data
 */
export function readStateProducts({ state, dataLayer, matcher, html }: EmbeddedData): StructuredItem[] {
  const inState = choose(findProducts(state.map(({ value }) => value)), matcher)
  const viewed = dataLayer.flatMap(({ value }) => findViewed(value))
  const inLayer = choose(viewed, matcher)
  const isVisible = searchVisibleAmounts(html)
  return [
    ...(inState ? [toItem(inState, 'state', isVisible)] : []),
    ...(inLayer ? [toItem(inLayer, 'data-layer', isVisible)] : []),
  ]
}

/** Finds all objects with a name and a price or variants; the data may be cyclic. */
function findProducts(roots: readonly unknown[]): JsonObject[] {
  const found: JsonObject[] = []
  const seen = new Set<unknown>()
  const queue: unknown[] = [...roots]
  for (let at = 0; at < queue.length && at < MAX_SEARCHED; at++) {
    const value = queue[at]
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (isObject(value) && isProduct(value)) found.push(value)
    queue.push(...Object.values(value).slice(0, 1000))
  }
  return found
}

/** Products in the "view item" calls of the page's analytics. */
function findViewed(value: unknown): JsonObject[] {
  const calls = (Array.isArray(value) ? value : [value]).filter(isObject)
  return calls.flatMap((call) => {
    const ecommerce = isObject(call['ecommerce']) ? call['ecommerce'] : call
    const detail = isObject(ecommerce['detail']) ? ecommerce['detail']['products'] : undefined
    const event = call['event'] ?? 'view_item'
    const items = event === 'view_item' || detail !== undefined ? (ecommerce['items'] ?? detail) : undefined
    const { currency } = { currency: ecommerce['currency'] ?? ecommerce['currencyCode'] }
    return Array.isArray(items)
      ? items.filter(isObject).map((item) => ({ ...(currency !== undefined && { currency }), ...item }))
      : []
  })
}

const NAMES = ['title', 'name', 'productName', 'product_name', 'item_name']
const SKUS = ['sku', 'SKU', 'item_id', 'productCode', 'articleNumber']
const PRICES = ['price', 'salePrice', 'sale_price', 'currentPrice', 'finalPrice', 'priceRange', 'prices']
const LISTS = ['variants', 'productVariants', 'skus']

const isProduct = (thing: JsonObject): boolean =>
  textIn(thing, NAMES) !== undefined && (PRICES.some((key) => thing[key] != null) || variantsOf(thing).length > 0)

/** Unwraps a list, including GraphQL connections. */
function listOf(value: unknown, level = 0): JsonObject[] {
  if (Array.isArray(value)) {
    const things = value.slice(0, MAX_LISTED).filter(isObject)
    return things.map((one) => (isObject(one['node']) ? one['node'] : one))
  }
  return isObject(value) && level < MAX_WRAPPERS ? listOf(value['edges'] ?? value['nodes'] ?? [], level + 1) : []
}

const variantsOf = (thing: JsonObject): JsonObject[] =>
  LISTS.map((key) => listOf(thing[key])).find((list) => list.length > 0) ?? []

/** Picks the object that describes the page: by URL, otherwise by name. */
function choose(things: readonly JsonObject[], page: EmbeddedData['matcher']): JsonObject | undefined {
  const named = things.flatMap((thing) => {
    const name = textIn(thing, NAMES)
    if (name === undefined || name.length > MAX_NAME) return []
    const address = textIn(thing, ['url', 'handle', 'slug', 'urlKey', 'url_key', 'path', 'canonicalUrl'])
    return [
      { thing, name, isHere: address !== undefined && page.matchesAddress(address), isCalled: page.matchesTitle(name) },
    ]
  })
  const here = named.filter(({ isHere }) => isHere)
  const likely = here.length > 0 ? here : named.filter(({ isCalled }) => isCalled)
  // The longest of names that contain each other is the page's own; a shorter one may be its category.
  const longest = likely.reduce((most, { name }) => Math.max(most, name.length), 0)
  const best = likely.filter(({ name }) => name.length === longest)
  const sized = best.map((one) => ({ ...one, size: sizeOf(one.thing) }))
  const [first, ...others] = sized.toSorted((one, other) => other.size - one.size)
  if (!first || others.some(({ name }) => name !== first.name)) return undefined
  const isAgreed = others.every(({ thing }) => haveEqualPrices(thing, first.thing))
  return isAgreed ? first.thing : undefined
}

const sizeOf = (thing: JsonObject): number => Object.keys(thing).length + 10 * variantsOf(thing).length

/** Returns true if no price of the two objects differs. */
const haveEqualPrices = (one: JsonObject, other: JsonObject): boolean =>
  PRICES.every((key) => one[key] == null || other[key] == null || isSamePrice(one[key], other[key]))

/** The context of one product: its source, and a search in the visible text. */
interface ProductContext {
  readonly source: 'state' | 'data-layer'
  readonly isVisible: IsAmountVisible
}

/** Converts an object to schema.org vocabulary. */
function toItem(thing: JsonObject, source: ProductContext['source'], isVisible: IsAmountVisible): StructuredItem {
  const context = { source, isVisible }
  const variants = variantsOf(thing).slice(0, MAX_VARIANTS)
  const currency = currencyOf(thing)
  return {
    source,
    types: ['Product'],
    properties: {
      ...described(thing),
      ...texts({
        brand: textIn(thing, ['brand', 'vendor', 'manufacturer', 'item_brand', 'brandName']),
        category: textIn(thing, ['category', 'productType', 'product_type', 'item_category', 'categoryName']),
        description: textIn(thing, ['description', 'shortDescription'], MAX_DESCRIPTION),
      }),
      ...offerOf(thing, context, currency),
      ...(variants.length > 1 && {
        hasVariant: variants.map((variant) => ({
          source,
          types: ['Product'],
          properties: {
            ...described(variant),
            ...options(variant, source),
            ...offerOf(variant, context, currency),
          },
        })),
      }),
      ...(variants.length === 1 && variants[0] && offerOf({ ...thing, ...variants[0] }, context, currency)),
    },
  }
}

const texts = (fields: Readonly<Record<string, string | undefined>>): Record<string, StructuredValue[]> =>
  Object.fromEntries(Object.entries(fields).flatMap(([key, text]) => (text === undefined ? [] : [[key, [text]]])))

function described(thing: JsonObject): Record<string, StructuredValue[]> {
  const given = thing['images'] ?? thing['image'] ?? thing['featuredImage'] ?? []
  const images: unknown[] = Array.isArray(given) ? given.slice(0, MAX_IMAGES) : [given]
  const addresses = [...images, ...listOf(thing['images'])].flatMap((image) => {
    const address = isObject(image) ? textIn(image, ['url', 'src', 'originalSrc'], MAX_DESCRIPTION) : image
    return typeof address === 'string' && address !== '' ? [address] : []
  })
  const named = texts({ name: textIn(thing, NAMES), sku: textIn(thing, SKUS) })
  return { ...named, ...(addresses.length > 0 && { image: [...new Set(addresses)].slice(0, MAX_IMAGES) }) }
}

/** Reads the attributes of a variant: `selectedOptions: [{ name: 'Size', value: 'L' }]`. */
function options(variant: JsonObject, source: ProductContext['source']): Record<string, StructuredValue[]> {
  const own = listOf(variant['selectedOptions'] ?? variant['attributes'])
  const properties = own.flatMap((option) => {
    const [name, value] = [textIn(option, ['name']), textIn(option, ['value'])]
    if (name === undefined || value === undefined) return []
    return [{ source, types: ['PropertyValue'], properties: { name: [name.toLowerCase()], value: [value] } }]
  })
  const plain = texts({ color: textIn(variant, ['color', 'colour']), size: textIn(variant, ['size']) })
  return { ...plain, ...(properties.length > 0 && { additionalProperty: properties }) }
}

function offerOf(
  thing: JsonObject,
  context: ProductContext,
  outerCurrency: string | undefined,
): Record<string, StructuredValue[]> {
  const { source } = context
  const [given] = PRICES.flatMap((key) => (thing[key] == null ? [] : [thing[key]]))
  const price = priceIn(given, context)
  const listed = priceIn(thing['compareAtPrice'] ?? thing['compare_at_price'] ?? thing['listPrice'], context)
  const currency = price?.currency ?? currencyOf(thing) ?? outerCurrency
  const availability = availabilityOf(thing)
  if (!price && availability === undefined) return {}
  const before = listed && {
    priceSpecification: [
      {
        source,
        types: ['UnitPriceSpecification'],
        properties: texts({ priceType: 'ListPrice', price: listed.amount }),
      },
    ],
  }
  const properties = { ...texts({ price: price?.amount, priceCurrency: price && currency, availability }), ...before }
  return { offers: [{ source, types: ['Offer'], properties }] }
}

/** Reads a price that has only one reading: `1999` may be in cents, and the visible text decides. */
function priceIn(given: unknown, { source, isVisible }: ProductContext): Amount | undefined {
  const found = amountIn(given)
  if (!found) return undefined
  const { amount: text } = found
  // Analytics calls state whole units, and a decimal point rules out cents.
  if (text.includes('.') || source === 'data-layer') return found
  const cents = (Number(text) / 100).toFixed(2)
  const [isWhole, isCents] = [isVisible(text), isVisible(cents)]
  if (isWhole === isCents) return undefined
  return { ...found, amount: isWhole ? text : cents }
}

function availabilityOf(thing: JsonObject): string | undefined {
  for (const key of ['availableForSale', 'available', 'inStock', 'in_stock', 'isInStock', 'isAvailable']) {
    if (typeof thing[key] === 'boolean') return thing[key] ? 'InStock' : 'OutOfStock'
  }
  const said = textIn(thing, ['availability', 'stockStatus', 'stock_status'])
  const bare = said
    ?.replace(/^https?:\/\/schema\.org\//i, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
  if (bare === 'instock' || bare === 'available') return 'InStock'
  return bare === 'outofstock' || bare === 'soldout' ? 'OutOfStock' : undefined
}
