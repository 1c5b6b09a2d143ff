import { TrawlError } from '../../errors.js'
import type { UrlLike } from '../../url.js'
import type { JobLoop } from './job-loop.js'
import type { JobStrategy } from '../job-strategy.js'

/** The URLs that a batch is given while it runs. */
export class AppendedUrls {
  readonly #script: JobStrategy
  readonly #wake: () => void
  readonly #invalid: string[] | undefined
  #underWay = 0
  #loop: JobLoop | undefined
  #hasBegun = false
  readonly #waiting: (() => void)[] = []

  /** @param wake called when URLs are in */
  constructor(script: JobStrategy, wake: () => void) {
    const { invalidURLs } = script.startFields
    this.#script = script
    this.#wake = wake
    this.#invalid = invalidURLs && [...invalidURLs]
  }

  /** The URLs that were dropped so far; undefined where none are to be. */
  get invalidURLs(): readonly string[] | undefined {
    return this.#invalid
  }

  /** Whether URLs are being taken in: the job does not end before that. */
  get areComing(): boolean {
    return this.#underWay > 0
  }

  /** The job has begun; or it never will, without a loop. */
  begin(loop?: JobLoop): void {
    this.#loop = loop
    this.#hasBegun = true
    for (const go of this.#waiting.splice(0)) go()
  }

  /** @throws TrawlError `JOB_FINISHED`; InvalidRequestError */
  async add(urls: Iterable<UrlLike>, jobId: string): Promise<void> {
    const over = new TrawlError('JOB_FINISHED', `job ${jobId} has ended, or is about to: start another batch`)
    if (this.#loop?.isOver || !this.#script.append) throw over
    // Read at the call: what was given may be changed, or used up, after it.
    const { invalidURLs = [], place } = this.#script.append(urls)
    this.#underWay += 1
    try {
      if (!this.#hasBegun) await new Promise<void>((resolve) => this.#waiting.push(resolve))
      if (!this.#loop) throw over
      await this.#loop.append(place())
      this.#invalid?.push(...invalidURLs)
    } finally {
      this.#underWay -= 1
      this.#wake()
    }
  }
}
