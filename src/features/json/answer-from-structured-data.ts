import { compact } from '../../base/collections/compact.js'
import { isDeepStrictEqual } from 'node:util'
import type { StructuredItem, StructuredValue } from '../../content/extract/structured-data/structured-item.js'
import { type AnswerForm, openForm } from '../../base/json-schema/answer-form.js'
import type { JsonSchema } from '../../base/json-schema/json-schema.js'
import type { AnswerIssue } from '../../base/json-schema/answer-issue.js'
import type { FactSource } from './citations.js'
import { bareName, isForeign, isQuestions, pathsOf } from '../../content/extract/facts/fact-names.js'
import { dropInvalidValues } from '../../base/json-schema/drop-invalid-values.js'
import {
  type FindAnswered,
  findQuestions,
  isItem,
  type PickedItem,
  pickItems,
} from '../../content/extract/facts/pick-item.js'
import { kindOf } from '../../content/extract/facts/kind-of.js'
import { asText, readFact, valuesAt } from '../../content/extract/facts/read-fact.js'
import { isObject } from '../../base/collections/is-object.js'
import {
  branchesOf,
  type JsonType,
  namesOf,
  pointTo,
  propertiesOf,
  requiredOf,
  resolveSchema,
  typesOf,
} from '../../base/json-schema/schema-shape.js'
import { ownValue } from '../../base/collections/own-value.js'

/** The part of an answer that the page's structured data gives. */
export interface StructuredAnswer {
  /** Undefined when it answers no property. */
  readonly value: unknown
  /** True when it answers every property and conforms to the schema. */
  readonly isWhole: boolean
  readonly issues: readonly AnswerIssue[]
  /** The source of each value. */
  readonly sources: readonly FactSource[]
  /** Schema of the open properties; absent when all of them are open. */
  readonly rest?: AnswerForm
}

const NOTHING: StructuredAnswer = { value: undefined, isWhole: false, issues: [], sources: [] }

/**
 * Fills in the properties of a schema for which the page's structured data has a value. Works only for an object schema
 * with named properties. Ambiguous properties stay open, for example if there are two values for one property, a number
 * has two readings, or several items of one kind may be the subject of the page.
 */
export async function answerFromStructuredData(
  form: AnswerForm,
  items: readonly StructuredItem[],
  url: string,
): Promise<StructuredAnswer> {
  const root = form.schema
  const schema = root && resolveSchema(root, root)
  const properties = propertiesOf(schema)
  if (!root || !schema || items.length === 0 || Object.keys(properties).length === 0 || branchesOf(schema).length > 0)
    return NOTHING
  const lookup: Lookup = { root, url, sources: [] }
  const names = Object.keys(properties)
  const findAnswered: FindAnswered = (item, kind) =>
    names.some((name) => isForeign(name, kind) && ownNames(item, name).length === 0)
      ? undefined
      : names.filter((name) => {
          const request = { item, kind, name, schema: properties[name], path: '' }
          return readProperty(request, { ...lookup, sources: [] }) !== undefined
        })
  const picked: PickedItem[] = pickItems(items, url, { asked: names.length, findAnswered })
  const questions = findQuestions(items)
  const tables = items.filter(({ source }) => source === 'table').map((item) => ({ item, kind: undefined }))
  const known = new Map<string, unknown>()
  for (const [name, own] of Object.entries(properties)) {
    const faq = questions && isQuestions(name) ? [{ item: questions, kind: 'FAQPage' }] : []
    for (const { item, kind } of [...picked, ...faq, ...tables]) {
      const found = readProperty({ item, kind, name, schema: own, path: pointTo('', name) }, lookup)
      if (found === undefined) continue
      known.set(name, found)
      break
    }
  }
  if (known.size === 0) return NOTHING
  return await judge(Object.fromEntries(known), form, root, lookup)
}

/** Keeps the values that conform to the schema, and leaves incomplete properties open. */
async function judge(
  given: Record<string, unknown>,
  form: AnswerForm,
  root: JsonSchema,
  { sources }: Lookup,
): Promise<StructuredAnswer> {
  const checked = await form.check(given)
  const properties = propertiesOf(resolveSchema(root, root))
  const isFull = (name: string): boolean =>
    Object.hasOwn(given, name) && isComplete(given[name], ownValue(properties, name), root)
  if (checked.issues.length === 0 && Object.keys(properties).every(isFull)) {
    return { value: checked.value, isWhole: true, issues: [], sources }
  }
  const wrong = new Set(checked.issues.map(({ path }) => namesOf(path)[0] ?? ''))
  const kept = checked.issues.length === 0 ? given : (await dropInvalidValues(given, form)).value
  const valid = isObject(kept)
    ? Object.fromEntries(Object.entries(kept).filter(([name]) => Object.hasOwn(given, name)))
    : {}
  if (Object.keys(valid).length === 0) return NOTHING
  const open = Object.keys(properties).filter((name) => !isFull(name) || wrong.has(name))
  const { issues } = await form.check(valid)
  const stands = sources.filter(({ path }) => Object.hasOwn(valid, namesOf(path)[0] ?? ''))
  return { value: valid, isWhole: false, issues, sources: stands, rest: openForm(pickProperties(root, open)) }
}

/** Restricts a schema to some of its properties. */
function pickProperties(root: JsonSchema, names: readonly string[]): JsonSchema {
  const schema = resolveSchema(root, root) ?? root
  const properties = propertiesOf(schema)
  const { $defs = root['$defs'], definitions = root['definitions'] } = schema
  return compact({
    ...schema,
    $defs,
    definitions,
    properties: Object.fromEntries(names.map((name) => [name, ownValue(properties, name)])),
    required: requiredOf(schema).filter((name) => names.includes(name)),
  })
}

/** Returns true if every property that the schema names is present. */
function isComplete(value: unknown, schema: unknown, root: JsonSchema): boolean {
  const resolved = resolveSchema(schema, root)
  if (!resolved || !isObject(value)) return true
  return Object.entries(propertiesOf(resolved)).every(
    ([name, own]) => Object.hasOwn(value, name) && isComplete(value[name], own, root),
  )
}

/** The state that is shared while one page is read. */
interface Lookup {
  readonly root: JsonSchema
  readonly url: string
  readonly sources: FactSource[]
}

/** A property to read, and its place in the answer. */
interface PropertyRequest {
  readonly item: StructuredItem
  readonly kind: string | undefined
  readonly name: string
  readonly schema: unknown
  readonly path: string
}

/** Maximum nesting of objects. */
const MAX_DEPTH = 6

function readProperty({ item, kind, name, schema, path }: PropertyRequest, lookup: Lookup): unknown {
  const paths = [...pathsOf(name, kind), ...ownNames(item, name)]
  for (const one of item.source === 'table' ? ownNames(item, name) : paths) {
    const values = valuesAt(item, one)
    const found = values.length === 0 ? undefined : readValues(values, { name, schema, path }, lookup)
    if (found === undefined) continue
    const text = values.map((value) => asText(value) ?? '').join(', ')
    lookup.sources.push({ path, source: item.source, text })
    return found
  }
  return undefined
}

const ownNames = ({ properties }: StructuredItem, name: string): string[] =>
  Object.keys(properties).filter((own) => bareName(own) === bareName(name) && !own.includes('.'))

/** A value to read, and its place in the answer. */
type ValueRequest = { readonly name: string; readonly schema: unknown; readonly path: string }

function readValues(values: readonly StructuredValue[], request: ValueRequest, lookup: Lookup): unknown {
  const { name, path } = request
  const schema = narrow(request.schema, lookup.root)
  if (!schema || path.split('/').length > MAX_DEPTH) return undefined
  const types = typesOf(schema).filter((type) => type !== 'null')
  const type: JsonType | undefined = types[0] ?? (Array.isArray(schema['enum']) ? 'string' : undefined)
  if (type === undefined || (types.length > 1 && !types.includes('string'))) return undefined
  if (type === 'array') return readList(values, { name, schema, path }, lookup)
  if (type === 'object') return readObject(values, schema, lookup, path)
  const wanted = {
    name,
    type: types.length > 1 ? ('string' as const) : type,
    format: textOf(schema['format']),
    options: Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined,
    description: textOf(schema['description']),
    url: lookup.url,
  }
  const made = values.map((value) => readFact(value, wanted))
  // The first of several images represents the item.
  const counted = /^(?:image|photo|picture|thumbnail|logo)/i.test(name) ? made.slice(0, 1) : made
  return onlyOne(counted)
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Returns the schema, or its only branch that is not null. */
function narrow(given: unknown, root: JsonSchema): JsonSchema | undefined {
  let schema = resolveSchema(given, root)
  for (let depth = 0; schema && depth < MAX_DEPTH; depth++) {
    const branches = branchesOf(schema).filter((branch) => resolveSchema(branch, root)?.['type'] !== 'null')
    if (branches.length === 0) return schema
    schema = branches.length === 1 ? resolveSchema(branches[0], root) : undefined
  }
  return undefined
}

/** Returns the value that all of them equal, or the longest text if all others are its beginning. */
function onlyOne(values: readonly unknown[]): unknown {
  const [first, ...others] = values
  if (first === undefined || others.every((other) => isDeepStrictEqual(other, first))) return first
  const texts = values.filter((value) => typeof value === 'string')
  const longest = texts.toSorted((one, other) => other.length - one.length)[0]
  return texts.length === values.length && texts.every((text) => longest?.startsWith(text)) ? longest : undefined
}

function readList(
  values: readonly StructuredValue[],
  { name, schema, path }: ValueRequest & { readonly schema: JsonSchema },
  lookup: Lookup,
): unknown[] | undefined {
  const single = values.length === 1 ? values[0] : undefined
  const isWords = typeof single === 'string' && /^(?:keywords|tags)$/.test(bareName(name))
  const steps = values.flatMap((value) => unfoldSteps(value))
  const list = isWords
    ? single
        .split(',')
        .map((word) => word.trim())
        .filter(Boolean)
    : steps
  const items = list.map((value, index) =>
    readValues([value], { name, schema: schema['items'] ?? {}, path: pointTo(path, index) }, lookup),
  )
  return items.length === 0 || items.includes(undefined) ? undefined : items
}

/** Flattens the steps of a recipe and the questions of a page, which may be nested in sections and lists. */
function unfoldSteps(value: StructuredValue): StructuredValue[] {
  if (!isItem(value)) return [value]
  const [listed] = value.types.includes('ListItem') ? (value.properties['item'] ?? []) : []
  if (listed !== undefined && isItem(listed) && listed !== value) return [listed]
  if (!value.types.some((type) => /^(?:HowToSection|ItemList)$/.test(type))) return [value]
  return (value.properties['itemListElement'] ?? []).flatMap((inner) => (inner === value ? [] : unfoldSteps(inner)))
}

function readObject(
  values: readonly StructuredValue[],
  schema: JsonSchema,
  lookup: Lookup,
  path: string,
): Record<string, unknown> | undefined {
  const [item, ...others] = values
  if (item === undefined || others.length > 0 || !isItem(item)) return undefined
  const made = new Map<string, unknown>()
  for (const [name, own] of Object.entries(propertiesOf(schema))) {
    const found = readProperty({ item, kind: kindOf(item), name, schema: own, path: pointTo(path, name) }, lookup)
    if (found !== undefined) made.set(name, found)
  }
  const isShort = requiredOf(schema).some((name) => !made.has(name))
  return isShort || made.size === 0 ? undefined : Object.fromEntries(made)
}
