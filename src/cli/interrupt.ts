/** The signals that end a command, and what it exits with then: 128 and the signal's number. */
const exitCodeOf = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

type EndingSignal = keyof typeof exitCodeOf
const endingSignals = Object.keys(exitCodeOf) as EndingSignal[]

/** `npm run` and `npx` hand on the Ctrl-C that the terminal has sent to their child already. */
const SAME_KEYPRESS_MS = 250
/** A reader that takes nothing, or work that cannot be broken off, holds the exit up no longer than this. */
const PATIENCE_MS = 2000

/** What is needed of the process. */
export interface SignalSource {
  on(signal: EndingSignal, listener: () => void): unknown
  exit(code: number): never
}

/**
 * Ctrl-C and its like: the first one aborts the signal, so that the command can end in good order; the second one, or
 * too long a wait, ends the process on the spot.
 */
export class Interrupt {
  readonly #abort = new AbortController()
  readonly #source: SignalSource
  #exitCode: number | undefined
  #takenAtMs = 0
  /** What has to be done and said before the process ends on the spot. Must not wait for anything. */
  lastWords: (() => void) | undefined

  constructor(source: SignalSource) {
    this.#source = source
    for (const signal of endingSignals) source.on(signal, () => this.#take(signal))
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** What the process exits with because of the signal; undefined when none came. */
  get exitCode(): number | undefined {
    return this.#exitCode
  }

  #take(signal: EndingSignal): void {
    if (this.#exitCode === undefined) {
      this.#exitCode = exitCodeOf[signal]
      this.#takenAtMs = Date.now()
      setTimeout(() => this.#endNow(), PATIENCE_MS)
      this.#abort.abort(new Error(`ended by ${signal}`))
    } else if (Date.now() - this.#takenAtMs > SAME_KEYPRESS_MS) {
      this.#endNow()
    }
  }

  #endNow(): void {
    this.lastWords?.()
    this.#source.exit(this.#exitCode ?? 1)
  }
}
