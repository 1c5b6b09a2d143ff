import { boundDelay } from '../../../base/concurrency/timer-limit.js'
import {
  type BudgetLimit,
  changeBudget,
  findUsedUp,
  type JobBudget,
  type JobUse,
  modelBudgetOf,
  noUse,
} from '../../../base/accounting/budget.js'
import type { CreditEstimate } from '../../../base/accounting/credits.js'
import { InvalidRequestError } from '../../../base/errors.js'
import type { UsageMeter } from '../../fetch/fetcher.js'
import type { StopReason } from '../../ledger/job-store.js'
import { Spending } from '../../../base/llm/spending.js'
import type { CreditAccount, CreditReservation } from '../../../base/accounting/credit-account.js'

/** Limits of a job, and the credit account that its pages are charged to. */
interface BudgetTrackerOptions {
  readonly budget: JobBudget
  /** Resources used in earlier processes. */
  readonly earlierUse: JobUse | undefined
  readonly account: CreditAccount
  /** Estimated price of one page. */
  readonly estimate: CreditEstimate
  /** Called when a page may be started that could not be before, and when the time limit is reached. */
  wake(): void
}

/** Reservation for one page of a job. */
export interface PageReservation extends CreditReservation {
  /** Records the resources that the page uses. */
  readonly meter: UsageMeter
}

/** Tracks the resources that a job uses against its own budget and the credits of its engine. */
export class BudgetTracker {
  readonly #parts: BudgetTrackerOptions
  /** Language model usage and its limits. */
  readonly spending: Spending
  /** Active pages that have sent no request yet. Each of them will send one. */
  readonly #unsent = new Set<object>()
  #budget: JobBudget
  #bytes: number
  #requests: number
  #browserMs: number
  /** Run time before this run. */
  #ranMs: number
  /** Time of the start of this run. On the clock of `performance.now()`: that of the machine may be set while the job runs. */
  #startedAtMs: number | undefined
  #timer: NodeJS.Timeout | undefined
  #stoppedBy: StopReason | undefined

  constructor(parts: BudgetTrackerOptions) {
    const { budget, earlierUse = noUse } = parts
    this.#parts = parts
    this.#budget = budget
    this.#bytes = earlierUse.bytes
    this.#requests = earlierUse.requests
    this.#browserMs = earlierUse.browserSeconds * 1000
    this.#ranMs = earlierUse.seconds * 1000
    this.spending = new Spending(modelBudgetOf(budget), { tokens: earlierUse.modelTokens, cost: earlierUse.modelCost })
  }

  get budget(): JobBudget {
    return this.#budget
  }

  /** Records resources used for files that are not pages, such as sitemaps. */
  readonly meter: UsageMeter = this.#createMeter(() => undefined)

  /** Starts the clock of the `seconds` limit. */
  startClock(): void {
    this.#startedAtMs = performance.now()
    this.#startTimer()
  }

  /** Stops the clock of the `seconds` limit. */
  stopClock(): void {
    this.#ranMs = this.use.seconds * 1000
    this.#startedAtMs = undefined
    clearTimeout(this.#timer)
    this.#parts.account.removeWaiter(this.#parts.wake)
  }

  /** True when a page may be started now. When it may be later, the job is woken then. */
  get isOpen(): boolean {
    const { account, estimate, wake } = this.#parts
    if (this.stoppedBy || this.#requests + this.#unsent.size >= (this.#budget.requests ?? Infinity)) return false
    const verdict = account.judge(estimate)
    if (verdict === 'later') account.addWaiter(wake)
    return verdict === 'open'
  }

  /** Reserves the resources of a page; undefined when none may be started. */
  reserve(): PageReservation | undefined {
    if (!this.isOpen) return undefined
    const { account, estimate } = this.#parts
    const reservation = account.reserve(estimate)
    const page = {}
    this.#unsent.add(page)
    return {
      meter: this.#createMeter(() => this.#unsent.delete(page)),
      settle: (credits) => {
        this.#unsent.delete(page)
        reservation.settle(credits)
      },
    }
  }

  /** The limit that was reached; undefined before. It stays set until the budget is raised. */
  get stoppedBy(): StopReason | undefined {
    return (this.#stoppedBy ??= this.#findReachedLimit())
  }

  /** Resources used so far. */
  get use(): JobUse {
    const { tokens, cost } = this.spending.spent
    const runMs = this.#startedAtMs === undefined ? 0 : Math.round(performance.now() - this.#startedAtMs)
    return {
      bytes: this.#bytes,
      requests: this.#requests,
      browserSeconds: this.#browserMs / 1000,
      modelTokens: tokens,
      modelCost: cost,
      seconds: (this.#ranMs + runMs) / 1000,
    }
  }

  /** Describes the limit that was reached, for the job's status. */
  explain(stoppedBy: StopReason): string {
    if (stoppedBy === 'credits') return this.#parts.account.createError(this.#parts.estimate).message
    return `\`budget.${stoppedBy}\` of ${this.#budget[stoppedBy]} is used up: \`job.resume({ budget })\` continues with a larger one.`
  }

  /**
   * Validates the change of limits of a stopped job: with the new ones it must be able to start a page.
   *
   * @throws TrawlError `INSUFFICIENT_CREDITS`; InvalidRequestError
   */
  validateChange(stoppedBy: StopReason, change: JobBudget): void {
    const { account, estimate } = this.#parts
    account.refuseWhenSpent(estimate)
    const budget = changeBudget(this.#budget, change)
    const isNotRaised = (limit: BudgetLimit): boolean =>
      (budget[limit] ?? Infinity) <= (this.#budget[limit] ?? Infinity)
    const same = stoppedBy !== 'credits' && isNotRaised(stoppedBy) ? stoppedBy : undefined
    const limit = findUsedUp(budget, this.use) ?? same
    if (limit === undefined) return
    const message = `${budget[limit]} is not enough to resume: the job has already used ${this.use[limit]}`
    throw new InvalidRequestError([{ code: 'too_small', path: ['budget', limit], message }])
  }

  /** Changes limits. Those not named stay. */
  changeLimits(change: JobBudget): void {
    this.#budget = changeBudget(this.#budget, change)
    this.spending.allow(modelBudgetOf(this.#budget))
    this.#stoppedBy = undefined
    if (this.#startedAtMs !== undefined) this.#startTimer()
  }

  #findReachedLimit(): StopReason | undefined {
    const { account, estimate } = this.#parts
    if (account.judge(estimate) === 'spent') return 'credits'
    const { spentOn } = this.spending
    if (spentOn) return spentOn === 'tokens' ? 'modelTokens' : 'modelCost'
    return findUsedUp(this.#budget, this.use)
  }

  #createMeter(onSent: () => void): UsageMeter {
    return {
      sent: () => {
        onSent()
        this.#requests += 1
      },
      received: (bytes) => {
        this.#bytes += bytes
      },
      rendered: (forMs) => {
        this.#browserMs += forMs
      },
    }
  }

  #startTimer(): void {
    clearTimeout(this.#timer)
    const { seconds } = this.#budget
    if (seconds === undefined) return
    const leftMs = Math.max(0, (seconds - this.use.seconds) * 1000)
    this.#timer = setTimeout(
      () => {
        // Timers may fire early, and the longest delay is shorter than some budgets.
        if (!this.stoppedBy) this.#startTimer()
        this.#parts.wake()
      },
      boundDelay(Math.ceil(leftMs) + 1),
    )
  }
}
