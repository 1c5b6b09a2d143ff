import { InvalidRequestError, printSeen, type RequestIssue } from '../../base/errors.js'
import type { Outcome, SkipReason } from '../ledger/ledger.js'
import { describeChoice } from '../../base/issues/describe-issue.js'
import { findSimilarName } from '../../base/issues/similar-name.js'
import { urlToString, type UrlLike } from '../../base/url.js'

/** Selection of rows of a job. */
export interface RowQuery {
  /** Outcome of the rows. @default any outcome */
  outcome?: Outcome
  /** Reason of skipped rows. @default any reason */
  reason?: SkipReason
  /** The `url` or `key` of a row: only rows found after it are listed. @default all rows are listed */
  after?: UrlLike
  /** Maximum number of rows; an integer. @default Infinity */
  limit?: number
}

/** A checked query, with `after` as a string. */
export type CheckedRowQuery = Omit<RowQuery, 'after'> & { after?: string }

const outcomes = ['queued', 'active', 'done', 'failed', 'skipped'] as const satisfies readonly Outcome[]
const options = ['outcome', 'reason', 'after', 'limit'] as const satisfies readonly (keyof RowQuery)[]

/**
 * Checks a query for rows.
 *
 * @param reasons all reasons that rows can have
 * @throws InvalidRequestError with every problem found
 */
export function checkRowQuery(given: RowQuery | null | undefined, reasons: readonly string[]): CheckedRowQuery {
  const query = typeof given === 'object' && given !== null ? normalizeAfter(given) : (given ?? {})
  const issues = findIssues(query, reasons)
  if (issues.length > 0) throw new InvalidRequestError(issues)
  return query
}

/** Creates the error for an `after` that is not a row of the job. */
export function createAfterError(after: string): InvalidRequestError {
  const message = `${printSeen(after)} is no row of this job: the \`url\` or \`key\` of the last row that was read`
  return new InvalidRequestError([{ code: 'custom', path: ['after'], message }])
}

/** Converts `after` of a query to a string, if it is a URL; all other values stay for the check. */
const normalizeAfter = ({ after, ...query }: RowQuery): CheckedRowQuery => ({ ...query, after: urlToString(after) })

function findIssues(query: CheckedRowQuery, reasons: readonly string[]): RequestIssue[] {
  if (typeof query !== 'object') {
    const message = `${printSeen(query)} is not an object of the options ${options.join(', ')}`
    return [{ code: 'invalid_type', path: [], message }]
  }
  const { outcome, reason, after, limit } = query
  const issues: RequestIssue[] = findUnknown(Object.keys(query))
  const refuse = (code: string, option: keyof RowQuery, message: string) =>
    issues.push({ code, path: [option], message })
  if (outcome !== undefined && !isOneOf(outcomes, outcome)) {
    refuse('invalid_value', 'outcome', describeChoice(outcome, outcomes))
  }
  if (reason !== undefined && !isOneOf(reasons, reason)) {
    refuse('invalid_value', 'reason', describeChoice(reason, reasons))
  }
  if (reason !== undefined && outcome !== 'skipped' && isOneOf(outcomes, outcome)) {
    refuse(
      'custom',
      'reason',
      `only rows with \`outcome: 'skipped'\` have one, and \`outcome\` is ${printSeen(outcome)}`,
    )
  }
  if (after !== undefined && typeof after !== 'string') {
    refuse('invalid_type', 'after', `${printSeen(after)} is not a string: a row's \`url\``)
  }
  if (limit !== undefined && limit !== Infinity && !(Number.isSafeInteger(limit) && limit >= 0)) {
    refuse('out_of_range', 'limit', `${printSeen(limit)} is not allowed: a whole number from 0, or Infinity`)
  }
  return issues
}

const isOneOf = (names: readonly string[], value: unknown): boolean => names.some((name) => name === value)

const findUnknown = (names: readonly string[]): RequestIssue[] =>
  names
    .filter((name) => !isOneOf(options, name))
    .map((name) => {
      const similar = findSimilarName(name, options)
      const suggestion = similar === undefined ? '' : `, did you mean \`${similar}\`?`
      return {
        code: 'unrecognized_keys',
        path: [name],
        message: `unknown option${suggestion}: allowed are ${options.join(', ')}`,
      }
    })
