import type { ListForm } from '../../../content/extract/list/few-entries.js'
import type { FewRows } from '../../page/learnt-lists.js'
import { matchList } from './match-list.js'

/** Number of pages started after a page whose lists count for it. */
const LATER_PAGES = 16
/** Structures of lists that are remembered: those of the pages that were started first. */
const MAX_FORMS = 1000

/** A page of a job. `sequence` is its number in the order of the starts. */
interface StartedPage {
  readonly sequence: number
  readonly startedAtMs: number
}

/**
 * Learns the structures of the lists of a job, by which a page with one or two entries is known to have a list.
 *
 * The lists of all pages count that were started before the page, and of the 16 after it. The page waits until they have ended,
 * so that the result depends on the order in which pages were started, and not on that in which they ended.
 */
export class ListLearner {
  readonly #forms = new Map<string, { readonly form: ListForm; readonly sequence: number }>()
  /** Pages that have not ended. */
  readonly #running = new Map<string, StartedPage>()
  /** Those of them that others wait for, in the order of their starts. */
  readonly #awaited = new Map<string, StartedPage>()
  #started = 0
  /** Number of pages that no others are waited for any more. */
  #settled = 0

  /** Adds a page that starts. Must be called in the order of the starts. */
  start(key: string, nowMs: number): void {
    if (this.#running.has(key)) return
    const page = { sequence: this.#started, startedAtMs: nowMs }
    this.#running.set(key, page)
    this.#awaited.set(key, page)
    this.#started += 1
  }

  /**
   * Adds the list of a page that has ended.
   *
   * @returns the page; undefined if it was not started
   */
  end(key: string, form?: ListForm): StartedPage | undefined {
    const page = this.#running.get(key)
    if (!page) return undefined
    this.#running.delete(key)
    this.#awaited.delete(key)
    if (form) this.#add(form, page.sequence)
    return page
  }

  /** Stops waiting for a page that is retried later. */
  postpone(key: string): void {
    this.#awaited.delete(key)
  }

  /** Stops waiting for pages that were started before a time. @returns true while there are pages to wait for */
  isAwaiting(timeMs: number): boolean {
    for (const [key, { startedAtMs }] of this.#awaited) if (startedAtMs < timeMs) this.#awaited.delete(key)
    return this.#awaited.size > 0
  }

  /** Stops waiting for pages: those that have ended are decided by the lists so far. */
  settle(): void {
    this.#settled = this.#started
  }

  /** True once the lists that count for a page are known. */
  isDecided(sequence: number): boolean {
    if (sequence < this.#settled) return true
    const [oldest] = this.#awaited.values()
    const last = sequence + LATER_PAGES
    return this.#started > last && (oldest === undefined || oldest.sequence > last)
  }

  /** Finds the rows of a page that have the structure of a list which counts for it. */
  findList(sequence: number, few: readonly FewRows[]): FewRows | undefined {
    return matchList(few, (path) => {
      const known = this.#forms.get(path)
      return known && known.sequence <= sequence + LATER_PAGES ? known.form : undefined
    })
  }

  /** Keeps the first list of each structure, whatever the order in which pages end. */
  #add(form: ListForm, sequence: number): void {
    const known = this.#forms.get(form.path)
    if (known && known.sequence <= sequence) return
    this.#forms.set(form.path, { form, sequence })
    if (this.#forms.size <= MAX_FORMS) return
    let last: { path: string; sequence: number } | undefined
    for (const [path, { sequence: one }] of this.#forms)
      if (!last || one >= last.sequence) last = { path, sequence: one }
    if (last) this.#forms.delete(last.path)
  }
}
