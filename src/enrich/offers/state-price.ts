import { isObject, type JsonObject } from '../../collections/is-object.js'

/** A price, with what it is in. */
export interface Amount {
  readonly amount: string
  readonly currency?: string | undefined
}

/** Wrappers around an amount; data may have circles in them. */
const MAX_WRAPPERS = 8
/** A longer text is read up to here. Characters. */
const MAX_TEXT = 2_000

/** The first of these members that is a text, a number, or a thing of a name. @param most characters of it */
export function textIn(thing: JsonObject, keys: readonly string[], most = MAX_TEXT): string | undefined {
  const trim = (text: string): string => text.slice(0, most).trim()
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

/** The amount that a price is written with, however it is wrapped; as it stands there, in whole units or in cents. */
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

/** Whether two prices say the same, or only one of them says anything. */
export function isSamePrice(one: unknown, other: unknown): boolean {
  const [first, second] = [amountIn(one), amountIn(other)]
  if (!first || !second) return true
  const isCurrencySame = !first.currency || !second.currency || first.currency === second.currency
  return isCurrencySame && Number(first.amount) === Number(second.amount)
}

/** Whether an amount stands in the page's text, and not only in its scripts. */
export type Shows = (amount: string) => boolean

/** Amounts that one page is asked for: there are no more of them on a page that is about one product. */
const MAX_ASKED = 400

/** Finds the numbers of a page's text once, and looks for amounts among them. */
export function readShown(html: string): Shows {
  const answers = new Map<string, boolean>()
  let numbers: string | undefined
  return (amount) => {
    const known = answers.get(amount)
    if (known !== undefined || answers.size >= MAX_ASKED) return known ?? false
    numbers ??= listNumbers(html)
    const [whole = '', part] = amount.split('.')
    const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, "[.,'\\s]?")
    const rest = part === undefined ? '(?:[.,]00)?' : `[.,]${part}`
    const isShown = new RegExp(`(?<![\\d.,])${grouped}${rest}(?!\\d|[.,]\\d)`).test(numbers)
    answers.set(amount, isShown)
    return isShown
  }
}

/** The numbers of a page's text, with the signs that may stand in them. A script without an end is one to the end. */
const listNumbers = (html: string): string =>
  (
    html
      .replace(/<script\b[^]*?(?:<\/script\s*>|$)/gi, ' ')
      .replace(/<[^<>]*>/g, ' ')
      .match(/[.,]?\d[\d.,'\s]*/g) ?? []
  ).join('|')
