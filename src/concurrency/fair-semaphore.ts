import { enqueueWaiter } from './enqueue-waiter.js'

interface Kind {
  running: number
  readonly waiting: Set<() => void>
}

/**
 * Lets so many in at once. Of those that wait, the kind comes next that has the fewest in, then the one whose last turn
 * ended the longest ago, and within a kind whoever has waited longest.
 */
export class FairSemaphore {
  #free: number
  /** The one whose turn ended last comes last. Those with nobody in and nobody waiting are not kept. */
  readonly #kinds = new Map<string, Kind>()

  constructor(size: number) {
    this.#free = size
  }

  /**
   * @returns what gives the turn back; to be called once
   * @throws the signal's reason, when it aborts before the turn has come
   */
  async take(kind: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    const own = this.#kinds.get(kind) ?? { running: 0, waiting: new Set() }
    this.#kinds.set(kind, own)
    if (this.#free > 0) {
      this.#free -= 1
      own.running += 1
    } else {
      await enqueueWaiter(own.waiting, signal, () => this.#forget(kind, own))
    }
    return () => this.#give(kind, own)
  }

  /** Lets everybody in who waits, and whoever comes: there is nothing left to wait for. */
  end(): void {
    this.#free = Infinity
    for (const own of this.#kinds.values()) for (const enter of own.waiting) this.#enter(own, enter)
  }

  #give(kind: string, own: Kind): void {
    own.running -= 1
    this.#kinds.delete(kind)
    this.#kinds.set(kind, own)
    this.#forget(kind, own)
    const [next] = [...this.#kinds.values()]
      .filter(({ waiting }) => waiting.size > 0)
      .sort((one, other) => one.running - other.running)
    const [enter] = next?.waiting ?? []
    if (next === undefined || enter === undefined) this.#free += 1
    else this.#enter(next, enter)
  }

  #enter(own: Kind, enter: () => void): void {
    own.waiting.delete(enter)
    own.running += 1
    enter()
  }

  #forget(kind: string, own: Kind): void {
    if (own.running === 0 && own.waiting.size === 0) this.#kinds.delete(kind)
  }
}
