import { WaitingQueue } from './waiting-queue.js'

interface Group {
  running: number
  readonly waiting: WaitingQueue
}

/**
 * Limits how many callers do something at once, and shares the permits fairly between groups of callers. The next
 * permit goes to the group that holds the fewest permits. Among equals, it goes to the group that returned a permit the
 * longest ago; within a group, to the caller that has waited longest.
 */
export class FairSemaphore {
  #size: number
  /** Below 0 where more permits are held than there are by now. */
  #free: number
  /**
   * Groups by the time at which they last returned a permit, oldest first. Groups that neither hold a permit nor wait
   * for one are removed.
   */
  readonly #groups = new Map<string, Group>()

  constructor(size: number) {
    this.#size = size
    this.#free = size
  }

  /**
   * Waits for a permit and acquires it.
   *
   * @param name of the caller's group
   *
   * @returns the function that returns the permit; to be called once
   * @throws the signal's reason, when it aborts first
   */
  async acquire(name: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    const group = this.#groups.get(name) ?? { running: 0, waiting: new WaitingQueue() }
    this.#groups.set(name, group)
    if (this.#free > 0) {
      this.#free -= 1
      group.running += 1
    } else {
      await group.waiting.wait(signal, () => this.#removeIdle(name, group))
    }
    return () => this.#release(name, group)
  }

  /** Removes the limit: all callers that wait now, or come later, get a permit at once. For shutdown. */
  removeLimit(): void {
    this.#free = Infinity
    for (const group of this.#groups.values()) while (group.waiting.size > 0) this.#admitNext(group)
  }

  /** Changes the number of permits. Those that are held stay valid. */
  resize(size: number): void {
    this.#free += size - this.#size
    this.#size = size
    while (this.#free > 0) {
      const next = this.#chooseNext()
      if (next === undefined) return
      this.#free -= 1
      this.#admitNext(next)
    }
  }

  #release(name: string, group: Group): void {
    group.running -= 1
    this.#groups.delete(name)
    this.#groups.set(name, group)
    this.#removeIdle(name, group)
    const next = this.#free < 0 ? undefined : this.#chooseNext()
    if (next === undefined) this.#free += 1
    else this.#admitNext(next)
  }

  #chooseNext(): Group | undefined {
    const [next] = [...this.#groups.values()]
      .filter(({ waiting }) => waiting.size > 0)
      .sort((one, other) => one.running - other.running)
    return next
  }

  #admitNext(group: Group): void {
    group.running += 1
    group.waiting.wakeNext()
  }

  #removeIdle(name: string, group: Group): void {
    if (group.running === 0 && group.waiting.size === 0) this.#groups.delete(name)
  }
}
