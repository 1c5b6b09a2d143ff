import { WaitingQueue } from './waiting-queue.js'

interface Group {
  running: number
  readonly waiting: WaitingQueue
}

/**
 * Limits how many callers do something at once, fairly over groups. The next permit goes to the group with the fewest permits,
 * among equals to the one that returned its last permit the longest ago, and within a group to the caller that has waited longest.
 */
export class FairSemaphore {
  #free: number
  /** Groups in the order of their last returned permit. Groups with nobody running and nobody waiting are removed. */
  readonly #groups = new Map<string, Group>()

  constructor(size: number) {
    this.#free = size
  }

  /**
   * Waits for a permit and takes it.
   *
   * @returns the function that returns the permit; to be called once
   * @throws the signal's reason, when it aborts first
   */
  async take(name: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    const group = this.#groups.get(name) ?? { running: 0, waiting: new WaitingQueue() }
    this.#groups.set(name, group)
    if (this.#free > 0) {
      this.#free -= 1
      group.running += 1
    } else {
      await group.waiting.wait(signal, () => this.#forget(name, group))
    }
    return () => this.#give(name, group)
  }

  /** Admits all callers, now and later: the work that was limited has ended. */
  end(): void {
    this.#free = Infinity
    for (const group of this.#groups.values()) while (group.waiting.size > 0) this.#admitNext(group)
  }

  #give(name: string, group: Group): void {
    group.running -= 1
    this.#groups.delete(name)
    this.#groups.set(name, group)
    this.#forget(name, group)
    const [next] = [...this.#groups.values()]
      .filter(({ waiting }) => waiting.size > 0)
      .sort((one, other) => one.running - other.running)
    if (next === undefined) this.#free += 1
    else this.#admitNext(next)
  }

  #admitNext(group: Group): void {
    group.running += 1
    group.waiting.wakeNext()
  }

  #forget(name: string, group: Group): void {
    if (group.running === 0 && group.waiting.size === 0) this.#groups.delete(name)
  }
}
