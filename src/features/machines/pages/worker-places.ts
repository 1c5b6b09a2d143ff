import { Semaphore } from '../../../base/concurrency/semaphore.js'
import { WaitingQueue } from '../../../base/concurrency/waiting-queue.js'
import type { PageTask, TaskQueue, TaskResult } from '../../../kernel/ledger/task-queue.js'
import { type PageAnswer, type ScrapeOrder, unpackAnswer } from './page-task.js'
import type { ScrapePlan } from '../../../kernel/plan/scrape-plan.js'
import type { FormatSet } from '../../../kernel/options/format-set.js'
import { packRequest } from '../../../kernel/job/stored-request.js'
import type { PlaceSlots } from '../../../kernel/job/page-places.js'

/** Answers that are unpacked at once. Each may have some 32 MB. */
const MAX_UNPACKING = 2

type OrderKind = ScrapeOrder['kind']

/** Places of other engines that scrape pages of this engine's jobs. A page at a worker holds one, until it has ended here. */
export class WorkerPlaces implements PlaceSlots {
  readonly #queue: TaskQueue
  readonly #version: string
  readonly #formats: FormatSet
  readonly #waiting = new WaitingQueue()
  readonly #orders = new WeakMap<ScrapePlan, { readonly kind: OrderKind | undefined }>()
  readonly #unpacking = new Semaphore(MAX_UNPACKING)
  #taken = 0

  /** @param version workers of another one are not used */
  constructor(queue: TaskQueue, version: string, formats: FormatSet) {
    this.#queue = queue
    this.#version = version
    this.#formats = formats
  }

  /** Returns what workers do for pages of a job, by its plan without learnt blocks; undefined where they do nothing. */
  orderOf(plan: ScrapePlan): OrderKind | undefined {
    const order = this.#orders.get(plan) ?? { kind: chooseOrder(plan, this.#formats) }
    this.#orders.set(plan, order)
    return order.kind
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
 * Chooses what workers do for pages of a plan: scrape them, or read them for the engine that runs the job, where the document needs
 * its model, budget, files or snapshots, or further pages. Undefined where they do nothing: the plan is no plain data, or the page
 * may not be stored, or it needs the cache, the session of a browser or the caller's own features of this engine.
 */
function chooseOrder(plan: ScrapePlan, formats: FormatSet): OrderKind | undefined {
  const { cache, fetch, digest, enrich, snapshot, asksFurther, ownFeatures, zeroDataRetention } = plan
  const isBound = cache.minAgeMs !== undefined || cache.lockdown === true || fetch.browser?.profile !== undefined
  // The raw page that a worker returns, and the task itself, are stored.
  if (zeroDataRetention || digest.rewrite || ownFeatures || isBound || !isPlain({ cache, fetch, digest }))
    return undefined
  const { budget } = enrich
  // The further requests of a feature follow the rules of the job, which only this engine knows.
  return snapshot ||
    asksFurther ||
    budget ||
    digest.parse.mayBeMedia ||
    enrich.formats.some(({ type }) => formats.hasTrait(type, 'file')) ||
    hasActions(fetch) ||
    !isPlain({ enrich })
    ? 'read'
    : 'scrape'
}

const isPlain = (options: object): boolean => packRequest(options).missing.length === 0

const hasActions = ({ browser }: ScrapePlan['fetch']): boolean => (browser?.actions ?? []).length > 0
