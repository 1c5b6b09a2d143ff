import { canonicalJson } from './canonical-json.js'
import type { JsonSchema } from './json-schema.js'
import { compileSchemaPattern, type SchemaPattern } from './schema-pattern.js'
import { isObject } from '../collections/is-object.js'

/** Subschemas by the pattern of their property names. */
type PatternProperties = readonly (readonly [pattern: SchemaPattern, schema: unknown])[]

/** A JSON Schema with its compiled patterns and canonical enum values, shared by all checks. */
export class PreparedSchema {
  readonly root: JsonSchema
  /** True in drafts 4 to 7, where siblings of `$ref` are ignored. */
  readonly isLoneReference: boolean
  readonly #patterns = new Map<string, SchemaPattern>()
  readonly #patternProperties = new Map<object, PatternProperties>()
  readonly #options = new Map<readonly unknown[], ReadonlySet<string>>()

  constructor(root: JsonSchema) {
    this.root = root
    this.isLoneReference = typeof root['$schema'] === 'string' && /draft-0[4-7]/.test(root['$schema'])
  }

  /** Values of an `enum`, as canonical JSON. */
  optionsOf(options: readonly unknown[]): ReadonlySet<string> {
    const made = this.#options.get(options) ?? new Set(options.map(canonicalJson))
    this.#options.set(options, made)
    return made
  }

  patternPropertiesOf({ patternProperties }: JsonSchema): PatternProperties {
    if (!isObject(patternProperties)) return []
    const made =
      this.#patternProperties.get(patternProperties) ??
      Object.entries(patternProperties).map(([name, own]) => [this.patternOf(name), own] as const)
    this.#patternProperties.set(patternProperties, made)
    return made
  }

  patternOf(source: string): SchemaPattern {
    const made = this.#patterns.get(source) ?? compileSchemaPattern(source)
    this.#patterns.set(source, made)
    return made
  }
}
