import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'
import { TrawlError } from '../../../base/errors.js'
import type { UrlCandidate } from '../../ledger/ledger.js'
import type { UrlLike } from '../../../base/url.js'
import type { JobLoop } from './job-loop.js'
import type { UrlList } from '../job-strategy.js'

/** URLs added to the ledger before another look at the clock and at the job. */
const SLICE_SIZE = 500

/** URLs appended to a batch while it runs. */
export class AppendedUrls {
  readonly #list: UrlList
  readonly #wake: () => void
  #underWay = 0
  readonly #loop: () => JobLoop | undefined
  #hasBegun = false
  #resolveBegun = (): void => undefined
  /** Resolves when the URLs of the request are in the ledger, or the job has failed before. */
  readonly begun = new Promise<void>((resolve) => (this.#resolveBegun = resolve))
  /** Resolves when all lists so far are added, or have failed. */
  #last: Promise<unknown> = Promise.resolve()

  /**
   * @param wake called when URLs were added
   * @param loop the loop of the job; none before it begins, and after its end
   */
  constructor(list: UrlList, wake: () => void, loop: () => JobLoop | undefined) {
    this.#list = list
    this.#wake = wake
    this.#loop = loop
  }

  /** True while URLs are being added: the job does not end before. */
  get isAdding(): boolean {
    return this.#underWay > 0
  }

  /** Resolves when no URLs are being added. */
  get settled(): Promise<unknown> {
    return this.#last
  }

  /** Lets waiting additions continue: the job has begun, or failed before. */
  begin(): void {
    this.#hasBegun = true
    this.#resolveBegun()
  }

  /** True once nothing can be appended any more: a loop that has begun is freed at its end. */
  get #isOver(): boolean {
    return this.#loop()?.isOver ?? this.#hasBegun
  }

  /**
   * Checks URLs at the call, and adds them to the ledger once the job has begun.
   *
   * @param agreed settles when a stopped job runs again, or does not. @default it runs
   * @returns rejects with `JOB_FINISHED` when the job ends before
   * @throws TrawlError `JOB_FINISHED`; InvalidRequestError
   */
  add(urls: Iterable<UrlLike>, jobId: string, agreed?: Promise<void>): Promise<void> {
    const finished = new TrawlError('JOB_FINISHED', `job ${jobId} has ended, or is about to: start another batch`)
    if (!agreed && this.#isOver) throw finished
    // The iterable is read at the call, because the caller may change it or use it up afterwards.
    const assignPositions = this.#list.append(urls)
    return this.#admit(() => (agreed ? agreed.then(assignPositions) : assignPositions()), finished)
  }

  async #admit(assignPositions: () => Promise<readonly UrlCandidate[]>, finished: TrawlError): Promise<void> {
    this.#underWay += 1
    // One list after the other: a page that two of them have is in the ledger before the second one asks for it.
    const turn = this.#last.then(() => this.#append(assignPositions, finished))
    this.#last = turn.catch(() => undefined)
    try {
      await turn
    } finally {
      this.#underWay -= 1
      this.#wake()
    }
  }

  async #append(assignPositions: () => Promise<readonly UrlCandidate[]>, finished: TrawlError): Promise<void> {
    await this.begun
    if (!this.#loop()) throw finished
    const candidates = await assignPositions()
    for (let from = 0; from < candidates.length; from += SLICE_SIZE) {
      // A row that is added after the end of the job would stay in the queue.
      const loop = this.#isOver ? undefined : this.#loop()
      if (!loop) throw finished
      await loop.append(candidates.slice(from, from + SLICE_SIZE))
      await yieldIfHeld()
    }
  }
}
