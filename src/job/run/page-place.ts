import type { PlaceLender } from '../../fetch/fetcher.js'
import type { Politeness, VisitOutcome } from '../../frontier/politeness.js'
import type { PageSlots } from '../../concurrency/page-slots.js'

/** What a place is taken of. */
interface PlaceParts {
  readonly slots: PageSlots
  /** The site that counts the page among its visits; absent for a page outside a job. */
  readonly site?: { readonly name: string; readonly politeness: Politeness }
}

/** A page that has waited for so long lends its place, where nothing is known of its site. Milliseconds. */
const PATIENCE_MS = 2000

/**
 * The place that a page has in its engine and among the visits to its site. While the page only waits for the network, it lends
 * the place to others, and waits for another one when its answer has come: ten pages that hang do not stop all others.
 */
export class PagePlace implements PlaceLender {
  readonly #parts: PlaceParts
  #isSlotLent = false
  #isSiteLent = false
  #waits = 0
  #isOver = false

  /** @param parts of which a slot, and a visit of the site, were taken */
  constructor(parts: PlaceParts) {
    this.#parts = parts
  }

  readonly wait: PlaceLender['wait'] = (work, { signal, clock }) => {
    // A wait within a wait: the outer one lends.
    if (this.#waits > 0) return work
    this.#waits += 1
    const lending = setInterval(() => this.#lend(), this.#patienceMs)
    const goOn = async (): Promise<void> => {
      clearInterval(lending)
      this.#waits -= 1
      // What others wait for as well may go on when this page has ended.
      if (this.#isSlotLent && !this.#isOver && !signal.aborted) {
        const returning = this.#parts.slots.takeBack(signal)
        await (clock ? clock.hold(returning) : returning)
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

  /** Gives the place back, lent or not. @param visit how the site was, for a page that was counted there */
  end(nowMs: number, visit?: VisitOutcome): void {
    const { slots, site } = this.#parts
    this.#isOver = true
    if (visit) site?.politeness.leave(site.name, nowMs, visit, this.#isSiteLent)
    if (this.#isSlotLent) slots.forfeit()
    else slots.give()
  }

  get #patienceMs(): number {
    const { site } = this.#parts
    return Math.max(PATIENCE_MS, site?.politeness.slowAfterMs(site.name) ?? 0)
  }

  /** What cannot be lent now, because as many places are lent as may be, is tried again later. */
  #lend(): void {
    if (this.#isOver) return
    const { slots, site } = this.#parts
    this.#isSiteLent ||= site?.politeness.exempt(site.name) ?? false
    this.#isSlotLent ||= slots.lend()
  }
}
