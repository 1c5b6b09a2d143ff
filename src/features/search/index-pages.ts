import { messageOf } from '../../base/errors.js'
import type { Ending, JobLedger, LedgerRow } from '../../kernel/ledger/ledger.js'
import type { Document } from '../../kernel/page/document.js'
import type { PageToIndex } from './search-index.js'
import type { JobStrategy } from '../../kernel/job/job-strategy.js'
import type { JobTools } from '../../kernel/job/job-tools.js'

/** Parts of a job that its pages are indexed with. */
interface IndexParts {
  readonly id: string
  readonly strategy: Pick<JobStrategy, 'index'>
  readonly tools: Pick<JobTools, 'index' | 'embedding' | 'now'>
  readonly record: { readonly warnings: Set<string> }
}

/**
 * Indexes the page of a row that has ended. The ledger is written afterwards, so that the index has every page that the
 * ledger has, also after a crash. When the index fails, the job continues with a warning.
 *
 * @returns the ending as it is recorded: without the Markdown that only the index needs
 */
export async function indexEnding(
  row: LedgerRow,
  ending: Ending<Document>,
  job: IndexParts,
): Promise<Ending<Document>> {
  const { index: plan } = job.strategy
  if (!plan || ending.outcome !== 'done') return ending
  const [document] = ending.documents
  const page = document && describePage(row, document)
  if (page) {
    await job.tools.index.put(job.id, page).catch((error: unknown) => warn(error, job))
    job.tools.embedding?.wake(job.id)
  }
  if (!plan.hidesMarkdown) return ending
  return { ...ending, documents: ending.documents.map(withoutMarkdown) }
}

function withoutMarkdown(document: Document): Document {
  const { markdown: _, ...others } = document
  return others
}

/** Describes a page for the index; undefined for an error page, which says nothing about its URL. */
function describePage({ key }: LedgerRow, { markdown, metadata }: Document): PageToIndex | undefined {
  const { url, statusCode, title, language, modifiedTime, publishedTime } = metadata
  if (statusCode === 404 || statusCode === 410) return { key, url, state: 'gone' }
  if (statusCode >= 400) return undefined
  // An unchanged page was not read.
  if (markdown === undefined) return { key, url, state: 'same' }
  const date = firstText(modifiedTime, publishedTime)
  return {
    key,
    url,
    state: 'read',
    markdown,
    ...(typeof title === 'string' && { title }),
    ...(date !== undefined && { date }),
    ...(typeof language === 'string' && { language }),
  }
}

const firstText = (...values: readonly unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '')

const warn = (error: unknown, { record }: IndexParts): void =>
  void record.warnings.add(`Some pages are not indexed: ${messageOf(error)}.`)

/**
 * Adds a new job to the index before its first page, so that it can be searched at once, and also if none of its pages is indexed.
 * Later calls of the index see it, because the index answers its calls in their order.
 */
export async function beginIndex(job: IndexParts): Promise<void> {
  if (!job.strategy.index) return
  await job.tools.index.begin(job.id).catch((error: unknown) => warn(error, job))
}

/**
 * Makes the index of a job that an earlier process began agree with its ledger: pages that are in the index only were under
 * way when that process died, and are scraped again.
 */
export async function repairIndex(ledger: Pick<JobLedger<Document>, 'rows'>, job: IndexParts): Promise<void> {
  const { id, strategy, tools, record } = job
  if (!strategy.index) return
  try {
    const rows = await ledger.rows()
    const done = rows.filter(({ outcome }) => outcome === 'done').map(({ key }) => key)
    const isKnown = (await tools.index.keys(id)) !== undefined
    await tools.index.begin(id)
    if (isKnown) await tools.index.keepOnly(id, done)
    else if (done.length > 0)
      record.warnings.add('Pages that an earlier process scraped are not in the search index of this engine.')
  } catch (error) {
    warn(error, job)
  }
}

/** Gives the chunks of a job that has scraped its pages the vectors that they still need. */
export async function embedRest({ id, strategy, tools, record }: IndexParts, signal: AbortSignal): Promise<void> {
  if (!strategy.index) return
  for (const warning of (await tools.embedding?.finish(id, signal)) ?? []) record.warnings.add(warning)
}

/** A job that ends, as its index is told. */
interface EndingJob extends IndexParts {
  readonly strategy: Pick<JobStrategy, 'index' | 'previousJobId'>
  readonly expiresAtMs: number
  /** The ledger of a job that completed; undefined for one that was cut short. */
  readonly completed: Pick<JobLedger<Document>, 'counts'> | undefined
}

/**
 * Tells the index when the job expires, and which crawl it has replaced. Called before the ledger records the end: a job that
 * dies in between is resumed, and ends again.
 */
export async function endIndex({ completed, expiresAtMs, ...job }: EndingJob): Promise<void> {
  const { id, strategy, tools } = job
  if (!strategy.index) return
  tools.embedding?.stop(id)
  try {
    // A crawl that has come to its limit knows nothing about the other pages.
    const isWhole = completed !== undefined && !(await completed.counts()).skippedByReason.LIMIT
    await tools.index.end(id, expiresAtMs, isWhole ? strategy.previousJobId : undefined)
  } catch (error) {
    warn(error, job)
  }
}
