import type { JsonSchema } from './json-schema.js'
import { findOption } from './option-key.js'
import { isObject } from '../collections/is-object.js'
import {
  allowsNull,
  branchesOf,
  isOf,
  type JsonType,
  pointTo,
  propertiesOf,
  resolveSchema,
  typesOf,
} from './schema-shape.js'
import { ownValue } from '../collections/own-value.js'

/** An answer after common errors of models are corrected. */
interface FittedAnswer {
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
  const budget = { steps: MAX_STEPS }
  return { value: fit(value, schema, { root: schema, unanswered, budget, path: '' }), unanswered }
}

/** Maximum schemas that are applied: parts of a stranger's schema may refer to each other any number of times. */
const MAX_STEPS = 250_000

/** The place of a value within an answer. */
interface FitContext {
  readonly root: JsonSchema
  readonly unanswered: Set<string>
  readonly budget: { steps: number }
  readonly path: string
}

const within = (context: FitContext, name: string | number): FitContext => ({
  ...context,
  path: pointTo(context.path, name),
})

function fit(value: unknown, given: unknown, context: FitContext): unknown {
  const schema = resolveSchema(given, context.root)
  context.budget.steps -= 1
  if (!schema || context.budget.steps < 0) return value
  let fitted = value
  for (const part of partsOf(schema)) {
    fitted = fit(fitted, part, context)
    if (fitted === undefined) return undefined
  }
  const branches = branchesOf(schema)
  if (branches.length > 0) fitted = fitBranch(fitted, schema, branches, context)
  return fitted === undefined ? undefined : fitOwn(fitted, schema, context)
}

/** Fits a value to a schema, without its parts and branches. */
function fitOwn(value: unknown, schema: JsonSchema, context: FitContext): unknown {
  const types = typesOf(schema)
  if (value === null)
    return types.length === 0 || types.includes('null') || schema['nullable'] === true ? null : undefined
  const options = optionsOf(schema)
  if (options) return findOption(value, options) ?? value
  if (types.length > 0 && !types.some((type) => isOf(value, type))) return fitType(value, types, schema, context)
  if (Array.isArray(value)) return fitItems(value, schema, context)
  if (isObject(value)) return fitProperties(value, schema, context)
  return typeof value === 'string' ? value.trim() : value
}

const partsOf = ({ allOf }: JsonSchema): readonly unknown[] => (Array.isArray(allOf) ? (allOf as unknown[]) : [])

function optionsOf({ enum: options, const: only }: JsonSchema): readonly unknown[] | undefined {
  if (Array.isArray(options)) return options as unknown[]
  return only === undefined ? undefined : [only]
}

function fitBranch(value: unknown, schema: JsonSchema, branches: readonly unknown[], context: FitContext): unknown {
  const { root } = context
  if (value === null) return allowsNull(schema, root) ? null : undefined
  const resolved = branches.map((branch) => resolveSchema(branch, root))
  const fittingBranches = resolved.filter((branch) => {
    const types = branch ? typesOf(branch) : []
    return types.length === 0 || types.some((type) => isOf(value, type))
  })
  const real = resolved.filter((branch) => !branch || typesOf(branch).join() !== 'null')
  const candidates = fittingBranches.length > 0 ? fittingBranches : real
  const named = candidates.length > 1 && isObject(value) ? candidates.filter((one) => isNamedBy(value, one)) : []
  // With several candidates the schema check decides.
  const [only, ...others] = named.length > 0 ? named : candidates
  return others.length === 0 ? fit(value, only, context) : value
}

/** Returns true if a value has a property that an alternative allows one value of only, and has that value: `kind: 'book'`. */
const isNamedBy = (value: Readonly<Record<string, unknown>>, branch: JsonSchema | undefined): boolean =>
  Object.entries(propertiesOf(branch)).some(([name, own]) => {
    const options = isObject(own) ? optionsOf(own) : undefined
    return options?.length === 1 && typeof options[0] === 'string' && ownValue(value, name) === options[0]
  })

function fitProperties(
  value: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
  context: FitContext,
): Record<string, unknown> {
  const { root, unanswered, path } = context
  const properties = propertiesOf(schema)
  const { additionalProperties: others, patternProperties: patterns } = schema
  const isClosed = others === false && patterns === undefined
  const fitted = new Map<string, unknown>()
  for (const [name, part] of Object.entries(value)) {
    const own = ownValue(properties, name) ?? (patterns === undefined && isObject(others) ? others : undefined)
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
  const { items, prefixItems } = schema
  const first = Array.isArray(prefixItems)
    ? (prefixItems as unknown[])
    : Array.isArray(items)
      ? (items as unknown[])
      : []
  return value.flatMap((item, index) => {
    const made = fit(item, first[index] ?? items, within(context, index))
    // An item with a place of its own keeps it.
    return made !== undefined ? [made] : index < first.length ? [item] : []
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
