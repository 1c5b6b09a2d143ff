import { randomUUID } from 'node:crypto'
import type {
  StoredResult,
  StoredWatch,
  WatchCommit,
  WatchedPage,
  WatchKey,
  WatchReport,
  WatchStore,
} from '../watch-store.js'

/** A watch with its history. */
interface KeptWatch {
  stored: Omit<StoredWatch, 'isHeld'>
  isHeld: boolean
  readonly pages: Map<string, WatchedPage>
  results: StoredResult[]
  last: number
  reports: WatchReport[]
  nextReport: number
}

/** Keeps watches in memory, for one engine. They end with it. */
export class MemoryWatchStore implements WatchStore {
  readonly #watches = new Map<string, KeptWatch>()

  async define(name: string, request: string, nowMs: number): Promise<void> {
    const known = this.#watches.get(name)
    if (known) {
      if (known.stored.request !== request)
        known.stored = { ...known.stored, request, version: known.stored.version + 1 }
      return
    }
    const stored = { name, identity: randomUUID(), request, version: 1, isPaused: false, asked: 0, createdAtMs: nowMs }
    this.#watches.set(name, {
      stored,
      isHeld: false,
      pages: new Map(),
      results: [],
      last: 0,
      reports: [],
      nextReport: 1,
    })
  }

  async read(name: string): Promise<StoredWatch | undefined> {
    const known = this.#watches.get(name)
    return known && { ...known.stored, isHeld: known.isHeld }
  }

  async list(): Promise<readonly StoredWatch[]> {
    return [...this.#watches.values()]
      .map(({ stored, isHeld }) => ({ ...stored, isHeld }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  async control(name: string, { isPaused, asks }: { isPaused?: boolean; asks?: true }): Promise<boolean> {
    const known = this.#watches.get(name)
    if (!known) return false
    const { stored } = known
    known.stored = {
      ...stored,
      isPaused: isPaused ?? stored.isPaused,
      asked: stored.asked + (asks ? 1 : 0),
      version: stored.version + 1,
    }
    return true
  }

  async acquire(watch: WatchKey): Promise<boolean> {
    const known = this.#find(watch)
    if (known) known.isHeld = true
    return known !== undefined
  }

  async release(watch: WatchKey): Promise<void> {
    const known = this.#find(watch)
    if (known) known.isHeld = false
  }

  async commit(
    watch: WatchKey,
    { state, page, forget = [], result, report, keepResults }: WatchCommit,
  ): Promise<number | undefined> {
    const known = this.#find(watch)
    if (!known) return undefined
    if (state !== undefined) known.stored = { ...known.stored, state }
    if (page) known.pages.set(page.url, page)
    for (const url of forget) known.pages.delete(url)
    if (result !== undefined) known.results.push({ sequence: ++known.last, result })
    if (report) known.reports.push({ number: known.nextReport++, attempts: 0, ...report })
    if (keepResults !== undefined) known.results = known.results.slice(-keepResults)
    return known.last
  }

  async page(name: string, url: string): Promise<WatchedPage | undefined> {
    return this.#watches.get(name)?.pages.get(url)
  }

  async pages(name: string): Promise<readonly Omit<WatchedPage, 'markdown'>[]> {
    return [...(this.#watches.get(name)?.pages.values() ?? [])]
  }

  async results(name: string, after: number, limit: number): Promise<readonly StoredResult[]> {
    const results = this.#watches.get(name)?.results ?? []
    return results.filter(({ sequence }) => sequence > after).slice(0, limit)
  }

  async lastSequence(name: string): Promise<number> {
    return this.#watches.get(name)?.last ?? 0
  }

  async dueReports(name: string, nowMs: number, limit: number): Promise<readonly WatchReport[]> {
    return (this.#watches.get(name)?.reports ?? []).filter(({ dueAtMs }) => dueAtMs <= nowMs).slice(0, limit)
  }

  async dropReports(watch: WatchKey): Promise<void> {
    const known = this.#find(watch)
    if (known) known.reports = []
  }

  async settleReport(name: string, number: number, retryAtMs?: number): Promise<void> {
    const known = this.#watches.get(name)
    if (!known) return
    known.reports = known.reports.flatMap((report) => {
      if (report.number !== number) return [report]
      return retryAtMs === undefined ? [] : [{ ...report, attempts: report.attempts + 1, dueAtMs: retryAtMs }]
    })
  }

  async remove(name: string): Promise<boolean> {
    return this.#watches.delete(name)
  }

  #find({ name, identity }: WatchKey): KeptWatch | undefined {
    const known = this.#watches.get(name)
    return known?.stored.identity === identity ? known : undefined
  }
}
