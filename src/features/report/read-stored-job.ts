import { TrawlError } from '../../base/errors.js'
import { cutLongUrl, pageKey } from '../../kernel/frontier/duplicates/same-page.js'
import { batchKey } from '../../kernel/job/batch-strategy.js'
import { listRows } from '../../kernel/job/handle/list-rows.js'
import { describeJob, type JobFacts } from '../../kernel/job/lifecycle/status.js'
import { parseAsked } from '../../kernel/job/handle/explain-url.js'
import { jobKindOf, parseStored, readError, readGenerated } from '../../kernel/job/stored-request.js'
import type { UnseenUrl } from '../../kernel/job/job.js'
import type { SharedJob, StoredJob } from '../../kernel/ledger/job-store.js'
import type { JobLedger, Ledger, LedgerRow } from '../../kernel/ledger/ledger.js'
import type { Document } from '../../kernel/page/document.js'
import { noUse } from '../../base/accounting/budget.js'
import { checkArgument, objectWithMethods } from '../../base/runtime/check-options.js'
import { type UrlLike, urlToString, withoutFragment } from '../../base/url.js'
import { builtIn } from '../create-engine.js'
import type { ReportedJob } from './reported-job.js'
import { crawlOptionDefinitions } from '../../kernel/options/crawl-options.js'
import { fillSlice } from '../../kernel/plan/fill-slice.js'
import { mergeOptions, type PromptedOptions } from '../../kernel/plan/crawl/prompted-options.js'

const LEDGER_RULE = objectWithMethods('a ledger, such as `sqlite(file)`', 'open')

/**
 * Reads a job of a ledger without an engine, for {@link writeReport}: one that is unfinished is not resumed, and one that
 * another process runs is not disturbed. A file that is missing, is no ledger or is one of another version stays as it is. Close the
 * ledger afterwards.
 *
 * @param ledger `sqlite(file)`
 * @param id of the job. @default the newest one
 * @throws TypeError for what is no ledger
 * @throws TrawlError `JOB_NOT_FOUND`; `LEDGER_ERROR`; `BAD_REQUEST` for another ledger
 */
export async function readStoredJob(ledger: Ledger, id?: string): Promise<Required<ReportedJob>> {
  checkArgument('readStoredJob(ledger)', ledger, LEDGER_RULE)
  if (!ledger.jobStore?.list) {
    throw new TrawlError('BAD_REQUEST', 'only the ledger `sqlite(file)` can be read without an engine')
  }
  ledger.jobStore.requireLedger?.()
  const newest = ledger.jobStore.list({ skip: 0, limit: MAX_NAMED + 1, nowMs: -Infinity })
  const found = await ledger.jobStore.read(id ?? newest[0]?.stored.id ?? '')
  if (!found) throw new TrawlError('JOB_NOT_FOUND', describeMissingJob(id, newest))
  const { stored, isHeld } = found
  const isInterrupted = stored.state === 'scraping' && !isHeld
  const request = parseStored(stored)
  const keyOf = planKeys(stored, request)
  const opened = await ledger.open<Document>(stored.id, { limit: Infinity, holdLevelMs: 0 })
  return {
    id: stored.id,
    kind: jobKindOf(stored.kind),
    request,
    status: async (options = {}) => {
      const status = await describeJob(opened, toFacts(stored), options, ({ document }) => document)
      return isInterrupted ? { ...status, interrupted: true } : status
    },
    urls: (query) => listRows(query, async () => opened, { keyOf }, builtIn.skipReasons),
    explain: (url) => explainStored(url, opened, { keyOf, startUrl: (request as { readonly url?: string }).url }),
  }
}

/** Plans the ledger keys of a stored job. */
function planKeys({ kind, generated }: StoredJob, request: object): (url: URL) => string {
  if (jobKindOf(kind) === 'batch-scrape') return batchKey
  return planPageKey(request, readGenerated(generated))
}

/**
 * Explains what a job knows about a URL. For one that it never saw, its rules are not asked, because the job is not run. Undefined for a
 * string that is no URL.
 */
async function explainStored(
  given: UrlLike,
  ledger: JobLedger<Document>,
  { keyOf, startUrl }: { keyOf(url: URL): string; readonly startUrl: string | undefined },
): Promise<LedgerRow | UnseenUrl | undefined> {
  const url = urlToString(given)
  const asked = parseAsked(url, startUrl)
  if (!asked) return undefined
  const row = await ledger.row(keyOf(asked))
  if (!row) return { outcome: 'unseen', url }
  return row.abridged ? { ...row, url: cutLongUrl(asked.href) } : { ...row }
}

/** Maximum jobs that a message names. */
const MAX_NAMED = 5

/** @param newest the jobs to name, and one more if there are more */
function describeMissingJob(id: string | undefined, newest: readonly SharedJob[]): string {
  if (newest.length === 0) return 'the ledger has no jobs'
  const names = newest
    .slice(0, MAX_NAMED)
    .map(({ stored }) => `${stored.id} (${new Date(stored.createdAtMs).toISOString()})`)
  const more = newest.length > MAX_NAMED ? ', and older ones' : ''
  return `the ledger has no job ${id}: it has ${names.join(', ')}${more}`
}

function toFacts({
  state,
  createdAtMs,
  completedAtMs,
  expiresAtMs,
  error,
  used,
  stoppedBy,
  warnings,
}: StoredJob): JobFacts {
  return {
    url: '',
    stopWords: builtIn.stopWords,
    state,
    limit: Infinity,
    createdAtMs,
    completedAtMs,
    expiresAtMs: expiresAtMs ?? createdAtMs,
    // An unfinished job is not run here, so that its end cannot be estimated.
    since: { startedAtMs: createdAtMs, done: Infinity },
    nowMs: createdAtMs,
    error: error === undefined ? undefined : readError(error, 'LEDGER_ERROR'),
    use: used ?? noUse,
    stop: stoppedBy && { by: stoppedBy, message: `The job stopped by its limit of ${stoppedBy}.` },
    hint: undefined,
    warnings: new Set(warnings),
  }
}

/**
 * Plans the keys of a crawl's pages alone, for a job that is read and not run.
 *
 * @param request checked request of the crawl
 * @param generated options that were generated from its prompt
 * @returns a function that makes the ledger key of a URL
 */
function planPageKey(request: object, generated: PromptedOptions = {}): (url: URL) => string {
  const options = mergeOptions(request, generated)
  const { ignoreQueryParameters, deduplicateSimilarURLs } = fillSlice(options, crawlOptionDefinitions, 'scope')
  return (url) => pageKey(withoutFragment(url), { ignoreQueryParameters, deduplicateSimilarURLs })
}
