import { WaitingQueue } from '../concurrency/waiting-queue.js'
import type { ModelUsage } from './llm.js'
import { ModelError } from './llm.js'

/** The most that may be spent on a language model. */
export interface ModelBudget {
  /** Of requests and answers together. @default no limit */
  readonly tokens?: number | undefined
  /** In the money of `modelOptions.price`. @default no limit */
  readonly cost?: number | undefined
}

/** What tokens cost, in any money. */
export interface ModelPrice {
  /** For a million tokens of requests. */
  readonly input: number
  /** For a million tokens of answers. */
  readonly output: number
}

const MILLION = 1_000_000

/** What tokens cost; 0 where there is no price. */
export const costOf = ({ inputTokens, outputTokens }: ModelUsage, price: ModelPrice | undefined): number =>
  price ? (inputTokens * price.input + outputTokens * price.output) / MILLION : 0

/** An answer of fewer tokens is not worth asking for. */
const SHORT_ANSWER_TOKENS = 256

/** A part of a budget that is kept free for a request under way. */
export interface Reservation {
  /** The most that the request may take: its answer is asked for with no more tokens. */
  readonly most: ModelUsage
  /** Gives it back, and takes what was really used instead. */
  settle(usage: ModelUsage): void
}

/**
 * What a job has spent, and may still spend. A request is begun only when the most that it could take still fits, so that the
 * budget holds whatever the model does; what requests under way do not use in the end is waited for.
 */
export class Spending {
  #budget: ModelBudget
  #tokens: number
  #cost: number
  #spentOn: 'tokens' | 'cost' | undefined
  #reservedTokens = 0
  #reservedCost = 0
  readonly #waiting = new WaitingQueue()

  /** @param spent what was spent of it before */
  constructor(budget: ModelBudget = {}, { tokens, cost } = { tokens: 0, cost: 0 }) {
    this.#budget = budget
    this.#tokens = tokens
    this.#cost = cost
  }

  /** What was spent so far. */
  get spent(): { readonly tokens: number; readonly cost: number } {
    return { tokens: this.#tokens, cost: this.#cost }
  }

  /** What a request found no room in, so that what is left of it is of no use; undefined while there is room in both. */
  get spentOn(): 'tokens' | 'cost' | undefined {
    return this.#spentOn
  }

  /** Sets the budget anew, from which what was spent is taken off. */
  allow(budget: ModelBudget): void {
    this.#budget = budget
    this.#spentOn = undefined
  }

  /**
   * Waits until there is room for a request, and keeps it free. Where all that is left of the budget has room for a shorter answer
   * only, that is what there is.
   *
   * @param most the most that the request and its answer can take
   * @throws ModelError when there is no room left for the request and a short answer; the signal's reason
   */
  async reserve(most: ModelUsage, price: ModelPrice | undefined, signal: AbortSignal): Promise<Reservation> {
    const { inputTokens } = most
    for (;;) {
      signal.throwIfAborted()
      const { byTokens, byCost } = this.#roomForAnswer(inputTokens, price)
      const room = Math.min(most.outputTokens, byTokens, byCost)
      if (room === most.outputTokens) return this.#keep({ inputTokens, outputTokens: room }, price)
      if (this.#reservedTokens === 0) {
        if (room < Math.min(most.outputTokens, SHORT_ANSWER_TOKENS)) {
          this.#spentOn = byTokens <= byCost ? 'tokens' : 'cost'
          throw outOf(this.#budget)
        }
        return this.#keep({ inputTokens, outputTokens: room }, price)
      }
      await this.#waiting.wait(signal)
    }
  }

  /** The tokens of an answer that there is room for beside a request. */
  #roomForAnswer(inputTokens: number, price: ModelPrice | undefined): { byTokens: number; byCost: number } {
    const { tokens = Infinity, cost = Infinity } = this.#budget
    const byTokens = tokens - this.#tokens - this.#reservedTokens - inputTokens
    const left = cost - this.#cost - this.#reservedCost - costOf({ inputTokens, outputTokens: 0 }, price)
    const each = costOf({ inputTokens: 0, outputTokens: 1 }, price)
    const byCost = left < 0 ? -1 : each === 0 ? Infinity : Math.floor(left / each)
    return { byTokens, byCost }
  }

  #keep(most: ModelUsage, price: ModelPrice | undefined): Reservation {
    const tokens = most.inputTokens + most.outputTokens
    const cost = costOf(most, price)
    this.#reservedTokens += tokens
    this.#reservedCost += cost
    return {
      most,
      settle: (usage) => {
        this.#reservedTokens -= tokens
        // What was added and taken away again in parts must come to nothing where nothing is kept.
        this.#reservedCost = this.#reservedTokens === 0 ? 0 : this.#reservedCost - cost
        this.#tokens += usage.inputTokens + usage.outputTokens
        this.#cost += costOf(usage, price)
        this.#waiting.wakeAll()
      },
    }
  }
}

function outOf({ tokens, cost }: ModelBudget): ModelError {
  const limits = [
    ...(tokens === undefined ? [] : [`\`modelTokens\` ${tokens}`]),
    ...(cost === undefined ? [] : [`\`modelCost\` ${cost}`]),
  ]
  return new ModelError(`what is left of the \`budget\` (${limits.join(', ')}) has no room for the request`)
}
