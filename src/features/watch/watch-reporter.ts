import type { WatchReceiver } from './plan-watch.js'
import type { WatchTools } from './watch-tools.js'

/** Delays before the second, third and fourth attempt at a report. Milliseconds. @see docs/compatibility/jobs.md#webhooks */
const RETRY_DELAYS_MS = [60_000, 300_000, 900_000]

/** Reports read from the store at once. */
const BATCH = 20

/** Sends the reports of a watch that this process runs, one after another, oldest first. */
export class WatchReporter {
  readonly #name: string
  readonly #tools: WatchTools
  #sending: Promise<void> | undefined
  #isAsked = false
  /** Reason why the last report was given up. */
  fault: string | undefined

  constructor(name: string, tools: WatchTools) {
    this.#name = name
    this.#tools = tools
  }

  /** Sends what is due. Does not reject. */
  send(receiver: WatchReceiver | undefined): void {
    if (!receiver || this.#tools.closing.aborted) return
    if (this.#sending) {
      this.#isAsked = true
      return
    }
    this.#sending = this.#sendDue(receiver)
      .catch((error: unknown) => void (this.fault = `Reports are not sent: ${String(error)}`))
      .finally(() => {
        this.#sending = undefined
        const isAsked = this.#isAsked
        this.#isAsked = false
        if (isAsked) this.send(receiver)
      })
  }

  /** Resolves when nothing is being sent. */
  async settled(): Promise<void> {
    while (this.#sending) await this.#sending
  }

  async #sendDue({ url, headers }: WatchReceiver): Promise<void> {
    const { store, now, closing, postReport } = this.#tools
    for (;;) {
      const reports = await store.dueReports(this.#name, now(), BATCH)
      if (reports.length === 0) return
      for (const { number, body, attempts } of reports) {
        if (closing.aborted) return
        const fault = await postReport({ url, headers, body }, closing).catch((error: unknown) => {
          if (closing.aborted) return undefined
          throw error
        })
        if (closing.aborted) return
        const delayMs = fault === undefined ? undefined : RETRY_DELAYS_MS[attempts]
        if (fault !== undefined && delayMs === undefined) this.fault = `A report was given up: ${fault}`
        await store.settleReport(this.#name, number, delayMs === undefined ? undefined : now() + delayMs)
      }
    }
  }
}
