import type { JobBudget } from '../accounting/budget.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import type { FetchPlan, UsageMeter } from '../fetch/fetcher.js'
import type { OutgoingReport } from '../fetch/http/post-report.js'
import type { Politeness } from '../frontier/politeness.js'
import type { Robots } from '../frontier/robots/robots.js'
import type { ModelClient } from '../llm/model-client.js'
import type { MediaFile } from '../media/media.js'
import type { PublishedMedia } from '../media/publish-media.js'
import type { Store } from '../store/store.js'
import type { AttemptTools } from '../page/attempt-page.js'
import type { CreditAccount } from './credit-account.js'
import type { JobKind } from './job.js'
import type { PageSlots } from '../concurrency/page-slots.js'

/** What an engine lends its jobs. */
export interface JobTools extends AttemptTools {
  readonly slots: PageSlots
  /** What the engine's pages cost together. */
  readonly credits: CreditAccount
  /** @throws InvalidRequestError */
  checkBudget(budget: unknown): JobBudget
  readonly politeness: Politeness
  readonly robots: Robots
  /** Brings a file of a site in, under a deadline of its own. */
  getFile(url: string, plan: FetchPlan, signal: AbortSignal, meter?: UsageMeter): Promise<FetchedPage>
  /** The language model; undefined where there is none. */
  readonly model: ModelClient | undefined
  /** Puts a file where the caller wants files to be; never rejects. */
  publishMedia(file: Omit<MediaFile, 'name'>, signal: AbortSignal): Promise<PublishedMedia>
  /** Where crawls leave what the next ones go by. */
  readonly snapshots: Store
  now(): number
  /** Does something after so many milliseconds, unless what it gives back is called; it keeps no process alive. */
  setTimer(afterMs: number, act: () => void): () => void
  /** Sends a report to a webhook, once; gives back why it was not taken. @throws the signal's reason */
  postReport(report: OutgoingReport, signal: AbortSignal): Promise<string | undefined>
  jobUrl(kind: JobKind, id: string, version?: 1 | 2): string
  /** A job starts no page while its slowest reader is more than this behind. */
  readonly maxWaitingBytes: number
  /** How long a job is remembered after its end. */
  readonly retentionMs: number
}
