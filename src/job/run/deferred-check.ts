import { toTrawlError, type TrawlError } from '../../errors.js'

/** Interval at which deferred pages are checked. */
const DEFERRED_CHECK_MS = 500

/** Parts that the check works with. */
interface DeferredCheckOptions {
  /** Checks the deferred pages. */
  check(): Promise<void>
  /** Returns true while there are deferred pages, and the job has not ended. */
  isNeeded(): boolean
  /** Makes the frontier ask for work again. */
  wake(): void
}

/** Checks deferred pages at an interval, because no event tells that a page has been waited for too long. */
export class DeferredCheck {
  readonly #options: DeferredCheckOptions
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #failure: TrawlError | undefined

  constructor(options: DeferredCheckOptions) {
    this.#options = options
  }

  /** Error of a check, to be thrown when the frontier asks for work next. */
  get failure(): TrawlError | undefined {
    return this.#failure
  }

  /** Resolves when no check runs. */
  get running(): Promise<void> | undefined {
    return this.#running
  }

  /** Starts the interval, unless it runs or is not needed. */
  schedule(): void {
    const { check, isNeeded, wake } = this.#options
    if (this.#timer || !isNeeded()) return
    this.#timer = setTimeout(() => {
      this.#running = check()
        .catch((error: unknown) => {
          this.#failure = toTrawlError(error)
        })
        .finally(() => {
          this.#timer = undefined
          this.schedule()
          wake()
        })
    }, DEFERRED_CHECK_MS)
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}
