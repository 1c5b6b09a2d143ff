import { compact } from '../../../base/collections/compact.js'
import type { ListForm, FormColumn } from '../../../content/extract/list/few-entries.js'
import type { PageLearner, StartedPage } from '../../../kernel/job/page-learner.js'
import type { Document } from '../../../kernel/page/document.js'
import type { FewRows } from './share-entries.js'
import type { List } from '../row-list.js'

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

/** Minimum share of the entries' columns that the list has, and of the list's common columns that the entries have. */
const ALIKE_SHARE = 0.8
/** Minimum number of common columns that are evidence enough, also where the entries are a small part of the page. */
const MANY_COLUMNS = 3
/** Minimum share of the main content for entries with fewer columns. */
const MAIN_SHARE = 0.5

/** Finds the entries of a page that have the structure of a list, and gives their fields the names of the list. */
function matchList(few: readonly FewRows[], formOf: (path: string) => ListForm | undefined): FewRows | undefined {
  for (const rows of few) {
    for (const path of rows.paths) {
      const form = formOf(path)
      const names = form && alignNames(rows, form)
      if (names) return rows.isShaped ? rows : { ...rows, list: rename(rows.list, names) }
    }
  }
  return undefined
}

/** Returns the names of the list for the fields of entries; undefined if they are not like those of the list. */
function alignNames({ columns, share }: FewRows, form: ListForm): ReadonlyMap<string, string> | undefined {
  const byPlace = new Map(form.columns.flatMap((column) => column.places.map((place) => [place, column] as const)))
  const known = new Map<FormColumn, string>()
  for (const { name, places } of columns) {
    const column = places.map((place) => byPlace.get(place)).find((one) => one !== undefined)
    if (column && !known.has(column)) known.set(column, name)
  }
  const common = form.columns.filter(({ isCommon }) => isCommon)
  const shared = common.filter((column) => known.has(column))
  if (known.size < 2 || known.size < columns.length * ALIKE_SHARE) return undefined
  if (shared.length < common.length * ALIKE_SHARE) return undefined
  if (shared.length < MANY_COLUMNS && share < MAIN_SHARE) return undefined
  return new Map([...known].map(([{ name }, own]) => [own, name]))
}

const CURRENCY = /Currency$/u

/** Renames the fields of a list, each of which keeps its own name where another one has the new one. */
function rename(list: List, names: ReadonlyMap<string, string>): List {
  const taken = new Set<string>()
  const renamed = new Map<string, string>()
  for (const { name } of list.fields) {
    const amount = name.replace(CURRENCY, '')
    const wanted = names.get(name) ?? (names.has(amount) ? `${names.get(amount) ?? amount}Currency` : name)
    const free = taken.has(wanted) ? name : wanted
    taken.add(free)
    renamed.set(name, free)
  }
  const nameOf = (name: string): string => renamed.get(name) ?? name
  return {
    ...list,
    items: list.items.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [nameOf(name), value])),
    ),
    fields: list.fields.map((field) => ({ ...field, name: nameOf(field.name) })),
  }
}
