import { messageOf } from '../errors.js'
import type { HeldSchema, StandardSchema } from './answer-schema.js'
import type { JsonSchema } from './json-schema.js'
import { asSchema } from './bare-schema.js'
import type { AnswerIssue } from './answer-issue.js'
import { SchemaChecker } from './check-value.js'
import { findSchemaFault } from './schema-faults.js'
import { isObject } from '../collections/is-object.js'
import { pointTo, resolveSchema, typesOf } from './schema-shape.js'
import { ownValue } from '../collections/own-value.js'

/** Maximum steps of all checks of the answers for one page: about 50 ms on the main thread. */
const MAX_STEPS = 250_000

/** An answer after its check. */
export interface CheckedAnswer {
  /** The output of the schema, with its defaults and transformations. */
  readonly value: unknown
  readonly issues: readonly AnswerIssue[]
}

/** Shape of an answer: a JSON Schema for the model, and a check of the answer. */
export interface AnswerForm {
  /** Undefined for a Standard Schema that cannot be converted to JSON Schema. */
  readonly schema: JsonSchema | undefined
  check(value: unknown): Promise<CheckedAnswer>
}

/**
 * Prepares a schema. A Standard Schema validates itself, and is converted through `~standard.jsonSchema` where it has
 * that, as zod does. A JSON Schema is interpreted and never compiled to code, because callers may pass on schemas of
 * strangers.
 */
export function openForm(held: HeldSchema | undefined): AnswerForm {
  if (held === undefined) return { schema: undefined, check: async (value) => ({ value, issues: [] }) }
  if (typeof held === 'function') return openStandard(held())
  const { schema, checker, fault } = openSchema(held)
  const budget = { steps: MAX_STEPS }
  return {
    schema,
    async check(value) {
      const unusable = fault === undefined ? undefined : `the schema cannot be used: ${fault}`
      return {
        value,
        issues: unusable === undefined ? checker.check(value, budget) : [{ path: '', message: unusable }],
      }
    },
  }
}

interface OpenedSchema {
  readonly schema: JsonSchema
  readonly checker: SchemaChecker
  readonly fault: string | undefined
}

/** Prepared schemas by the schema in the plan: all pages of a job share one. */
const opened = new WeakMap<JsonSchema, OpenedSchema>()

function openSchema(held: JsonSchema): OpenedSchema {
  const known = opened.get(held)
  if (known) return known
  const schema = asSchema(held)
  const made = { schema, checker: new SchemaChecker(schema), fault: findSchemaFault(schema) }
  opened.set(held, made)
  return made
}

function openStandard(standard: StandardSchema): AnswerForm {
  return {
    schema: readJsonSchema(standard),
    async check(value) {
      const result = await validate(standard, value)
      return result.issues
        ? { value, issues: result.issues.map((issue) => readIssue(issue, value)) }
        : { value: result.value, issues: [] }
    },
  }
}

/** Validates a value. A function of the schema that throws, such as a transformation, is an issue of the value. */
async function validate(
  standard: StandardSchema,
  value: unknown,
): Promise<{ readonly value?: unknown; readonly issues?: readonly unknown[] }> {
  try {
    return Object(await standard['~standard'].validate(value)) as object
  } catch (error) {
    return { issues: [{ message: `the schema failed: ${messageOf(error)}` }] }
  }
}

/** @see https://standardschema.dev/json-schema */
function readJsonSchema(standard: StandardSchema): JsonSchema | undefined {
  const { jsonSchema } = standard['~standard'] as { jsonSchema?: { input?: (options: { target: string }) => unknown } }
  if (typeof jsonSchema?.input !== 'function') return undefined
  try {
    const schema = jsonSchema.input({ target: 'draft-2020-12' })
    return isObject(schema) ? schema : undefined
  } catch {
    // Types such as dates cannot be converted: the model sees the prompt only, and the schema still validates the
    // answer.
    return undefined
  }
}

function readIssue(issue: unknown, value: unknown): AnswerIssue {
  const { message = 'not valid', path = [] } = Object(issue) as { message?: string; path?: readonly unknown[] }
  let pointer = ''
  let at = value
  for (const part of path) {
    const name = String(isObject(part) ? part['key'] : part)
    pointer = pointTo(pointer, name)
    at = ownValue(Object(at) as Record<string, unknown>, name)
  }
  return { path: pointer, message, ...(at === undefined && path.length > 0 && { isMissing: true }) }
}

/** The schema that the model sees. Its root is always an object, as models expect. */
export interface WireForm {
  readonly schema: JsonSchema | undefined
  /** Extracts the answer to the caller's schema. */
  unwrap(answer: unknown): unknown
  wrap(value: unknown): unknown
}

/**
 * Wraps a schema whose root is not an object: a list as `{ items }`, any other as `{ value }`.
 *
 * @see docs/compatibility/documents.md#model-formats
 */
export function wireForm(schema: JsonSchema | undefined): WireForm {
  const resolved = schema && resolveSchema(schema, schema)
  const types = resolved ? typesOf(resolved) : ['object' as const]
  if (!schema || (types.length === 1 && types[0] === 'object'))
    return { schema, unwrap: (answer) => answer, wrap: (value) => value }
  const name = types.length === 1 && types[0] === 'array' ? 'items' : 'value'
  const { $defs, definitions, $schema: _, ...inner } = schema
  return {
    schema: {
      type: 'object',
      properties: { [name]: moveRoot(inner, `#/properties/${name}`) },
      required: [name],
      ...($defs === undefined ? {} : { $defs: moveRoot($defs, `#/properties/${name}`) }),
      ...(definitions === undefined ? {} : { definitions: moveRoot(definitions, `#/properties/${name}`) }),
    },
    // Some models omit the wrapper.
    unwrap: (answer) => (isObject(answer) && name in answer ? answer[name] : answer),
    wrap: (value) => ({ [name]: value }),
  }
}

/** Redirects references to the root of a schema to its new place. */
function moveRoot(value: unknown, root: string): unknown {
  if (Array.isArray(value)) return value.map((one) => moveRoot(one, root))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === '$ref' && typeof part === 'string' && (part === '#' || /^#\/(?!\$defs|definitions)/.test(part))
        ? part.replace('#', root)
        : moveRoot(part, root),
    ]),
  )
}
