import type { PageSlots } from '../../base/concurrency/page-slots.js'
import type { UsageMeter } from '../fetch/fetcher.js'
import type { SiteAnswer } from '../frontier/politeness.js'
import type { AttemptTools } from '../page/attempt-page.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'

/** The slots that a page takes one of. */
export interface PermitSlots {
  /** Lends the slot of a page that only waits for the network. @returns false when it cannot be lent */
  lend(): boolean
  /** Acquires a slot for a page that has lent its own. @throws the signal's reason */
  reacquire(signal: AbortSignal): Promise<void>
  /** Ends the loan of a page that needs no slot any more. */
  endLoan(): void
  release(): void
}

/** Slots of other engines. A page there holds one, until it has ended here. */
export interface PlaceSlots extends PermitSlots {
  readonly hasFree: boolean
  tryAcquire(): boolean
  /** Calls `wake` once, when a slot becomes free. */
  addWaiter(wake: () => void): void
  removeWaiter(wake: () => void): void
}

/** A job of this engine, as other engines scrape pages of it. */
export interface PlacedJob {
  readonly id: string
  readonly strategy: {
    readonly plan: { readonly page: ScrapePlan }
    readonly crawl?: { readonly memory?: unknown }
  }
  readonly tools: { readonly scrape: AttemptTools['scrape']; readonly slots: PageSlots }
  readonly scheduler: {
    readonly isPaused: boolean
    /** Waits until a request to the site may begin, and begins it. @throws the signal's reason */
    awaitRequest(site: string, signal: AbortSignal): Promise<void>
    endRequest(site: string, response: SiteAnswer): void
  }
  readonly budgetTracker: { readonly meter: UsageMeter; readonly stoppedBy: unknown }
}

/** Other engines that scrape pages of this engine's jobs. A feature brings them. */
export interface PagePlaces {
  readonly slots: PlaceSlots
  /** Tests for pages that may be scraped there, by the plan of their job, without learnt blocks. */
  mayTake(plan: ScrapePlan): boolean
  /** Begins to look for such engines. @returns a function that ends it */
  follow(): () => void
  /** Opens what scrapes the pages of a job there, as `scrape` of its tools does here. */
  open(job: PlacedJob): AttemptTools['scrape']
}
