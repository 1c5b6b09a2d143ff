import { WaitingQueue } from '../concurrency/waiting-queue.js'
import { countFailure, type CreditEstimate } from '../accounting/credits.js'
import { toTrawlError, TrawlError } from '../errors.js'
import type { Document } from '../page/document.js'

/** What an engine has spent, in credits. */
export interface Credits {
  /** What the pages cost that have ended. */
  readonly used: number
  /** What pages under way may cost. */
  readonly reserved: number
  /** `creditLimit` of the engine; absent when it has none. */
  readonly limit?: number
  /** What may still be spent, beside what is reserved: at least 0. Absent without a limit. */
  readonly left?: number
}

/** Room that is kept for a page under way. */
export interface CreditReservation {
  /** Gives it back, for what the page has really cost; the first call counts. */
  settle(credits: number): void
}

/** Whether a page may be started: now, when others have ended, or not any more. */
export type CreditVerdict = 'open' | 'later' | 'spent'

/**
 * What the pages of an engine cost together, and may still cost. For each page the most that it may come to is reserved before it is
 * fetched. What is left at the end and has no room for that still has the likely price of one page at a time.
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

  /** Keeps room for a page; to be called where the verdict is `open`. */
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

  /** Calls `tell` once, when a page has been paid for. */
  addWaiter(tell: () => void): void {
    this.#waiting.add(tell)
  }

  removeWaiter(tell: () => void): void {
    this.#waiting.delete(tell)
  }

  /** @throws TrawlError `INSUFFICIENT_CREDITS` when there is no room for such a page, and will be none */
  refuseWhenSpent(estimate: CreditEstimate): void {
    if (this.judge(estimate) === 'spent') throw this.createError(estimate)
  }

  /** Why no further page is started. */
  createError({ likely }: CreditEstimate): TrawlError {
    const message = `\`creditLimit\` of ${this.#limit}: ${this.#used} are spent, and a page costs ${likely}`
    return new TrawlError('INSUFFICIENT_CREDITS', message)
  }

  /**
   * Makes a single document, and pays for it.
   *
   * @throws TrawlError `INSUFFICIENT_CREDITS`; what `make` throws; the signal's reason
   */
  async charge<T extends { readonly document: Document }>(
    estimate: CreditEstimate,
    signal: AbortSignal,
    make: () => Promise<T>,
  ): Promise<T> {
    while (this.judge(estimate) === 'later') await this.#waiting.wait(signal)
    this.refuseWhenSpent(estimate)
    const reservation = this.reserve(estimate)
    try {
      const made = await make()
      reservation.settle(made.document.metadata.creditsUsed)
      return made
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
