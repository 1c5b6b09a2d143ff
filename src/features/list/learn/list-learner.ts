import { compact } from '../../../base/collections/compact.js'
import type { ListForm } from '../../../content/extract/list/few-entries.js'
import type { PageLearner, StartedPage } from '../../../kernel/job/page-learner.js'
import type { Document } from '../../../kernel/page/document.js'
import type { FewRows } from './share-entries.js'
import { matchList } from './match-list.js'

/** Number of pages started after a page whose lists count for it. */
const LATER_PAGES = 16
/** Structures of lists that are remembered: those of the pages that were started first. */
const MAX_FORMS = 1000

/** A page whose lists are compared. */
interface ListedPage extends StartedPage {
  /** Number of the page in the order of the starts, from 0. */
  readonly sequence: number
}

/**
 * Learns the structures of the lists of a job, by which a page with one or two entries is known to have a list.
 *
 * The lists of all pages count that were started before the page, and of the 16 after it. The page waits until they have ended,
 * so that the result depends on the order in which pages were started, and not on that in which they ended.
 */
export class ListLearner implements PageLearner<ListedPage, ListForm, readonly FewRows[]> {
  readonly feature = 'list'
  readonly #forms = new Map<string, { readonly form: ListForm; readonly sequence: number }>()
  /** Pages that have not ended. */
  readonly #running = new Map<string, ListedPage>()
  /** Those of them that others wait for, in the order of their starts. */
  readonly #awaited = new Map<string, ListedPage>()
  #started = 0
  /** Number of pages that no others are waited for any more. */
  #settled = 0

  start({ key }: { readonly key: string }, nowMs: number): void {
    if (this.#running.has(key)) return
    const page = { sequence: this.#started, startedAtMs: nowMs }
    this.#running.set(key, page)
    this.#awaited.set(key, page)
    this.#started += 1
  }

  end(key: string, form?: ListForm): ListedPage | undefined {
    const page = this.#running.get(key)
    if (!page) return undefined
    this.#running.delete(key)
    this.#awaited.delete(key)
    if (form) this.#add(form, page.sequence)
    return page
  }

  postpone(key: string): void {
    this.#awaited.delete(key)
  }

  isAwaiting(timeMs: number): boolean {
    for (const [key, { startedAtMs }] of this.#awaited) if (startedAtMs < timeMs) this.#awaited.delete(key)
    return this.#awaited.size > 0
  }

  settle(): void {
    this.#settled = this.#started
  }

  isDecided({ sequence }: ListedPage): boolean {
    if (sequence < this.#settled) return true
    const [oldest] = this.#awaited.values()
    const last = sequence + LATER_PAGES
    return this.#started > last && (oldest === undefined || oldest.sequence > last)
  }

  complete({ sequence }: ListedPage, few: readonly FewRows[], document: Document): Document | undefined {
    // With `all`, the list may have been found in a browser.
    const found = document.list?.items.length === 0 ? this.findList(sequence, few) : undefined
    return found && withList(document, found)
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

const withList = (document: Document, { list, warnings }: FewRows): Document => {
  const warning = [document.warning ?? '', ...warnings].filter((text) => text !== '').join(' ')
  return compact({ ...document, list, lists: document.lists && [list], warning: warning === '' ? undefined : warning })
}
