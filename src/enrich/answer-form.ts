import type { Validator } from '@cfworker/json-schema'
import type { HeldSchema, JsonSchema, StandardSchema } from './answer-schema.js'
import { isObject, pointTo, resolveSchema, typesOf } from './schema-shape.js'

/** What is wrong with an answer. */
export interface AnswerIssue {
  /** Where, as a JSON Pointer (RFC 6901); empty for the whole. */
  readonly path: string
  readonly message: string
  /** Set when something is not there that must be. */
  readonly isMissing?: true
}

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
  const schema = asSchema(held)
  let validator: Promise<Validator> | undefined
  return { schema, check: async (value) => checkBy(await (validator ??= openValidator(schema)), value) }
}

const KEYWORDS = new Set(
  (
    '$schema $id $ref $defs $comment definitions type properties items prefixItems required enum const anyOf oneOf allOf not if ' +
    'additionalProperties patternProperties minProperties maxProperties minItems maxItems title description default format pattern'
  ).split(' '),
)

/** A bare map of properties is taken as an object of these. @see behaviour 12 */
function asSchema(given: JsonSchema): JsonSchema {
  const names = Object.keys(given)
  const isMap =
    names.length > 0 && names.every((name) => isObject(given[name]) && (!KEYWORDS.has(name) || isTyped(given[name])))
  const isBare =
    isMap && given['type'] === undefined && !names.some((name) => name.startsWith('$')) && !('properties' in given)
  return isBare && !names.every((name) => KEYWORDS.has(name)) ? { type: 'object', properties: given } : given
}

const isTyped = (value: unknown): boolean => isObject(value) && typeof value['type'] === 'string'

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
    at = (Object(at) as Record<string, unknown>)[name]
  }
  return { path: pointer, message, ...(at === undefined && path.length > 0 && { isMissing: true }) }
}

/** Issues that are told, at most. */
const MOST_ISSUES = 30

async function openValidator(schema: JsonSchema): Promise<Validator> {
  const { Validator: JsonValidator } = await import('@cfworker/json-schema')
  // It writes into what it is given.
  return new JsonValidator(structuredClone(schema), draftOf(schema), false)
}

function checkBy(validator: Validator, value: unknown): Checked {
  const result = validate(validator, value)
  if (typeof result === 'string') return { value, issues: [{ path: '', message: result }] }
  const { valid, errors } = result
  if (valid) return { value, issues: [] }
  // A parent says that its child is wrong: the child says why.
  const own = errors.filter(({ keyword }) => !PARENTS.has(keyword))
  const issues = (own.length > 0 ? own : errors)
    .slice(0, MOST_ISSUES)
    .map(({ instanceLocation, error, keyword }): AnswerIssue => {
      const path = decodePointer(instanceLocation)
      const [, name] = keyword === 'required' ? (/property "(.*?)"/.exec(error) ?? []) : []
      return name === undefined
        ? { path, message: error }
        : { path: pointTo(path, name), message: 'missing', isMissing: true }
    })
  return { value, issues }
}

/** What the validator says, or why it cannot say anything: a schema may have keywords of the wrong kind. */
function validate(validator: Validator, value: unknown): ReturnType<Validator['validate']> | string {
  try {
    return validator.validate(value)
  } catch (error) {
    return `the schema cannot be used: ${error instanceof Error ? error.message : String(error)}`
  }
}

const PARENTS: ReadonlySet<string> = new Set([
  'properties',
  'items',
  'prefixItems',
  'additionalProperties',
  '$ref',
  'allOf',
])

function draftOf({ $schema }: JsonSchema): '4' | '7' | '2019-09' | '2020-12' {
  const named = /draft-0([47])|(2019-09|2020-12)/.exec(typeof $schema === 'string' ? $schema : '')
  return (named?.[1] ?? named?.[2] ?? '2020-12') as '4' | '7' | '2019-09' | '2020-12'
}

/** The library writes pointers as fragments: `#/a%20b`. */
function decodePointer(location: string): string {
  const pointer = location.replace(/^#/, '')
  try {
    return decodeURIComponent(pointer)
  } catch (error) {
    if (error instanceof URIError) return pointer
    throw error
  }
}

/** The schema of what a model is to answer: an object, whatever the caller's is. */
export interface WireForm {
  readonly schema: JsonSchema | undefined
  /** What the caller's schema is about, in an answer. */
  unwrap(answer: unknown): unknown
  wrap(value: unknown): unknown
}

/** Wraps what is no object, because models answer with one: a list as `{ items }`, all else as `{ value }`. @see behaviour 12 */
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
