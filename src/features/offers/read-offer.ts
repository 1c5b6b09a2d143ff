import { compact } from '../../base/collections/compact.js'
import type { StructuredItem, StructuredValue } from '../../content/extract/structured-data/structured-item.js'
import { isItem } from '../../content/extract/facts/pick-item.js'
import type { ProductVariant } from './product.js'
import { asText, parseNumber, valuesAt } from '../../content/extract/facts/read-fact.js'
import { currencyOf } from '../../base/text/currencies.js'
import { findDecimal, isCurrency, readAmount } from '../../base/text/read-amount.js'
import { parseUrl } from '../../base/url.js'

/** Reads the price of an offer. */
export function readPrice(offer: StructuredItem): ProductVariant['price'] {
  const specified = valuesAt(offer, 'priceSpecification').filter(isItem)
  const selling = specified.find((item) => !isListPrice(item))
  const given = [first(offer, 'price'), first(offer, 'lowPrice'), selling && first(selling, 'price')].find(Boolean)
  const read = given === undefined ? undefined : readMoney(given)
  if (given === undefined || read === undefined) return undefined
  const named = first(offer, 'priceCurrency') ?? (selling && first(selling, 'priceCurrency'))
  const isPlain = /^[\d.]+$/.test(given)
  return compact({
    amount: read.amount,
    currency: named === undefined ? read.currency : (currencyOf(named.toLowerCase()) ?? named),
    formatted: isPlain ? undefined : given,
  })
}

/** Reads a price as shops write it into data: `49.9`, `49,90 €`, `EUR 1.299`. */
export function readMoney(text: string): { amount: number; currency?: string } | undefined {
  const shown = readAmount(text, findDecimal([text]))
  // With its currency it is written for people, who read `1.299 €` as thousands.
  if (shown && isCurrency(shown.unit)) return { amount: shown.value, currency: shown.currency }
  const amount = parseNumber(text)
  return amount === undefined ? undefined : { amount }
}

/** Reads the price before a reduction. @see https://schema.org/priceType */
export function readOriginalPrice(offer: StructuredItem): number | undefined {
  const listed = valuesAt(offer, 'priceSpecification').filter(isItem).find(isListPrice)
  const price = listed && first(listed, 'price')
  return price === undefined ? undefined : readMoney(price)?.amount
}

const isListPrice = (item: StructuredItem): boolean =>
  /ListPrice|StrikethroughPrice|SRP|MSRP/i.test(first(item, 'priceType') ?? '')

/** Reads the availability of an offer. */
export function readAvailability(offer: StructuredItem): ProductVariant['availability'] {
  const given = first(offer, 'availability')
  if (given === undefined) return undefined
  const text = given.replace(/^https?:\/\/schema\.org\//i, '')
  const bare = text.toLowerCase().replace(/[^a-z]/g, '')
  return { inStock: /^(?:instock|instoreonly|onlineonly|limitedavailability)$/.test(bare), text }
}

/** URL of an image. */
export function imageOf(value: StructuredValue, url: string): string | undefined {
  const address = isItem(value) ? (first(value, 'contentUrl') ?? first(value, 'url')) : String(value)
  return address === undefined ? undefined : absolute(address, url)
}

/** Resolves an address of the page; undefined when it is not valid. */
export const absolute = (address: string, url: string): string | undefined => parseUrl(address, url)?.href

/** First value of a property, as text. */
export function first(item: StructuredItem, path: string): string | undefined {
  const [value] = valuesAt(item, path)
  const text = value === undefined ? undefined : asText(value)
  return text === '' ? undefined : text
}

/** Removes undefined fields. */
export const omitEmpty = <T extends Record<string, string | undefined>>(fields: T): { [Name in keyof T]?: string } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: string
  }
