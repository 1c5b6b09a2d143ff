import { Semaphore } from '../../base/concurrency/semaphore.js'

/** Extractors for the pages of one URL template and one schema. */
export interface PageKind {
  /** The rules, in the order in which they were written; a page uses the first one that fits. */
  readonly rules: unknown[]
  /** Number of failed attempts to write a rule. */
  failures: number
  /** Lets one page at a time have a rule written. A page that waited may find that the new rule fits it. */
  readonly turn: Semaphore
}

/** Extractors of a job, by URL template and requested data. */
export class Extractors {
  readonly #kinds = new Map<string, PageKind>()

  of(name: string): PageKind {
    const known = this.#kinds.get(name)
    if (known) return known
    const kind = { rules: [], failures: 0, turn: new Semaphore(1) }
    this.#kinds.set(name, kind)
    return kind
  }
}
