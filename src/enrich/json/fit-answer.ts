import type { JsonSchema } from '../json-schema/json-schema.js'
import { findOption } from '../json-schema/option-key.js'
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

/** An answer after common errors of models are corrected. */
export interface FittedAnswer {
  readonly value: unknown
  /** JSON Pointers of the values that the model set to null, because the page does not state them. */
  readonly unanswered: ReadonlySet<string>
}

/**
 * Corrects an answer where the schema leaves only one reading: a number as text, a single value in place of a list,
 * null for an absent value, another spelling of an option, an additional property. It never invents values; defaults
 * are the schema's own.
 */
export function fitAnswer(value: unknown, schema: JsonSchema): FittedAnswer {
  const unanswered = new Set<string>()
  return { value: fit(value, schema, { root: schema, unanswered, path: '' }), unanswered }
}

/** The place of a value within an answer. */
interface FitContext {
  readonly root: JsonSchema
  readonly unanswered: Set<string>
  readonly path: string
}

const within = (context: FitContext, name: string | number): FitContext => ({
  ...context,
  path: pointTo(context.path, name),
})

function fit(value: unknown, given: unknown, context: FitContext): unknown {
  const { root } = context
  const schema = resolveSchema(given, root)
  if (!schema) return value
  const branches = branchesOf(schema)
  if (branches.length > 0) return fitBranch(value, schema, branches, context)
  const types = typesOf(schema)
  if (value === null) return types.includes('null') || types.length === 0 ? null : undefined
  if (Array.isArray(schema['enum'])) return findOption(value, schema['enum']) ?? value
  if (types.length > 0 && !types.some((type) => isOf(value, type))) {
    return fitType(value, types, schema, context)
  }
  if (Array.isArray(value)) return fitItems(value, schema, context)
  if (isObject(value)) return fitProperties(value, schema, context)
  return typeof value === 'string' ? value.trim() : value
}

function fitBranch(value: unknown, schema: JsonSchema, branches: readonly unknown[], context: FitContext): unknown {
  const { root } = context
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
  // With several candidates the schema check decides.
  const [only, ...others] = fittingBranches.length > 0 ? fittingBranches : real
  return others.length === 0 ? fit(value, only, context) : value
}

function fitProperties(
  value: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
  context: FitContext,
): Record<string, unknown> {
  const { root, unanswered, path } = context
  const properties = propertiesOf(schema)
  const isClosed = schema['additionalProperties'] === false && schema['patternProperties'] === undefined
  const fitted = new Map<string, unknown>()
  for (const [name, part] of Object.entries(value)) {
    const own = ownValue(properties, name)
    if (own === undefined) {
      if (!isClosed) fitted.set(name, part)
      continue
    }
    const made = fit(part, own, within(context, name))
    if (made !== undefined) fitted.set(name, made)
    else if (part === null) unanswered.add(pointTo(path, name))
  }
  for (const [name, own] of Object.entries(properties)) {
    const preset = resolveSchema(own, root)?.['default'] ?? (isObject(own) ? own['default'] : undefined)
    if (!fitted.has(name) && preset !== undefined) fitted.set(name, structuredClone(preset))
  }
  return Object.fromEntries(fitted)
}

function fitItems(value: readonly unknown[], schema: JsonSchema, context: FitContext): unknown[] {
  const { items } = schema
  if (!isObject(items)) return [...value]
  return value.flatMap((item, index) => {
    const made = fit(item, items, within(context, index))
    return made === undefined ? [] : [made]
  })
}

/** Converts a value of a type that the schema does not allow. */
function fitType(value: unknown, types: readonly JsonType[], schema: JsonSchema, context: FitContext): unknown {
  if (types.includes('array') && (!Array.isArray(value) || value.length === 0)) {
    return fitItems([value], schema, context)
  }
  if (Array.isArray(value) && value.length === 1) return fit(value[0], schema, context)
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
