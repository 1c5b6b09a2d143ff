import { collapse, type Element, isElement, isText, type Text, walk } from './tree.js'
import { divideDigits, readInlineDigits } from './inline-digits.js'
import { isCurrency, readAmount } from '../../base/text/read-amount.js'

/** Maximum nodes and characters of a price. */
const MAX_NODES = 40
const MAX_LENGTH = 40

/** Elements that the parts of a price are in. */
const INLINE: ReadonlySet<string> = new Set('span sup sub small b strong i em bdi bdo font data'.split(' '))
/** Elements whose digits are cents, also beside the currency: `12<sup>€99</sup>`. */
const SMALL: ReadonlySet<string> = new Set(['sup', 'sub', 'small'])
/** Class names of cents. */
const CENTS_CLASS = /cent|dec(?!or)|fract|minor|small|\bsup/iu

interface PriceParts {
  nodes: number
  /** Text that the page shows. */
  text: string
  /** The text before digits are divided, since what is hidden from screen readers began or ended. */
  written: string
  /** Text that a screen reader says: that of the page without what is hidden from it. */
  spoken: string
  /** Elements with text, and those of them with digits, and with digits and other signs. */
  texts: number
  digits: number
  amounts: number
  isOther: boolean
}

/**
 * Returns the price that an element shows in several elements, such as whole units, cents and the currency; undefined for another
 * element. A price that is there twice, once for screen readers, is read once.
 *
 * @param isSkipped true for an element that is not read
 */
export function readPriceInParts(element: Element, isSkipped: (element: Element) => boolean): string | undefined {
  if (element.children.length < 2 || element.children.length > MAX_NODES) return undefined
  if (element.children.some((child) => isNoPart(child, isSkipped))) return undefined
  const parts: PriceParts = {
    nodes: 0,
    text: '',
    written: '',
    spoken: '',
    texts: 0,
    digits: 0,
    amounts: 0,
    isOther: false,
  }
  let silent: Element | undefined
  walk(
    element,
    (node) => {
      parts.nodes += 1
      parts.isOther ||= parts.nodes > MAX_NODES || parts.text.length > MAX_LENGTH
      if (isText(node)) notePart(node, parts, silent === undefined)
      if (isElement(node)) {
        if (isSkipped(node)) return false
        parts.isOther ||= !isInline(node)
        if (node.attribs['aria-hidden'] === 'true' && silent === undefined) {
          silent = node
          parts.written = ''
        }
        const digits = readInlineDigits(node)
        if (digits !== undefined) {
          parts.text = divideDigits(parts.text, digits)
          parts.spoken = divideDigits(parts.spoken, digits)
        }
      }
      return parts.isOther ? 'stop' : true
    },
    (left) => {
      if (left !== silent) return
      silent = undefined
      parts.written = ''
    },
  )
  if (parts.isOther || parts.texts < 2) return undefined
  const [text, spoken] = [collapse(parts.text), collapse(parts.spoken)]
  if (spoken !== text && isPrice(spoken)) return spoken
  // A number beside an amount may count something: `2` and `€20`.
  return (parts.amounts === 0 || parts.digits === 1) && isPrice(text) ? text : undefined
}

const isInline = ({ name, attribs }: Element): boolean => INLINE.has(name) && attribs['itemprop'] === undefined

/** Tests a child for one that no price has. Most elements have one, so that they need not be walked through. */
const isNoPart = (child: Element['children'][number], isSkipped: (element: Element) => boolean): boolean =>
  isText(child)
    ? child.data.length > MAX_LENGTH && collapse(child.data).length > MAX_LENGTH
    : isElement(child) && !isInline(child) && !isSkipped(child)

function notePart({ data, parent }: Text, parts: PriceParts, isSpoken: boolean): void {
  const own = data.trim()
  if (/^\d/u.test(own) && /\d\s*$/u.test(parts.written)) parts.isOther ||= !areCents(own, parent, parts.written)
  parts.text += data
  parts.written += data
  if (isSpoken) parts.spoken += data
  if (!/[^.,]/u.test(own)) return
  parts.texts += 1
  if (!/\d/u.test(own)) return
  parts.digits += 1
  const isSmall = parent !== null && isElement(parent) && SMALL.has(parent.name)
  if (/[^\d.,'’\s-]/u.test(own) && !isSmall) parts.amounts += 1
}

/** Tests digits after a number without a sign between. A number of something else may stand beside a price: `4` and `120 €`. */
function areCents(digits: string, element: Text['parent'], before: string): boolean {
  if (!/^\d{2}(?!\d)/u.test(digits) || element === null || !isElement(element)) return false
  if (SMALL.has(element.name) || CENTS_CLASS.test(element.attribs['class'] ?? '')) return true
  return /^\s*[^\s\d]/u.test(before) && !/\s$/u.test(before)
}

/** Tests for a number with a currency and nothing else. */
function isPrice(text: string): boolean {
  if (text.length > MAX_LENGTH || !/\d/u.test(text)) return false
  const sign = text.replace(/[\d\s,'’−–-]|[.](?=\d|$)|(?<=\d)[.]/gu, '')
  return isCurrency(sign) && (readAmount(text, '.') ?? readAmount(text, ',')) !== undefined
}
