import { isObject } from '../collections/is-object.js'
import type { JsonSchema } from './json-schema.js'
import { findReference } from './find-reference.js'

/** Name of a JSON type. */
export type JsonType = (typeof JSON_TYPES)[number]

/** The types of JSON Schema. */
export const JSON_TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const

/** Returns true if a value has a type. */
export function isOf(value: unknown, type: JsonType): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  // Infinity is no JSON: it would be written as null.
  if (type === 'number') return Number.isFinite(value)
  return typeof value === type
}

/** Maximum references to follow in a row; more indicate a cycle. */
const MAX_REFERENCES = 20

/** Follows the references of a schema; undefined for a value that is no schema object, such as `true`. */
export function resolveSchema(schema: unknown, root: JsonSchema): JsonSchema | undefined {
  let at = schema
  for (let steps = 0; steps < MAX_REFERENCES && isObject(at); steps++) {
    const reference = at['$ref']
    if (typeof reference !== 'string') return at
    at = findReference(reference, root)
  }
  return undefined
}

/** Types that a resolved schema allows; empty when it names none. */
export function typesOf(schema: JsonSchema): readonly JsonType[] {
  const named = [schema['type'] ?? []].flat() as JsonType[]
  if (named.length > 0) return named
  if (isObject(schema['properties'])) return ['object']
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return ['array']
  return []
}

/** Properties that a resolved schema names. */
export const propertiesOf = (schema: JsonSchema | undefined): Record<string, unknown> => {
  const properties = schema?.['properties']
  return isObject(properties) ? properties : {}
}

/** Properties that a resolved schema requires. */
export const requiredOf = (schema: JsonSchema | undefined): string[] => {
  const required = schema?.['required']
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

/** Alternatives in `anyOf` and `oneOf`. */
export const branchesOf = (schema: JsonSchema): readonly unknown[] =>
  [schema['anyOf'], schema['oneOf']].flatMap((branches) => (Array.isArray(branches) ? (branches as unknown[]) : []))

/** Returns true if a schema allows null, as far as its types and branches tell. */
export function allowsNull(schema: unknown, root: JsonSchema): boolean {
  const queue = [schema]
  const known = new Set<unknown>()
  for (let at = 0; at < queue.length; at++) {
    const resolved = resolveSchema(queue[at], root)
    if (!resolved) return true
    if (known.has(resolved)) continue
    known.add(resolved)
    const says = allowsNullItself(resolved)
    if (says === true) return true
    if (says === undefined) queue.push(...branchesOf(resolved))
  }
  return false
}

/** Returns whether the schema itself allows null; undefined if that depends on its branches. */
function allowsNullItself(schema: JsonSchema): boolean | undefined {
  if (schema['nullable'] === true || schema['const'] === null) return true
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(null)
  const types = typesOf(schema)
  if (types.length > 0) return types.includes('null')
  return branchesOf(schema).length === 0 ? true : undefined
}

/** Appends a name to a JSON Pointer (RFC 6901). */
export const pointTo = (path: string, name: string | number): string =>
  `${path}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** Splits a JSON Pointer into its names, from the root. */
export const namesOf = (pointer: string): string[] =>
  pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
