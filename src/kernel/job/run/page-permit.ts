import type { ConcurrencyPermit, PageStep } from '../../fetch/fetcher.js'
import type { Politeness, RequestOutcome } from '../../frontier/politeness.js'
import type { PermitSlots } from '../page-places.js'

/** Limits that a page counts towards. */
interface PermitLimits {
  readonly slots: PermitSlots
  /** The site whose concurrent requests include this page; absent for a page outside a job. */
  readonly site?: { readonly name: string; readonly politeness: Politeness }
}

/**
 * Time after which a page that waits for the network lends its permit, when nothing is known about the latency of the
 * site. Milliseconds.
 */
const DEFAULT_LEND_AFTER_MS = 2000

/**
 * Permit of a page to be processed: a slot of the engine, and one of the concurrent requests to its site. A page that
 * only waits for the network lends both to other pages, and waits for a slot again when the response has arrived. Pages
 * that hang therefore do not block others.
 */
export class PagePermit implements ConcurrencyPermit {
  readonly #limits: PermitLimits
  #isSlotLent = false
  #isUncounted = false
  #hasRequest = true
  #waits = 0
  #hasEnded = false
  #step: PageStep = 'fetch'

  /** @param limits the caller must have acquired a slot, and begun a request to the site */
  constructor(limits: PermitLimits) {
    this.#limits = limits
  }

  readonly wait: ConcurrencyPermit['wait'] = (work, { signal, clock }) => {
    // Of nested waits, only the outer one lends.
    if (this.#waits > 0) return work
    this.#waits += 1
    const { slots, site } = this.#limits
    const lendAfterMs = Math.max(DEFAULT_LEND_AFTER_MS, site?.politeness.slowAfterMs(site.name) ?? 0)
    const lending = setInterval(() => this.#lend(), lendAfterMs)
    /** Waits for a slot again; undefined for a page that still has its own, as nearly all have. */
    const resume = (): Promise<void> | undefined => {
      clearInterval(lending)
      this.#waits -= 1
      // The shared work that a page waits for may outlive the page, which then needs no slot any more.
      if (!this.#isSlotLent || this.#hasEnded || signal.aborted) return undefined
      return takeBack()
    }
    const takeBack = async (): Promise<void> => {
      const returning = slots.reacquire(signal)
      await (clock ? clock.pauseDuring(returning) : returning)
      this.#isSlotLent = false
    }
    return work.then(
      (value) => resume()?.then(() => value) ?? value,
      async (error: unknown) => {
        await resume()
        throw error
      },
    )
  }

  enter(step: PageStep): void {
    this.#step = step
  }

  /** Step of the page. */
  get step(): PageStep {
    return this.#step
  }

  /** True while the page has lent its slot. */
  get isLent(): boolean {
    return this.#isSlotLent
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /**
   * Ends the page's request to its site, and begins another one.
   *
   * @param begin waits until a request may begin
   * @throws the rejection of `begin`: then the permit has no request
   */
  async renewRequest(nowMs: number, outcome: RequestOutcome, begin: () => Promise<void>): Promise<void> {
    this.#endRequest(nowMs, outcome)
    await begin()
    this.#hasRequest = true
  }

  #endRequest(nowMs: number, outcome: RequestOutcome): void {
    const { site } = this.#limits
    if (this.#hasRequest) site?.politeness.end(site.name, nowMs, outcome, this.#isUncounted)
    this.#hasRequest = false
    this.#isUncounted = false
  }

  /** Ends the permit, lent or not. @param outcome of the request, for a page whose site counts it */
  end(nowMs: number, outcome?: RequestOutcome): void {
    const { slots } = this.#limits
    this.#hasEnded = true
    if (outcome) this.#endRequest(nowMs, outcome)
    if (this.#isSlotLent) slots.endLoan()
    else slots.release()
  }

  /**
   * Lends the slot and the request, if they are not lent yet. One that cannot be lent, because the maximum is reached,
   * is tried again at the next interval.
   */
  #lend(): void {
    if (this.#hasEnded) return
    const { slots, site } = this.#limits
    if (this.#hasRequest) this.#isUncounted ||= site?.politeness.stopCounting(site.name) ?? false
    this.#isSlotLent ||= slots.lend()
  }
}
