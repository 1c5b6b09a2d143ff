import type { JsonSchema } from '../json-schema/json-schema.js'
import { isObject } from '../../collections/is-object.js'
import {
  allowsNull,
  branchesOf,
  isOf,
  type JsonType,
  pointTo,
  propertiesOf,
  resolveSchema,
  typesOf,
} from '../json-schema/schema-shape.js'
import { ownValue } from '../../collections/own-value.js'

/** An answer, with what a model commonly gets wrong put right. */
export interface Fitted {
  readonly value: unknown
  /** Where the model said null, to say that the page does not tell: JSON Pointers. */
  readonly untold: ReadonlySet<string>
}

/**
 * Brings an answer nearer to its schema, where only one thing can be meant: a number as text, one value where a list belongs, null
 * for what is not there, an option in other letters, a property too many. Values are never made up; the defaults are the schema's own.
 */
export function fitAnswer(value: unknown, schema: JsonSchema): Fitted {
  const untold = new Set<string>()
  return { value: fit(value, schema, { root: schema, untold }, ''), untold }
}

interface Fitting {
  readonly root: JsonSchema
  readonly untold: Set<string>
}

function fit(value: unknown, given: unknown, fitting: Fitting, path: string): unknown {
  const { root } = fitting
  const schema = resolveSchema(given, root)
  if (!schema) return value
  const branches = branchesOf(schema)
  if (branches.length > 0) return fitBranch(value, schema, branches, fitting, path)
  const types = typesOf(schema)
  if (value === null) return types.includes('null') || types.length === 0 ? null : undefined
  if (Array.isArray(schema['enum'])) return fitOption(value, schema['enum'])
  if (types.length > 0 && !types.some((type) => isOf(value, type))) {
    return fitType(value, types, schema, fitting, path)
  }
  if (Array.isArray(value)) return fitItems(value, schema, fitting, path)
  if (isObject(value)) return fitProperties(value, schema, fitting, path)
  return typeof value === 'string' ? value.trim() : value
}

function fitBranch(
  value: unknown,
  schema: JsonSchema,
  branches: readonly unknown[],
  fitting: Fitting,
  path: string,
): unknown {
  const { root } = fitting
  if (value === null) return allowsNull(schema, root) ? null : undefined
  const fittingBranches = branches.filter((branch) => {
    const resolved = resolveSchema(branch, root)
    const types = resolved ? typesOf(resolved) : []
    return types.length === 0 || types.some((type) => isOf(value, type))
  })
  const real = branches.filter((branch) => {
    const resolved = resolveSchema(branch, root)
    return !resolved || typesOf(resolved).join() !== 'null'
  })
  // With several it is the checker's to say which is meant.
  const [only, ...others] = fittingBranches.length > 0 ? fittingBranches : real
  return others.length === 0 ? fit(value, only, fitting, path) : value
}

function fitProperties(
  value: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
  fitting: Fitting,
  path: string,
): Record<string, unknown> {
  const { root, untold } = fitting
  const properties = propertiesOf(schema)
  const isClosed = schema['additionalProperties'] === false && schema['patternProperties'] === undefined
  const fitted = new Map<string, unknown>()
  for (const [name, part] of Object.entries(value)) {
    const own = ownValue(properties, name)
    if (own === undefined) {
      if (!isClosed) fitted.set(name, part)
      continue
    }
    const made = fit(part, own, fitting, pointTo(path, name))
    if (made !== undefined) fitted.set(name, made)
    else if (part === null) untold.add(pointTo(path, name))
  }
  for (const [name, own] of Object.entries(properties)) {
    const preset = resolveSchema(own, root)?.['default'] ?? (isObject(own) ? own['default'] : undefined)
    if (!fitted.has(name) && preset !== undefined) fitted.set(name, structuredClone(preset))
  }
  return Object.fromEntries(fitted)
}

function fitItems(value: readonly unknown[], schema: JsonSchema, fitting: Fitting, path: string): unknown[] {
  const { items } = schema
  if (!isObject(items)) return [...value]
  return value.flatMap((item, index) => {
    const made = fit(item, items, fitting, pointTo(path, index))
    return made === undefined ? [] : [made]
  })
}

/** The option that is meant, when it is spelt a little otherwise. */
function fitOption(value: unknown, options: readonly unknown[]): unknown {
  if (options.includes(value)) return value
  const same = options.filter((option) => bare(option) === bare(value))
  return same.length === 1 ? same[0] : value
}

const bare = (value: unknown): string =>
  String(value)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** A value of another type than the schema's. */
function fitType(
  value: unknown,
  types: readonly JsonType[],
  schema: JsonSchema,
  fitting: Fitting,
  path: string,
): unknown {
  if (types.includes('array') && (!Array.isArray(value) || value.length === 0)) {
    return fitItems([value], schema, fitting, path)
  }
  if (Array.isArray(value) && value.length === 1) return fit(value[0], schema, fitting, path)
  if (typeof value === 'string') {
    const text = value.trim()
    if (types.some((type) => type === 'number' || type === 'integer') && /^-?\d+(?:\.\d+)?$/.test(text))
      return Number(text)
    if (types.includes('boolean') && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
    if (text === '' && !types.includes('string')) return undefined
  }
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  return value
}
