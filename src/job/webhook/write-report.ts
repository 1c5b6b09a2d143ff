import type { Document } from '../../page/document.js'
import type { Delivery, JobLedger } from '../../ledger/ledger.js'
import type { WebhookReport, ReportedPage, ReportEvent } from '../../ledger/outbox.js'
import { nameUuid } from '../../uuid.js'
import type { JobKind, ReportType } from '../job.js'

/** What a report says. @see docs/compatibility.md#webhooks */
interface ReportBody {
  success: boolean
  type: ReportType
  id: string
  webhookId: string
  data: readonly (Document | { metadata: { sourceURL: string } })[]
  error?: string
  metadata: Readonly<Record<string, string>>
}

/** Whose reports they are. */
export interface ReportContext {
  readonly id: string
  readonly kind: JobKind
  readonly metadata: Readonly<Record<string, string>>
  readonly ledger: JobLedger<Document>
  /** A document as it is handed out. */
  present(delivery: Delivery<Document>): Document
  /** A document that the ledger does not have. */
  findPending(page: ReportedPage): Document | undefined
  /** Why the job failed. */
  error(): string | undefined
}

const NOT_KEPT = 'The page was scraped, and its document is no longer kept'

export const reportTypeOf = (kind: JobKind, event: ReportEvent): ReportType =>
  `${kind === 'crawl' ? 'crawl' : 'batch_scrape'}.${event}`

/** The same for every try at one report, in whichever process. */
export const webhookIdOf = (jobId: string, { number }: WebhookReport): string => nameUuid(jobId, `report ${number}`)

/** The body of a report, made when it is sent: a document stands in the ledger until then, and nowhere else. */
export async function writeReport(report: WebhookReport, job: ReportContext): Promise<string> {
  const { event, page } = report
  const said = page ? await describePage(page, job) : describeJob(event, job)
  const body: ReportBody = {
    ...said,
    type: reportTypeOf(job.kind, event),
    id: job.id,
    webhookId: webhookIdOf(job.id, report),
    metadata: job.metadata,
  }
  return JSON.stringify(body)
}

type ReportContent = Pick<ReportBody, 'success' | 'data' | 'error'>

function describeJob(event: ReportEvent, job: ReportContext): ReportContent {
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

/** The URL of a page as the caller spelled it. */
export async function findSource({ key, at }: ReportedPage, ledger: JobLedger<Document>): Promise<string | undefined> {
  const row = await ledger.row(key)
  return row?.sources?.[at]?.url ?? row?.url
}
