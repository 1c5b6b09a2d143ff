import type { LedgerRow } from '../../ledger/ledger.js'
import type { FurtherRequests } from '../../page/scrape-request.js'
import { siteOf } from '../../../base/url.js'
import { NO_RESPONSE, refuseSuspendedSite } from '../attempt/attempt-row.js'
import type { JobContext, JobPermit } from '../job-context.js'
import type { JobStrategy } from '../job-strategy.js'
import type { JobTools } from '../job-tools.js'
import type { BudgetTracker } from '../lifecycle/budget-tracker.js'
import type { JobScheduler } from './job-scheduler.js'

/** Parts of a job that decide about further requests for a row's page. */
interface FurtherPagesOptions {
  readonly row: LedgerRow
  readonly permit: JobPermit
  readonly strategy: JobStrategy
  readonly tools: JobTools
  readonly scheduler: JobScheduler
  readonly budgetTracker: BudgetTracker
  readonly context: JobContext
}

/**
 * Permission for the further requests of features for a page, each of which counts as a page of its site: robots.txt, the
 * budget of the job, its delay, and politeness.
 */
export class FurtherPages implements FurtherRequests {
  readonly #job: FurtherPagesOptions
  readonly #site: string
  /** Response of the last request to the site of the row, which the permit has begun. */
  #response = NO_RESPONSE

  constructor(job: FurtherPagesOptions) {
    this.#job = job
    this.#site = siteOf(new URL(job.row.url))
  }

  async begin(url: string, signal: AbortSignal): Promise<string | undefined> {
    const { row, permit, strategy, tools, scheduler, budgetTracker, context } = this.#job
    if (budgetTracker.stoppedBy) return 'The budget of the job is used up.'
    const refusal = await strategy.refuse?.({ ...row, url }, context)
    if (refusal) return `${url}: ${refusal.message}`
    refuseSuspendedSite(url, tools)
    const site = siteOf(new URL(url))
    const awaitTurn = (): Promise<void> => scheduler.awaitRequest(site, signal)
    // The page itself has a request to its site, which may allow only one at a time.
    if (site === this.#site) await permit.wait(scheduler.renewRequest(permit, this.#response, awaitTurn), { signal })
    else await permit.wait(awaitTurn(), { signal })
    return undefined
  }

  end(url: string, response = NO_RESPONSE): void {
    const site = siteOf(new URL(url))
    if (site === this.#site) this.#response = response
    else this.#job.scheduler.endRequest(site, response)
  }
}
