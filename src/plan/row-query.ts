import { InvalidRequestError, type RequestIssue, printSeen } from '../errors.js'
import { skipReasons } from '../ledger/skip-reason.js'
import type { Outcome, SkipReason } from '../ledger/ledger.js'
import { findSimilarName } from '../options/issues/similar-name.js'
import { urlToString, type UrlLike } from '../url.js'

/** Selection of rows of a job. */
export interface RowQuery {
  /** Outcome of the rows. @default any outcome */
  outcome?: Outcome | undefined
  /** Reason of skipped rows. @default any reason */
  reason?: SkipReason | undefined
  /** The `url` or `key` of a row: only rows found after it are listed. @default all rows are listed */
  after?: UrlLike | undefined
  /** Maximum number of rows; an integer. @default Infinity */
  limit?: number | undefined
}

/** A checked query. */
export type CheckedRowQuery = Omit<RowQuery, 'after'> & { after?: string | undefined }

/** Normalises `after` of a query to a string; other fields stay for the check. */
const takeAfter = ({ after, ...query }: RowQuery): CheckedRowQuery => ({ ...query, after: urlToString(after) })

const outcomes = ['queued', 'active', 'done', 'failed', 'skipped'] as const satisfies readonly Outcome[]
const options = ['outcome', 'reason', 'after', 'limit'] as const satisfies readonly (keyof RowQuery)[]

/** Checks a query for rows. @throws InvalidRequestError */
export function checkRowQuery(given: RowQuery | null | undefined): CheckedRowQuery {
  const query = typeof given === 'object' && given !== null ? takeAfter(given) : (given ?? {})
  const issues = findIssues(query)
  if (issues.length > 0) throw new InvalidRequestError(issues)
  return query
}

/** Makes the error for an `after` that a job has no row of. */
export function createAfterError(after: string): InvalidRequestError {
  const message = `${printSeen(after)} is no row of this job: the \`url\` or \`key\` of the last row that was read`
  return new InvalidRequestError([{ code: 'custom', path: ['after'], message }])
}

function findIssues(query: CheckedRowQuery): RequestIssue[] {
  if (typeof query !== 'object') {
    const message = `${printSeen(query)} is not an object of the options ${options.join(', ')}`
    return [{ code: 'invalid_type', path: [], message }]
  }
  const { outcome, reason, after, limit } = query
  const unknown = Object.keys(query).filter((name) => !options.some((option) => option === name))
  const issues = unknown.map((name) => ({
    code: 'unrecognized_keys',
    path: [name],
    message: `unknown option${guess(name, options)}: allowed are ${options.join(', ')}`,
  }))
  if (outcome !== undefined) issues.push(...checkName('outcome', outcome, outcomes))
  if (reason !== undefined) issues.push(...checkName('reason', reason, skipReasons))
  if (reason !== undefined && outcomes.some((other) => other === outcome && other !== 'skipped')) {
    const message = `only rows whose \`outcome\` is skipped have one, and ${printSeen(outcome)} was asked for`
    issues.push({ code: 'custom', path: ['reason'], message })
  }
  if (after !== undefined && typeof after !== 'string') {
    issues.push({
      code: 'invalid_type',
      path: ['after'],
      message: `${printSeen(after)} is not a string: a row's \`url\``,
    })
  }
  if (limit !== undefined && limit !== Infinity && !(Number.isSafeInteger(limit) && limit >= 0)) {
    const message = `${printSeen(limit)} is not allowed: a whole number from 0 on, or Infinity`
    issues.push({ code: 'out_of_range', path: ['limit'], message })
  }
  return issues
}

function checkName(
  option: string,
  value: unknown,
  names: readonly string[],
): { code: string; path: string[]; message: string }[] {
  if (names.some((name) => name === value)) return []
  const hint = typeof value === 'string' ? guess(value, names) : ''
  const message = `${printSeen(value)} is not allowed${hint}: one of ${names.join(', ')}`
  return [{ code: 'invalid_value', path: [option], message }]
}

function guess(word: string, names: readonly string[]): string {
  const near = findSimilarName(word, names)
  return near === undefined ? '' : ` (did you mean ${near}?)`
}
