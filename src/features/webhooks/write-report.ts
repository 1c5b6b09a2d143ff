import type { ReportedLedger } from '../../kernel/job/job-reporter.js'
import type { RowReader } from '../../kernel/ledger/ledger.js'
import type { Document } from '../../kernel/page/document.js'
import type { JobReport, ReportedPage, ReportEvent } from '../../kernel/ledger/outbox.js'
import { makeNamedUuid } from '../../base/uuid.js'
import type { JobKind } from '../../kernel/job/job.js'
import type { ReporterJob } from '../../kernel/job/job-reporter.js'

/** Name of the feature: that of its outbox in the ledger of a job. */
export const NAME = 'webhooks'

/** Type of a report: `crawl.page`, `batch_scrape.completed`. @see docs/compatibility/jobs.md#webhooks */
export type ReportType = `${'crawl' | 'batch_scrape'}.${ReportEvent}`

/** A report that has not reached the job's webhook. */
export interface UndeliveredReport {
  /** The same in every attempt. UUID. */
  webhookId: string
  type: ReportType
  /** The page that it is about, as the caller spelled its URL; absent for the beginning and the end of the job. */
  url?: string
  /** Number of failed attempts. */
  attempts: number
  /** Error of the last attempt. */
  error?: string
  /** ISO date of the next attempt; absent when the report was given up. */
  nextAttemptAt?: string
}

/** Body of a report. @see docs/compatibility/jobs.md#webhooks */
interface ReportBody {
  success: boolean
  type: ReportType
  id: string
  webhookId: string
  data: readonly (Document | { metadata: { sourceURL: string } })[]
  error?: string
  metadata: Readonly<Record<string, string>>
}

/** Job that the reports are about. */
export interface ReportContext extends Pick<ReporterJob, 'id' | 'kind' | 'present' | 'error'> {
  readonly metadata: Readonly<Record<string, string>>
  readonly ledger: ReportedLedger
  /** Finds a document that the ledger does not keep. */
  findPending(page: ReportedPage): Document | undefined
}

const NOT_KEPT = 'The page was scraped, and its document is no longer kept'

export const reportTypeOf = (kind: JobKind, event: ReportEvent): ReportType =>
  `${kind === 'crawl' ? 'crawl' : 'batch_scrape'}.${event}`

/** Derives the id of a report: the same in every attempt, in any process. */
export const webhookIdOf = (jobId: string, { number }: JobReport): string => makeNamedUuid(jobId, `report ${number}`)

/** Writes the body of a report. Called at each attempt, so that documents are held only in the ledger until then. */
export async function writeReport(report: JobReport, job: ReportContext): Promise<string> {
  const { event, page } = report
  const content = page ? await describePage(page, job) : describeJobEvent(event, job)
  const body: ReportBody = {
    ...content,
    type: reportTypeOf(job.kind, event),
    id: job.id,
    webhookId: webhookIdOf(job.id, report),
    metadata: job.metadata,
  }
  return JSON.stringify(body)
}

type ReportContent = {
  success: boolean
  data: readonly (Document | { metadata: { sourceURL: string } })[]
  error?: string
}

function describeJobEvent(event: ReportEvent, job: ReportContext): ReportContent {
  if (event === 'paused') return { success: true, error: 'Pages of a host wait: see `warning` of the status', data: [] }
  if (event !== 'failed') return { success: true, data: [] }
  return { success: false, error: job.error() ?? 'The job failed', data: [] }
}

async function describePage(page: ReportedPage, job: ReportContext): Promise<ReportContent> {
  const row = await job.ledger.row(page.key)
  const fail = async (error: string): Promise<ReportContent> => {
    const sourceURL = (await findSource(page, job.ledger)) ?? page.key
    return { success: false, error, data: [{ metadata: { sourceURL } }] }
  }
  if (row?.outcome !== 'done') return fail(row?.failure?.error ?? row?.refusal?.message ?? NOT_KEPT)
  const document = (await readDocument(page, job)) ?? job.findPending(page)
  return document ? { success: true, data: [document] } : fail(NOT_KEPT)
}

async function readDocument({ sequence }: ReportedPage, job: ReportContext): Promise<Document | undefined> {
  if (sequence === undefined) return undefined
  const [delivery] = await job.ledger.completed(sequence, 1)
  return delivery?.sequence === sequence ? job.present(delivery) : undefined
}

/** Finds the URL of a page as the caller spelled it. */
export async function findSource({ key, at }: ReportedPage, ledger: RowReader): Promise<string | undefined> {
  const row = await ledger.row(key)
  return row?.sources?.[at]?.url ?? row?.url
}
