import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../collections/is-object.js'
import { ownValue } from '../../collections/own-value.js'

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
  for (const item of second) {
    const at = merged.findIndex((known) => areSame(known, item))
    if (at === -1) merged.push(item)
    else merged[at] = mergeAnswers(merged[at], item)
  }
  return merged
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
