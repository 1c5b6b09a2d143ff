import type { z as Zod, ZodType } from 'zod'
import { asSchema } from './bare-schema.js'
import type { JsonSchema } from './json-schema.js'
import { findSchemaFault } from './schema-faults.js'
import { parseJson } from '../text/parse-json.js'

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
    readonly types?: { readonly input: unknown; readonly output: Output }
  }
}

/** Shape of an answer, whose type is inferred from a Standard Schema, and from a JSON Schema that is literal, as in a call or with `as const`. */
export type AnswerSchema = StandardSchema | JsonSchema

/** Type of an answer that conforms to the schema. */
export type AnswerOf<Schema> = Schema extends StandardSchema<infer Output> ? Output : DataOf<Schema>

/** Returns true for a Standard Schema, which has its own validation. */
export const isStandardSchema = (value: object): value is StandardSchema => '~standard' in value

/**
 * Tests for an object schema without properties that allows any property, so that it does not describe any data.
 *
 * @see docs/compatibility/requests.md#formats
 */
const allowsAnything = (value: object): boolean =>
  !isStandardSchema(value) &&
  'additionalProperties' in value &&
  value.additionalProperties === true &&
  !('properties' in value)

/**
 * Schema of the option: any JSON Schema or Standard Schema. It passes on the same object, because a copy of a Standard
 * Schema does not work. @internal
 */
export function answerSchema(z: typeof Zod): ZodType<AnswerSchema> {
  return z.unknown().superRefine((value, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message })
    if (typeof value === 'function' && isStandardSchema(value)) return
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      refuse('not a schema: give a JSON Schema object, or a Standard Schema such as a zod one')
    } else if (allowsAnything(value)) {
      refuse('an object schema without `properties` and with `additionalProperties: true` describes no data')
    } else if (!isStandardSchema(value)) {
      const fault = findFault(value)
      if (fault !== undefined) refuse(fault)
    }
  }) as ZodType as ZodType<AnswerSchema>
}

/** Maximum size: a schema is parsed synchronously and sent with each prompt. */
const MAX_SCHEMA_CHARACTERS = 200_000

/** Returns the fault of a caller's JSON Schema, as far as it can be found without an answer. */
function findFault(schema: object): string | undefined {
  const text = writeJson(schema)
  if (text === undefined) return 'not JSON: use `$defs` and `$ref` for a recursive schema'
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

/** Maximum characters of a prompt, a question or a query. @see docs/compatibility/requests.md#formats */
export const MAX_PROMPT_LENGTH = 10_000

/**
 * A schema in a plan: a JSON Schema as a copy; a Standard Schema within a function, so that freezing the plan does not
 * freeze it.
 */
export type HeldSchema = JsonSchema | (() => StandardSchema)

/**
 * Prepares a schema for a plan. The caller's object is not modified, and later changes of it do not affect a running
 * job.
 */
export const holdSchema = (schema: AnswerSchema): HeldSchema =>
  isStandardSchema(schema) ? () => schema : (parseJson(JSON.stringify(schema)) as JsonSchema)

/** Types that a schema names. */
interface NamedTypes {
  string: string
  number: number
  integer: number
  boolean: boolean
  null: null
}

/**
 * Type of the data that a literal JSON Schema describes, by `const`, `enum`, `anyOf`, `oneOf` and `type` with `properties`, `required` and
 * `items`; other keywords leave it as it is. `unknown` for what it does not know, such as `$ref`, and for a schema whose texts are not
 * literal. `json-schema-to-ts` knows more of them, at 90 files and, for 30 schemas, 2.5 s of the compiler instead of 0.7 s.
 */
type DataOf<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly anyOf: readonly (infer Choice)[] } | { readonly oneOf: readonly (infer Choice)[] }
      ? DataOf<Choice>
      : Schema extends { readonly type: readonly (infer Type)[] }
        ? DataOfType<Type, Schema>
        : Schema extends { readonly type: infer Type }
          ? DataOfType<Type, Schema>
          : unknown

type DataOfType<Type, Schema> = Type extends keyof NamedTypes
  ? NamedTypes[Type]
  : Type extends 'array'
    ? Schema extends { readonly items: infer Item }
      ? DataOf<Item>[]
      : unknown[]
    : Type extends 'object'
      ? Schema extends { readonly properties: infer Properties }
        ? Merge<
            { -readonly [Name in keyof Properties as Name & RequiredBy<Schema>]: DataOf<Properties[Name]> } & {
              -readonly [Name in keyof Properties as Exclude<Name, RequiredBy<Schema>>]?: DataOf<Properties[Name]>
            }
          >
        : Record<string, unknown>
      : unknown

type RequiredBy<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never

/** One object type in place of an intersection, as editors then show it. */
type Merge<Parts> = { [Name in keyof Parts]: Parts[Name] }
