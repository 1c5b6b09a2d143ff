import { WaitingQueue } from '../concurrency/waiting-queue.js'
import { countFailure, type CreditEstimate } from './credits.js'
import { toTrawlError, TrawlError } from '../errors.js'

/** Credits of an engine. */
export interface Credits {
  /** Price of the pages that have ended. */
  readonly used: number
  /** Credits reserved for active pages. */
  readonly reserved: number
  /** `creditLimit` of the engine; absent when it has none. */
  readonly limit?: number
  /** Credits neither used nor reserved, at least 0. Absent without a limit. */
  readonly left?: number
}

/** Credits reserved for an active page. */
export interface CreditReservation {
  /** Replaces the reservation by the actual price of the page. Only the first call counts. */
  settle(credits: number): void
}

/** A result that states the price of its page. */
interface Priced {
  readonly document: { readonly metadata: { readonly creditsUsed: number } }
}

/** Decision about starting a page: now (`open`), after other pages have ended (`later`), or never (`spent`). */
type CreditVerdict = 'open' | 'later' | 'spent'

/**
 * Account of the credits that an engine's pages cost. The maximum price of each page is reserved before it is fetched. When the remaining
 * credits are less than the maximum price, pages run one at a time as long as the likely price is covered.
 */
export class CreditAccount {
  readonly #limit: number
  #used = 0
  #reserved = 0
  readonly #waiting = new WaitingQueue()

  constructor(limit: number) {
    this.#limit = limit
  }

  judge({ likely, most }: CreditEstimate): CreditVerdict {
    const left = this.#limit - this.#used
    if (most <= left - this.#reserved) return 'open'
    if (likely > left) return 'spent'
    return this.#reserved === 0 ? 'open' : 'later'
  }

  /** Reserves credits for a page. Must be called only when the verdict is `open`. */
  reserve({ most }: CreditEstimate): CreditReservation {
    this.#reserved += most
    let isSettled = false
    return {
      settle: (credits) => {
        if (isSettled) return
        isSettled = true
        this.#reserved -= most
        this.#used += credits
        this.#waiting.wakeAll()
      },
    }
  }

  /** Calls `wake` once, after the next page was charged. */
  addWaiter(wake: () => void): void {
    this.#waiting.add(wake)
  }

  removeWaiter(wake: () => void): void {
    this.#waiting.delete(wake)
  }

  /** @throws TrawlError `INSUFFICIENT_CREDITS` when the credits do not cover such a page and never will */
  refuseWhenSpent(estimate: CreditEstimate): void {
    if (this.judge(estimate) === 'spent') throw this.createError(estimate)
  }

  /** Creates the error of a page that the credits do not cover. */
  createError({ likely }: CreditEstimate): TrawlError {
    const message = `\`creditLimit\` of ${this.#limit}: ${this.#used} are spent, and a page costs ${likely}`
    return new TrawlError('INSUFFICIENT_CREDITS', message)
  }

  /**
   * Produces a single document and charges its price.
   *
   * @throws TrawlError `INSUFFICIENT_CREDITS`; errors of `produce`; the signal's reason
   */
  async charge<T extends Priced>(estimate: CreditEstimate, signal: AbortSignal, produce: () => Promise<T>): Promise<T> {
    while (this.judge(estimate) === 'later') await this.#waiting.wait(signal)
    this.refuseWhenSpent(estimate)
    const reservation = this.reserve(estimate)
    try {
      const result = await produce()
      reservation.settle(result.document.metadata.creditsUsed)
      return result
    } catch (error) {
      reservation.settle(countFailure(toTrawlError(error).code))
      throw error
    }
  }

  read(): Credits {
    const used = { used: this.#used, reserved: this.#reserved }
    if (this.#limit === Infinity) return used
    return { ...used, limit: this.#limit, left: Math.max(0, this.#limit - this.#used - this.#reserved) }
  }
}
