import { isObject, type JsonObject } from '../../../base/collections/is-object.js'
import { collapse } from '../../html/tree.js'
import { readAmount } from '../../../base/text/read-amount.js'
import { readDate } from '../../../base/text/read-date.js'

/** Things that are a part of an entry, or of the page around it. */
const PARTS: ReadonlySet<string> = new Set(
  (
    'Offer AggregateOffer AggregateRating Rating Organization Person Place PostalAddress ImageObject Brand WebPage WebSite ' +
    'SearchAction BreadcrumbList ItemList CollectionPage MonetaryAmount QuantitativeValue GeoCoordinates'
  ).split(' '),
)
/** Properties of a part that stand for the part itself: the name of the organization that hires. */
const LEAVES: ReadonlySet<string> = new Set(['name', 'url', 'value', 'contentUrl', 'text', '@id'])
const TITLES = ['name', 'headline', 'title'] as const

/** Maximum names of properties. */
const MAX_NAMES = 200
/** Maximum things, nesting of their parts, values of a thing, and characters of a value that is compared. */
const MAX_THINGS = 1000
const MAX_DEPTH = 3
const MAX_VALUES = 60
const MAX_TEXT = 300
/** Maximum rows of a column that are compared. */
const SAMPLE = 100
/** Minimum share of the different values of a column that a property has, and minimum number of them. */
const MATCHING_SHARE = 0.6
const MIN_MATCHES = 2
/** Minimum share of the titles of a list that are names of things: else the data describe something else. */
const DESCRIBED_SHARE = 0.5

/** Names of properties by the values that the JSON-LD of a page has for them. */
export type StatedNames = ReadonlyMap<string, ReadonlySet<string>>

/** Collects the values of the things that JSON-LD describes, such as the entries of an `ItemList`, by their properties. */
export function collectStatedNames(objects: readonly JsonObject[]): StatedNames {
  const found = new Map<string, Set<string>>()
  const things = objects.filter((object) => typesOf(object).every((type) => !PARTS.has(type)) && isThing(object))
  for (const thing of things.slice(0, MAX_THINGS)) {
    const queue: { object: JsonObject; name: string; depth: number }[] = [{ object: thing, name: '', depth: 0 }]
    for (let at = 0; at < queue.length && at < MAX_VALUES; at += 1) {
      const { object, name, depth } = queue[at] ?? { object: {}, name: '', depth: MAX_DEPTH }
      for (const [key, value] of Object.entries(object).slice(0, MAX_VALUES)) {
        const own = name !== '' && LEAVES.has(key) ? name : key
        for (const one of [value].flat().slice(0, 5)) {
          if (isObject(one) && depth < MAX_DEPTH) queue.push({ object: one, name: own, depth: depth + 1 })
          if (!own.startsWith('@')) addValue(found, own, one)
        }
      }
    }
  }
  return found
}

const typesOf = (object: JsonObject): string[] =>
  [object['@type']].flat().flatMap((type) => (typeof type === 'string' ? [type.replace(/^.*[/#:]/u, '')] : []))

const isThing = (object: JsonObject): boolean => TITLES.some((name) => typeof object[name] === 'string')

function addValue(found: Map<string, Set<string>>, name: string, value: unknown): void {
  if (typeof value !== 'string' && typeof value !== 'number') return
  if (found.size >= MAX_NAMES && !found.has(name)) return
  const values = found.get(name) ?? new Set<string>()
  found.set(name, values)
  for (const form of formsOf(String(value))) values.add(form)
}

/** Returns the ways to write a value that are equal to others: as text, as number, as day. */
function formsOf(text: string): string[] {
  const short = collapse(text.slice(0, MAX_TEXT)).toLowerCase()
  if (short === '') return []
  const number = /\d/u.test(short) ? readAmount(short)?.value : undefined
  const day = /\d/u.test(short) ? readDate(short)?.slice(0, 10) : undefined
  return [short, ...(number === undefined ? [] : [`number ${number}`]), ...(day?.length === 10 ? [`day ${day}`] : [])]
}

type Texts = readonly (string | undefined)[]

/** Tests whether the data describe the entries of a list: their titles are names of things. */
export function describesList(stated: StatedNames, titles: Texts): boolean {
  const texts = [...new Set(titles.slice(0, SAMPLE))].filter((text) => text !== undefined)
  const names = TITLES.flatMap((name) => [...(stated.get(name) ?? [])])
  if (names.length === 0 || texts.length < MIN_MATCHES) return false
  const known = new Set(names)
  return texts.filter((text) => formsOf(text).some((form) => known.has(form))).length >= texts.length * DESCRIBED_SHARE
}

/** Returns the property that has the values of a column; undefined if none has. */
export function findStatedName(stated: StatedNames, texts: Texts): string | undefined {
  const values = [...new Set(texts.slice(0, SAMPLE))].flatMap((text) => (text === undefined ? [] : [formsOf(text)]))
  let best: { name: string; matches: number; size: number } | undefined
  for (const [name, known] of stated) {
    const matches = values.filter((forms) => forms.some((form) => known.has(form))).length
    if (matches < MIN_MATCHES || matches < values.length * MATCHING_SHARE) continue
    if (best === undefined || matches > best.matches || (matches === best.matches && known.size < best.size))
      best = { name, matches, size: known.size }
  }
  return best !== undefined && /^[a-z]\w{1,40}$/iu.test(best.name) ? best.name : undefined
}
