/** One caller's share in a run. Disposing it gives the share up. */
export interface Share<Result, Caller> extends Disposable {
  readonly result: Promise<Result>
  /** The caller that started the run. */
  readonly starter: Caller
}

interface Run<Result, Caller> {
  readonly result: Promise<Result>
  readonly starter: Caller
  readonly controller: AbortController
  /** The result, once there is one. */
  value: { readonly of: Result } | undefined
  shares: number
}

/** A caller of {@link SingleFlight.join}, and the work that it would start. */
export interface Joining<Result, Caller> {
  readonly caller: Caller
  /** Does the work. @param signal aborted when no caller has a share in it any more */
  start(signal: AbortSignal): Promise<Result>
  /** Returns true where a finished run that another caller still has a share in will do. @default a finished run will not do */
  accepts?(result: Result): boolean
}

/**
 * Runs work once for all callers that ask for the same key at the same time. A run that fails is over for all who wait for it,
 * and the next caller starts another.
 */
export class SingleFlight<Result, Caller = undefined> {
  readonly #runs = new Map<string, Run<Result, Caller>>()
  readonly #makeReason: () => unknown

  /** @param makeReason gives what a run is aborted with that no caller waits for. @default undefined, for an `AbortError` */
  constructor(makeReason = (): unknown => undefined) {
    this.#makeReason = makeReason
  }

  /** Joins the run of a key, or starts one. The caller must await the result, or its failure is an unhandled one. */
  join(key: string, { caller, start, accepts = () => false }: Joining<Result, Caller>): Share<Result, Caller> {
    const known = this.#runs.get(key)
    const run = known && (!known.value || accepts(known.value.of)) ? known : this.#start(key, caller, start)
    run.shares += 1
    let isHeld = true
    return {
      result: run.result,
      starter: run.starter,
      [Symbol.dispose]: () => {
        if (isHeld) this.#leave(key, run)
        isHeld = false
      },
    }
  }

  #start(key: string, starter: Caller, start: (signal: AbortSignal) => Promise<Result>): Run<Result, Caller> {
    const controller = new AbortController()
    // The callers wait for what comes after the bookkeeping: with one reaction to a promise, stack traces reach through it.
    const result = start(controller.signal).then(
      (value) => {
        run.value = { of: value }
        return value
      },
      (error: unknown) => {
        this.#forget(key, run)
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
    this.#forget(key, run)
    if (!run.value) run.controller.abort(this.#makeReason())
  }

  #forget(key: string, run: Run<Result, Caller>): void {
    if (this.#runs.get(key) === run) this.#runs.delete(key)
  }
}
