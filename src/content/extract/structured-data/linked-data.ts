import { isObject, type JsonObject } from '../../../base/collections/is-object.js'
import type { StructuredItem, StructuredValue } from './structured-item.js'
import { MAX_ITEMS, MAX_VALUES, type ReadingBudget } from './reading-budget.js'
import { isTooLong, parseLoosely } from './structured-data.js'

/** Reads the outermost items that JSON-LD describes. @see https://www.w3.org/TR/json-ld11/ */
export function readLinkedData(blocks: readonly string[], budget: ReadingBudget): StructuredItem[] {
  const roots = blocks.flatMap((block) => {
    if (isTooLong(block)) budget.leaveOut()
    return unfold(parseLoosely(block), budget)
  })
  const byId = new Map<string, JsonObject>()
  collectIds(roots, byId)
  return roots.flatMap((root) => readItem(root, byId, budget, []) ?? [])
}

/** Returns the objects of a block: one, a list, or a graph. */
function unfold(value: unknown, budget: ReadingBudget): JsonObject[] {
  if (Array.isArray(value))
    return budget.takeValues(value).flatMap((one) => (Array.isArray(one) ? [] : unfold(one, budget)))
  if (!isObject(value)) return []
  const graph = value['@graph']
  if (!Array.isArray(graph)) return [value]
  const { '@graph': _, '@context': __, ...own } = value
  const inGraph = budget.takeValues(graph, MAX_ITEMS).filter(isObject)
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
  budget: ReadingBudget,
  above: readonly JsonObject[],
): StructuredItem | undefined {
  const id = object['@id']
  const isReference = typeof id === 'string' && Object.keys(object).every((name) => name === '@id' || name === '@type')
  const whole = (isReference ? byId.get(id) : undefined) ?? object
  if (above.includes(whole) || !budget.takeItem(above.length)) return undefined
  const properties = Object.create(null) as Record<string, StructuredValue[]>
  for (const [key, value] of Object.entries(whole)) {
    if (key.startsWith('@')) continue
    const values = budget.takeValues([value].flat())
    const read = values.flatMap((one) => readValue(one, byId, budget, [...above, whole]) ?? [])
    if (read.length > 0) properties[localName(key)] = read
  }
  return { source: 'json-ld', types: typesOf(whole), id: typeof id === 'string' ? id : undefined, properties }
}

function readValue(
  value: unknown,
  byId: ReadonlyMap<string, JsonObject>,
  budget: ReadingBudget,
  above: readonly JsonObject[],
): StructuredValue | undefined {
  if (typeof value === 'string') {
    const text = value.trim()
    return text !== '' && budget.takeText(text.length) ? text : undefined
  }
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (!isObject(value)) return undefined
  const literal = value['@value']
  if (typeof literal === 'string' || typeof literal === 'number' || typeof literal === 'boolean') return literal
  const item = readItem(value, byId, budget, above)
  if (!item || Object.keys(item.properties).length > 0) return item
  // A reference to an item that is described nowhere is replaced by its id.
  return item.id
}

const typesOf = (object: JsonObject): string[] =>
  [object['@type'] ?? []].flat().flatMap((type) => (typeof type === 'string' ? [localName(type)] : []))

/** Returns the local name: `https://schema.org/Product`, `schema:Product` and `Product` are equal. */
export const localName = (name: string): string => name.replace(/^.*[/#:]/, '')
