import type { JsonSchema } from './json-schema.js'
import { type AnswerIssue, type FoundIssue, type ValuePath, writePath } from './answer-issue.js'
import { canonicalJson } from './canonical-json.js'
import { findReference } from './find-reference.js'
import { checkNumber, checkText } from './check-scalar.js'
import { PreparedSchema } from './prepared-schema.js'
import type { SchemaPattern } from './schema-pattern.js'
import { isObject } from '../collections/is-object.js'
import { isOf, JSON_TYPES, type JsonType, propertiesOf, requiredOf } from './schema-shape.js'

/** Maximum issues of one value. */
const MAX_ISSUES = 500
/** Maximum issues reported for alternatives of which none fits. */
const MAX_BRANCH_ISSUES = 10
/** Maximum nesting of applied schemas. */
const MAX_DEPTH = 1000

/** Thrown when a check exceeds its limits. */
class CheckLimitError extends Error {}

/** Steps left for checks. */
interface StepBudget {
  steps: number
}

/**
 * Checks values against a JSON Schema (drafts 4 to 2020-12) within a number of steps. A step is an applied schema, a
 * visited property or item, or some characters read by a pattern. Patterns run in linear time and nothing is compiled
 * to code, because callers may pass on schemas of strangers, and values come from pages.
 */
export class SchemaChecker {
  readonly #prepared: PreparedSchema

  /** @param root a schema without a fault: see {@link findSchemaFault} */
  constructor(root: JsonSchema) {
    this.#prepared = new PreparedSchema(root)
  }

  /** Returns the issues of a value; none when it conforms to the schema. */
  check(value: unknown, budget: StepBudget): readonly AnswerIssue[] {
    try {
      return new Check(this.#prepared, budget).run(value)
    } catch (error) {
      if (!(error instanceof CheckLimitError)) throw error
      return [{ path: '', message: error.message }]
    }
  }
}

/** Names evaluated by a keyword, for `unevaluatedProperties` and `unevaluatedItems`; undefined where neither applies. */
type Evaluated = Set<string> | undefined

/** Options for applying alternatives. */
interface Alternatives {
  readonly at: ValuePath | undefined
  readonly evaluated: Evaluated
  /** Number of fitting alternatives after which the rest is skipped. */
  readonly enough: number
}

/** The check of one value. */
class Check {
  readonly #prepared: PreparedSchema
  readonly #budget: StepBudget
  #issues: FoundIssue[] = []
  #depth = 0

  constructor(prepared: PreparedSchema, budget: StepBudget) {
    this.#prepared = prepared
    this.#budget = budget
  }

  run(value: unknown): readonly AnswerIssue[] {
    this.#apply(this.#prepared.root, value, undefined, undefined)
    return this.#issues.map(({ at, ...issue }) => ({ path: writePath(at), ...issue }))
  }

  #spend(steps: number): void {
    this.#budget.steps -= steps
    if (this.#budget.steps < 0) throw new CheckLimitError('the check of the answer exceeded its limit of steps')
  }

  #report(at: ValuePath | undefined, message: string): void {
    if (this.#issues.length < MAX_ISSUES) this.#issues.push({ at, message })
  }

  #apply(schema: unknown, value: unknown, at: ValuePath | undefined, outer: Evaluated): void {
    this.#spend(1)
    if (schema === false) this.#report(at, 'not allowed by the schema')
    if (!isObject(schema)) return
    if (++this.#depth > MAX_DEPTH) throw new CheckLimitError('the schema refers to itself endlessly')
    const hasRest = schema['unevaluatedProperties'] !== undefined || schema['unevaluatedItems'] !== undefined
    const evaluated = hasRest ? new Set<string>() : outer
    const reference = schema['$ref'] ?? schema['$recursiveRef']
    if (typeof reference === 'string') this.#apply(findReference(reference, this.#prepared.root), value, at, evaluated)
    if (typeof reference !== 'string' || !this.#prepared.isLoneReference) this.#applyOwn(schema, value, at, evaluated)
    if (hasRest) this.#checkRest(schema, value, at, evaluated)
    if (hasRest) for (const name of evaluated ?? []) outer?.add(name)
    this.#depth--
  }

  #applyOwn(schema: JsonSchema, value: unknown, at: ValuePath | undefined, evaluated: Evaluated): void {
    this.#checkKind(schema, value, at)
    this.#checkBranches(schema, value, at, evaluated)
    if (Array.isArray(value)) this.#checkItems(schema, value, at, evaluated)
    else if (isObject(value)) this.#checkProperties(schema, value, at, evaluated)
    else if (typeof value === 'number') checkNumber(schema, value, (message) => this.#report(at, message))
    else if (typeof value === 'string') this.#checkText(schema, value, at)
  }

  #checkKind(schema: JsonSchema, value: unknown, at: ValuePath | undefined): void {
    const { type, enum: options, const: only, nullable } = schema
    // `nullable` is OpenAPI's.
    const mayBeAbsent = value === null && nullable === true
    if (type !== undefined && !mayBeAbsent && !hasType(value, type)) this.#report(at, describeType(value, type))
    if (Array.isArray(options) && !this.#prepared.optionsOf(options).has(this.#keyOf(value)))
      this.#report(at, 'none of the `enum` values of the schema')
    if (only !== undefined && canonicalJson(only) !== this.#keyOf(value))
      this.#report(at, 'not the `const` value of the schema')
  }

  #keyOf(value: unknown): string {
    const key = canonicalJson(value)
    this.#spend(Math.ceil(key.length / 8))
    return key
  }

  #checkBranches(schema: JsonSchema, value: unknown, at: ValuePath | undefined, evaluated: Evaluated): void {
    const { allOf, anyOf, oneOf, not, if: condition } = schema
    for (const branch of listOf(allOf)) this.#apply(branch, value, at, evaluated)
    if (anyOf !== undefined)
      this.#checkAlternatives(listOf(anyOf), value, { at, evaluated, enough: evaluated ? Infinity : 1 })
    if (oneOf !== undefined && this.#checkAlternatives(listOf(oneOf), value, { at, evaluated, enough: 2 }) > 1)
      this.#report(at, 'fits several alternatives of `oneOf` instead of one')
    if (not !== undefined && isPassed(this.#try(not, value, at, undefined)))
      this.#report(at, 'matches a schema that `not` excludes')
    if (condition === undefined) return
    const branch = isPassed(this.#try(condition, value, at, evaluated)) ? schema['then'] : schema['else']
    if (branch !== undefined) this.#apply(branch, value, at, evaluated)
  }

  /** Applies alternatives until `enough` of them fit, and returns the number that do. */
  #checkAlternatives(branches: readonly unknown[], value: unknown, { at, evaluated, enough }: Alternatives): number {
    const failures: FoundIssue[] = []
    let passed = 0
    for (const branch of branches) {
      const issues = this.#try(branch, value, at, evaluated)
      if (isPassed(issues) && ++passed >= enough) break
      failures.push(...issues.slice(0, MAX_BRANCH_ISSUES - failures.length))
    }
    if (passed > 0 || branches.length === 0) return passed
    this.#report(at, 'fits none of the alternatives of the schema')
    if (this.#issues.length < MAX_ISSUES) this.#issues.push(...failures)
    return 0
  }

  /** Returns the issues of a branch without reporting them. Its evaluated names count only when it passes. */
  #try(schema: unknown, value: unknown, at: ValuePath | undefined, outer: Evaluated): FoundIssue[] {
    const reported = this.#issues
    const evaluated = outer && new Set<string>()
    this.#issues = []
    this.#apply(schema, value, at, evaluated)
    const found = this.#issues
    this.#issues = reported
    if (isPassed(found)) for (const name of evaluated ?? []) outer?.add(name)
    return found
  }

  #checkItems(schema: JsonSchema, items: readonly unknown[], at: ValuePath | undefined, evaluated: Evaluated): void {
    const { minItems, maxItems, contains } = schema
    if (typeof minItems === 'number' && items.length < minItems) this.#report(at, `less than ${minItems} items`)
    if (typeof maxItems === 'number' && items.length > maxItems) this.#report(at, `more than ${maxItems} items`)
    const isTuple = Array.isArray(schema['items'])
    const first = listOf(isTuple ? schema['items'] : schema['prefixItems'])
    const others = isTuple ? schema['additionalItems'] : schema['items']
    for (let index = 0; index < items.length; index++) {
      const own = index < first.length ? first[index] : others
      if (own === undefined) break
      evaluated?.add(String(index))
      this.#apply(own, items[index], { parent: at, name: index }, undefined)
    }
    if (schema['uniqueItems'] === true) this.#checkUnique(items, at)
    if (contains !== undefined) this.#checkContains(schema, items, at, evaluated)
  }

  #checkUnique(items: readonly unknown[], at: ValuePath | undefined): void {
    const known = new Map<string, number>()
    for (const [index, item] of items.entries()) {
      const key = this.#keyOf(item)
      const earlier = known.get(key)
      if (earlier === undefined) known.set(key, index)
      else this.#report({ parent: at, name: index }, `equal to item ${earlier}, although items must be unique`)
    }
  }

  #checkContains(schema: JsonSchema, items: readonly unknown[], at: ValuePath | undefined, evaluated: Evaluated): void {
    const { contains, minContains = 1, maxContains } = schema
    let found = 0
    for (const [index, item] of items.entries()) {
      if (!isPassed(this.#try(contains, item, at, undefined))) continue
      evaluated?.add(String(index))
      found++
    }
    if (typeof minContains === 'number' && found < minContains)
      this.#report(at, 'has too few items that match `contains`')
    if (typeof maxContains === 'number' && found > maxContains)
      this.#report(at, 'has too many items that match `contains`')
  }

  #checkProperties(schema: JsonSchema, value: Values, at: ValuePath | undefined, evaluated: Evaluated): void {
    const names = Object.keys(value).filter((name) => value[name] !== undefined)
    const { minProperties, maxProperties, additionalProperties, propertyNames } = schema
    if (typeof minProperties === 'number' && names.length < minProperties)
      this.#report(at, `less than ${minProperties} properties`)
    if (typeof maxProperties === 'number' && names.length > maxProperties)
      this.#report(at, `more than ${maxProperties} properties`)
    this.#requireProperties(requiredOf(schema), value, at)
    this.#checkDependencies(schema, value, at, evaluated)
    const properties = propertiesOf(schema)
    const patterns = this.#prepared.patternPropertiesOf(schema)
    for (const name of names) {
      const place: ValuePath = { parent: at, name }
      let isKnown = Object.hasOwn(properties, name)
      if (isKnown) this.#apply(properties[name], value[name], place, undefined)
      for (const [pattern, own] of patterns) {
        if (!this.#matches(pattern, name)) continue
        isKnown = true
        this.#apply(own, value[name], place, undefined)
      }
      if (!isKnown && additionalProperties !== undefined)
        this.#apply(additionalProperties, value[name], place, undefined)
      if (isKnown || additionalProperties !== undefined) evaluated?.add(name)
      if (propertyNames !== undefined) this.#apply(propertyNames, name, place, undefined)
    }
    this.#spend(names.length)
  }

  #requireProperties(names: readonly unknown[], value: Values, at: ValuePath | undefined): void {
    this.#spend(names.length)
    for (const name of names) {
      if (typeof name !== 'string' || (Object.hasOwn(value, name) && value[name] !== undefined)) continue
      if (this.#issues.length < MAX_ISSUES)
        this.#issues.push({ at: { parent: at, name }, message: 'missing', isMissing: true })
    }
  }

  #checkDependencies(schema: JsonSchema, value: Values, at: ValuePath | undefined, evaluated: Evaluated): void {
    for (const keyword of DEPENDENCIES) {
      const dependencies = schema[keyword]
      if (!isObject(dependencies)) continue
      for (const [name, dependency] of Object.entries(dependencies)) {
        this.#spend(1)
        if (!Object.hasOwn(value, name)) continue
        if (Array.isArray(dependency)) this.#requireProperties(dependency, value, at)
        else this.#apply(dependency, value, at, evaluated)
      }
    }
  }

  #matches(pattern: SchemaPattern, text: string): boolean {
    this.#spend(pattern.cost(text.length))
    return pattern.test(text)
  }

  #checkText(schema: JsonSchema, text: string, at: ValuePath | undefined): void {
    const { pattern } = schema
    this.#spend(Math.ceil(text.length / 1000))
    checkText(schema, text, (message) => this.#report(at, message))
    if (typeof pattern === 'string' && !this.#matches(this.#prepared.patternOf(pattern), text))
      this.#report(at, `does not match the pattern ${pattern.slice(0, 100)}`)
  }

  /** Applies `unevaluatedItems` or `unevaluatedProperties` to everything that no other keyword has evaluated. */
  #checkRest(schema: JsonSchema, value: unknown, at: ValuePath | undefined, evaluated: Evaluated): void {
    const rest = Array.isArray(value) ? schema['unevaluatedItems'] : schema['unevaluatedProperties']
    if (rest === undefined || typeof value !== 'object' || value === null) return
    for (const [name, part] of Object.entries(value)) {
      if (evaluated?.has(name)) continue
      evaluated?.add(name)
      this.#apply(rest, part, { parent: at, name }, undefined)
    }
  }
}

type Values = Readonly<Record<string, unknown>>

const DEPENDENCIES = ['dependentRequired', 'dependentSchemas', 'dependencies']

const isPassed = (issues: readonly FoundIssue[]): boolean => issues.length === 0

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Returns true if a value is of the type, or one of the types, that a schema names. */
const hasType = (value: unknown, type: unknown): boolean =>
  Array.isArray(type) ? type.some((one) => isOf(value, one as JsonType)) : isOf(value, type as JsonType)

/** Describes a type mismatch. */
const describeType = (value: unknown, type: unknown): string =>
  `${article(kindOf(value))} instead of ${listTypes(type)}`

const listTypes = (type: unknown): string => (Array.isArray(type) ? type.map(String).join(' or ') : String(type))

const kindOf = (value: unknown): string => JSON_TYPES.find((type) => isOf(value, type)) ?? typeof value

const article = (kind: string): string => (kind === 'null' ? kind : /^[aio]/.test(kind) ? `an ${kind}` : `a ${kind}`)
