import { isObject, type JsonObject } from '../../base/collections/is-object.js'

/** A price and its currency. */
export interface Amount {
  readonly amount: string
  readonly currency?: string
}

/** Maximum wrappers around an amount; the data may be cyclic. */
const MAX_WRAPPERS = 8
/** Maximum characters of a text to read. */
const MAX_TEXT = 2_000

/**
 * Returns the first of these members that is a text, a number or an object with a name.
 *
 * @param maxCharacters of the text
 */
export function textIn(thing: JsonObject, keys: readonly string[], maxCharacters = MAX_TEXT): string | undefined {
  const trim = (text: string): string => text.slice(0, maxCharacters).trim()
  for (const key of keys) {
    const value = thing[key]
    if (typeof value === 'string' && trim(value) !== '') return trim(value)
    if (typeof value === 'number' && Number.isFinite(value)) return String(value)
    if (isObject(value) && typeof value['name'] === 'string') return trim(value['name'])
  }
  return undefined
}

export const currencyOf = (thing: JsonObject): string | undefined => {
  const named = textIn(thing, ['currency', 'currencyCode', 'currency_code', 'priceCurrency'])
  return named !== undefined && /^[A-Z]{3}$/i.test(named) ? named.toUpperCase() : undefined
}

/** Finds the amount of a price, however it is wrapped, as written: in whole units or in cents. */
export function amountIn(given: unknown, level = 0): Amount | undefined {
  if (isObject(given)) {
    if (level === MAX_WRAPPERS) return undefined
    const inner = given['amount'] ?? given['value'] ?? given['current'] ?? given['minVariantPrice'] ?? given['price']
    const amount = amountIn(inner, level + 1)
    return amount && { amount: amount.amount, currency: amount.currency ?? currencyOf(given) }
  }
  const text =
    typeof given === 'number' ? String(given) : typeof given === 'string' ? given.slice(0, MAX_TEXT).trim() : ''
  return /^\d{1,9}(?:\.\d{1,4})?$/.test(text) ? { amount: text } : undefined
}

/** Returns true if two prices are equal, or one of them is unknown. */
export function isSamePrice(one: unknown, other: unknown): boolean {
  const [first, second] = [amountIn(one), amountIn(other)]
  if (!first || !second) return true
  const isCurrencySame = !first.currency || !second.currency || first.currency === second.currency
  return isCurrencySame && Number(first.amount) === Number(second.amount)
}

/** Returns true if the visible text of the page contains an amount. */
export type IsAmountVisible = (amount: string) => boolean

/** Maximum amounts to search for: a page about one product has fewer. */
const MAX_SEARCHED = 400

/** Collects the numbers in the visible text of a page, on first use, and searches them for amounts. */
export function searchVisibleAmounts(html: string): IsAmountVisible {
  const answers = new Map<string, boolean>()
  let numbers: string | undefined
  return (amount) => {
    const known = answers.get(amount)
    if (known !== undefined || answers.size >= MAX_SEARCHED) return known ?? false
    numbers ??= listNumbers(html)
    const [whole = '', part] = amount.split('.')
    const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, "[.,'\\s]?")
    const rest = part === undefined ? '(?:[.,]00)?' : `[.,]${part}`
    const isShown = new RegExp(`(?<![\\d.,])${grouped}${rest}(?!\\d|[.,]\\d)`).test(numbers)
    answers.set(amount, isShown)
    return isShown
  }
}

/** Numbers in the visible text, with the separators that may stand in them. An unclosed script extends to the end. */
const listNumbers = (html: string): string =>
  (
    html
      .replace(/<script\b[^]*?(?:<\/script\s*>|$)/gi, ' ')
      .replace(/<[^<>]*>/g, ' ')
      .match(/[.,]?\d[\d.,'\s]*/g) ?? []
  ).join('|')
