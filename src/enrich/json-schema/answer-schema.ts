import type { ZodType } from 'zod'
import type { SchemaBuilder } from '../../convert/format.js'
import { asSchema } from './bare-schema.js'
import type { JsonSchema } from './json-schema.js'
import { findSchemaFault } from './schema-faults.js'
import { parseJson } from '../../text/parse-json.js'

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

/** The shape that an answer must have: its type is known for a Standard Schema, and `unknown` for a JSON Schema. */
export type AnswerSchema = StandardSchema | JsonSchema

/** What an answer of this schema is, for the compiler. */
export type AnswerOf<Schema> = Schema extends StandardSchema<infer Output> ? Output : unknown

/** Whether a schema brings its own way to validate. */
export const isStandardSchema = (value: object): value is StandardSchema => '~standard' in value

/** An object schema that names no property and allows any says nothing about the answer. @see docs/compatibility.md#formats */
const saysNothing = (value: object): boolean =>
  !isStandardSchema(value) &&
  'additionalProperties' in value &&
  value.additionalProperties === true &&
  !('properties' in value)

/** Checks that a value is a schema and hands on the very same object: a copy of a Standard Schema would not work. @internal */
export function answerSchema(z: SchemaBuilder): ZodType<AnswerSchema> {
  return z.unknown().superRefine((value, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message })
    if (typeof value === 'function' && isStandardSchema(value)) return
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      refuse('not a schema: give a JSON Schema object, or a Standard Schema such as a zod one')
    } else if (saysNothing(value)) {
      refuse('an object schema without `properties` and with `additionalProperties: true` asks for nothing')
    } else if (!isStandardSchema(value)) {
      const fault = findFault(value)
      if (fault !== undefined) refuse(fault)
    }
  }) as ZodType as ZodType<AnswerSchema>
}

/** A schema is read in one go, and written into each prompt. */
const MAX_SCHEMA_CHARACTERS = 200_000

/** The fault of a caller's JSON Schema, as far as it shows before there is an answer. */
function findFault(schema: object): string | undefined {
  const text = writeJson(schema)
  if (text === undefined) return 'not JSON: use `$defs` and `$ref` for a schema that contains itself'
  if (text.length > MAX_SCHEMA_CHARACTERS) return `a schema of more than ${MAX_SCHEMA_CHARACTERS} characters`
  return findSchemaFault(asSchema(parseJson(text) as JsonSchema))
}

function writeJson(value: object): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
}

/** The most characters of a prompt, a question or a query. @see docs/compatibility.md#formats */
export const MAX_PROMPT_LENGTH = 10_000

/** A schema as a plan holds it: a JSON Schema as a copy, a Standard Schema where nothing can freeze it. */
export type HeldSchema = JsonSchema | (() => StandardSchema)

/** A schema for a plan: the caller's own object is neither changed by it, nor can it change a job that runs. */
export const holdSchema = (schema: AnswerSchema): HeldSchema =>
  isStandardSchema(schema) ? () => schema : (parseJson(JSON.stringify(schema)) as JsonSchema)
