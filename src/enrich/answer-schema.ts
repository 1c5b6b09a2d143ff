import type { ZodType } from 'zod'
import type { SchemaBuilder } from '../convert/format.js'
import { findReference } from './find-reference.js'

/**
 * The part of a Standard Schema that trawl reads; a schema of zod, valibot or arktype is one.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => unknown
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

/** A JSON Schema: an object of keywords. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** The shape that an answer must have: its type is known for a Standard Schema, and `unknown` for a JSON Schema. */
export type AnswerSchema = StandardSchema | JsonSchema

/** What an answer of this schema is, for the compiler. */
export type AnswerOf<Schema> = Schema extends StandardSchema<infer Output> ? Output : unknown

/** Whether a schema brings its own way to validate. */
export const isStandardSchema = (value: object): value is StandardSchema => '~standard' in value

/** An object schema that names no property and allows any says nothing about the answer. @see behaviour 1.4 */
const saysNothing = (value: object): boolean =>
  !isStandardSchema(value) &&
  'additionalProperties' in value &&
  value.additionalProperties === true &&
  !('properties' in value)

/** Checks that a value is a schema and hands on the very same object: a copy of a Standard Schema would not work. */
export function answerSchema(z: SchemaBuilder): ZodType<AnswerSchema> {
  return z.unknown().superRefine((value, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message })
    if (typeof value === 'function' && isStandardSchema(value)) return
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      refuse('not a schema: give a JSON Schema object, or a Standard Schema such as a zod one')
    } else if (saysNothing(value)) {
      refuse('an object schema without `properties` and with `additionalProperties: true` asks for nothing')
    } else if (!isStandardSchema(value)) {
      const fault = findSchemaFault(value)
      if (fault !== undefined) refuse(fault)
    }
  }) as ZodType as ZodType<AnswerSchema>
}

/** A schema is read in one go, and written into each prompt. */
const MOST_SCHEMA_CHARACTERS = 200_000

/** Why a JSON Schema cannot be used, as far as that shows before there is an answer. */
function findSchemaFault(schema: object): string | undefined {
  const text = writeJson(schema)
  if (text === undefined) return 'not JSON: use `$defs` and `$ref` for a schema that contains itself'
  if (text.length > MOST_SCHEMA_CHARACTERS) return `a schema of more than ${MOST_SCHEMA_CHARACTERS} characters`
  for (const [keyword, value] of keywordsOf(JSON.parse(text))) {
    if (typeof value !== 'string') continue
    if (keyword === '$ref' && !value.startsWith('#'))
      return `refers to \`${value.slice(0, 100)}\`, and nothing is fetched for a schema: put it into \`$defs\``
    if (keyword === '$ref' && value.startsWith('#/') && findReference(value, schema) === undefined)
      return `refers to \`${value.slice(0, 100)}\`, which is not in it`
    if (keyword === 'pattern' && !isPattern(value)) return `has a \`pattern\` that is none: \`${value.slice(0, 100)}\``
  }
  return undefined
}

/** Every name with its value, however deep. */
function* keywordsOf(root: unknown): Generator<[string, unknown]> {
  const queue: unknown[] = [root]
  for (let at = 0; at < queue.length; at++) {
    const value = queue[at]
    if (typeof value !== 'object' || value === null) continue
    for (const entry of Object.entries(value)) {
      yield entry
      queue.push(entry[1])
    }
  }
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

function writeJson(value: object): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
}

/** The most characters of a prompt, a question or a query. @see behaviour 1.4 */
export const MAX_PROMPT_LENGTH = 10_000

/** A schema as a plan holds it: a JSON Schema as a copy, a Standard Schema where nothing can freeze it. */
export type HeldSchema = JsonSchema | (() => StandardSchema)

/** A schema for a plan: the caller's own object is neither changed by it, nor can it change a job that runs. */
export const holdSchema = (schema: AnswerSchema): HeldSchema =>
  isStandardSchema(schema) ? () => schema : (JSON.parse(JSON.stringify(schema)) as JsonSchema)
