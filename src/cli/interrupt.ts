/** Signals that end a command, with their exit codes: 128 plus the signal's number. */
const exitCodeOf = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

type EndingSignal = keyof typeof exitCodeOf
const endingSignals = Object.keys(exitCodeOf) as EndingSignal[]

/**
 * Time in which a second Ctrl-C counts as the first: `npm run` and `npx` forward one that the terminal has already sent to
 * their child process.
 */
const SAME_KEYPRESS_MS = 250
/** Maximum delay of the exit, for readers that stall and work that cannot be interrupted. */
const MAX_EXIT_DELAY_MS = 2000

/** Part of `process` that {@link Interrupt} uses. */
interface SignalSource {
  on(signal: EndingSignal, listener: () => void): unknown
  exit(code: number): never
}

/**
 * Handles Ctrl-C and similar signals. The first one aborts `signal`, so that the command can finish cleanly. A second
 * one, or a long delay, ends the process immediately, unless the command may take its time.
 */
export class Interrupt {
  readonly #abort = new AbortController()
  readonly #source: SignalSource
  #exitCode: number | undefined
  #receivedAtMs = 0
  #isPatient = false
  /** Called just before the process is ended immediately. Must be synchronous. */
  onForcedExit: (() => void) | undefined

  constructor(source: SignalSource) {
    this.#source = source
    for (const signal of endingSignals) source.on(signal, () => this.#receive(signal))
  }

  /** Signal that the first Ctrl-C aborts. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Exit code for the received signal; undefined when there was none. */
  get exitCode(): number | undefined {
    return this.#exitCode
  }

  /** Lets the command take as long as it needs after the first signal. */
  awaitCommand(): void {
    this.#isPatient = true
  }

  #receive(signal: EndingSignal): void {
    if (this.#exitCode === undefined) {
      this.#exitCode = exitCodeOf[signal]
      this.#receivedAtMs = Date.now()
      if (!this.#isPatient) setTimeout(() => this.#endNow(), MAX_EXIT_DELAY_MS)
      this.#abort.abort(new Error(`ended by ${signal}`))
    } else if (Date.now() - this.#receivedAtMs > SAME_KEYPRESS_MS) {
      this.#endNow()
    }
  }

  #endNow(): void {
    this.onForcedExit?.()
    this.#source.exit(this.#exitCode ?? 1)
  }
}
