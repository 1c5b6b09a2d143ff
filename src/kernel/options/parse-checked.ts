import type { ZodType } from 'zod'
import { InvalidRequestError, type RequestIssue } from '../../base/errors.js'
import { type FeatureOptions, NO_FEATURE_OPTIONS } from './option-definition.js'
import { describeIssue } from '../../base/issues/describe-issue.js'
import { findUnread } from '../../base/issues/find-unread.js'
import { toRequestIssues } from '../../base/issues/to-request-issues.js'
import { createMisplacedExplainer } from './misplaced-option.js'

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
