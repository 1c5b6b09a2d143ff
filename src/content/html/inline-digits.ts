import { type Element, isElement, isText } from './tree.js'
import { isCurrencyCode } from '../../base/text/currencies.js'

/** Digits in an element of their own, such as those of `19<sup>99</sup> €`. */
interface InlineDigits {
  readonly digits: string
  readonly isRaised: boolean
  /** Beginning of the text after the element. */
  readonly after: string
}

/** Elements whose digits are no part of the number before them. */
const RAISED: ReadonlySet<string> = new Set(['sup', 'sub'])
const INLINE: ReadonlySet<string> = new Set('sup sub small span b strong i em'.split(' '))

/** Returns the text of an element that contains nothing but digits. */
export function readInlineDigits(element: Element): InlineDigits | undefined {
  if (!INLINE.has(element.name)) return undefined
  const digits = textOfOnly(element)
  if (!/^\d{1,4}$/u.test(digits)) return undefined
  const { next } = element
  const after = next === null ? '' : isText(next) ? next.data : isElement(next) ? textOfOnly(next) : ''
  return { digits, isRaised: RAISED.has(element.name), after: after.slice(0, 10).trim() }
}

const MAX_WRAPPERS = 3

/** Returns the text of an element with one child, which is a text or contains one. */
function textOfOnly(element: Element): string {
  let at: Element['children'][number] | undefined = element
  for (let down = 0; down <= MAX_WRAPPERS && at !== undefined && isElement(at); down += 1)
    at = at.children.length === 1 ? at.children[0] : undefined
  return at !== undefined && isText(at) ? at.data.trim() : ''
}

/** Digits at the end of a text with what separates thousands, such a number, and a currency before it. */
const LAST_DIGITS = /(?<![\d.,' ])[\d.,' ]+$/u
const WHOLE_NUMBER = /^\d{1,3}(?:[.,' ]?\d{3})*$/u
const MONEY_BEFORE = /(?:\p{Sc}|(?<!\p{L})(?:([A-Z]{3})|kr\.?|zł))$/u
const MONEY_AFTER = /^(?:\p{Sc}|([A-Z]{3})(?!\p{L})|kr(?!\p{L})|zł|Kč)/u
const MAX_AMOUNT = 30

/** Tests a match, whose three letters may be no currency: `9<sup>30</sup> UTC`. */
const isCurrency = (found: RegExpExecArray | null): boolean =>
  found !== null && (found[1] === undefined || isCurrencyCode(found[1]))

/**
 * Divides a text that ends with a digit from digits in an element of their own: cents, with a point, and raised digits, which
 * are notes and powers, with a space. `$19<sup>99</sup>` is 19.99, and `998<sup>2</sup>` is not 9982.
 */
export function divideDigits(text: string, { digits, isRaised, after }: InlineDigits): string {
  // Only the end is searched: a text may have thousands of such digits.
  const end = isRaised ? text.slice(-MAX_AMOUNT).trimEnd() : text.slice(-MAX_AMOUNT)
  if (!/\d/u.test(end.slice(-1))) return text
  const whole = (LAST_DIGITS.exec(end)?.[0] ?? '').replace(/^\D+/u, '')
  const before = end.slice(0, end.length - whole.length)
  const isMoney = isCurrency(MONEY_BEFORE.exec(before.trimEnd())) || isCurrency(MONEY_AFTER.exec(after))
  if (!(isMoney && digits.length === 2 && WHOLE_NUMBER.test(whole))) return isRaised ? `${text} ` : text
  return `${text.slice(0, -MAX_AMOUNT)}${before}${whole.replace(/\D/gu, '')}.`
}
