import { Semaphore } from '../concurrency/semaphore.js'

/** What a job knows of pages of one making. */
export interface PageKind {
  /** The rules that were written for it, in that order: a page goes by the first that fits it. */
  readonly rules: unknown[]
  /** How often none could be written. */
  failures: number
  /** One at a time writes another: who waits may find that it is there by then. */
  readonly turn: Semaphore
}

/** The extractors of a job, by the making of the pages and what is wanted of them. */
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
