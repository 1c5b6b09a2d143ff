import type { ZodType, z } from 'zod'
import { InvalidRequestError, type RequestIssue, printSeen } from '../../base/errors.js'
import { type FeatureOptions, NO_FEATURE_OPTIONS } from './option-definition.js'
import { describeIssue, nameType } from '../../base/issues/describe-issue.js'
import { createMisplacedExplainer } from './misplaced-option.js'
import { isObject } from '../../base/collections/is-object.js'

/** Returns a function that creates a value on its first call. */
export function onFirstUse<T>(create: () => T): () => T {
  let created: { value: T } | undefined
  return () => (created ??= { value: create() }).value
}

/** Returns a function that creates a value for each set of features on the first call with it. */
export function onFirstUseOf<T>(create: (more: FeatureOptions) => T): (more: FeatureOptions | undefined) => T {
  const made = new WeakMap<FeatureOptions, T>()
  return (more = NO_FEATURE_OPTIONS) => {
    const value = made.get(more) ?? create(more)
    made.set(more, value)
    return value
  }
}

const misplacedExplainer = onFirstUseOf(createMisplacedExplainer)

/** Result of a check: a copy of the value, or the problems found. */
type Parsed<T> = { readonly value: T; readonly issues: readonly [] } | { readonly issues: readonly RequestIssue[] }

/** Parses a value. @param path of the value in the request */
export function tryParse<T>(
  schema: ZodType<T>,
  value: unknown,
  path: readonly string[] = [],
  more?: FeatureOptions,
): Parsed<T> {
  const result = schema.safeParse(value, {
    error: (issue) => describeIssue(issue, { explainMisplaced: misplacedExplainer(more) }),
    reportInput: true,
  })
  if (result.success) {
    const unread = findUnread(value, result.data, path)
    return unread.length === 0 ? { value: result.data, issues: [] } : { issues: unread }
  }
  return { issues: result.error.issues.flatMap((issue) => toRequestIssues(issue, path)) }
}

/** Parses a value. @throws InvalidRequestError with every problem found */
export function parseChecked<T>(
  schema: ZodType<T>,
  value: unknown,
  path?: readonly string[],
  more?: FeatureOptions,
): T {
  const parsed = tryParse(schema, value, path, more)
  if ('value' in parsed) return parsed.value
  throw new InvalidRequestError(parsed.issues)
}

/** Maximum nesting of options: `scrapeOptions.location.country`. What is deeper is data, such as a schema. */
const MAX_DEPTH = 3

/**
 * Kinds of objects whose content is not in their properties. Any other may be a class of the host that names itself with
 * `Symbol.toStringTag`.
 */
const KINDS: ReadonlySet<string> = new Set(
  'Promise Map Set WeakMap WeakSet Date RegExp Error Generator AsyncGenerator'.split(' '),
)

/**
 * Finds objects of which no option was read, because they are no objects of options: a `Promise` that was not awaited or a
 * `Map`. They have no properties of their own, so that a schema takes them for an object without options.
 *
 * @param given value that was checked
 * @param read copy that the check made
 * @param path of the value in the request
 */
function findUnread(given: unknown, read: unknown, path: readonly string[] = []): RequestIssue[] {
  if (given === read || path.length > MAX_DEPTH || !isObject(given) || !isObject(read)) return []
  const names = Object.keys(read)
  if (names.length > 0) return names.flatMap((name) => findUnread(given[name], read[name], [...path, name]))
  const kind = Object.prototype.toString.call(given).slice('[object '.length, -1)
  if (!KINDS.has(kind)) return []
  const fault = `${/^[AE]/.test(kind) ? 'an' : 'a'} ${kind} is not an object of options`
  return [{ code: 'invalid_type', path, message: kind === 'Promise' ? `${fault}: await it` : fault }]
}

type Issue = z.core.$ZodIssue

/** Converts an issue of zod, whose message is that of `describeIssue`. @param within path of the checked value */
function toRequestIssues(issue: Issue, within: readonly PropertyKey[] = []): RequestIssue[] {
  const path = [...within, ...issue.path]
  const branches = issue.code === 'invalid_union' ? issue.errors : []
  if (branches.length > 0) return toUnionIssues(issue.input, branches, path)
  return [createIssue(issue.code, path, issue.message)]
}

/**
 * Converts the issue of a union. It says only that no branch fits, so the issues of the branch that the caller meant are
 * reported: the one for the kind of the value.
 */
function toUnionIssues(input: unknown, branches: readonly Issue[][], path: readonly PropertyKey[]): RequestIssue[] {
  const meant =
    branches.find((issues) => !issues.some(isWrongKind)) ??
    branches.find((issues) => typeof input === 'string' && issues.some(({ code }) => code === 'invalid_value'))
  if (meant) return meant.flatMap((issue) => toRequestIssues(issue, path))
  const seen = printSeen(input)
  const kinds = branches.flat().map((issue) => {
    if (issue.code !== 'invalid_type') return 'a name'
    // The message of an object says what it must have.
    return issue.expected === 'object' ? issue.message.replace(`${seen} is not `, '') : nameType(issue.expected)
  })
  return [createIssue('invalid_union', path, `${seen} is not ${[...new Set(kinds)].join(' or ')}`)]
}

const isWrongKind = (issue: Issue): boolean =>
  issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value')

const createIssue = (code: string, path: readonly PropertyKey[], message: string): RequestIssue => ({
  code,
  path: path.map((key) => (typeof key === 'number' ? key : String(key))),
  message,
})
