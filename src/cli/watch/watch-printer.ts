import type { Watch, WatchResult } from '../../index.js'

/** Interval of looking for results of another process. Milliseconds. */
const POLL_MS = 1000

/** Prints the results of a watch from now on in their order, whichever process makes its checks. */
export class WatchPrinter {
  readonly #watch: Watch
  readonly #print: (result: WatchResult) => Promise<void>
  #after: number
  #reading: Promise<void> = Promise.resolve()
  readonly #timer: NodeJS.Timeout
  readonly #onPage = (): void => void this.read()
  /** Reason why the results could not be read or printed. */
  fault: unknown

  /** @param after position after which results are printed */
  constructor(watch: Watch, after: number, print: (result: WatchResult) => Promise<void>) {
    this.#watch = watch
    this.#after = after
    this.#print = print
    this.#timer = setInterval(this.#onPage, POLL_MS)
    watch.on('page', this.#onPage)
  }

  /** Prints what is stored by now. Does not reject: see {@link fault}. */
  read(): Promise<void> {
    return (this.#reading = this.#reading
      .then(() => this.#readAll())
      .catch((error: unknown) => {
        this.fault = error
      }))
  }

  /** Prints what is stored by now, and nothing later. @throws what could not be read or printed */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    this.#watch.off('page', this.#onPage)
    this.fault = undefined
    await this.read()
    if (this.fault !== undefined) throw this.fault
  }

  async #readAll(): Promise<void> {
    for (;;) {
      const results = await this.#watch.results({ after: this.#after })
      if (results.length === 0) return
      for (const result of results) {
        await this.#print(result)
        this.#after = result.sequence
      }
    }
  }
}
