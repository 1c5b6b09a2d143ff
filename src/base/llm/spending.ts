import { WaitingQueue } from '../concurrency/waiting-queue.js'
import type { ModelUsage } from './llm.js'
import { ModelError } from './llm.js'

/** Budget for a language model. */
export interface ModelBudget {
  /** Tokens of requests and answers together. @default no limit */
  readonly tokens?: number
  /** Cost in the currency of `modelOptions.price`. @default no limit */
  readonly cost?: number
}

/** Price of tokens, in any currency. */
export interface ModelPrice {
  /** Per million input tokens. */
  readonly input: number
  /** Per million output tokens. */
  readonly output: number
}

const MILLION = 1_000_000

/** Computes the cost of tokens; 0 without a price. */
export const costOf = ({ inputTokens, outputTokens }: ModelUsage, price: ModelPrice | undefined): number =>
  price ? (inputTokens * price.input + outputTokens * price.output) / MILLION : 0

/** Minimum length of an answer worth asking for. */
const SHORT_ANSWER_TOKENS = 256

/** The part of a budget that is reserved for a running request. */
export interface Reservation {
  /** Maximum tokens of the request and its answer. */
  readonly max: ModelUsage
  /** Releases the reservation and records the tokens used instead. */
  settle(usage: ModelUsage): void
}

/**
 * Tracks the model budget of a job. A request starts only when its maximum fits into the rest, so that the budget holds
 * whatever the model does. Requests wait for running ones, which may use less than they reserved.
 */
export class Spending {
  #budget: ModelBudget
  #tokens: number
  #cost: number
  #spentOn: 'tokens' | 'cost' | undefined
  #reservedTokens = 0
  #reservedCost = 0
  readonly #waiting = new WaitingQueue()

  /** @param spent tokens and cost of an earlier run of the job */
  constructor(budget: ModelBudget = {}, { tokens, cost } = { tokens: 0, cost: 0 }) {
    this.#budget = budget
    this.#tokens = tokens
    this.#cost = cost
  }

  /** Tokens and cost used so far. */
  get spent(): { readonly tokens: number; readonly cost: number } {
    return { tokens: this.#tokens, cost: this.#cost }
  }

  /** The exhausted part of the budget, when a request had no room in it; undefined otherwise. */
  get spentOn(): 'tokens' | 'cost' | undefined {
    return this.#spentOn
  }

  /** Replaces the budget; tokens and cost used so far still count. */
  allow(budget: ModelBudget): void {
    this.#budget = budget
    this.#spentOn = undefined
  }

  /**
   * Waits until a request fits into the budget, and reserves its maximum. When only a shorter answer fits into the
   * whole rest, the reservation is for that.
   *
   * @param max maximum tokens of the request and its answer
   * @throws ModelError when not even the request with a short answer fits; the reason of the signal
   */
  async reserve(max: ModelUsage, price: ModelPrice | undefined, signal: AbortSignal): Promise<Reservation> {
    const { inputTokens } = max
    for (;;) {
      signal.throwIfAborted()
      const { byTokens, byCost } = this.#roomForAnswer(inputTokens, price)
      const room = Math.min(max.outputTokens, byTokens, byCost)
      if (room === max.outputTokens) return this.#hold({ inputTokens, outputTokens: room }, price)
      if (this.#reservedTokens === 0) {
        if (room < Math.min(max.outputTokens, SHORT_ANSWER_TOKENS)) {
          this.#spentOn = byTokens <= byCost ? 'tokens' : 'cost'
          throw exhausted(this.#budget)
        }
        return this.#hold({ inputTokens, outputTokens: room }, price)
      }
      await this.#waiting.wait(signal)
    }
  }

  /** Tokens of an answer that fit into the rest of the budget, besides a request. */
  #roomForAnswer(inputTokens: number, price: ModelPrice | undefined): { byTokens: number; byCost: number } {
    const { tokens = Infinity, cost = Infinity } = this.#budget
    const byTokens = tokens - this.#tokens - this.#reservedTokens - inputTokens
    const left = cost - this.#cost - this.#reservedCost - costOf({ inputTokens, outputTokens: 0 }, price)
    const each = costOf({ inputTokens: 0, outputTokens: 1 }, price)
    const byCost = left < 0 ? -1 : each === 0 ? Infinity : Math.floor(left / each)
    return { byTokens, byCost }
  }

  #hold(max: ModelUsage, price: ModelPrice | undefined): Reservation {
    const tokens = max.inputTokens + max.outputTokens
    const cost = costOf(max, price)
    this.#reservedTokens += tokens
    this.#reservedCost += cost
    return {
      max,
      settle: (usage) => {
        this.#reservedTokens -= tokens
        // Avoids the rounding error of adding and subtracting fractions when nothing is reserved.
        this.#reservedCost = this.#reservedTokens === 0 ? 0 : this.#reservedCost - cost
        this.#tokens += usage.inputTokens + usage.outputTokens
        this.#cost += costOf(usage, price)
        this.#waiting.wakeAll()
      },
    }
  }
}

function exhausted({ tokens, cost }: ModelBudget): ModelError {
  const limits = [
    ...(tokens === undefined ? [] : [`\`modelTokens\` ${tokens}`]),
    ...(cost === undefined ? [] : [`\`modelCost\` ${cost}`]),
  ]
  return new ModelError(`the rest of the \`budget\` (${limits.join(', ')}) is too small for the request`)
}
