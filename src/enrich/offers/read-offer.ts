import type { StructuredItem, StructuredValue } from '../../extract/structured-data/structured-item.js'
import { isItem } from '../structured-data/pick-item.js'
import type { ProductVariant } from './product.js'
import { asText, parseNumber, valuesAt } from '../structured-data/read-fact.js'

/** What an offer asks. */
export function readPrice(offer: StructuredItem): ProductVariant['price'] {
  const specified = valuesAt(offer, 'priceSpecification').filter(isItem)
  const selling = specified.find((item) => !isListPrice(item))
  const given = [first(offer, 'price'), first(offer, 'lowPrice'), selling && first(selling, 'price')].find(Boolean)
  const amount = given === undefined ? undefined : parseNumber(given)
  if (given === undefined || amount === undefined) return undefined
  const currency = first(offer, 'priceCurrency') ?? (selling && first(selling, 'priceCurrency'))
  const isPlain = /^[\d.]+$/.test(given)
  return { amount, ...(currency !== undefined && { currency }), ...(!isPlain && { formatted: given }) }
}

/** What it cost before. @see https://schema.org/priceType */
export function readOriginalPrice(offer: StructuredItem): number | undefined {
  const listed = valuesAt(offer, 'priceSpecification').filter(isItem).find(isListPrice)
  const price = listed && first(listed, 'price')
  return price === undefined ? undefined : parseNumber(price)
}

const isListPrice = (item: StructuredItem): boolean =>
  /ListPrice|StrikethroughPrice|SRP|MSRP/i.test(first(item, 'priceType') ?? '')

/** Whether what is offered is to be had. */
export function readAvailability(offer: StructuredItem): ProductVariant['availability'] {
  const given = first(offer, 'availability')
  if (given === undefined) return undefined
  const text = given.replace(/^https?:\/\/schema\.org\//i, '')
  const bare = text.toLowerCase().replace(/[^a-z]/g, '')
  return { inStock: /^(?:instock|instoreonly|onlineonly|limitedavailability)$/.test(bare), text }
}

/** The URL of a picture. */
export function imageOf(value: StructuredValue, url: string): string | undefined {
  const address = isItem(value) ? (first(value, 'contentUrl') ?? first(value, 'url')) : String(value)
  return address === undefined ? undefined : absolute(address, url)
}

/** An address of the page as a URL; undefined when it is none. */
export const absolute = (address: string, url: string): string | undefined =>
  URL.canParse(address, url) ? new URL(address, url).href : undefined

/** The first value of a property, as text. */
export function first(item: StructuredItem, path: string): string | undefined {
  const [value] = valuesAt(item, path)
  const text = value === undefined ? undefined : asText(value)
  return text === '' ? undefined : text
}

/** The fields that have a value. */
export const omitEmpty = <T extends Record<string, string | undefined>>(fields: T): { [Name in keyof T]?: string } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: string
  }
