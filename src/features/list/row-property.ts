import { isObject } from '../../base/collections/is-object.js'
import type { AnswerForm } from '../../base/json-schema/answer-form.js'
import type { JsonSchema } from '../../base/json-schema/json-schema.js'
import { optionKey } from '../../base/json-schema/option-key.js'
import { compileSchemaPattern, type SchemaPattern } from '../../base/json-schema/schema-pattern.js'
import {
  allowsNull,
  branchesOf,
  type JsonType,
  namesOf,
  propertiesOf,
  requiredOf,
  resolveSchema,
  typesOf,
} from '../../base/json-schema/schema-shape.js'

/** A property of the rows that a schema describes. */
export interface RowProperty {
  readonly name: string
  /** Types of its values besides null; empty if the schema does not tell. */
  readonly types: readonly JsonType[]
  readonly format?: string
  /** The only values that it may have. */
  readonly options?: PropertyOptions
  readonly pattern?: SchemaPattern
  /** Title and description. */
  readonly description: string
  readonly isRequired: boolean
  readonly allowsNull: boolean
  /** Value of a row without one. */
  readonly preset?: unknown
  /** Property of the values of an array. */
  readonly item?: RowProperty
}

/** The values of an `enum`. */
interface PropertyOptions {
  readonly values: ReadonlySet<unknown>
  /** Values by their keys; undefined where several have the same. */
  readonly byKey: ReadonlyMap<string, unknown>
}

/** Maximum properties that are matched with columns. The others have none. */
const MAX_PROPERTIES = 500
/** Maximum alternatives of a schema that are read, and nesting of arrays. */
const MAX_BRANCHES = 200
const MAX_DEPTH = 5

/**
 * Reads the properties of the rows from a schema. A Standard Schema that cannot be converted to JSON Schema is asked which
 * properties an empty row lacks.
 */
export async function readRowProperties(form: AnswerForm): Promise<RowProperty[]> {
  if (form.schema === undefined) return (await findMissing(form)).map((name) => ({ ...UNKNOWN, name }))
  const root = form.schema
  const found = new Map<string, RowProperty>()
  for (const schema of listObjects(root, root)) {
    const required = new Set(requiredOf(schema))
    for (const [name, own] of Object.entries(propertiesOf(schema))) {
      if (found.size >= MAX_PROPERTIES) break
      if (!found.has(name)) found.set(name, readProperty(name, own, { root, isRequired: required.has(name), depth: 0 }))
    }
  }
  return [...found.values()]
}

/** Place of a property in its schema. */
interface PropertyScope {
  readonly root: JsonSchema
  readonly isRequired: boolean
  readonly depth: number
}

/** Counts the properties that a schema names, without those of its alternatives. */
export const countProperties = ({ schema }: AnswerForm): number =>
  schema === undefined ? 0 : Object.keys(propertiesOf(resolveSchema(schema, schema))).length

const UNKNOWN: RowProperty = { name: '', types: [], description: '', isRequired: true, allowsNull: false }

async function findMissing(form: AnswerForm): Promise<string[]> {
  const { issues } = await form.check({})
  return [...new Set(issues.map(({ path }) => namesOf(path)[0] ?? ''))]
    .filter((name) => name !== '')
    .slice(0, MAX_PROPERTIES)
}

/** Lists the schemas that apply to a value: its own, and those of its branches, each once. */
function listObjects(root: JsonSchema, given: unknown): JsonSchema[] {
  const found = new Set<JsonSchema>()
  const queue: unknown[] = [given]
  for (let at = 0; at < queue.length && at < MAX_BRANCHES; at += 1) {
    const schema = resolveSchema(queue[at], root)
    if (!schema || found.has(schema)) continue
    found.add(schema)
    queue.push(...combinedOf(schema))
  }
  return [...found]
}

const combinedOf = (schema: JsonSchema): readonly unknown[] => [
  ...(Array.isArray(schema['allOf']) ? (schema['allOf'] as unknown[]) : []),
  ...branchesOf(schema),
]

function readProperty(name: string, given: unknown, { root, isRequired, depth }: PropertyScope): RowProperty {
  const schemas = listObjects(root, given).filter((schema) => schema['type'] !== 'null')
  const [first = {}] = schemas
  const types = [...new Set(schemas.flatMap(typesOf))].filter((type) => type !== 'null')
  const options = schemas.flatMap(optionsOf)
  const preset = schemas.map((schema) => schema['default']).find((value) => value !== undefined)
  const format = schemas.map((schema) => schema['format']).find((value) => typeof value === 'string')
  const source = schemas.map((schema) => schema['pattern']).find((value) => typeof value === 'string')
  const pattern = typeof source === 'string' && format === undefined ? compile(source) : undefined
  const isArray = types.length === 1 && types[0] === 'array' && depth < MAX_DEPTH
  return {
    name,
    types,
    format: typeof format === 'string' ? format : undefined,
    options: options.length > 0 ? indexOptions(options) : undefined,
    pattern,
    description: [first['title'], first['description']].filter((text) => typeof text === 'string').join(' '),
    isRequired,
    allowsNull: types.length > 0 && allowsNull(given, root),
    preset,
    item: isArray ? readProperty(name, itemsOf(schemas), { root, isRequired: false, depth: depth + 1 }) : undefined,
  }
}

function indexOptions(options: readonly unknown[]): PropertyOptions {
  const values = new Set(options)
  const byKey = new Map<string, unknown>()
  for (const value of values) {
    const key = optionKey(value)
    byKey.set(key, key === '' || byKey.has(key) ? undefined : value)
  }
  return { values, byKey }
}

const itemsOf = (schemas: readonly JsonSchema[]): unknown =>
  schemas.map((schema) => schema['items']).find(isObject) ?? {}

function optionsOf(schema: JsonSchema): unknown[] {
  if (Array.isArray(schema['enum'])) return schema['enum'].filter((option) => option !== null)
  return schema['const'] === undefined || schema['const'] === null ? [] : [schema['const']]
}

function compile(source: string): SchemaPattern | undefined {
  try {
    return compileSchemaPattern(source)
  } catch {
    // The pattern of a Standard Schema that is not linear: the schema itself applies it.
    return undefined
  }
}
