import { PassingMap } from './passing-map.js'

/**
 * A caller's interest in a run of shared work. Disposing of it ends the interest; a run in which no caller is
 * interested is aborted.
 */
interface Share<Result, Caller> extends Disposable {
  readonly result: Promise<Result>
  /** The caller that started the run. */
  readonly starter: Caller
}

interface Run<Result, Caller> {
  readonly result: Promise<Result>
  readonly starter: Caller
  readonly controller: AbortController
  /** The result, once the run has succeeded. */
  value: { readonly of: Result } | undefined
  shares: number
}

/** A caller of {@link SingleFlight.join}, and the work that it would start. */
interface JoinOptions<Result, Caller> {
  readonly caller: Caller
  /** Does the work. @param signal aborted when all callers have disposed of their shares */
  start(signal: AbortSignal): Promise<Result>
  /**
   * Returns true if this caller can use the result of a finished run that another caller still shares.
   * @default no result is reused
   */
  accepts?(result: Result): boolean
}

class HeldShare<Result, Caller> implements Share<Result, Caller> {
  readonly result: Promise<Result>
  readonly starter: Caller
  #leave: (() => void) | undefined

  constructor({ result, starter }: Run<Result, Caller>, leave: () => void) {
    this.result = result
    this.starter = starter
    this.#leave = leave
  }

  [Symbol.dispose](): void {
    this.#leave?.()
    this.#leave = undefined
  }
}

/**
 * Runs work once for all callers that ask for the same key at the same time. When a run fails, all of its callers get
 * the error, and the next caller starts another run.
 */
export class SingleFlight<Result, Caller = undefined> {
  readonly #runs = new PassingMap<string, Run<Result, Caller>>()
  readonly #makeReason: () => unknown

  /** @param makeReason creates the abort reason of a run that all callers have left. @default undefined, for an `AbortError` */
  constructor(makeReason = (): unknown => undefined) {
    this.#makeReason = makeReason
  }

  /** Joins the run of a key, or starts one. The caller must await the result, because its rejection is otherwise unhandled. */
  join(key: string, { caller, start, accepts = () => false }: JoinOptions<Result, Caller>): Share<Result, Caller> {
    const known = this.#runs.get(key)
    const run = known && (!known.value || accepts(known.value.of)) ? known : this.#start(key, caller, start)
    run.shares += 1
    return new HeldShare(run, () => this.#leave(key, run))
  }

  #start(key: string, starter: Caller, start: (signal: AbortSignal) => Promise<Result>): Run<Result, Caller> {
    const controller = new AbortController()
    // Callers await this derived promise, not the one of `start`: V8 extends an async stack trace only through a
    // promise with a single reaction.
    const result = start(controller.signal).then(
      (value) => {
        run.value = { of: value }
        return value
      },
      (error: unknown) => {
        this.#delete(key, run)
        throw error
      },
    )
    const run: Run<Result, Caller> = { result, starter, controller, value: undefined, shares: 0 }
    this.#runs.set(key, run)
    return run
  }

  #leave(key: string, run: Run<Result, Caller>): void {
    run.shares -= 1
    if (run.shares > 0) return
    this.#delete(key, run)
    if (!run.value) run.controller.abort(this.#makeReason())
  }

  #delete(key: string, run: Run<Result, Caller>): void {
    if (this.#runs.get(key) === run) this.#runs.delete(key)
  }
}
