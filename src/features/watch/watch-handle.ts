import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { compact } from '../../base/collections/compact.js'
import { InvalidRequestError, TrawlError } from '../../base/errors.js'
import type { StoredResult, StoredWatch } from './watch-store.js'
import { planChanges, planCheck, planResults } from './watch-methods.js'
import type { NewResult, Watch, WatchCheck, WatchEvents, WatchOverview, WatchResult } from './watch.js'
import type { WatchRunner } from './watch-runner.js'
import { maskSecrets } from './mask-secrets.js'
import { numberResult, readState, readStored } from './watch-state.js'
import type { WatchTools } from './watch-tools.js'
import { nextOf } from './plan-checks.js'

/** Interval of looking for results of another process. Milliseconds. */
const POLL_MS = 1000

/** Results read at once by the iterator. */
const READ_AHEAD = 100

/** Services of the registry for a handle. */
interface HandleTools extends WatchTools {
  /** The runner of this process. */
  runnerOf(): WatchRunner | undefined
  /** Stores a changed request. */
  change(request: string): Promise<void>
  /** Runs the watch here for a call. @returns function that ends this */
  borrow(): () => void
  /** Deletes the watch and ends its runner. False when there is none. */
  remove(): Promise<boolean>
}

/** Handle of a watch, which works over the store. */
export class WatchHandle implements Watch {
  readonly name: string
  readonly #tools: HandleTools
  readonly #events = new EventEmitter<WatchEvents & { stored: []; ended: [] }>().setMaxListeners(0)
  #isEnded = false

  constructor(name: string, tools: HandleTools) {
    this.name = name
    this.#tools = tools
  }

  async status(): Promise<WatchOverview> {
    const stored = await this.#read()
    const state = readState(stored.state)
    const runner = this.#tools.runnerOf()
    const nextMs = nextOf(state)
    const waiting = await this.#tools.store.failedReports(this.name)
    const warnings = [
      runner?.problem ?? state.last?.error,
      waiting > 0 && describeWaiting(waiting, runner?.failedReport),
    ]
    const isPlanned = !stored.isPaused && Number.isFinite(nextMs)
    return compact({
      name: this.name,
      request: maskSecrets(readStored('request', stored.request)),
      paused: stored.isPaused,
      running: stored.isHeld,
      checking: stored.isHeld && state.running !== undefined,
      checks: state.last?.number ?? 0,
      pages: (await this.#tools.store.pages(this.name)).length,
      lastSequence: stored.last,
      nextCheckAt: isPlanned ? new Date(nextMs).toISOString() : undefined,
      lastCheck: state.last,
      warning: warnings.filter(Boolean).join('; ') || undefined,
    })
  }

  async check(options?: { signal?: AbortSignal }): Promise<WatchCheck> {
    const signal = planCheck(options)
    signal?.throwIfAborted()
    const { store, runnerOf, borrow } = this.#tools
    if (!(await store.control(this.name, { asks: true }))) throw this.#missing()
    const asked = await this.#read()
    let giveBack: (() => void) | undefined
    try {
      runnerOf()?.wake()
      for (;;) {
        const check = await this.#findAnswer(asked)
        if (check) return check
        // Nobody else may run the watch: it is run here until the check has ended.
        if (!runnerOf()) giveBack = borrow()
        await this.#nextResult(signal)
      }
    } finally {
      giveBack?.()
    }
  }

  /** Finds the check that answers a call. @throws the reason why this process cannot make it, if no other one does */
  async #findAnswer({ asked, identity }: StoredWatch): Promise<WatchCheck | undefined> {
    const { closing, runnerOf } = this.#tools
    closing.throwIfAborted()
    const stored = await this.#read()
    if (stored.identity !== identity) throw this.#missing()
    const { answered, last } = readState(stored.state)
    if (answered >= asked && last) return last
    const refusal = stored.isHeld ? undefined : runnerOf()?.refusalOf(stored.request)
    if (refusal) throw refusal
    return undefined
  }

  pause(): Promise<void> {
    return this.#setPaused(true)
  }

  resume(): Promise<void> {
    return this.#setPaused(false)
  }

  async change(given: object): Promise<void> {
    const changes = planChanges(given)
    const stored = await this.#read()
    const request = { ...readStored('request', stored.request), ...changes }
    if ('name' in changes && changes.name !== this.name) {
      const message = 'a watch keeps its name: make another one'
      throw new InvalidRequestError([{ code: 'custom', path: ['name'], message }])
    }
    await this.#tools.change(await this.#tools.toRequest(request))
  }

  async remove(): Promise<void> {
    if (!(await this.#tools.remove())) throw this.#missing()
    this.end()
  }

  async results(options?: { after?: number; limit?: number }): Promise<readonly WatchResult[]> {
    const { after, limit } = planResults(options)
    const { lost } = await this.#read()
    const found = await this.#tools.store.results(this.name, after, limit)
    return found.map((stored, index) => toResult(stored, index === 0 && after < lost))
  }

  async *[Symbol.asyncIterator](): AsyncIterableIterator<WatchResult> {
    const { store, closing } = this.#tools
    let after = await store.lastSequence(this.name)
    while (!this.#isEnded && !closing.aborted) {
      const found = await store.results(this.name, after, READ_AHEAD)
      const watch = await store.read(this.name)
      if (!watch) return
      for (const stored of found) {
        const hasMissed = after < watch.lost && stored === found[0]
        after = stored.sequence
        yield toResult(stored, hasMissed)
      }
      if (found.length > 0) continue
      await this.#nextResult()
    }
  }

  on<E extends keyof WatchEvents>(event: E, listener: (...args: WatchEvents[E]) => void): this {
    this.#events.on(event, listener as never)
    return this
  }

  off<E extends keyof WatchEvents>(event: E, listener: (...args: WatchEvents[E]) => void): this {
    this.#events.off(event, listener as never)
    return this
  }

  /** Emits an event. What a listener throws is reported as an uncaught exception, and ends no check. */
  tell<E extends keyof WatchEvents>(event: E, ...args: WatchEvents[E]): void {
    this.#events.emit('stored')
    for (const listener of this.#events.listeners(event)) {
      try {
        Reflect.apply(listener, this, args)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  /** Ends the iterators. */
  end(): void {
    this.#isEnded = true
    this.#events.emit('stored')
  }

  async #setPaused(isPaused: boolean): Promise<void> {
    if (!(await this.#tools.store.control(this.name, { isPaused }))) throw this.#missing()
    this.#tools.runnerOf()?.wake()
  }

  async #read(): Promise<StoredWatch> {
    const stored = await this.#tools.store.read(this.name)
    if (!stored) throw this.#missing()
    return stored
  }

  /** Waits for a result of this process, and for a moment for one of another process. */
  async #nextResult(signal?: AbortSignal): Promise<void> {
    const waiting = new AbortController()
    const stop = (): void => waiting.abort()
    this.#events.once('stored', stop)
    try {
      await sleep(POLL_MS, undefined, { signal: signal ? AbortSignal.any([signal, waiting.signal]) : waiting.signal })
    } catch {
      // There is one, or the engine closes.
    } finally {
      this.#events.off('stored', stop)
    }
    signal?.throwIfAborted()
  }

  #missing(): TrawlError {
    return new TrawlError('WATCH_NOT_FOUND', `the ledger has no watch named ${JSON.stringify(this.name)}`)
  }
}

const describeWaiting = (count: number, reason: string | undefined): string =>
  `${count} report${count === 1 ? ' waits' : 's wait'} for another attempt at the webhook${reason === undefined ? '' : `: ${reason}`}`

const toResult = ({ sequence, result }: StoredResult, hasMissed: boolean): WatchResult =>
  numberResult({ ...(hasMissed && { missed: true }), ...readStored<NewResult>('result', result) }, sequence)
