import type { ModelUsage } from './llm.js'
import { ModelError } from './llm.js'

/** The most that a job may spend on a language model. */
export interface ModelBudget {
  /** Tokens of requests and answers together. @default no limit */
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

/** A part of a budget that is kept free for a request under way. */
export interface Reservation {
  /** Gives it back, and takes what was really used instead. */
  settle(usage: ModelUsage): void
}

/**
 * What a job has spent, and may still spend. A request is begun only when the most that it could take still fits, so that the
 * budget holds whatever the model does; what requests under way do not use in the end is waited for.
 */
export class Spending {
  readonly #budget: ModelBudget
  #tokens = 0
  #cost = 0
  #reservedTokens = 0
  #reservedCost = 0
  readonly #waiting = new Set<() => void>()

  constructor(budget: ModelBudget = {}) {
    this.#budget = budget
  }

  /**
   * Waits until there is room for a request, and keeps it free.
   *
   * @param most the most that the request can take
   * @throws ModelError when it can never fit; the signal's reason
   */
  async reserve(most: ModelUsage, price: ModelPrice | undefined, signal: AbortSignal): Promise<Reservation> {
    const tokens = most.inputTokens + most.outputTokens
    const cost = costOf(most, price)
    for (;;) {
      signal.throwIfAborted()
      const { tokens: mostTokens = Infinity, cost: mostCost = Infinity } = this.#budget
      if (this.#tokens + tokens > mostTokens || this.#cost + cost > mostCost) throw spent(this.#budget)
      const fits =
        this.#tokens + this.#reservedTokens + tokens <= mostTokens && this.#cost + this.#reservedCost + cost <= mostCost
      if (fits) break
      await this.#someSettled(signal)
    }
    this.#reservedTokens += tokens
    this.#reservedCost += cost
    return {
      settle: (usage) => {
        this.#reservedTokens -= tokens
        this.#reservedCost -= cost
        this.#tokens += usage.inputTokens + usage.outputTokens
        this.#cost += costOf(usage, price)
        const waiting = [...this.#waiting]
        this.#waiting.clear()
        for (const tell of waiting) tell()
      },
    }
  }

  #someSettled(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const tell = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        this.#waiting.delete(tell)
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.add(tell)
    })
  }
}

function spent({ tokens, cost }: ModelBudget): ModelError {
  const limits = [...(tokens === undefined ? [] : [`${tokens} tokens`]), ...(cost === undefined ? [] : [`${cost}`])]
  return new ModelError(`what is left of \`modelBudget\` (${limits.join(', ')}) has no room for the request`)
}
