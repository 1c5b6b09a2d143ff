import type { StructuredItem, StructuredValue } from '../../extract/structured-data/structured-item.js'
import type { PageState } from '../../fetch/hydration/page-data.js'
import { isObject, type JsonObject } from '../../collections/is-object.js'
import { amountIn, type Amount, currencyOf, isSamePrice, readShown, type Shows, textIn } from './state-price.js'

/** Things that are looked through in one page, and variants that are read. */
const MAX_LOOKED_AT = 50_000
const MAX_VARIANTS = 200
const MAX_NAME = 300
/** Of a list, so much is looked at: the same one may stand in thousands of things. */
const MAX_LISTED = 250
/** Wrappers around a list; data may have circles in them. */
const MAX_WRAPPERS = 4
const MAX_IMAGES = 50
/** Of a description, or a picture's address, characters. */
const MAX_DESCRIPTION = 100_000

/**
 * The product that a page is about, in the data that it brings for its scripts: a thing with the page's own address or title, and a
 * price or a number to order it by. Nothing where several could be meant, or where they do not agree.
 *
 * @see docs/compatibility.md#page-data
 */
export function readStateProducts({ state, dataLayer, name, html }: PageState): StructuredItem[] {
  const inState = choose(findThings(state.map(({ value }) => value)), name)
  const told = dataLayer.flatMap(({ value }) => findViewed(value))
  const inLayer = choose(told, name)
  const shows = readShown(html)
  return [
    ...(inState ? [toItem(inState, 'state', shows)] : []),
    ...(inLayer ? [toItem(inLayer, 'data-layer', shows)] : []),
  ]
}

/** Every thing in data that looks like a product; data may have circles in them. */
function findThings(roots: readonly unknown[]): JsonObject[] {
  const found: JsonObject[] = []
  const seen = new Set<unknown>()
  const queue: unknown[] = [...roots]
  for (let at = 0; at < queue.length && at < MAX_LOOKED_AT; at++) {
    const value = queue[at]
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (isObject(value) && isProduct(value)) found.push(value)
    queue.push(...Object.values(value).slice(0, 1000))
  }
  return found
}

/** The products of a page that tells its analytics that they were looked at. */
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

/** A list, however GraphQL wraps it. */
function listOf(value: unknown, level = 0): JsonObject[] {
  if (Array.isArray(value)) {
    const things = value.slice(0, MAX_LISTED).filter(isObject)
    return things.map((one) => (isObject(one['node']) ? one['node'] : one))
  }
  return isObject(value) && level < MAX_WRAPPERS ? listOf(value['edges'] ?? value['nodes'] ?? [], level + 1) : []
}

const variantsOf = (thing: JsonObject): JsonObject[] =>
  LISTS.map((key) => listOf(thing[key])).find((list) => list.length > 0) ?? []

/** The one thing that is the page: by its address, else by its name. */
function choose(things: readonly JsonObject[], page: PageState['name']): JsonObject | undefined {
  const named = things.flatMap((thing) => {
    const name = textIn(thing, NAMES)
    if (name === undefined || name.length > MAX_NAME) return []
    const address = textIn(thing, ['url', 'handle', 'slug', 'urlKey', 'url_key', 'path', 'canonicalUrl'])
    return [{ thing, name, isHere: address !== undefined && page.isAt(address), isCalled: page.isCalled(name) }]
  })
  const here = named.filter(({ isHere }) => isHere)
  const likely = here.length > 0 ? here : named.filter(({ isCalled }) => isCalled)
  // Of names within each other, the longest is the page's: the shorter may be of what it belongs to.
  const longest = likely.reduce((most, { name }) => Math.max(most, name.length), 0)
  const best = likely.filter(({ name }) => name.length === longest)
  const sized = best.map((one) => ({ ...one, size: sizeOf(one.thing) }))
  const [first, ...others] = sized.toSorted((one, other) => other.size - one.size)
  if (!first || others.some(({ name }) => name !== first.name)) return undefined
  const isAgreed = others.every(({ thing }) => agree(thing, first.thing))
  return isAgreed ? first.thing : undefined
}

const sizeOf = (thing: JsonObject): number => Object.keys(thing).length + 10 * variantsOf(thing).length

/** Whether what two things say of a price is the same, or only one of them says it. */
const agree = (one: JsonObject, other: JsonObject): boolean =>
  PRICES.every((key) => one[key] == null || other[key] == null || isSamePrice(one[key], other[key]))

type Source = 'state' | 'data-layer'

/** The thing in the words of schema.org. */
function toItem(thing: JsonObject, source: Source, shows: Shows): StructuredItem {
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
      ...offerOf(thing, source, shows, currency),
      ...(variants.length > 1 && {
        hasVariant: variants.map((variant) => ({
          source,
          types: ['Product'],
          properties: {
            ...described(variant),
            ...options(variant, source),
            ...offerOf(variant, source, shows, currency),
          },
        })),
      }),
      ...(variants.length === 1 && variants[0] && offerOf({ ...thing, ...variants[0] }, source, shows, currency)),
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

/** What sets a variant apart: `selectedOptions: [{ name: 'Size', value: 'L' }]`. */
function options(variant: JsonObject, source: Source): Record<string, StructuredValue[]> {
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
  source: Source,
  shows: Shows,
  outer: string | undefined,
): Record<string, StructuredValue[]> {
  const [given] = PRICES.flatMap((key) => (thing[key] == null ? [] : [thing[key]]))
  const price = priceIn(given, source, shows)
  const listed = priceIn(thing['compareAtPrice'] ?? thing['compare_at_price'] ?? thing['listPrice'], source, shows)
  const currency = price?.currency ?? currencyOf(thing) ?? outer
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

/** A price, where there is only one way to read it: `1999` may be cents, and counts only as the page shows it. */
function priceIn(given: unknown, source: Source, shows: Shows): Amount | undefined {
  const found = amountIn(given)
  if (!found) return undefined
  const { amount: text } = found
  // What is told to analytics is in the money itself, and so is whatever has a point.
  if (text.includes('.') || source === 'data-layer') return found
  const cents = (Number(text) / 100).toFixed(2)
  const [isWhole, isCents] = [shows(text), shows(cents)]
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
