import { Script } from 'node:vm'
import { compact } from '../../base/collections/compact.js'
import { errorTable, InvalidRequestError, messageOf, printSeen, type RequestIssue } from '../../base/errors.js'
import type { AnyEnrichFormat } from '../../kernel/enrich/format.js'
import { FormatSet } from '../../kernel/options/format-set.js'
import type { ScrapeOptions } from '../../kernel/options/scrape-options.js'
import type { DocumentAddition } from '../../kernel/page/feature-steps.js'
import type { Feature } from '../../kernel/engine/feature.js'
import type { OwnFeature, OwnFormat } from './own-feature.js'
import { makeOwnSteps, type OwnSlice } from './own-steps.js'
import { readSentence } from './read-own.js'

/** Test of a field, and the words for what it must be. */
type FieldRule = readonly [test: (value: unknown) => boolean, expected: string]

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isFunction = (value: unknown): boolean => typeof value === 'function'

const FORMAT_NAME = /^[a-z][a-z\d]{0,59}$/i

const isFormat = (format: unknown): boolean =>
  isObject(format) &&
  typeof format.type === 'string' &&
  FORMAT_NAME.test(format.type) &&
  isFunction(format.produce) &&
  (format.check === undefined || isFunction(format.check))

const A_FORMAT_LIST =
  'a list of objects with a `type` (a letter, then letters and digits, at most 60), a function `produce`, and no or a function `check`'

const NAME = /^[a-z][a-z\d-]{0,59}$/i

const A_FUNCTION: FieldRule = [isFunction, 'a function']

const A_SCRIPT = 'a function with a source of its own, which is neither bound nor built in'

const TRUE_OR_FALSE: FieldRule = [(value) => typeof value === 'boolean', 'true or false']

const rules: { readonly [Name in keyof Required<OwnFeature>]: FieldRule } = {
  name: [
    (name) => typeof name === 'string' && NAME.test(name),
    'a letter, then letters, digits and hyphens, at most 60',
  ],
  fetcher: [
    (own) => isObject(own) && isFunction(own.handles) && isFunction(own.fetch),
    'an object with the functions `handles` and `fetch`',
  ],
  optional: TRUE_OR_FALSE,
  refuse: A_FUNCTION,
  request: A_FUNCTION,
  browser: [(run) => isFunction(run) && sourceOf(run) !== undefined, A_SCRIPT],
  afterDigest: A_FUNCTION,
  enrich: A_FUNCTION,
  document: A_FUNCTION,
  asksSite: TRUE_OR_FALSE,
  formats: [(formats) => Array.isArray(formats) && formats.every(isFormat), A_FORMAT_LIST],
}

/**
 * Checks the features of a caller, and makes features of the engine of them.
 *
 * @param builtIn the features of trawl itself
 * @throws InvalidRequestError with every problem found
 */
export function adoptFeatures(given: readonly unknown[], builtIn: readonly Feature[]): readonly Feature[] {
  const issues: RequestIssue[] = []
  const names = new Set<unknown>()
  const known = new FormatSet(builtIn.flatMap(({ formats = [] }) => formats))
  const formats = new Set<unknown>([...known.all.map(({ type }) => type), ...known.versionOne.keys()])
  for (const [index, feature] of given.entries()) {
    const refuse = (message: string, ...path: string[]): void =>
      void issues.push({ code: 'custom', path: ['features', index, ...path], message })
    if (!isObject(feature)) {
      refuse(`${printSeen(feature)} is no feature: an object with a \`name\``)
      continue
    }
    for (const fault of findFaults(feature)) refuse(...fault)
    const { name } = feature
    if (builtIn.some((one) => one.name === name)) refuse('is the name of a feature of trawl itself', 'name')
    if (names.has(name) && name !== undefined) refuse(`${printSeen(name)} is the name of an earlier one`, 'name')
    names.add(name)
    for (const type of listTypes(feature)) {
      if (type !== undefined && formats.has(type))
        refuse(`${printSeen(type)} is a format of trawl, or of an earlier feature`, 'formats')
      formats.add(type)
    }
  }
  if (issues.length > 0) throw new InvalidRequestError(issues)
  return (given as readonly OwnFeature[]).map(adopt)
}

/** The words for refusals of a caller's features. They stand in the tables of trawl itself as well: no folder goes with them. */
const OWN_REFUSAL: NonNullable<Feature['refusal']> = {
  reason: 'FEATURE_REFUSED',
  means: 'A feature of your own refuses the page; the message has its name and its reason.',
  code: 'FEATURE_REFUSED',
  error: errorTable.FEATURE_REFUSED,
}

/** Copies a feature of the caller, with functions that are called as its own: what the caller changes in it afterwards changes nothing. */
function copyFeature(own: OwnFeature): OwnFeature {
  const { name, optional, asksSite, fetcher, browser, formats = [] } = own
  return {
    name,
    optional,
    asksSite,
    fetcher: fetcher && { handles: fetcher.handles.bind(fetcher), fetch: fetcher.fetch.bind(fetcher) },
    ...compact({
      browser,
      refuse: own.refuse?.bind(own),
      request: own.request?.bind(own),
      afterDigest: own.afterDigest?.bind(own),
      enrich: own.enrich?.bind(own),
      document: own.document?.bind(own),
    }),
    formats: formats.map((format) => ({
      type: format.type,
      produce: format.produce.bind(format),
      ...compact({ check: format.check?.bind(format) }),
    })),
  }
}

/** Makes a feature of the engine of one of the caller. */
function adopt(given: OwnFeature): Feature {
  const own = copyFeature(given)
  const { name, fetcher, optional = false, asksSite = false, refuse, request, afterDigest, enrich } = own
  const formats = own.formats?.map((format) => adoptFormat(own, format)) ?? []
  const adopted: Feature = { name, fetcher, optional, formats, isOwn: true }
  const browser = own.browser && sourceOf(own.browser)
  const isForEach = refuse ?? request ?? browser ?? afterDigest ?? enrich
  if (!isForEach && formats.length === 0) return adopted
  const steps = makeOwnSteps(own)
  return {
    ...adopted,
    refusal: OWN_REFUSAL,
    plan: (options) => {
      const slice = planFormats(options, formats)
      return isForEach || slice.items.length > 0 ? slice : undefined
    },
    judges: refuse && (() => ''),
    judgesRedirects: refuse && true,
    changesRequests: request && true,
    browser,
    asksSite,
    open: () => steps,
    document: (addition) => addition as DocumentAddition,
  }
}

/** Returns the source of a function as an expression, also of one that is written as a method; undefined if it has none. */
function sourceOf(run: unknown): string | undefined {
  const source = String(run)
  const forms = [`(${source})`, `Object.values({ ${source} })[0]`]
  return forms.find((form) => {
    try {
      // It is compiled, and not run.
      return new Script(form) instanceof Script
    } catch {
      return false
    }
  })
}

/** Makes a format of the engine of one of the caller. Its fields are made by the steps of its feature, which see the page. */
const adoptFormat = ({ name }: OwnFeature, format: OwnFormat): AnyEnrichFormat => ({
  type: format.type,
  hasOpenOptions: true,
  findFaults(options) {
    const message = checkOptions(name, format, options)
    return message === undefined ? [] : [{ message }]
  },
  produce: async () => ({ fields: {} }),
})

/** Checks the options of a format by its own function. @returns the fault */
function checkOptions(name: string, format: OwnFormat, options: { type: string }): string | undefined {
  try {
    return readSentence(format.check?.(structuredClone(options)), '`check` returned')
  } catch (error) {
    return `cannot be checked: feature \`${name}\` failed: ${messageOf(error)}`
  }
}

/** Plans the formats of a caller's feature that a page asks for. */
const planFormats = ({ formats: given = [] }: ScrapeOptions, formats: readonly AnyEnrichFormat[]): OwnSlice => {
  const items = given.map((item) => (typeof item === 'string' ? { type: item } : item))
  // Of several items of one type, the last one applies, as it does for other formats.
  return { items: formats.flatMap(({ type }) => items.findLast((item) => item.type === type) ?? []) }
}

/** Lists the names of the formats of a feature, which may be anything. */
const listTypes = ({ formats }: Readonly<Record<string, unknown>>): readonly unknown[] =>
  Array.isArray(formats) ? formats.map((format: unknown) => (isObject(format) ? format.type : undefined)) : []

/** Finds the fields that a feature does not have, or not so. @returns messages, each with the field */
function findFaults(
  feature: Readonly<Record<string, unknown>>,
): readonly (readonly [message: string, field: string])[] {
  const wrong = Object.entries(rules).flatMap(([field, [test, expected]]) => {
    const value = feature[field]
    if (test(value) || (value === undefined && field !== 'name')) return []
    return [[`${printSeen(value)} is not right: ${expected}`, field] as const]
  })
  // An instance of a class may have fields for itself.
  if (![Object.prototype, null].includes(Object.getPrototypeOf(feature) as object | null)) return wrong
  const unknown = Object.keys(feature).filter((field) => !Object.hasOwn(rules, field))
  const known = Object.keys(rules).map((field) => `\`${field}\``)
  return [...wrong, ...unknown.map((field) => [`is no field of a feature: it has ${known.join(', ')}`, field] as const)]
}
