import { Semaphore } from '../../base/concurrency/semaphore.js'

/** Rules that a format has learnt about pages of one kind, such as those of one URL template. */
export interface PageKind {
  /** The rules, in the order in which they were learnt. Plain data. */
  readonly rules: unknown[]
  /** Number of failed attempts to learn one. */
  failures: number
  /** Lets one page at a time learn. A page that waited may find that the new rule fits it. */
  readonly turn: Semaphore
}

/** Rules that formats learn on the pages of a job, by names that they choose. */
export class LearntRules {
  readonly #kinds = new Map<string, PageKind>()

  of(name: string): PageKind {
    const known = this.#kinds.get(name)
    if (known) return known
    const kind = { rules: [], failures: 0, turn: new Semaphore(1) }
    this.#kinds.set(name, kind)
    return kind
  }
}
