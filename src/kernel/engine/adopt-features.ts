import { errorTable, InvalidRequestError, printSeen, type RequestIssue } from '../../base/errors.js'
import type { DocumentAddition } from '../page/feature-steps.js'
import type { Feature } from './feature.js'
import type { OwnFeature } from './own-feature.js'
import { makeOwnSteps } from './own-steps.js'

/** Test of a field, and the words for what it must be. */
type FieldRule = readonly [test: (value: unknown) => boolean, expected: string]

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isFunction = (value: unknown): boolean => typeof value === 'function'

const NAME = /^[a-z][a-z\d-]{0,59}$/i

const A_FUNCTION: FieldRule = [isFunction, 'a function']

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
  afterDigest: A_FUNCTION,
  enrich: A_FUNCTION,
  document: A_FUNCTION,
  asksSite: TRUE_OR_FALSE,
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
  for (const [index, feature] of given.entries()) {
    const refuse = (message: string, ...path: string[]): void =>
      void issues.push({ code: 'custom', path: ['features', index, ...path], message })
    if (!isObject(feature)) {
      refuse(`${printSeen(feature)} is no feature: an object with a \`name\``)
      continue
    }
    for (const fault of findFaults(feature)) refuse(...fault)
    const { name } = feature
    if (builtIn.some((known) => known.name === name)) refuse('is the name of a feature of trawl itself', 'name')
    if (names.has(name) && name !== undefined) refuse(`${printSeen(name)} is the name of an earlier one`, 'name')
    names.add(name)
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

/** Makes a feature of the engine of one of the caller. What the caller changes in it afterwards changes nothing. */
function adopt(own: OwnFeature): Feature {
  const { name, fetcher, optional = false, asksSite = false, refuse, request, afterDigest, enrich } = own
  const adopted: Feature = { name, fetcher, optional, isOwn: true }
  if (!refuse && !request && !afterDigest && !enrich) return adopted
  const steps = makeOwnSteps(own)
  return {
    ...adopted,
    refusal: OWN_REFUSAL,
    plan: () => OWN_SLICE,
    ...(refuse && { judges: () => '', judgesRedirects: true }),
    ...(request && { changesRequests: true }),
    asksSite: asksSite && enrich !== undefined,
    open: () => steps,
    document: (addition) => addition as DocumentAddition,
  }
}

/** Slice of a caller's feature. It has no options: it works on each page. */
const OWN_SLICE = {}

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
