import type { UnnamedFile } from '../../base/media/media.js'
import type { JobBudget } from '../../base/accounting/budget.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import type { Backlog } from '../../content/digest/workers/backlog.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import type { Politeness } from '../frontier/politeness.js'
import type { Robots } from '../frontier/robots/robots.js'
import type { Embedder } from '../../base/llm/embedder.js'
import type { ModelClient } from '../../base/llm/model-client.js'
import type { PublishedMedia } from '../../base/media/publish-media.js'
import type { Store } from '../../base/store/store.js'
import type { AttemptTools } from '../page/attempt-page.js'
import type { FileCaller } from '../page/fetch-site-file.js'
import type { FeatureRunner } from '../page/page-context.js'
import type { AsyncPageTasks } from '../page/workers/page-pool.js'
import type { EventLog } from '../../base/tracing/event-log.js'
import type { CreditAccount } from '../../base/accounting/credit-account.js'
import type { NamedExtension } from './job-hooks.js'
import type { ReporterExtension } from './job-reporter.js'
import type { StoredJob } from '../ledger/job-store.js'
import type { PagePlaces } from './page-places.js'
import type { PageSlots } from '../../base/concurrency/page-slots.js'

/** Services that an engine shares with its jobs. */
export interface JobTools extends AttemptTools {
  readonly slots: PageSlots
  /** Pages that wait for a worker thread. */
  readonly backlog: Backlog
  /** Other engines that scrape pages of jobs; undefined where there can be none. */
  readonly places: PagePlaces | undefined
  /** Log of the engine; undefined without a logger. */
  readonly log: EventLog | undefined
  /** Credits of the engine. */
  readonly credits: CreditAccount
  /** @throws InvalidRequestError */
  checkBudget(budget: unknown): JobBudget
  readonly politeness: Politeness
  readonly robots: Robots
  /** Features of the engine. */
  readonly features: FeatureRunner
  /** Additions of features to jobs, in order. */
  readonly extensions: readonly (NamedExtension & ReporterExtension)[]
  /** Opens the fetchers of features: no page or file is to wait for it within its time. Does not reject. */
  openFetchers(signal: AbortSignal): Promise<void>
  /** Fetches a file of a site, with its own deadline. */
  getFile(
    url: string,
    page: ScrapePlan,
    signal: AbortSignal,
    caller?: FileCaller & { readonly maxBytes?: number },
  ): Promise<FetchedPage>
  /** Runs a task of a feature in a worker thread. */
  readonly task: AsyncPageTasks['task']
  /** The language model; undefined where there is none. */
  readonly model: ModelClient | undefined
  /** Turns texts into vectors; undefined where the engine cannot. */
  readonly embedder: Embedder | undefined
  /** Publishes a file in the caller's media sink. Never rejects. */
  publishMedia(file: UnnamedFile, signal: AbortSignal): Promise<PublishedMedia>
  /** Store for the records that later crawls compare with. */
  readonly snapshots: Store
  now(): number
  /** Clock of waits, in milliseconds since the epoch: `now`, but never slower than timers. */
  waitNow(): number
  /** Calls `act` after a delay. The timer does not keep the process alive. @returns a function that cancels the timer */
  setTimer(afterMs: number, act: () => void): () => void
  jobUrl(kind: StoredJob['kind'], id: string): string
  /** A job starts no page while its slowest reader is behind by more than this. */
  readonly maxWaitingBytes: number
  /** Time for which an ended job stays available. */
  readonly retentionMs: number
}
