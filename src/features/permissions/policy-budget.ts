import { setMaxListeners } from 'node:events'
import { policyLimits } from './policy-limits.js'

/** Share of the timeout of a page for which it waits for policy files. */
const SHARE = 0.3

/**
 * Time that one page waits for policy files, over all of its phases: 0.3 times its timeout, at most
 * `policyLimits.timeoutMs`. Once it has passed, a file that is not in memory counts as not read.
 */
export class PolicyBudget {
  /** The whole time. Milliseconds. */
  readonly totalMs: number
  readonly #controller = new AbortController()
  #leftMs: number
  #waits = 0
  #sinceMs = 0
  #timer: NodeJS.Timeout | undefined

  /** @param timeoutMs timeout of the page. Milliseconds */
  constructor(timeoutMs: number) {
    this.totalMs = Math.min(policyLimits.timeoutMs, Math.round(SHARE * timeoutMs))
    this.#leftMs = this.totalMs
    // Node 20 warns of a leak from the eleventh file on.
    setMaxListeners(0, this.#controller.signal)
  }

  /** Starts to spend the time, until the wait is disposed of. Waits at the same time are spent once. */
  startWait(): Disposable & { readonly signal: AbortSignal } {
    if (this.#waits++ === 0) {
      this.#sinceMs = performance.now()
      this.#timer = setTimeout(() => this.#controller.abort(), this.#leftMs)
    }
    return { signal: this.#controller.signal, [Symbol.dispose]: () => this.#endWait() }
  }

  #endWait(): void {
    if (--this.#waits > 0) return
    clearTimeout(this.#timer)
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#sinceMs))
  }
}
