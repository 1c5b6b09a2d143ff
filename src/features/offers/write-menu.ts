import { compact } from '../../base/collections/compact.js'
import { parseUrl } from '../../base/url.js'
import type { StructuredItem } from '../../content/extract/structured-data/structured-item.js'
import { isItem } from '../../content/extract/facts/pick-item.js'
import { parseNumber, valuesAt } from '../../content/extract/facts/read-fact.js'
import type { Menu, MenuItem, MenuSection } from './menu.js'
import type { ReadDish, ReadMenu, ReadSection } from './read-menu.js'
import { first } from './read-offer.js'

/** Confidence in a menu that was found in the layout of the page. One that is stated as data has 1. */
const FOUND = 0.8

interface MenuPage {
  readonly url: string
  /** Structured data of the page. */
  readonly items: readonly StructuredItem[]
  readonly isStated: boolean
}

/** Writes a menu with the fields of the interface. */
export function writeMenu(read: ReadMenu, { url, items, isStated }: MenuPage): Menu {
  const ids = new Map<string, number>()
  const idOf = (names: readonly string[]): string => {
    const id = names.map((name) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')).join('/')
    let count = (ids.get(id) ?? 0) + 1
    let unique = count === 1 ? id : `${id}-${count}`
    // A name may end in the number that would part two equal ones.
    while (count > 1 && ids.has(unique)) unique = `${id}-${(count += 1)}`
    ids.set(id, count)
    if (unique !== id) ids.set(unique, 1)
    return unique
  }
  const writeItem = (dish: ReadDish, above: readonly string[]): MenuItem => {
    const { name, description, price, options = [], dietary = [], image, calories, availability, merchantItemId } = dish
    return compact({
      id: idOf([...above, name]),
      name,
      description,
      images: image === undefined ? [] : [{ url: image }],
      price,
      availability: availability ?? { inStock: true },
      dietary,
      calories: calories === undefined ? undefined : readCalories(calories),
      optionGroups: options.length > 0 ? [{ options }] : [],
      identifiers: compact({ merchantItemId }),
      url: dish.url,
      sourceUrl: url,
    })
  }
  const writeSection = (section: ReadSection, above: readonly string[]): MenuSection[] => {
    const names = section.name === undefined ? above : [...above, section.name]
    const name = names.join(' / ')
    const { description } = section
    const own = { id: '', name, description, items: section.items.map((item) => writeItem(item, names)) }
    const inner = (section.sections ?? []).flatMap((part) => writeSection(part, names))
    return own.items.length > 0 || description !== undefined ? [compact({ ...own, id: idOf(names) }), ...inner] : inner
  }
  const { name, description, currency } = read
  return compact({
    isMenu: true as const,
    confidence: isStated ? 1 : FOUND,
    merchant: findMerchant(items, url),
    name,
    description,
    url: read.url,
    currency,
    sections: read.sections.flatMap((section) => writeSection(section, [])),
    sourceUrl: url,
  })
}

/** Types of those who serve food, the most telling first. @see https://schema.org/FoodEstablishment */
const MERCHANTS =
  /^(?:Restaurant|FastFoodRestaurant|CafeOrCoffeeShop|BarOrPub|Bakery|IceCreamShop|Brewery|Winery|Distillery|FoodEstablishment)$/
const OTHERS = /^(?:LocalBusiness|Hotel|LodgingBusiness|Store|Organization|WebSite)$/

/** Finds who serves the food: what the page's data names, otherwise the host. */
function findMerchant(items: readonly StructuredItem[], url: string): Menu['merchant'] {
  for (const kind of [MERCHANTS, OTHERS]) {
    for (const item of items) {
      const type = item.types.find((name) => kind.test(name))
      const name = type && first(item, 'name')
      if (name !== undefined && name !== '') return compact({ name, type, location: findLocation(item) })
    }
  }
  return { name: parseUrl(url)?.hostname.replace(/^www\./, '') ?? url }
}

const ADDRESS = ['streetAddress', 'postalCode', 'addressLocality', 'addressRegion', 'addressCountry']

function findLocation(item: StructuredItem): string | undefined {
  const [address] = valuesAt(item, 'address')
  if (address === undefined) return undefined
  if (!isItem(address)) return String(address)
  const parts = ADDRESS.flatMap((name) => first(address, name) ?? [])
  return parts.length > 0 ? parts.join(', ') : undefined
}

/** Reads kilocalories of texts such as `420 kcal`, `1,760 kJ` and `1,760 kJ / 420 kcal`. */
function readCalories(text: string): number | undefined {
  const amounts = text.slice(0, 100).split(/[/|;(]/)
  const stated = amounts.find((amount) => /cal/i.test(amount)) ?? amounts[0] ?? ''
  const amount = parseNumber(stated)
  return amount !== undefined && /kj|joule/i.test(stated) ? Math.round(amount / 4.184) : amount
}
