import { isHeading } from '../../html/tree.js'
import type { Block, Region } from '../blocks/block.js'
import { wordsOf } from '../blocks/name-words.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { findSeries, type Series } from '../measures/series.js'
import { isCurrency } from '../../../base/text/read-amount.js'
import { findTitle } from './find-title.js'
import { isOutside } from './stated-parts.js'

/** Maximum length of a block that says a price, and of one that says a number. Characters. */
const MAX_PRICE_LENGTH = 60
const MAX_NUMBER_LENGTH = 80
/** Maximum blocks from the title of a product to its price, and to its numbers. */
const MAX_BEFORE = 15
const MAX_AFTER = 40
const MAX_NUMBERS_AFTER = 200
/** Maximum levels from a price out to the element that is named so. */
const MAX_LEVELS = 3
/** Maximum blocks with prices in that element: the price, the former one, the one for a unit or without tax. */
const MAX_PRICES = 4
const MAX_NUMBERS = 6

/** An amount with its currency. The measure of the model knows fewer of them. */
const WITH_SIGN = /\p{Sc}\s?\d|\d(?:[.,][-–—]{1,2})?\s?(?:\p{Sc}|zł|Kč|руб|грн|лв|円|元|원)/u
const AFTER_WORD = /\b([A-Z]{2,3}|Rs\.?|[Kk]r\.?)\s?\d/
const BEFORE_WORD = /\d(?:[.,][-–—]{1,2})?\s?([A-Z]{2,3}|kr|Ft|lei)\b/

/** True for a short line with an amount of money, of any currency. */
export const saysPrice = (text: string): boolean =>
  text.length <= MAX_PRICE_LENGTH &&
  (WITH_SIGN.test(text) || [AFTER_WORD, BEFORE_WORD].some((pattern) => isCurrency(pattern.exec(text)?.[1] ?? '')))

/** Names of elements that hold a price. Systems of shops have the English word, and some that of their country. */
const PRICE_NAME = /^(?:.*prices?|price.*|prix|preis|precio|preco|prezzo|prijs|pris|cena|ceny|hinta|fiyat)$/
/** Names of elements with prices that are not that of the product. */
const NO_PRICE_NAME = /filter|range|slider|shipping|delivery|voucher|coupon|minimum/

/** Names of a number or code that people look a product up by, and its value after them. */
const NUMBER_NAME =
  /^(?:sku|ean|upc|gtin|mpn|asin|isbn(?:-?1[03])?|artikel-?(?:nr\.?|nummer)|art\.?-?(?:nr|no)\.?|modell(?:nummer)?|réf(?:érence|\.)?|ref\.?|referencia|código|codice)\b/iu
const NUMBER_NAME_IN_WORDS =
  /^(?:item|model|part|style|product|article|catalog(?:ue)?|mfr\.?|manufacturer)(?: part)? ?(?:#|(?:no|nr|number|code|id)\b)/iu
const NUMBER_NAME_ELSEWHERE =
  /^(?:varenummer|tuotenumero|artikelnummer|tootekood|kod produktu|kód(?: produktu)?|cikkszám|cod produs|артикул|код товара|商品番号|型番|货号|商品编号)/iu
const NUMBER_VALUE = /(?:^|[\s:#№.：])(?=[\p{L}./ _-]{0,20}\d)[\p{L}\d][\p{L}\d./ _-]{2,30}$/u

const isNumberLine = ({ text }: Block): boolean =>
  text.length <= MAX_NUMBER_LENGTH &&
  (NUMBER_NAME.test(text) || NUMBER_NAME_IN_WORDS.test(text) || NUMBER_NAME_ELSEWHERE.test(text)) &&
  NUMBER_VALUE.test(text)

/**
 * Finds the price of the product that a page is for, and its numbers, whether or not its structured data states them: the nearest price
 * to the title in an element that is named so. Prices of a series, such as the cards of a category or of related products,
 * are none of it. If the content near the title says another price already, none is added.
 */
export function findPrice(read: TextBlocks, kept: ReadonlySet<Block>, pageTitle?: string): Block[] {
  const { blocks } = read
  const title = findTitle(blocks, pageTitle)
  const first = Math.max(0, title - MAX_BEFORE)
  const near = title === -1 ? [] : blocks.slice(first, title + MAX_AFTER)
  const prices = near.filter(({ text }) => saysPrice(text))
  if (prices.length === 0) return []
  const { ofBlocks } = findSeries(read)
  // Many blocks near the title may be of one series, which is read once.
  const pricesOf = new Map<Series, readonly Block[]>()
  const holderOf = ({ inner, region }: Block): Region | undefined =>
    priceHolderOf(region) ?? priceHolderOf(read.regionOf.get(inner) ?? region)
  const isOfProduct = (block: Block): boolean => {
    const series = ofBlocks[block.at]
    const known = series && (pricesOf.get(series) ?? series.blocks.filter(({ text }) => saysPrice(text)))
    if (series && known) pricesOf.set(series, known)
    const holder = holderOf(block)
    // The parts of one price are a series as well.
    const others = known?.filter((other) => holder === undefined || !isIn(other, holder)) ?? []
    return !isOutside(block.region) && !(series && isPriced(series, others))
  }
  const own = prices.filter(
    (block) => isOfProduct(block) && (!isHeading(block.region.element) || holderOf(block) !== undefined),
  )
  const holder = own.map(holderOf).find((region) => region !== undefined)
  if (holder === undefined) return []
  const numbers = blocks
    .slice(first, title + MAX_NUMBERS_AFTER)
    .filter((block) => isNumberLine(block) && !isOutside(block.region))
  const ofHolder = own.filter((block) => isIn(block, holder))
  const isInList = ({ region: { element } }: Block): boolean => element.name === 'li'
  const isSaid = own.some((block) => kept.has(block) && !ofHolder.includes(block))
  // A price is often there twice: beside the title, and in a bar for small screens.
  // A list after it says the same in other currencies.
  const distinct = ofHolder.filter(
    (block, at) =>
      (at === 0 || isInList(block) === isInList(ofHolder[0] ?? block)) &&
      !ofHolder.slice(0, at).some((before) => amountsIn(before.text).includes(amountsIn(block.text))),
  )
  const found = isSaid ? [] : distinct.slice(0, MAX_PRICES)
  return [...found, ...numbers.filter(isOfProduct).slice(0, MAX_NUMBERS)]
}

/** Minimum prices of a series for them to be those of its members. */
const MIN_PRICES_OF_SERIES = 3

/** Minimum share of such members. The parts of a page may be of one form, and some of them have a price somewhere. */
const MIN_PRICED_SHARE = 0.5

/** True for a series that has prices in many of its members. */
function isPriced({ members }: Series, prices: readonly Block[]): boolean {
  if (prices.length < MIN_PRICES_OF_SERIES) return false
  const priced = members.filter((member) => prices.some((block) => isIn(block, member))).length
  return priced >= MIN_PRICED_SHARE * members.length
}

const isIn = ({ start }: Block, { start: first, text }: Region): boolean => start >= first && start < first + text

const amountsIn = (text: string): string => text.replaceAll(/[^\d.,]+/g, ' ').trim()

function priceHolderOf(region: Region): Region | undefined {
  let found: Region | undefined
  let at: Region | undefined = region
  for (let level = 0; level <= MAX_LEVELS && at !== undefined; level += 1, at = at.parent) {
    const words = wordsOf(at.element)
    if (words.some((word) => NO_PRICE_NAME.test(word))) return undefined
    if (words.some((word) => PRICE_NAME.test(word))) found = at
  }
  return found
}
