import { messageOf } from '../errors.js'
import type { JsonSchema } from './json-schema.js'
import { findReference } from './find-reference.js'
import { countStates } from '../text/linear-pattern.js'
import { compileSchemaPattern, MAX_PATTERN_CHARACTERS } from './schema-pattern.js'
import { isObject } from '../collections/is-object.js'
import { JSON_TYPES, pointTo } from './schema-shape.js'

/** Maximum nesting of schemas. */
const MAX_DEPTH = 200
/** Maximum states of all compiled patterns of one schema: compilation is the costly part. */
const MAX_STATES = 10_000

/** Keywords by the type of their value. */
const SCHEMAS = new Set(
  'additionalProperties additionalItems unevaluatedProperties unevaluatedItems propertyNames contains not if then else'.split(
    ' ',
  ),
)
const SCHEMA_LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const SCHEMA_MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'])
const NUMBERS = new Set(
  'minimum maximum multipleOf minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties'.split(
    ' ',
  ),
)
/** Keywords that apply a schema to the same value. */
const IN_PLACE = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'])

interface Placed {
  readonly schema: unknown
  readonly path: string
  readonly depth: number
}

/** Returns the reason why a JSON Schema cannot be used, with its place; undefined when it can. */
export function findSchemaFault(root: JsonSchema): string | undefined {
  const queue: Placed[] = [{ schema: root, path: '', depth: 0 }]
  let states = 0
  for (let at = 0; at < queue.length; at++) {
    const { schema, path, depth } = queue[at] ?? { schema: true, path: '', depth: 0 }
    if (typeof schema === 'boolean') continue
    if (!isObject(schema)) return `${nameOf(path)} is not a schema: ${show(schema)}`
    if (depth > MAX_DEPTH) return `has schemas nested more than ${MAX_DEPTH} levels deep`
    for (const pattern of patternsOf(schema)) states += countStates(pattern.slice(0, MAX_PATTERN_CHARACTERS))
    if (states > MAX_STATES)
      return `has patterns that are too large: together they may have ${MAX_STATES} states once their repetitions are expanded`
    const fault = findOwnFault(schema, root)
    if (fault !== undefined) return `${nameOf(path)} ${fault}`
    queue.push(
      ...childrenOf(schema).map(({ path: own, ...child }) => ({ ...child, path: path + own, depth: depth + 1 })),
    )
  }
  return findEndlessReference(queue.map(({ schema }) => schema).filter(isObject), root)
}

const nameOf = (path: string): string => (path === '' ? 'the schema' : `\`${path.slice(0, 200)}\``)

const show = (value: unknown): string => (JSON.stringify(value) ?? typeof value).slice(0, 100)

/** Returns the fault of one schema, without its subschemas. */
function findOwnFault(schema: JsonSchema, root: JsonSchema): string | undefined {
  for (const [keyword, value] of Object.entries(schema)) {
    const fault = findKeywordFault(keyword, value)
    if (fault !== undefined) return `has a \`${keyword}\` ${fault}`
  }
  const { $ref, $dynamicRef } = schema
  if ($dynamicRef !== undefined) return 'has a `$dynamicRef`, which is not supported: use `$ref`'
  if (typeof $ref === 'string' && !$ref.startsWith('#'))
    return `refers to \`${$ref.slice(0, 100)}\`, which is not fetched: put the schema into \`$defs\``
  if (typeof $ref === 'string' && findReference($ref, root) === undefined)
    return `refers to \`${$ref.slice(0, 100)}\`, which is not in it`
  return findPatternFault(schema)
}

function findKeywordFault(keyword: string, value: unknown): string | undefined {
  if (keyword === 'type') return findTypeFault(value)
  if (SCHEMA_MAPS.has(keyword) && !isObject(value)) return `that is not an object of schemas: ${show(value)}`
  if (SCHEMA_LISTS.has(keyword) && !(Array.isArray(value) && value.length > 0))
    return `that is not a list of schemas: ${show(value)}`
  if (keyword === 'required' && !isTexts(value)) return `that is not a list of property names: ${show(value)}`
  if (keyword === 'enum' && !Array.isArray(value)) return `that is not a list: ${show(value)}`
  if (NUMBERS.has(keyword) && typeof value !== 'number') return `that is not a number: ${show(value)}`
  if ((keyword === 'pattern' || keyword === '$ref') && typeof value !== 'string')
    return `that is not a string: ${show(value)}`
  return undefined
}

function findTypeFault(value: unknown): string | undefined {
  const types: readonly unknown[] = Array.isArray(value) ? value : [value]
  const isKnown = types.length > 0 && types.every((type) => JSON_TYPES.some((known) => known === type))
  return isKnown ? undefined : `that is not a JSON type: ${show(value)}. Allowed: ${JSON_TYPES.join(', ')}`
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string')

const patternsOf = ({ pattern, patternProperties }: JsonSchema): string[] => [
  ...(typeof pattern === 'string' ? [pattern] : []),
  ...(isObject(patternProperties) ? Object.keys(patternProperties) : []),
]

function findPatternFault(schema: JsonSchema): string | undefined {
  for (const pattern of patternsOf(schema)) {
    try {
      compileSchemaPattern(pattern)
    } catch (error) {
      const reason = messageOf(error)
      return `has a \`pattern\` that cannot be used, \`${pattern.slice(0, 100)}\`: ${reason}`
    }
  }
  return undefined
}

/** Lists the direct subschemas. */
function childrenOf(schema: JsonSchema): { schema: unknown; path: string; isInPlace: boolean }[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const path = pointTo('', keyword)
    const isInPlace = IN_PLACE.has(keyword)
    const isMap = SCHEMA_MAPS.has(keyword)
    if (SCHEMAS.has(keyword) || (keyword === 'items' && !Array.isArray(value)))
      return [{ schema: value, path, isInPlace }]
    if (keyword !== 'items' && keyword !== 'dependencies' && !SCHEMA_LISTS.has(keyword) && !isMap) return []
    return Object.entries(Object(value) as object).flatMap(([name, one]) =>
      keyword === 'dependencies' && Array.isArray(one)
        ? []
        : [{ schema: one, path: pointTo(path, name), isInPlace: isInPlace || keyword === 'dependencies' }],
    )
  })
}

/** Detects a schema that applies itself to the same value again, which can never be checked. */
function findEndlessReference(schemas: readonly JsonSchema[], root: JsonSchema): string | undefined {
  const state = new Map<unknown, 'open' | 'done'>()
  for (const start of schemas) {
    const stack: { schema: unknown; isLeft: boolean }[] = [{ schema: start, isLeft: false }]
    for (let top = stack.pop(); top; top = stack.pop()) {
      const { schema, isLeft } = top
      if (isLeft) state.set(schema, 'done')
      else if (state.get(schema) === 'open') return 'refers to itself without a property or an item in between'
      if (isLeft || !isObject(schema) || state.has(schema)) continue
      state.set(schema, 'open')
      stack.push({ schema, isLeft: true })
      const { $ref } = schema
      if (typeof $ref === 'string') stack.push({ schema: findReference($ref, root), isLeft: false })
      for (const child of childrenOf(schema)) if (child.isInPlace) stack.push({ schema: child.schema, isLeft: false })
    }
  }
  return undefined
}
