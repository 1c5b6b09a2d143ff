import { collapse, type Element, isElement, isText, type ParentNode, type Text, walk } from '../../content/html/tree.js'

/** A price on the page. */
export interface PriceSpot {
  /** The element that is the price, or whose text contains it. */
  readonly element: Element
  /** The text node that ends with the price; undefined if the whole element is the price. */
  readonly node?: Text
  /** Text before the price in that node; empty if the whole element is the price. */
  readonly before: string
  /** The price as written. */
  readonly text: string
}

const MAX_PRICES = 3000

const SIGN =
  '(?:€|£|¥|₹|₺|₽|₩|฿|₪|₫|₱|R?\\$|US\\$|zł|kr\\.?|Fr\\.?|CHF|EUR|USD|GBP|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|JPY)'
const NUMBER = "\\d{1,3}(?:[.,'’ \\u00a0]\\d{3})*(?:[.,](?:\\d{2}|-+|–))?|\\d{1,5}(?:[.,](?:\\d{1,2}|-+|–))?"
/** A number with a currency sign, or with two digits after the point. */
const PRICE = `(?:${SIGN}\\s?(?:${NUMBER})|(?:${NUMBER})\\s?${SIGN}|\\d{1,4}[.,]\\d{2})`
const WHOLE = new RegExp(`^(?:from |ab |à partir de |desde |da )?(${PRICE})$`, 'i')
const BARE = /^\d{1,4}(?:[.,]\d{1,2})?$/
const AT_END = new RegExp(`^(.*?[^\\s.…·_–-])[\\s.…·_–-]+(${PRICE})$`, 'i')
const PRICE_CLASS = /pri(?:ce|x|s)(?![a-z])|preis|precio|prezzo|cena/i

/** Maximum length of a price, and of a line that ends with one. Characters. */
const MAX_PRICE_LENGTH = 24
const MAX_LINE_LENGTH = 240

/** Finds the prices on a page, in document order. @param aside tag names of elements that are skipped */
export function findPrices(root: ParentNode, aside: ReadonlySet<string>): PriceSpot[] {
  const whole = new Map<Element, string>()
  const lines: PriceSpot[] = []
  const texts: { element: Element; text: string }[] = []
  walk(
    root,
    (node) => {
      if (isText(node)) {
        // An element further out has at least as much text.
        for (let at = texts.length - 1; at >= 0; at--) {
          const open = texts[at]
          if (!open || open.text.length > MAX_PRICE_LENGTH) break
          open.text += node.data.slice(0, 100)
        }
        const parent = node.parent
        const line = collapse(node.data.slice(0, 2 * MAX_LINE_LENGTH))
        const found = parent && isElement(parent) && line.length <= MAX_LINE_LENGTH ? AT_END.exec(line) : null
        if (found && parent && isElement(parent) && lines.length < MAX_PRICES) {
          lines.push({ element: parent, node, before: found[1] ?? '', text: found[2] ?? '' })
        }
        return true
      }
      if (!isElement(node) || aside.has(node.name)) return false
      texts.push({ element: node, text: '' })
      return true
    },
    (element) => {
      const open = texts.at(-1)
      if (open?.element !== element) return
      texts.pop()
      const price = readPrice(collapse(open.text), element)
      if (price !== undefined && whole.size < MAX_PRICES) whole.set(element, price)
    },
  )
  return inOrder(root, whole, lines)
}

function readPrice(text: string, { attribs, parent }: Element): string | undefined {
  if (text.length > MAX_PRICE_LENGTH) return undefined
  const found = WHOLE.exec(text)?.[1]
  if (found !== undefined) return found
  const classes = `${attribs['class'] ?? ''} ${parent && isElement(parent) ? (parent.attribs['class'] ?? '') : ''}`
  return BARE.test(text) && PRICE_CLASS.test(classes) ? text : undefined
}

/** Lists prices in document order. If nested elements are the same price, the outermost counts. */
function inOrder(root: ParentNode, whole: ReadonlyMap<Element, string>, lines: readonly PriceSpot[]): PriceSpot[] {
  const byNode = new Map(lines.map((line) => [line.node, line]))
  const spots: PriceSpot[] = []
  walk(root, (node) => {
    const line = isText(node) ? byNode.get(node) : undefined
    if (line) spots.push(line)
    const price = isElement(node) ? whole.get(node) : undefined
    if (price === undefined || !isElement(node)) return true
    spots.push({ element: node, before: '', text: price })
    return false
  })
  return spots
}
