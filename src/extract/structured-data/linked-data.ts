import { isObject, type JsonObject } from '../../collections/is-object.js'
import type { StructuredItem, StructuredValue } from './structured-item.js'
import { parseLoosely } from './structured-data.js'

/** Maximum items, nesting and values that are read. Shops put their whole catalogue there. */
const MAX_ITEMS = 2000
const MAX_DEPTH = 10
const MAX_VALUES = 500
/** Maximum characters of all values: each reference to an item repeats its texts. */
const MAX_CHARACTERS = 4_000_000

/** Numbers of items and characters that may still be read. */
interface ReadingBudget {
  left: number
  characters: number
}

/** Reads the outermost items that JSON-LD describes. @see https://www.w3.org/TR/json-ld11/ */
export function readLinkedData(blocks: readonly string[]): StructuredItem[] {
  const roots = blocks.flatMap((block) => unfold(parseLoosely(block)))
  const byId = new Map<string, JsonObject>()
  collectIds(roots, byId)
  const counter = { left: MAX_ITEMS, characters: MAX_CHARACTERS }
  const items = roots.flatMap((root) => readItem(root, byId, counter, []) ?? [])
  return items
}

/** Returns the objects of a block: one, a list, or a graph. */
function unfold(value: unknown): JsonObject[] {
  if (Array.isArray(value)) return value.slice(0, MAX_VALUES).flatMap((one) => (Array.isArray(one) ? [] : unfold(one)))
  if (!isObject(value)) return []
  const graph = value['@graph']
  if (!Array.isArray(graph)) return [value]
  const { '@graph': _, '@context': __, ...own } = value
  const inGraph = graph.slice(0, MAX_ITEMS).filter(isObject)
  return typesOf(own).length > 0 ? [own, ...inGraph] : inGraph
}

/** Collects objects by id, so that references can be resolved. */
function collectIds(roots: readonly JsonObject[], byId: Map<string, JsonObject>): void {
  const queue: unknown[] = [...roots]
  for (let at = 0; at < queue.length && at < MAX_ITEMS * 5; at++) {
    const value = queue[at]
    if (Array.isArray(value)) queue.push(...value.slice(0, MAX_VALUES))
    else if (isObject(value)) {
      const id = value['@id']
      const isReference = Object.keys(value).length === 1
      if (typeof id === 'string' && !isReference && !byId.has(id)) byId.set(id, value)
      queue.push(...Object.values(value).slice(0, MAX_VALUES))
    }
  }
}

function readItem(
  object: JsonObject,
  byId: ReadonlyMap<string, JsonObject>,
  counter: ReadingBudget,
  above: readonly JsonObject[],
): StructuredItem | undefined {
  const id = object['@id']
  const isReference = typeof id === 'string' && Object.keys(object).every((name) => name === '@id' || name === '@type')
  const whole = (isReference ? byId.get(id) : undefined) ?? object
  if (counter.left <= 0 || above.length >= MAX_DEPTH || above.includes(whole)) return undefined
  counter.left -= 1
  const properties = Object.create(null) as Record<string, StructuredValue[]>
  for (const [key, value] of Object.entries(whole)) {
    if (key.startsWith('@')) continue
    const values = [value].flat().slice(0, MAX_VALUES)
    const read = values.flatMap((one) => readValue(one, byId, counter, [...above, whole]) ?? [])
    if (read.length > 0) properties[localName(key)] = read
  }
  return { source: 'json-ld', types: typesOf(whole), ...(typeof id === 'string' && { id }), properties }
}

function readValue(
  value: unknown,
  byId: ReadonlyMap<string, JsonObject>,
  counter: ReadingBudget,
  above: readonly JsonObject[],
): StructuredValue | undefined {
  if (typeof value === 'string') {
    const text = value.trim()
    counter.characters -= text.length
    return text === '' || counter.characters < 0 ? undefined : text
  }
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (!isObject(value)) return undefined
  const literal = value['@value']
  if (typeof literal === 'string' || typeof literal === 'number' || typeof literal === 'boolean') return literal
  const item = readItem(value, byId, counter, above)
  if (!item || Object.keys(item.properties).length > 0) return item
  // A reference to an item that is described nowhere is replaced by its id.
  return item.id
}

const typesOf = (object: JsonObject): string[] =>
  [object['@type'] ?? []].flat().flatMap((type) => (typeof type === 'string' ? [localName(type)] : []))

/** Returns the local name: `https://schema.org/Product`, `schema:Product` and `Product` are equal. */
export const localName = (name: string): string => name.replace(/^.*[/#:]/, '')
