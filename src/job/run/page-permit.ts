import type { ConcurrencyPermit } from '../../fetch/fetcher.js'
import type { Politeness, RequestOutcome } from '../../frontier/politeness.js'
import type { PageSlots } from '../../concurrency/page-slots.js'

/** Limits that a page counts against. */
interface PermitParts {
  readonly slots: PageSlots
  /** The site that counts the page among its visits; absent for a page outside a job. */
  readonly site?: { readonly name: string; readonly politeness: Politeness }
}

/** Time after which a waiting page lends its place, when nothing is known about the site's latency. */
const DEFAULT_PATIENCE_MS = 2000

/**
 * Slot of a page in its engine and among the visits to its site. A page that only waits for the network lends its slot to other pages,
 * and waits for a slot again when the answer has come. Pages that hang therefore do not block the others.
 */
export class PagePermit implements ConcurrencyPermit {
  readonly #parts: PermitParts
  #isSlotLent = false
  #isSiteLent = false
  #waits = 0
  #isOver = false

  /** @param parts a slot and a visit of the site must have been acquired */
  constructor(parts: PermitParts) {
    this.#parts = parts
  }

  readonly wait: ConcurrencyPermit['wait'] = (work, { signal, clock }) => {
    // The outer one of nested waits lends.
    if (this.#waits > 0) return work
    this.#waits += 1
    const lending = setInterval(() => this.#lend(), this.#patienceMs)
    const goOn = async (): Promise<void> => {
      clearInterval(lending)
      this.#waits -= 1
      // A page that has ended needs no slot: shared work may outlive it.
      if (this.#isSlotLent && !this.#isOver && !signal.aborted) {
        const returning = this.#parts.slots.reacquire(signal)
        await (clock ? clock.pauseDuring(returning) : returning)
        this.#isSlotLent = false
      }
    }
    return work.then(
      (value) => goOn().then(() => value),
      (error: unknown) =>
        goOn().then(() => {
          throw error
        }),
    )
  }

  /** Releases the place, lent or not. @param visit outcome of the visit, for a page that counts as one of its site */
  end(nowMs: number, visit?: RequestOutcome): void {
    const { slots, site } = this.#parts
    this.#isOver = true
    if (visit) site?.politeness.end(site.name, nowMs, visit, this.#isSiteLent)
    if (this.#isSlotLent) slots.endLoan()
    else slots.release()
  }

  get #patienceMs(): number {
    const { site } = this.#parts
    return Math.max(DEFAULT_PATIENCE_MS, site?.politeness.slowAfterMs(site.name) ?? 0)
  }

  /** Lends what has not been lent. What exceeds the maximum of lent places is tried again at the next interval. */
  #lend(): void {
    if (this.#isOver) return
    const { slots, site } = this.#parts
    this.#isSiteLent ||= site?.politeness.stopCounting(site.name) ?? false
    this.#isSlotLent ||= slots.lend()
  }
}
