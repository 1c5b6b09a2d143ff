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
  readonly #tell: (message: string) => void
  #isAsked = false
  /** Reason why the last report was given up. */
  fault: string | undefined
  /** Reason why the last attempt failed, until one succeeds. */
  failure: string | undefined

  /** @param tell is told of reports that are given up, and of the first failure in a row */
  constructor(name: string, tools: WatchTools, tell: (message: string) => void) {
    this.#name = name
    this.#tools = tools
    this.#tell = tell
  }

  /** Sends what is due. Does not reject. */
  send(receiver: WatchReceiver | undefined): void {
    if (!receiver || this.#tools.sending.aborted) return
    if (this.#sending) {
      this.#isAsked = true
      return
    }
    this.#sending = this.#sendDue(receiver)
      .catch((error: unknown) => this.#giveUp(`Reports are not sent: ${String(error)}`))
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
    const { store, now, sending, postReport } = this.#tools
    for (;;) {
      const reports = await store.dueReports(this.#name, now(), BATCH)
      if (reports.length === 0) return
      for (const { number, body, attempts } of reports) {
        if (sending.aborted) return this.#note('the engine was closed first')
        const fault = await postReport({ url, headers, body }, sending).catch((error: unknown) => {
          if (sending.aborted) return undefined
          throw error
        })
        if (sending.aborted) return this.#note('the engine was closed first')
        const delayMs = fault === undefined ? undefined : RETRY_DELAYS_MS[attempts]
        await store.settleReport(this.#name, number, delayMs === undefined ? undefined : now() + delayMs)
        if (fault !== undefined && delayMs === undefined) this.#giveUp(`A report was given up: ${fault}`)
        else this.#note(fault)
      }
    }
  }

  #giveUp(message: string): void {
    this.fault = message
    this.#tell(message)
  }

  #note(failure: string | undefined): void {
    const isFirst = this.failure === undefined
    this.failure = failure
    if (isFirst && failure !== undefined) this.#tell(`A report was not delivered, and is sent again later: ${failure}`)
  }
}
