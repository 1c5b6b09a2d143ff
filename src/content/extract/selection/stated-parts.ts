import { isObject, type JsonObject } from '../../../base/collections/is-object.js'
import { wordsIn } from '../../../base/text/words-in.js'
import { HAS_ATTRIBUTES, type PageNodes } from '../../html/page-nodes.js'
import { collapse, type Element, isElement, isHeading, type ParentNode, textOf } from '../../html/tree.js'
import type { ParsedPage } from '../../parse/parser.js'
import { type Block, isTitle, type Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { boilerplateByTag } from '../rules/boilerplate.js'
import { readJsonLd } from '../structured-data/structured-data.js'

/** Maximum values of a page that are looked for, and their length in characters. */
const MAX_VALUES = 100
const MAX_LENGTH = 300
/** Maximum length of a block that may say a value. A longer one is a text about something else. Characters. */
const MAX_BLOCK_LENGTH = 300
const MAX_FACT_LENGTH = 120
/** Minimum ingredients that the page shows, and their share, for its list of them to be found. */
const MIN_INGREDIENTS = 3
const MIN_SHARE = 0.5
/** Maximum blocks between two ingredients, such as a quantity or a heading, that belong to the list. */
const MAX_GAP = 3
/** Maximum length of the steps of a recipe, minimum length of one, and minimum share of all that the page shows. Characters. */
const MAX_STEPS_LENGTH = 20_000
const MIN_STEP_LENGTH = 20
const MIN_STEPS_SHARE = 0.5
/** Maximum sections of steps, one inside another. */
const MAX_SECTIONS = 3
/** Minimum length of a number or name of a product. Characters. */
const MIN_NAME_LENGTH = 3
/** Maximum blocks from the title to what is said of a product. */
const MAX_DISTANCE = 200
const MAX_DISTANCE_BEFORE = 15
const MAX_PRICES = 4
/** Maximum properties of a product that are looked for, and levels from a property out to its product. */
const MAX_PROPERTIES = 30
const MAX_LEVELS = 40

/** Values that a page states in its structured data. */
interface Stated {
  readonly ingredients: readonly string[]
  readonly steps: readonly string[]
  /** Prices in hundredths, as digits. */
  readonly prices: readonly string[]
  /** The brand, and numbers and codes. */
  readonly names: readonly string[]
}

/**
 * Finds what the structured data of a page (JSON-LD and microdata) states and the page shows: the ingredients and steps of a recipe, and
 * the price, the brand and the numbers of a product. What the content says already is not looked for.
 */
export function findStatedParts(
  page: ParsedPage,
  nodes: PageNodes,
  read: TextBlocks,
  kept: ReadonlySet<Block>,
): Block[] {
  const objects = readJsonLd(page)
  const linked = objects.length === 0 ? NOTHING : readLinked(objects, read)
  const marked = readMarked(nodes)
  const ingredients = [...linked.ingredients, ...marked.ingredients]
  const prices = linked.prices.length > 0 ? linked.prices : marked.prices
  const names = linked.names.length > 0 ? linked.names : marked.names
  return [
    ...(ingredients.length < MIN_INGREDIENTS ? [] : findIngredients(ingredients, read, kept)),
    ...(linked.steps.length === 0 ? [] : findSteps(linked.steps, read, kept)),
    ...(prices.length + names.length === 0 ? [] : findFacts({ prices, names }, read, kept)),
  ]
}

const NOTHING: Stated = { ingredients: [], steps: [], prices: [], names: [] }

function readLinked(objects: readonly JsonObject[], read: TextBlocks): Stated {
  const product = findProduct(objects, read)
  return {
    ingredients: objects.flatMap((object) => textsOf(object['recipeIngredient'] ?? object['ingredients'])),
    steps: objects.flatMap((object) => stepsOf(object['recipeInstructions'])),
    prices: product === undefined ? [] : pricesOf(product['offers']).slice(0, MAX_PRICES),
    names:
      product === undefined ? [] : [...namesOf(product['brand']), ...NUMBERS.flatMap((name) => namesOf(product[name]))],
  }
}

const INGREDIENT = /(?:^|\s)(?:recipeIngredient|ingredients)(?:\s|$)/
const PRICES: ReadonlySet<string> = new Set(['price', 'lowPrice'])
const PRODUCT = /\/(?:Product|IndividualProduct|ProductModel)\/?\s*$/

/** Reads microdata: of products, the one with the first heading, or else the first. */
function readMarked({ nodes, kinds }: PageNodes): Stated {
  const ingredients: string[] = []
  const properties: Element[] = []
  let title: Element | undefined
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at]
    if (node === undefined || !isElement(node)) continue
    if (node.name === 'h1') title ??= node
    const name = ((kinds[at] ?? 0) & HAS_ATTRIBUTES) === 0 ? undefined : node.attribs['itemprop']
    if (name === undefined) continue
    if (INGREDIENT.test(name)) ingredients.push(...textsOf(textOf(node)))
    else if (PRICES.has(name) || name === 'brand' || NUMBERS.some((one) => one === name)) properties.push(node)
  }
  if (properties.length === 0) return { ...NOTHING, ingredients: ingredients.slice(0, MAX_VALUES) }
  const products = properties.map((property) => productOf(property))
  const ofTitle = title && productOf(title)
  const product =
    ofTitle !== undefined && products.includes(ofTitle) ? ofTitle : products.find((one) => one !== undefined)
  const own =
    product === undefined ? [] : properties.filter((_, at) => products[at] === product).slice(0, MAX_PROPERTIES)
  const valueOf = (element: Element): string => element.attribs['content'] ?? collapse(textOf(element))
  const isPriceOf = ({ attribs }: Element): boolean => PRICES.has(attribs['itemprop'] ?? '')
  return {
    ...NOTHING,
    ingredients: ingredients.slice(0, MAX_VALUES),
    prices: own
      .filter(isPriceOf)
      .flatMap((one) => numbersIn(valueOf(one)))
      .slice(0, MAX_PRICES),
    names: own.filter((one) => !isPriceOf(one)).flatMap((one) => namesOf(valueOf(one))),
  }
}

/** Returns the product that an element belongs to. */
function productOf(element: Element): Element | undefined {
  let at: ParentNode | null = element
  let level = 0
  while (at !== null && isElement(at) && level < MAX_LEVELS) {
    if (PRODUCT.test(at.attribs['itemtype'] ?? '')) return at
    at = at.parent
    level += 1
  }
  return undefined
}

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter((one) => typeof one === 'string')
    .slice(0, MAX_VALUES)
    .map((text) => text.slice(0, MAX_LENGTH))

/** Returns the texts of steps: a text, steps with a text, or sections of them. @see https://schema.org/recipeInstructions */
function stepsOf(value: unknown, level = 0): string[] {
  if (typeof value === 'string') return [value.replaceAll(/<[^<>]*>/g, ' ')]
  if (level > 2 * MAX_SECTIONS) return []
  if (Array.isArray(value)) return value.slice(0, MAX_VALUES).flatMap((one) => stepsOf(one, level + 1))
  return isObject(value) ? stepsOf(value['itemListElement'] ?? value['text'], level + 1) : []
}

/** Returns the letters and digits of a text: spaces and signs are written in many ways. */
const squeeze = (text: string): string => wordsIn(text).join('')

function findIngredients(ingredients: readonly string[], { blocks }: TextBlocks, kept: ReadonlySet<Block>): Block[] {
  const stated = [...new Set(ingredients.slice(0, MAX_VALUES).map(squeeze))].filter((text) => text !== '')
  const all = stated.join(' ')
  const whole = new Set(stated)
  // An ingredient may stand in several blocks: its quantity, its name, a remark.
  const isPart = (block: Block): boolean => {
    if (block.text.length > MAX_BLOCK_LENGTH || isOutside(block.region)) return false
    const text = squeeze(block.text)
    return whole.has(text) || (text.length >= MIN_NAME_LENGTH && all.includes(text))
  }
  const parts = blocks.filter(isPart)
  if (parts.length < Math.max(MIN_INGREDIENTS, MIN_SHARE * stated.length)) return []
  return findRuns(parts, stated.length).flatMap(([from, to]) =>
    blocks.slice(from, to + 1).filter((block) => !kept.has(block) && !isOutside(block.region)),
  )
}

/** Finds the steps that are not in the content, each with the heading right above it. Those of other recipes are stated elsewhere. */
function findSteps(steps: readonly string[], { blocks }: TextBlocks, kept: ReadonlySet<Block>): Block[] {
  const stated = squeeze(steps.join(' ').slice(0, MAX_STEPS_LENGTH))
  const isStep = ({ text, region }: Block): boolean =>
    text.length >= MIN_STEP_LENGTH && !isOutside(region) && stated.includes(squeeze(text))
  const shown = blocks.filter(isStep)
  const length = shown.reduce((sum, { text }) => sum + squeeze(text).length, 0)
  if (length < MIN_STEPS_SHARE * stated.length) return []
  return shown
    .filter((block) => !kept.has(block))
    .flatMap((block) => {
      const above = blocks[block.at - 1]
      return above !== undefined && isHeading(above.region.element) ? [above, block] : [block]
    })
}

/** Returns the first and last indices of the blocks that stand close to each other and are enough for a list. */
function findRuns(parts: readonly Block[], stated: number): (readonly [number, number])[] {
  const runs: { from: number; to: number; count: number }[] = []
  for (const { at } of parts) {
    const last = runs.at(-1)
    if (last !== undefined && at - last.to <= MAX_GAP) {
      last.to = at
      last.count += 1
    } else runs.push({ from: at, to: at, count: 1 })
  }
  return runs
    .filter(({ count }) => count >= Math.max(MIN_INGREDIENTS, MIN_SHARE * Math.min(stated, 2 * MIN_INGREDIENTS)))
    .map(({ from, to }) => [from, to])
}

/** Returns the product that the page is about: the only one, or that with the name of its first heading. */
function findProduct(objects: readonly JsonObject[], { blocks }: TextBlocks): JsonObject | undefined {
  const products = objects.filter((object) => /(?:^|,)Product(?:,|$)/i.test(String(object['@type'])))
  if (products.length === 0) return undefined
  const title = squeeze(blocks.find(({ region }) => isTitle(region))?.text ?? '')
  const named = products.find(({ name }) => typeof name === 'string' && title !== '' && squeeze(name) === title)
  return named ?? (products.length === 1 ? products[0] : undefined)
}

function findFacts(
  { prices, names }: { readonly prices: readonly string[]; readonly names: readonly string[] },
  { blocks }: TextBlocks,
  kept: ReadonlySet<Block>,
): Block[] {
  const title = Math.max(
    0,
    blocks.findIndex(({ region }) => isTitle(region)),
  )
  const near = blocks
    .slice(Math.max(0, title - MAX_DISTANCE_BEFORE), title + MAX_DISTANCE)
    .filter(({ region, text }) => text.length <= MAX_FACT_LENGTH && !isHeading(region.element) && !isOutside(region))
  const content = [...kept].map(({ text }) => text)
  const saysPrice = (text: string): boolean =>
    text.length <= MAX_FACT_LENGTH && numbersIn(text).some((number) => prices.includes(number))
  const priced = prices.length === 0 || content.some(saysPrice) ? undefined : near.find(({ text }) => saysPrice(text))
  const said = spell(content.join(' '))
  const named = names
    .map(spell)
    .filter((name) => !said.includes(name))
    .map((name) => near.find(({ text }) => spell(text).includes(name)))
  return [priced, ...named].filter((block) => block !== undefined)
}

/** Properties with a number or code that people look a product up by. @see https://schema.org/Product */
const NUMBERS = ['sku', 'mpn', 'gtin', 'gtin8', 'gtin12', 'gtin13', 'gtin14', 'productID'] as const

/** Returns the prices of offers in hundredths, as digits. */
function pricesOf(offers: unknown): string[] {
  if (Array.isArray(offers)) return offers.slice(0, 10).flatMap(pricesOf)
  if (!isObject(offers)) return []
  return [offers['price'], offers['lowPrice'], ...pricesOf(offers['priceSpecification'])].flatMap((price) => {
    const value = typeof price === 'string' || typeof price === 'number' ? Number(price) : Number.NaN
    return Number.isFinite(value) && value > 0 ? [String(Math.round(100 * value))] : []
  })
}

const NUMBER = /\d[\d.,'’\u00A0\u202F ]{0,14}\d|\d/g

/** Returns the numbers in a short text in hundredths, as digits: `1.599,00`, `1,599` and `1599` are equal. */
function numbersIn(text: string): string[] {
  return (text.match(NUMBER) ?? []).map((number) => {
    const cents = /[.,](\d{1,2})$/.exec(number)
    const whole = (cents === null ? number : number.slice(0, cents.index)).replaceAll(/\D/g, '')
    return `${whole}${(cents?.[1] ?? '').padEnd(2, '0')}`.replace(/^0+(?=\d)/, '')
  })
}

function namesOf(value: unknown): string[] {
  const one = isObject(value) ? value['name'] : value
  const name = typeof one === 'string' || typeof one === 'number' ? String(one).trim() : ''
  return name.length >= MIN_NAME_LENGTH && name.length <= MAX_FACT_LENGTH ? [name] : []
}

/** Returns the words of a text in succession, so that one text has those of another one if it includes them. */
const spell = (text: string): string => ` ${wordsIn(text).join(' ')} `

/** True for what stands in a menu or in the footer of the page. */
export function isOutside(region: Region): boolean {
  for (let at: Region | undefined = region; at !== undefined; at = at.parent) {
    const kind = boilerplateByTag(at.element)
    if (kind === 'navigation' || kind === 'footer') return true
  }
  return false
}
