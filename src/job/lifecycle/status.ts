import type { JobUse } from '../../accounting/budget.js'
import { InvalidRequestError, type RequestIssue, type TrawlError, printSeen } from '../../errors.js'
import type { StopReason } from '../../ledger/job-store.js'
import type { Delivery, JobLedger, LedgerRow, Refusal, SkipReason } from '../../ledger/ledger.js'
import type { JobStrategy } from '../job-strategy.js'
import type { JobErrors, JobState, JobStatus, PageError } from '../job.js'

/** A page of results never comes to more than this, unless it is a single document. @see docs/compatibility.md#job-status */
const PAGE_BYTES = 10 * 1024 * 1024
/** As JSON in UTF-8, a character takes up to so many bytes: an escaped one does. */
const CHARACTER_BYTES = 6

/** What a job knows of itself. */
export interface JobFacts {
  readonly url: string
  readonly state: JobState
  readonly limit: number
  readonly createdAtMs: number
  /** When the job ended; undefined while it runs. */
  readonly completedAtMs: number | undefined
  readonly expiresAtMs: number
  /** Since when this process is at it, and how many pages were done by then. */
  readonly since: { readonly startedAtMs: number; readonly done: number }
  readonly nowMs: number
  readonly error: TrawlError | undefined
  readonly use: JobUse
  /** What the job ran out of, and why it did, for a reader. */
  readonly stop: { readonly by: StopReason; readonly message: string } | undefined
  readonly hint: JobStrategy['hint']
  readonly warnings: ReadonlySet<string>
}

/** The status record of a job. @see docs/compatibility.md#job-status */
export async function describeJob<Doc>(
  ledger: Pick<JobLedger<Doc>, 'counts' | 'documents'>,
  job: JobFacts,
  options: { skip?: number; limit?: number },
  present: (delivery: Delivery<Doc>) => Doc,
): Promise<JobStatus<Doc>> {
  const { data, nextSkip, limit } = await readPage(ledger, options, present)
  const { queued, active, done, failed, skipped, skippedByReason, credits, abridged = 0 } = await ledger.counts()
  const status: JobStatus<Doc> = {
    success: job.state !== 'failed',
    status: job.state,
    completed: done,
    total: done + Math.min(queued + active, job.limit - done),
    failed,
    skipped,
    skippedByReason,
    creditsUsed: credits,
    used: job.use,
    expiresAt: new Date(job.expiresAtMs).toISOString(),
    createdAt: new Date(job.createdAtMs).toISOString(),
    data,
  }
  if (nextSkip !== undefined) status.next = `${job.url}?skip=${nextSkip}&limit=${limit}`
  if (job.stop) status.stoppedBy = job.stop.by
  if (job.error) Object.assign(status, { error: job.error.message, code: job.error.code })
  const eta = job.completedAtMs === undefined ? forecastEnd(job, status) : undefined
  if (eta !== undefined) status.eta = new Date(eta).toISOString()
  if (job.completedAtMs !== undefined) {
    status.completedAt = new Date(job.completedAtMs).toISOString()
    status.duration = (job.completedAtMs - job.createdAtMs) / 1000
  }
  const hints: string[] =
    job.completedAtMs !== undefined && !job.stop && !job.error && done <= 1
      ? [...(job.hint?.(done, skippedByReason) ?? [])]
      : []
  if (abridged > 0) hints.push(describeAbridged(abridged, status, job.limit))
  const warnings = [...new Set([...job.warnings, ...(job.stop && !job.error ? [job.stop.message] : []), ...hints])]
  return warnings.length === 0 ? status : { ...status, warning: warnings.join(' ') }
}

/** Describes what a job leaves out that has found more URLs than it keeps. */
function describeAbridged(
  abridged: number,
  { status, completed, skippedByReason }: JobStatus<unknown>,
  limit: number,
): string {
  const said =
    `More URLs were found than the job keeps: of ${abridged} there is only the reason why they were not scraped, which ` +
    '`explain()` tells; `rows()` does not list them.'
  const left = skippedByReason.LIMIT ?? 0
  if (status !== 'completed' || completed >= limit || left === 0) return said
  return `${said} Of these, ${left} might have been scraped: a crawl of a part of the site, by its path or \`includePaths\`, comes to them.`
}

/** When a job comes to its end if it goes on as it did so far; undefined while there is nothing to go by. */
function forecastEnd({ since, nowMs }: JobFacts, { completed, total }: JobStatus<unknown>): number | undefined {
  const done = completed - since.done
  if (done <= 0) return undefined
  return nowMs + ((total - completed) * Math.max(0, nowMs - since.startedAtMs)) / done
}

/** The documents of one page of results, and whether more stand behind them. */
async function readPage<Doc>(
  ledger: Pick<JobLedger<Doc>, 'documents'>,
  options: { skip?: number; limit?: number } | null,
  present: (delivery: Delivery<Doc>) => Doc,
): Promise<{ data: Doc[]; nextSkip?: number; limit: number }> {
  const { skip, limit } = checkRange(options)
  if (limit === 0) return { data: [], limit }
  // One more than asked for, to know whether there is a next page.
  const found = await ledger.documents({ skip, limit: limit + 1, maxBytes: PAGE_BYTES })
  const asked = found.slice(0, limit)
  // Most pages are so far from it that nothing need be written out to know.
  const isNear = asked.reduce((sum, { bytes: roughly }) => sum + roughly, 0) * CHARACTER_BYTES > PAGE_BYTES
  const data: Doc[] = []
  let bytes = 0
  for (const delivery of asked) {
    const document = present(delivery)
    bytes += Math.max(delivery.bytes, isNear ? Buffer.byteLength(JSON.stringify(document)) : 0)
    if (bytes > PAGE_BYTES && data.length > 0) break
    data.push(document)
  }
  const nextSkip = skip + data.length
  const isMore =
    found.length > data.length ||
    // Beyond so many bytes the ledger has not looked.
    (bytes > PAGE_BYTES && (await ledger.documents({ skip: nextSkip, limit: 1 })).length > 0)
  return isMore ? { data, limit, nextSkip } : { data, limit }
}

/** Endings of a page that was fetched and yet is no error: another page stands for it, or the job ended. */
const NO_ERROR = new Set<SkipReason>(['DUPLICATE', 'NOINDEX', 'LIMIT', 'CANCELLED'])

/** Pages that failed or were fetched and then refused by the rules of the crawl; and what robots.txt refused. */
export async function listErrors<Doc>(ledger: JobLedger<Doc>, jobId: string): Promise<JobErrors> {
  const failed = await ledger.rows({ outcome: 'failed' })
  const skipped = await ledger.rows({ outcome: 'skipped' })
  const denied = skipped.filter((row) => row.attempts.length > 0 && isDenial(row.refusal, row.linksOnly))
  return {
    errors: [...failed, ...denied].toSorted(byOrder).flatMap((row) => describeError(row, jobId)),
    robotsBlocked: skipped.filter(({ refusal }) => refusal?.reason === 'ROBOTS_TXT').map(({ url }) => url),
  }
}

/** Whether a page that was fetched and then refused counts as an error. @param linksOnly whether it was not to be kept anyway */
export const isDenial = (refusal: Refusal | undefined, linksOnly = false): boolean =>
  refusal !== undefined && !linksOnly && !NO_ERROR.has(refusal.reason)

const byOrder = (a: LedgerRow, b: LedgerRow): number => (a.order ?? 0) - (b.order ?? 0)

function describeError(row: LedgerRow, jobId: string): PageError[] {
  const { code, error } = row.failure ?? { code: 'CRAWL_DENIAL' as const, error: row.refusal?.message ?? '' }
  const timestamp = new Date(row.endedAtMs ?? row.foundAtMs).toISOString()
  const sources = row.sources ?? [{ order: row.order ?? 0, url: row.url }]
  return sources.map(({ order, url }) => ({ id: `${jobId}-${order}`, timestamp, url, code, error }))
}

/** Which part of a list is asked for. @throws InvalidRequestError */
export function checkRange(options: { skip?: number; limit?: number } | null): { skip: number; limit: number } {
  const { skip = 0, limit = 100 } = options ?? {}
  const issues = [...checkWhole('skip', skip, 0, Number.MAX_SAFE_INTEGER), ...checkWhole('limit', limit, 0, 1000)]
  if (issues.length > 0) throw new InvalidRequestError(issues)
  return { skip, limit }
}

function checkWhole(name: string, value: number, from: number, to: number): RequestIssue[] {
  if (Number.isInteger(value) && value >= from && value <= to) return []
  const message = `${printSeen(value)} is not allowed: a whole number from ${from} to ${to}`
  return [{ code: 'out_of_range', path: [name], message }]
}
