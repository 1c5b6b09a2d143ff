import { parseJson } from '../../base/text/parse-json.js'
import { WatchHandle } from './watch-handle.js'
import { type RunnerParts, WatchRunner } from './watch-runner.js'
import type { WatchTools } from './watch-tools.js'

/** Interval of looking for watches that no living process runs. Milliseconds. */
const SEARCH_MS = 5000

/** The watches of an engine: handles, and runners of those that run here. */
export class WatchRegistry {
  readonly #tools: WatchTools
  readonly #handles = new Map<string, WatchHandle>()
  readonly #runners = new Map<string, WatchRunner>()
  /** Runners that end with the call for which they run. */
  readonly #borrowed = new Set<WatchRunner>()
  /** Ends of the runners of removed watches, by name: a new watch of this name waits for it. */
  readonly #ending = new Map<string, Promise<void>>()
  #timer: NodeJS.Timeout | undefined

  constructor(tools: WatchTools) {
    this.#tools = tools
  }

  /** Stores a watch and runs it here, unless another process runs it. @throws InvalidRequestError with every problem found */
  async define(request: object): Promise<WatchHandle> {
    const text = await this.#tools.toRequest(request)
    const { name } = parseJson(text) as { name: string }
    await this.#tools.store.define(name, text, this.#tools.now())
    this.#tools.closing.throwIfAborted()
    this.#run(name)
    return this.open(name)
  }

  /** Lists the stored watches. */
  async list(): Promise<readonly WatchHandle[]> {
    return (await this.#tools.store.list()).map(({ name }) => this.open(name))
  }

  /** Runs all stored watches that no other process runs, now and later. */
  async runAll(): Promise<readonly WatchHandle[]> {
    const stored = await this.#tools.store.list()
    this.#tools.closing.throwIfAborted()
    for (const { name } of stored) this.#run(name)
    this.#searchLater()
    return stored.map(({ name }) => this.open(name))
  }

  open(name: string): WatchHandle {
    const known = this.#handles.get(name)
    if (known) return known
    const handle = new WatchHandle(name, {
      ...this.#tools,
      runnerOf: () => this.#runners.get(name),
      change: async (request) => {
        await this.#tools.store.define(name, request, this.#tools.now())
        this.#runners.get(name)?.wake()
      },
      remove: () => this.#remove(name),
      borrow: () => this.#borrow(name),
    })
    this.#handles.set(name, handle)
    return handle
  }

  /** Stops all runners. Resolves when none runs any more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    const runners = [...this.#runners.values()]
    for (const runner of runners) runner.stop()
    for (const handle of this.#handles.values()) handle.end()
    await Promise.all([...runners.map(({ ended }) => ended), ...this.#ending.values()])
  }

  /** Deletes a watch. Its runner is given up first, so that a watch that takes its name meanwhile gets one of its own. */
  async #remove(name: string): Promise<boolean> {
    const runner = this.#runners.get(name)
    if (runner) {
      runner.cancel()
      this.#giveUp(runner)
    }
    this.#handles.delete(name)
    try {
      return await this.#tools.store.remove(name)
    } catch (error) {
      if (runner) this.#run(name)
      throw error
    }
  }

  /** Runs a watch that is not run here, for a call. @returns function that ends this, unless the watch is run here since then */
  #borrow(name: string): () => void {
    this.#run(name)
    const runner = this.#runners.get(name)
    if (!runner) return () => undefined
    this.#borrowed.add(runner)
    return () => {
      if (!this.#borrowed.delete(runner)) return
      runner.stop()
      this.#giveUp(runner)
    }
  }

  /** A runner that comes later for this watch waits for the end of this one. */
  #giveUp(runner: WatchRunner): void {
    const { name, ended } = runner
    this.#runners.delete(name)
    this.#ending.set(name, ended)
    const forget = (): void => void (this.#ending.get(name) === ended && this.#ending.delete(name))
    ended.then(forget, forget)
  }

  #run(name: string): void {
    const known = this.#runners.get(name)
    if (known) {
      this.#borrowed.delete(known)
      return known.wake()
    }
    const emit: RunnerParts['emit'] = (event, ...args) => {
      if (this.#runners.get(name) === runner) this.open(name).tell(event, ...args)
    }
    const runner: WatchRunner = new WatchRunner(name, { tools: this.#tools, emit, before: this.#ending.get(name) })
    this.#runners.set(name, runner)
    void this.#forget(runner)
  }

  async #forget(runner: WatchRunner): Promise<void> {
    await runner.ended
    if (this.#runners.get(runner.name) === runner) this.#runners.delete(runner.name)
  }

  #searchLater(): void {
    this.#timer ??= setInterval(() => void this.#search(), SEARCH_MS).unref()
  }

  async #search(): Promise<void> {
    try {
      const stored = await this.#tools.store.list()
      if (this.#tools.closing.aborted) return
      for (const { name } of stored) if (!this.#runners.has(name)) this.#run(name)
    } catch {
      // The ledger cannot be read now: looked at again.
    }
  }
}
