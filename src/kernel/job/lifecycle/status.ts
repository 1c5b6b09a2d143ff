import type { DocumentReader, LedgerReader, Delivery, LedgerRow, Refusal, SkipReason } from '../../ledger/ledger.js'
import type { RangeOptions, FeatureJobStatus, JobErrors, JobState, JobStatus, PageError } from '../job.js'
import type { JobUse } from '../../../base/accounting/budget.js'
import { InvalidRequestError, type RequestIssue, type TrawlError, printSeen } from '../../../base/errors.js'
import type { StopReason } from '../../ledger/job-store.js'
import { describePageWarnings, pagesLackText } from '../../../base/text/page-warnings.js'
import type { CrawlParts } from '../job-strategy.js'
import type { FeatureStops, StopWords } from '../../ledger/skip-reason.js'

/** Maximum size of a page of results; a single document may exceed it. @see docs/compatibility/jobs.md#job-status */
const MAX_PAGE_BYTES = 10 * 1024 * 1024
/** Maximum size of one character as JSON in UTF-8, that of an escaped one. */
const MAX_CHARACTER_BYTES = 6

/** Facts about how far a job has come. */
export interface LifeFacts {
  readonly state: JobState
  readonly createdAtMs: number
  /** Undefined while the job runs. */
  readonly completedAtMs: number | undefined
  readonly expiresAtMs: number
  /** Time at which this process took the job over, and the number of pages done by then. */
  readonly since: { readonly startedAtMs: number; readonly done: number }
  readonly nowMs: number
  readonly error: TrawlError | undefined
  readonly use: JobUse
  /** The limit that stopped the job, with a message for the status. */
  readonly stop: { readonly by: StopReason; readonly message: string } | undefined
  /** Words for jobs that end when enough is known, by the skip reason of what is left. */
  readonly stopWords: StopWords
  readonly warnings: ReadonlySet<string>
}

/** Facts about a job that its status record is built from. */
export interface JobFacts extends LifeFacts {
  readonly url: string
  readonly limit: number
  readonly hint: CrawlParts['hint'] | undefined
  /** Part of the guide of the job; undefined for one without. */
  readonly guided?: FeatureJobStatus
}

/** Builds the status record of a job. @see docs/compatibility/jobs.md#job-status */
export async function describeJob<Doc>(
  ledger: DocumentReader<Doc>,
  job: JobFacts,
  options: RangeOptions,
  present: (delivery: Delivery<Doc>) => Doc,
): Promise<JobStatus<Doc>> {
  const { data, nextSkip, limit } = await readPage(ledger, options, present)
  const {
    queued,
    active,
    done,
    failed,
    skipped,
    skippedByReason,
    credits,
    abridged = 0,
    warnings: ofPages,
  } = await ledger.counts()
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
  if (ofPages) status.warnings = [...ofPages]
  if (nextSkip !== undefined) status.next = `${job.url}?skip=${nextSkip}&limit=${limit}`
  const stopWord = findStopWord(skippedByReason, job.stopWords)
  if (job.stop) status.stoppedBy = job.stop.by
  else if (stopWord) status.stoppedBy = stopWord
  Object.assign(status, job.guided)
  if (job.error) Object.assign(status, { error: job.error.message, code: job.error.code })
  const eta = job.completedAtMs === undefined ? estimateEndMs(job, status) : undefined
  if (eta !== undefined) status.eta = new Date(eta).toISOString()
  if (job.completedAtMs !== undefined) {
    status.completedAt = new Date(job.completedAtMs).toISOString()
    // The clock may have been set back, or be that of another machine.
    status.duration = Math.max(0, job.completedAtMs - job.createdAtMs) / 1000
  }
  const hints: string[] =
    job.completedAtMs !== undefined && !job.stop && !job.error && done <= 1
      ? [...(job.hint?.(done, skippedByReason, pagesLackText(ofPages)) ?? [])]
      : []
  if (abridged > 0) hints.push(describeAbridged(abridged, status, job.limit))
  const stops = job.stop && !job.error ? [job.stop.message] : []
  const warnings = [...new Set([...job.warnings, ...stops, ...describePageWarnings(ofPages, done), ...hints])]
  return warnings.length === 0 ? status : { ...status, warning: warnings.join(' ') }
}

/** Finds the word for a job that ended when enough was known; undefined for every other one. */
const findStopWord = (
  refused: JobStatus<unknown>['skippedByReason'],
  words: StopWords,
): keyof FeatureStops | undefined =>
  Object.entries(words).find(([reason]) => refused[reason as SkipReason] !== undefined)?.[1]

/** Describes what is missing from a job that has found more URLs than it stores. */
function describeAbridged(
  abridged: number,
  { status, completed, skippedByReason }: JobStatus<unknown>,
  limit: number,
): string {
  const text =
    `More URLs were found than the job keeps: of ${abridged} URLs only the reason why they were not scraped is stored. ` +
    '`explain()` returns it; `urls()` does not list them.'
  const left = skippedByReason.LIMIT ?? 0
  if (status !== 'completed' || completed >= limit || left === 0) return text
  return `${text} Of these, ${left} might have been scraped: to reach them, crawl one part of the site at a time, by its path or \`includePaths\`.`
}

/** Estimates the end of a job from its rate so far; undefined before the first page is done. Milliseconds since the epoch. */
function estimateEndMs({ since, nowMs }: JobFacts, { completed, total }: JobStatus<unknown>): number | undefined {
  const done = completed - since.done
  if (done <= 0) return undefined
  return nowMs + ((total - completed) * Math.max(0, nowMs - since.startedAtMs)) / done
}

/** Reads the documents of one page of results. `nextSkip` is set when there is a next page. */
async function readPage<Doc>(
  ledger: DocumentReader<Doc>,
  options: RangeOptions | null,
  present: (delivery: Delivery<Doc>) => Doc,
): Promise<{ data: Doc[]; nextSkip?: number; limit: number }> {
  const { skip, limit } = checkRange(options)
  if (limit === 0) return { data: [], limit }
  // One more than requested, to know whether there is a next page.
  const found = await ledger.documents({ skip, limit: limit + 1, maxBytes: MAX_PAGE_BYTES })
  const asked = found.slice(0, limit)
  // Serializing is slow, so that exact sizes are only computed when the estimate comes near the maximum.
  const isNear = asked.reduce((sum, { bytes: roughly }) => sum + roughly, 0) * MAX_CHARACTER_BYTES > MAX_PAGE_BYTES
  const data: Doc[] = []
  let bytes = 0
  for (const delivery of asked) {
    const document = present(delivery)
    const isMeasured = isNear && delivery.bytes <= MAX_PAGE_BYTES
    bytes += Math.max(delivery.bytes, isMeasured ? Buffer.byteLength(JSON.stringify(document)) : 0)
    if (bytes > MAX_PAGE_BYTES && data.length > 0) break
    data.push(document)
  }
  const nextSkip = skip + data.length
  const isMore =
    found.length > data.length ||
    // The ledger stops reading at the maximum size.
    (bytes > MAX_PAGE_BYTES && (await ledger.documents({ skip: nextSkip, limit: 1 })).length > 0)
  return isMore ? { data, limit, nextSkip } : { data, limit }
}

/** Skip reasons that `errors()` leaves out for a fetched page, because nothing went wrong: to be decided for each new reason. */
const harmlessReasons = new Set<SkipReason>(['FILE_TYPE', 'DUPLICATE', 'NOINDEX', 'LIMIT', 'CANCELLED'])

/** Lists pages that failed, pages that were fetched and then refused by the crawl's rules, and URLs that robots.txt refused. */
export async function listErrors<Doc>(ledger: LedgerReader<Doc>, jobId: string): Promise<JobErrors> {
  const failed = await ledger.rows({ outcome: 'failed' })
  const skipped = await ledger.rows({ outcome: 'skipped' })
  const denied = skipped.filter((row) => row.attempts.length > 0 && isDenial(row.refusal, row.linksOnly))
  return {
    errors: [...failed, ...denied].toSorted(byOrder).flatMap((row) => describeError(row, jobId)),
    robotsBlocked: skipped.filter(({ refusal }) => refusal?.reason === 'ROBOTS_TXT').map(({ url }) => url),
  }
}

/**
 * Returns true if a page that was fetched and then refused counts as an error.
 * @param linksOnly true for a page fetched for its links only
 */
export const isDenial = (refusal: Refusal | undefined, linksOnly = false): boolean =>
  refusal !== undefined && !linksOnly && !harmlessReasons.has(refusal.reason)

const byOrder = (a: LedgerRow, b: LedgerRow): number => (a.order ?? 0) - (b.order ?? 0)

function describeError(row: LedgerRow, jobId: string): PageError[] {
  const { code, error } = row.failure ?? { code: 'CRAWL_DENIAL' as const, error: row.refusal?.message ?? '' }
  const timestamp = new Date(row.endedAtMs ?? row.foundAtMs).toISOString()
  const sources = row.sources ?? [{ order: row.order ?? 0, url: row.url }]
  return sources.map(({ order, url }) => ({ id: `${jobId}-${order}`, timestamp, url, code, error }))
}

/** Validates the range of a list. @throws InvalidRequestError */
export function checkRange(options: RangeOptions | null): {
  skip: number
  limit: number
} {
  const { skip = 0, limit = 100 } = options ?? {}
  const issues = [
    ...findForeign(options ?? {}),
    ...checkWhole('skip', skip, 0, Number.MAX_SAFE_INTEGER),
    ...checkWhole('limit', limit, 0, 1000),
  ]
  if (issues.length > 0) throw new InvalidRequestError(issues)
  return { skip, limit }
}

function findForeign(options: object): RequestIssue[] {
  const allowed = 'allowed are skip, limit'
  if (typeof options !== 'object' || Array.isArray(options))
    return [
      { code: 'invalid_type', path: [], message: `${printSeen(options)} is not an object of options: ${allowed}` },
    ]
  const foreign = Object.keys(options).filter((name) => name !== 'skip' && name !== 'limit')
  return foreign.map((name) => ({ code: 'unrecognized_keys', path: [name], message: `unknown option: ${allowed}` }))
}

function checkWhole(name: string, value: number, from: number, to: number): RequestIssue[] {
  if (Number.isInteger(value) && value >= from && value <= to) return []
  const message = `${printSeen(value)} is not allowed: a whole number from ${from} to ${to}`
  return [{ code: 'out_of_range', path: [name], message }]
}
