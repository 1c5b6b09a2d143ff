import type { HeldSchema, StandardSchema } from './answer-schema.js'
import type { JsonSchema } from './json-schema.js'
import { asSchema } from './bare-schema.js'
import type { AnswerIssue } from './answer-issue.js'
import { SchemaChecker } from './check-value.js'
import { findSchemaFault } from './schema-faults.js'
import { isObject } from '../../collections/is-object.js'
import { pointTo, resolveSchema, typesOf } from './schema-shape.js'
import { ownValue } from '../../collections/own-value.js'

/** Steps of all checks of the answers for one page: some 50 ms of the host's thread. */
const MAX_STEPS = 250_000

/** An answer that was looked at. */
export interface Checked {
  /** As the schema gives it back: with its defaults, and transformed where it does that. */
  readonly value: unknown
  readonly issues: readonly AnswerIssue[]
}

/** The shape of an answer: what a model can be told of it, and how an answer is checked. */
export interface AnswerForm {
  /** Undefined for a schema that does not say what it is in JSON Schema. */
  readonly schema: JsonSchema | undefined
  check(value: unknown): Promise<Checked>
}

/**
 * Opens a schema. A Standard Schema validates by itself, and says what it is where it can (`~standard.jsonSchema`, as zod does);
 * JSON Schema is interpreted: nothing of it is compiled to code, since callers may hand on schemas of others.
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

/** Schemas that were opened, by what the plan holds: a job has one for all of its pages. */
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
      const result = Object(await standard['~standard'].validate(value)) as {
        value?: unknown
        issues?: readonly unknown[]
      }
      return result.issues
        ? { value, issues: result.issues.map((issue) => readIssue(issue, value)) }
        : { value: result.value, issues: [] }
    },
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
    // What JSON Schema cannot say, e.g. a date: the model is told in words, and the schema checks all the same.
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

/** The schema of what a model is to answer: an object, whatever the caller's is. */
export interface WireForm {
  readonly schema: JsonSchema | undefined
  /** What the caller's schema is about, in an answer. */
  unwrap(answer: unknown): unknown
  wrap(value: unknown): unknown
}

/** Wraps what is no object, because models answer with one: a list as `{ items }`, all else as `{ value }`. @see docs/compatibility.md#model-formats */
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
    // Some models leave the wrapper out.
    unwrap: (answer) => (isObject(answer) && name in answer ? answer[name] : answer),
    wrap: (value) => ({ [name]: value }),
  }
}

/** The schema with references to its root pointing at where that now stands. */
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
