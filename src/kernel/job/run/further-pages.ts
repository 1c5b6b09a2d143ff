import type { LedgerRow } from '../../ledger/ledger.js'
import type { FurtherRequests } from '../../page/scrape-request.js'
import { siteOf } from '../../../base/url.js'
import { NO_RESPONSE, refuseSuspendedSite } from '../attempt/attempt-row.js'
import type { JobContext, JobPermit } from '../job-context.js'
import type { JobStrategy } from '../job-strategy.js'
import type { JobScheduler } from './job-scheduler.js'

/** A job that decides about further requests for its pages. */
interface RequestingJob extends JobContext {
  readonly strategy: JobStrategy
  readonly scheduler: JobScheduler
}

/**
 * Permission for the further requests of features for a page, each of which counts as a page of its site: robots.txt, the
 * budget of the job, its delay, and politeness.
 */
export class FurtherPages implements FurtherRequests {
  readonly #job: RequestingJob
  readonly #row: LedgerRow
  readonly #permit: JobPermit
  readonly #site: string
  /** Response of the last request to the site of the row, which the permit has begun. */
  #response = NO_RESPONSE

  constructor(job: RequestingJob, row: LedgerRow, permit: JobPermit) {
    this.#job = job
    this.#row = row
    this.#permit = permit
    this.#site = siteOf(new URL(row.url))
  }

  async begin(url: string, signal: AbortSignal): Promise<string | undefined> {
    const { strategy, tools, scheduler, budgetTracker } = this.#job
    const permit = this.#permit
    if (budgetTracker.stoppedBy) return 'The budget of the job is used up.'
    const refusal = await strategy.refuse?.({ ...this.#row, url }, this.#job)
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
