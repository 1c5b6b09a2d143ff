import type { FoundMenu } from './find-menu.js'
import type { StructuredItem, StructuredValue } from '../../content/extract/structured-data/structured-item.js'
import type { MenuItem, MenuOption, MenuPrice } from './menu.js'
import { isItem } from '../../content/extract/facts/pick-item.js'
import { currencyOf } from '../../base/text/currencies.js'
import { parseNumber, valuesAt } from '../../content/extract/facts/read-fact.js'
import { absolute, first, imageOf, omitEmpty, readAvailability, readPrice } from './read-offer.js'

/** A dish as it was read. */
export interface ReadDish {
  readonly name: string
  readonly description?: string
  readonly price?: MenuPrice
  readonly options?: MenuOption[]
  readonly dietary?: string[]
  /** As stated, such as `420 kcal`. */
  readonly calories?: string
  readonly image?: string
  readonly url?: string
  readonly availability?: MenuItem['availability']
  readonly merchantItemId?: string
}

/** A section as it was read. */
export interface ReadSection {
  readonly name?: string
  readonly description?: string
  readonly items: readonly ReadDish[]
  readonly sections?: readonly ReadSection[]
}

/** A menu as it was read. */
export interface ReadMenu {
  readonly name?: string
  readonly description?: string
  readonly url?: string
  readonly currency?: string
  readonly sections: readonly ReadSection[]
}

/** Maximum items and nested sections to read. */
const MAX_ITEMS = 3000
const MAX_DEPTH = 4
/** Maximum items to search for a menu. */
const MAX_SEARCHED = 5000

/** Reads the menu from the structured data of a page; undefined when it contains no dish. */
export function readMenu(items: readonly StructuredItem[], url: string): ReadMenu | undefined {
  const { menus, sections, dishes } = collect(items)
  const context = { url, left: MAX_ITEMS }
  const [only] = menus
  const parts =
    menus.length > 1
      ? menus.map((menu) => readSection(menu, context, 0))
      : only
        ? readSections(only, context)
        : [...sections.map((section) => readSection(section, context, 0)), readDishes(dishes, context)]
  const filled = parts.filter((section) => countDishes(section) > 0)
  if (filled.length === 0) return undefined
  const about = menus.length === 1 && only ? omitEmpty(describe(only, url)) : {}
  return withCurrency({ ...about, sections: filled })
}

/** Collects the outermost menus, sections and dishes at any depth. */
function collect(roots: readonly StructuredItem[]): Record<'menus' | 'sections' | 'dishes', StructuredItem[]> {
  const found = { menus: [] as StructuredItem[], sections: [] as StructuredItem[], dishes: [] as StructuredItem[] }
  const queue: StructuredItem[] = [...roots]
  const seen = new Set<StructuredItem>()
  for (let at = 0; at < queue.length && at < MAX_SEARCHED; at++) {
    const item = queue[at]
    if (!item || seen.has(item)) continue
    seen.add(item)
    const place = item.types.includes('Menu')
      ? found.menus
      : item.types.includes('MenuSection')
        ? found.sections
        : item.types.includes('MenuItem')
          ? found.dishes
          : undefined
    if (place) place.push(item)
    else queue.push(...Object.values(item.properties).flat().filter(isItem))
  }
  return found
}

interface MenuContext {
  readonly url: string
  left: number
}

const describe = (item: StructuredItem, url: string) => {
  const address = first(item, 'url')
  return {
    name: first(item, 'name'),
    description: first(item, 'description'),
    url: address === undefined ? undefined : absolute(address, url),
  }
}

/** Reads the sections of a menu. Dishes outside of all sections come first, in a section without a name. */
function readSections(menu: StructuredItem, context: MenuContext): ReadSection[] {
  const { items, sections = [] } = readSection(menu, context, 0)
  return [...(items.length > 0 ? [{ items }] : []), ...sections]
}

function readSection(item: StructuredItem, context: MenuContext, depth: number): ReadSection {
  const { name, description } = describe(item, context.url)
  const inner = depth < MAX_DEPTH ? partsOf(item, ['hasMenuSection', 'menuSection', 'hasMenu']) : []
  const { items } = readDishes(partsOf(item, ['hasMenuItem', 'menuItem']), context)
  const sections = inner.map((one) => readSection(one, context, depth + 1)).filter((one) => countDishes(one) > 0)
  return { ...omitEmpty({ name, description }), items, ...(sections.length > 0 && { sections }) }
}

const partsOf = (item: StructuredItem, names: readonly string[]): StructuredItem[] =>
  names.flatMap((name) => valuesAt(item, name).filter(isItem))

const readDishes = (dishes: readonly StructuredItem[], context: MenuContext): ReadSection => ({
  items: dishes.flatMap((dish) => (context.left-- > 0 ? (readDish(dish, context.url) ?? []) : [])),
})

const countDishes = ({ items, sections = [] }: ReadSection): number =>
  items.length + sections.reduce((sum, section) => sum + countDishes(section), 0)

function readDish(item: StructuredItem, url: string): ReadDish | undefined {
  const { name, ...about } = describe(item, url)
  if (name === undefined) return undefined
  const [image] = valuesAt(item, 'image')
  const offers = valuesAt(item, 'offers').filter(isItem)
  const diets = valuesAt(item, 'suitableForDiet').flatMap((value) => readDiet(value) ?? [])
  const priced = offers.flatMap((offer) => {
    const price = readPrice(offer)
    return price ? [{ ...omitEmpty({ name: first(offer, 'name') }), price }] : []
  })
  const states = offers.flatMap((offer) => readAvailability(offer) ?? [])
  return {
    name,
    ...omitEmpty({
      ...about,
      calories: first(item, 'nutrition.calories'),
      image: image === undefined ? undefined : imageOf(image, url),
      merchantItemId: first(item, 'identifier') ?? first(item, 'sku'),
    }),
    availability: states.find(({ inStock }) => inStock) ?? states[0],
    ...assignPrices(priced),
    ...(diets.length > 0 && { dietary: diets }),
  }
}

/** Assigns prices to a dish: a single one as its price; of several, the lowest as its price and each as an option. */
function assignPrices(priced: readonly { name?: string; price: MenuPrice }[]): {
  price?: MenuPrice
  options?: { name?: string; price: MenuPrice }[]
} {
  const [least] = priced.map(({ price }) => price).toSorted((one, other) => one.amount - other.amount)
  if (!least) return {}
  return priced.length === 1 ? { price: least } : { price: least, options: [...priced] }
}

/** Converts `https://schema.org/GlutenFreeDiet` to `gluten-free`. */
function readDiet(value: StructuredValue): string | undefined {
  const text = isItem(value) ? first(value, 'name') : String(value)
  const bare = text?.replace(/^.*[/#:]/, '').replace(/Diet$/, '')
  return bare === undefined || bare === '' ? undefined : bare.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase()
}

function withCurrency(menu: ReadMenu): ReadMenu {
  const currencies = new Set(menu.sections.flatMap(pricesOf).map(({ currency }) => currency))
  const [only] = currencies
  return currencies.size === 1 && only !== undefined ? { ...menu, currency: only } : menu
}

const pricesOf = ({ items, sections = [] }: ReadSection): MenuPrice[] => [
  ...items.flatMap(({ price, options = [] }) => [...(price ? [price] : []), ...options.map((option) => option.price)]),
  ...sections.flatMap(pricesOf),
]

/** Converts a menu found in the layout of a page. */
export function readShownMenu({ sections }: FoundMenu): ReadMenu {
  const converted = sections.map(({ name, items }) => ({
    ...omitEmpty({ name }),
    items: items.map(({ name: dish, description, prices, marks }): ReadDish => {
      const priced = prices.flatMap((text) => {
        const price = readShownPrice(text)
        return price ? [{ price }] : []
      })
      const dietary = marks.length > 0 ? { dietary: [...marks] } : {}
      return { name: dish, ...omitEmpty({ description }), ...assignPrices(priced), ...dietary }
    }),
  }))
  return withCurrency({ sections: converted })
}

function readShownPrice(text: string): MenuPrice | undefined {
  const amount = parseNumber(text)
  if (amount === undefined) return undefined
  const sign = text.replace(/[\d.,\s'’–-]/g, '').toLowerCase()
  const currency = currencyOf(sign) ?? (/^[a-z]{3}$/.test(sign) ? sign.toUpperCase() : undefined)
  return { amount, ...omitEmpty({ currency, formatted: /^[\d.]+$/.test(text) ? undefined : text }) }
}
