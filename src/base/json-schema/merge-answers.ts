import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../collections/is-object.js'
import { ownValue } from '../collections/own-value.js'
import { canonicalJson } from './canonical-json.js'

/** Properties that identify an item of a list, most reliable first. */
const KEYS = ['id', 'ID', '@id', 'sku', 'gtin', 'isbn', 'url', 'link', 'href', 'email', 'name', 'title']

/**
 * Merges the answers from two parts of a page: objects property by property, lists concatenated without duplicates. Of
 * two conflicting values the first wins, because a page states its subject at the start.
 */
export function mergeAnswers(first: unknown, second: unknown): unknown {
  if (isNothing(first)) return second
  if (isNothing(second)) return first
  if (Array.isArray(first) && Array.isArray(second)) return mergeLists(first, second)
  if (!isObject(first) || !isObject(second)) return first
  const merged = new Map(Object.entries(first))
  for (const [name, value] of Object.entries(second)) merged.set(name, mergeAnswers(ownValue(first, name), value))
  return Object.fromEntries(merged)
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === ''

function mergeLists(first: readonly unknown[], second: readonly unknown[]): unknown[] {
  const merged = [...first]
  const places = new ItemPlaces()
  for (const [at, item] of merged.entries()) places.add(item, at)
  for (const item of second) {
    const at = places.find(item, merged)
    if (at === undefined) {
      places.add(item, merged.length)
      merged.push(item)
    } else {
      merged[at] = mergeAnswers(merged[at], item)
      places.add(merged[at], at)
    }
  }
  return merged
}

/** The places of items in a list, by what identifies them: a list may have thousands, which are not compared with each other. */
class ItemPlaces {
  readonly #places = new Map<string, Set<number>>()

  add(item: unknown, at: number): void {
    for (const sign of signsOf(item)) {
      const known = this.#places.get(sign)
      if (known) known.add(at)
      else this.#places.set(sign, new Set([at]))
    }
  }

  /** Returns the first place of an item that is the same. */
  find(item: unknown, items: readonly unknown[]): number | undefined {
    let first: number | undefined
    for (const sign of signsOf(item)) {
      for (const at of this.#places.get(sign) ?? [])
        if ((first === undefined || at < first) && areSame(items[at], item)) first = at
    }
    return first
  }
}

/** Lists texts of which two items that are the same share at least one. */
function signsOf(item: unknown): string[] {
  const keys = isObject(item) ? KEYS.filter((name) => isScalar(item[name])) : []
  return isObject(item) && keys.length > 0
    ? keys.map((name) => `${name} ${JSON.stringify(item[name])}`)
    : [canonicalJson(item)]
}

/**
 * Returns true if two items have the same identifying property. A shared name or title counts only if no other property
 * differs.
 */
function areSame(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return isDeepStrictEqual(one, other)
  const key = KEYS.find((name) => isScalar(one[name]) && isScalar(other[name]))
  if (key === undefined) return isDeepStrictEqual(one, other)
  if (one[key] !== other[key]) return false
  const isSure = !['name', 'title'].includes(key)
  return (
    isSure ||
    Object.keys(one).every((name) => !isScalar(one[name]) || !isScalar(other[name]) || one[name] === other[name])
  )
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value) && value !== ''
