import { onAbort } from './on-abort.js'
import { PassingMap } from './passing-map.js'

/** Callers that wait, first come, first served. */
export class WaitingQueue {
  /** Functions that wake the callers, by numbers in the order of the calls. */
  readonly #wakers = new PassingMap<number, () => void>()
  #next = 0

  get size(): number {
    return this.#wakers.size
  }

  /**
   * Waits until this caller is woken.
   *
   * @param afterAbort called when the signal aborts the wait
   * @throws the signal's reason
   */
  wait(signal: AbortSignal, afterAbort = (): void => undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const wake = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        this.#wakers.delete(number)
        afterAbort()
        reject(signal.reason)
      }
      signal.throwIfAborted()
      onAbort(signal, leave)
      const number = this.#enter(wake)
    })
  }

  /** Adds a function that is called once, when its turn comes. One that waits already keeps its turn. */
  add(wake: () => void): void {
    if (this.#find(wake) === undefined) this.#enter(wake)
  }

  /** Removes a function that {@link add} has added. */
  delete(wake: () => void): void {
    const number = this.#find(wake)
    if (number !== undefined) this.#wakers.delete(number)
  }

  /** Wakes the caller that has waited longest. @returns false when there is none */
  wakeNext(): boolean {
    for (const [number, wake] of this.#wakers) {
      this.#wakers.delete(number)
      wake()
      return true
    }
    return false
  }

  /** Wakes all callers that wait now; one that then waits again is woken by the next call. */
  wakeAll(): void {
    if (this.#wakers.size === 0) return
    const wakers = Array.from(this.#wakers, ([, wake]) => wake)
    this.#wakers.clear()
    for (const wake of wakers) wake()
  }

  #enter(wake: () => void): number {
    const number = this.#next
    this.#next += 1
    this.#wakers.set(number, wake)
    return number
  }

  /** Number of a function that waits. Only jobs add functions, so that these are few. */
  #find(wake: () => void): number | undefined {
    for (const [number, known] of this.#wakers) if (known === wake) return number
    return undefined
  }
}
