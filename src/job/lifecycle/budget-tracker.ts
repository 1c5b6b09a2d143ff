import {
  type BudgetLimit,
  changeBudget,
  findUsedUp,
  type JobBudget,
  type JobUse,
  modelBudgetOf,
  noUse,
} from '../../accounting/budget.js'
import type { CreditEstimate } from '../../accounting/credits.js'
import { InvalidRequestError } from '../../errors.js'
import type { UsageMeter } from '../../fetch/fetcher.js'
import type { StopReason } from '../../ledger/job-store.js'
import { Spending } from '../../llm/spending.js'
import type { CreditAccount, CreditReservation } from '../credit-account.js'

/** What a job may take up, and by what it is told. */
interface AllowanceParts {
  readonly budget: JobBudget
  /** What it has taken up in earlier processes. */
  readonly past: JobUse | undefined
  readonly account: CreditAccount
  /** What one of its pages costs. */
  readonly estimate: CreditEstimate
  now(): number
  /** Called when a page may be started that could not be before, or when time is up. */
  wake(): void
}

/** Room for one page of a job. */
export interface PageSeat extends CreditReservation {
  /** What the page takes up is told to it. */
  readonly meter: UsageMeter
}

/** The longest time that a timer takes. Milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** What a job may still take up: its own budget, and the credits of its engine. */
export class BudgetTracker {
  readonly #parts: AllowanceParts
  readonly #spending: Spending
  /** Pages under way of which no request was sent yet: each will send one. */
  readonly #unsent = new Set<object>()
  #budget: JobBudget
  #bytes: number
  #requests: number
  #browserMs: number
  /** Before this run. */
  #ranMs: number
  #startedAtMs: number | undefined
  #alarm: NodeJS.Timeout | undefined
  #stoppedBy: StopReason | undefined

  constructor(parts: AllowanceParts) {
    const { budget, past = noUse } = parts
    this.#parts = parts
    this.#budget = budget
    this.#bytes = past.bytes
    this.#requests = past.requests
    this.#browserMs = past.browserSeconds * 1000
    this.#ranMs = past.seconds * 1000
    this.#spending = new Spending(modelBudgetOf(budget), { tokens: past.modelTokens, cost: past.modelCost })
  }

  /** What it has spent on a model, and may spend. */
  get spending(): Spending {
    return this.#spending
  }

  get budget(): JobBudget {
    return this.#budget
  }

  /** Told of what is taken up for no page: sitemaps. */
  readonly meter: UsageMeter = this.#createMeter(() => undefined)

  /** Starts the clock. */
  begin(): void {
    this.#startedAtMs = this.#parts.now()
    this.#setAlarm()
  }

  /** Stops the clock. */
  end(): void {
    this.#ranMs = this.use.seconds * 1000
    this.#startedAtMs = undefined
    clearTimeout(this.#alarm)
    this.#parts.account.forget(this.#parts.wake)
  }

  /** Whether a page may be started now; the job is woken when it may be later. */
  get isOpen(): boolean {
    const { account, estimate, wake } = this.#parts
    if (this.stoppedBy || this.#requests + this.#unsent.size >= (this.#budget.requests ?? Infinity)) return false
    const verdict = account.judge(estimate)
    if (verdict === 'later') account.wait(wake)
    return verdict === 'open'
  }

  /** Takes room for a page. */
  take(): PageSeat | undefined {
    if (!this.isOpen) return undefined
    const { account, estimate } = this.#parts
    const seat = account.reserve(estimate)
    const page = {}
    this.#unsent.add(page)
    return {
      meter: this.#createMeter(() => this.#unsent.delete(page)),
      settle: (credits) => {
        this.#unsent.delete(page)
        seat.settle(credits)
      },
    }
  }

  /** Why no further page is started; undefined while there is room. Once there is none, that stays until the budget is raised. */
  get stoppedBy(): StopReason | undefined {
    return (this.#stoppedBy ??= this.#findSpent())
  }

  /** What was taken up so far. */
  get use(): JobUse {
    const { tokens, cost } = this.#spending.spent
    const runMs = this.#startedAtMs === undefined ? 0 : Math.max(0, this.#parts.now() - this.#startedAtMs)
    return {
      bytes: this.#bytes,
      requests: this.#requests,
      browserSeconds: this.#browserMs / 1000,
      modelTokens: tokens,
      modelCost: cost,
      seconds: (this.#ranMs + runMs) / 1000,
    }
  }

  /** Why no further page is started, for a reader. */
  explain(stoppedBy: StopReason): string {
    if (stoppedBy === 'credits') return this.#parts.account.explain(this.#parts.estimate).message
    return `\`budget.${stoppedBy}\` of ${this.#budget[stoppedBy]} is used up: \`job.resume({ budget })\` goes on with a larger one.`
  }

  /**
   * Refuses limits that a job cannot go on with that was stopped by one.
   *
   * @throws TrawlError `INSUFFICIENT_CREDITS`; InvalidRequestError
   */
  refuseUsedUp(stoppedBy: StopReason, change: JobBudget): void {
    const { account, estimate } = this.#parts
    account.refuseWhenSpent(estimate)
    const budget = changeBudget(this.#budget, change)
    const isNoLarger = (limit: BudgetLimit): boolean => (budget[limit] ?? Infinity) <= (this.#budget[limit] ?? Infinity)
    const same = stoppedBy !== 'credits' && isNoLarger(stoppedBy) ? stoppedBy : undefined
    const limit = findUsedUp(budget, this.use) ?? same
    if (limit === undefined) return
    const message = `${budget[limit]} is not enough to go on: the job has taken up ${this.use[limit]} already`
    throw new InvalidRequestError([{ code: 'too_small', path: ['budget', limit], message }])
  }

  /** Sets limits anew. */
  allow(change: JobBudget): void {
    this.#budget = changeBudget(this.#budget, change)
    this.#spending.allow(modelBudgetOf(this.#budget))
    this.#stoppedBy = undefined
    if (this.#startedAtMs !== undefined) this.#setAlarm()
  }

  #findSpent(): StopReason | undefined {
    const { account, estimate } = this.#parts
    if (account.judge(estimate) === 'spent') return 'credits'
    const { spentOn } = this.#spending
    if (spentOn) return spentOn === 'tokens' ? 'modelTokens' : 'modelCost'
    return findUsedUp(this.#budget, this.use)
  }

  #createMeter(sent: () => void): UsageMeter {
    return {
      sent: () => {
        sent()
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

  #setAlarm(): void {
    clearTimeout(this.#alarm)
    const { seconds } = this.#budget
    if (seconds === undefined) return
    const leftMs = Math.max(0, (seconds - this.use.seconds) * 1000)
    this.#alarm = setTimeout(
      () => {
        // Timers may be early, and the longest are too short for some budgets.
        if (!this.stoppedBy) this.#setAlarm()
        this.#parts.wake()
      },
      Math.min(Math.ceil(leftMs) + 1, MAX_TIMER_MS),
    )
  }
}
