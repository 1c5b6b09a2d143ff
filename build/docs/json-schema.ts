import { z } from 'zod'

/** JSON Schema: the keywords that the reference uses. */
export interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: string | number | boolean | null
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly additionalProperties?: JsonSchema | boolean
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
}

/**
 * Converts the schema of an option to JSON Schema. Types that JSON Schema does not have, such as functions, allow any
 * value.
 */
export const toJsonSchema = (schema: z.core.$ZodType): JsonSchema =>
  z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as JsonSchema

/** Returns the schemas of a request's properties. */
export const propertiesOf = (schema: z.core.$ZodType): Readonly<Record<string, JsonSchema>> =>
  toJsonSchema(schema).properties ?? {}

/** Lists the alternative schemas of a value, including those of its items. */
export const alternativesOf = (schema: JsonSchema): readonly JsonSchema[] => {
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])]
  const values = typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []
  return inner.length + values.length === 0 ? [schema] : [...inner, ...values].flatMap(alternativesOf)
}

/** Describes the bounds of a value in words; empty if there are none. */
export function describeLimits(schema: JsonSchema): string {
  const own = [describeNumber(schema), describeLength(schema), describeItems(schema)].filter((text) => text !== '')
  if (own.length > 0) return own.join(', ')
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(describeLimits).filter((text) => text !== '')
  return [...new Set(inner)].join('; ')
}

function describeNumber({ type, minimum, maximum, exclusiveMinimum, multipleOf }: JsonSchema): string {
  if (type !== 'number' && type !== 'integer') return ''
  const isWhole = multipleOf === 1 || type === 'integer'
  const least = minimum !== undefined && Math.abs(minimum) < Number.MAX_SAFE_INTEGER ? minimum : undefined
  const most = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined
  const above = exclusiveMinimum === undefined ? '' : `above ${exclusiveMinimum}`
  const range = [above, describeRange(least, most)].filter((text) => text !== '').join(', ')
  return [isWhole ? 'whole number' : '', range].filter((text) => text !== '').join(', ')
}

function describeLength({ type, minLength, maxLength }: JsonSchema): string {
  const range = type === 'string' ? describeRange(minLength, maxLength) : ''
  return range === '' ? '' : `${range} characters`.replace('at least 1 characters', 'not empty')
}

function describeItems({ type, minItems, maxItems }: JsonSchema): string {
  const range = type === 'array' ? describeRange(minItems, maxItems) : ''
  return range === '' ? '' : `${range} items`.replace('at least 1 items', 'at least one item')
}

function describeRange(least: number | undefined, most: number | undefined): string {
  if (least === undefined && most === undefined) return ''
  if (least === undefined) return `at most ${most}`
  return most === undefined ? `at least ${least}` : `${least} to ${most}`
}
