import { TrawlError } from '../../errors.js'
import type { UrlCandidate } from '../../ledger/ledger.js'
import type { UrlLike } from '../../url.js'
import type { JobLoop } from './job-loop.js'
import type { JobStrategy } from '../job-strategy.js'

/** URLs appended to a batch while it runs. */
export class AppendedUrls {
  readonly #strategy: JobStrategy
  readonly #wake: () => void
  #underWay = 0
  readonly #loop: () => JobLoop | undefined
  #hasBegun = false
  readonly #waiting: (() => void)[] = []

  /**
   * @param wake called when URLs were added
   * @param loop the loop of the job; none before it begins, and after its end
   */
  constructor(strategy: JobStrategy, wake: () => void, loop: () => JobLoop | undefined) {
    this.#strategy = strategy
    this.#wake = wake
    this.#loop = loop
  }

  /** True while URLs are being added: the job does not end before. */
  get isAdding(): boolean {
    return this.#underWay > 0
  }

  /** Lets waiting additions continue: the job has begun, or failed before. */
  begin(): void {
    this.#hasBegun = true
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** True once nothing can be appended any more: a loop that has begun is freed at its end. */
  get #isOver(): boolean {
    return this.#loop()?.isOver ?? this.#hasBegun
  }

  /**
   * Checks URLs at the call, and adds them to the ledger once the job has begun.
   *
   * @returns rejects with `JOB_FINISHED` when the job ends before
   * @throws TrawlError `JOB_FINISHED`; InvalidRequestError
   */
  add(urls: Iterable<UrlLike>, jobId: string): Promise<void> {
    const finished = new TrawlError('JOB_FINISHED', `job ${jobId} has ended, or is about to: start another batch`)
    if (this.#isOver || !this.#strategy.append) throw finished
    // The iterable is read at the call, because the caller may change it or use it up afterwards.
    return this.#admit(this.#strategy.append(urls), finished)
  }

  async #admit(assignPositions: () => readonly UrlCandidate[], finished: TrawlError): Promise<void> {
    this.#underWay += 1
    try {
      if (!this.#hasBegun) await new Promise<void>((resolve) => this.#waiting.push(resolve))
      const loop = this.#loop()
      if (!loop) throw finished
      await loop.append(assignPositions())
    } finally {
      this.#underWay -= 1
      this.#wake()
    }
  }
}
