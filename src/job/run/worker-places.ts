import { Semaphore } from '../../concurrency/semaphore.js'
import { WaitingQueue } from '../../concurrency/waiting-queue.js'
import { hasTrait, findNeeds } from '../../enrich/enrich.js'
import type { PageTask, TaskQueue, TaskResult } from '../../ledger/task-queue.js'
import { type PageAnswer, unpackAnswer } from '../../page/page-task.js'
import type { ScrapePlan } from '../../plan/scrape-plan.js'
import { packRequest } from '../stored-request.js'
import type { PermitSlots } from './page-permit.js'

/** Answers that are unpacked at once. Each may have some 32 MB. */
const MAX_UNPACKING = 2

/** Places of other engines that scrape pages of this engine's jobs. A page at a worker holds one, until it has ended here. */
export class WorkerPlaces implements PermitSlots {
  readonly #queue: TaskQueue
  readonly #version: string
  readonly #waiting = new WaitingQueue()
  readonly #shareable = new WeakMap<ScrapePlan, boolean>()
  readonly #unpacking = new Semaphore(MAX_UNPACKING)
  #taken = 0

  /** @param version workers of another one are not used */
  constructor(queue: TaskQueue, version: string) {
    this.#queue = queue
    this.#version = version
  }

  /** Tests whether pages of a plan may be scraped elsewhere. */
  accepts(plan: ScrapePlan): boolean {
    const known = this.#shareable.get(plan)
    if (known !== undefined) return known
    const isShareable = canShare(plan)
    this.#shareable.set(plan, isShareable)
    return isShareable
  }

  get hasFree(): boolean {
    return this.#taken < this.#queue.capacity
  }

  tryAcquire(): boolean {
    if (!this.hasFree) return false
    this.#taken += 1
    return true
  }

  release(): void {
    this.#taken -= 1
    this.#waiting.wakeAll()
  }

  /** A place at a worker is not lent: only the worker knows what its page waits for. */
  lend(): boolean {
    return false
  }

  async reacquire(): Promise<void> {}

  endLoan(): void {}

  /** Calls `wake` once, when a place becomes free. */
  addWaiter(wake: () => void): void {
    this.#waiting.add(wake)
  }

  removeWaiter(wake: () => void): void {
    this.#waiting.delete(wake)
  }

  /** Begins to look for workers. @returns a function that ends it */
  follow(): () => void {
    return this.#queue.follow(this.#version, () => this.#waiting.wakeAll())
  }

  /** Hands a page out, and waits for its end. @throws the signal's reason */
  send(task: PageTask, signal: AbortSignal): Promise<TaskResult> {
    return this.#queue.send(task, signal)
  }

  /** Unpacks the answer of a worker. One that cannot be unpacked counts as declined. @throws the signal's reason */
  async unpack(answer: string, signal: AbortSignal): Promise<PageAnswer> {
    await this.#unpacking.acquire(signal)
    try {
      return await unpackAnswer(answer)
    } catch {
      return { kind: 'declined' }
    } finally {
      this.#unpacking.release()
    }
  }
}

/**
 * Pages are scraped elsewhere if their plan is plain data, and if they need nothing of this engine but its settings: neither
 * its stores (snapshots, profiles, media, cached pages that may not be fetched) nor its model and budget.
 */
function canShare({ cache, fetch, enrich, snapshot, digest, zeroDataRetention }: ScrapePlan): boolean {
  const { formats } = enrich
  const { model, media } = findNeeds(formats)
  const { actions = [], profile } = fetch.browser ?? {}
  return (
    zeroDataRetention === undefined &&
    snapshot === undefined &&
    cache.minAgeMs === undefined &&
    cache.lockdown === undefined &&
    profile === undefined &&
    actions.length === 0 &&
    !model &&
    !media &&
    !formats.some(({ type }) => hasTrait(type, 'file')) &&
    packRequest({ cache, fetch, digest, enrich }).missing.length === 0
  )
}
