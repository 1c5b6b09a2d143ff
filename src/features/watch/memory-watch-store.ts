import type { WatchRecord } from './watch-store.js'
import { randomUUID } from 'node:crypto'
import { MAX_REPORT_WAIT_MS } from '../../kernel/ledger/outbox.js'
import {
  MAX_READ_CHARS,
  type StoredResult,
  type StoredWatch,
  type WatchCommit,
  type WatchedUrl,
  type WatchedPage,
  type WatchKey,
  type WatchReport,
  type WatchStore,
} from './watch-store.js'

/** A watch with its history. */
interface KeptWatch {
  stored: WatchRecord
  isHeld: boolean
  readonly pages: Map<string, WatchedPage>
  results: (StoredResult & { readonly isSame: boolean })[]
  last: number
  lost: number
  reports: WatchReport[]
  nextReport: number
}

const toWatch = ({ stored, isHeld, last, lost }: KeptWatch): StoredWatch => ({ ...stored, isHeld, last, lost })

/** Deletes results until as many are left: those that tell of no change first, then the oldest. */
function prune(watch: KeptWatch, keep: number): void {
  const { results } = watch
  const byWorth = results.toSorted((a, b) => Number(b.isSame) - Number(a.isSame) || a.sequence - b.sequence)
  const deleted = new Set(byWorth.slice(0, Math.max(0, results.length - keep)))
  watch.lost = [...deleted].reduce(
    (lost, { sequence, isSame }) => (isSame ? lost : Math.max(lost, sequence)),
    watch.lost,
  )
  watch.results = results.filter((result) => !deleted.has(result))
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
      lost: 0,
      reports: [],
      nextReport: 1,
    })
  }

  async read(name: string): Promise<StoredWatch | undefined> {
    const known = this.#watches.get(name)
    return known && toWatch(known)
  }

  async list(): Promise<readonly StoredWatch[]> {
    return [...this.#watches.values()].map(toWatch).toSorted((a, b) => (a.name < b.name ? -1 : 1))
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
    { state, page, forget = [], result, isSame = false, report, keepResults }: WatchCommit,
  ): Promise<number | undefined> {
    const known = this.#find(watch)
    if (!known) return undefined
    if (state !== undefined) known.stored = { ...known.stored, state }
    if (page) known.pages.set(page.url, page)
    for (const url of forget) known.pages.delete(url)
    if (result !== undefined) known.results.push({ sequence: ++known.last, result, isSame })
    if (report) known.reports.push({ number: known.nextReport++, attempts: 0, ...report })
    if (keepResults !== undefined) prune(known, keepResults)
    return known.last
  }

  async page(name: string, url: string): Promise<WatchedPage | undefined> {
    return this.#watches.get(name)?.pages.get(url)
  }

  async pages(name: string): Promise<readonly WatchedUrl[]> {
    return [...(this.#watches.get(name)?.pages.values() ?? [])]
  }

  async results(name: string, after: number, limit: number): Promise<readonly StoredResult[]> {
    const results = this.#watches.get(name)?.results ?? []
    let room = MAX_READ_CHARS
    return results
      .filter(({ sequence }) => sequence > after)
      .slice(0, limit)
      .filter(({ result }, index) => (room -= result.length) >= 0 || index === 0)
  }

  async lastSequence(name: string): Promise<number> {
    return this.#watches.get(name)?.last ?? 0
  }

  async dueReports(name: string, nowMs: number, limit: number): Promise<readonly WatchReport[]> {
    const isDue = ({ dueAtMs }: WatchReport): boolean => dueAtMs <= nowMs || dueAtMs > nowMs + MAX_REPORT_WAIT_MS
    return (this.#watches.get(name)?.reports ?? []).filter(isDue).slice(0, limit)
  }

  async failedReports(name: string): Promise<number> {
    return (this.#watches.get(name)?.reports ?? []).filter(({ attempts }) => attempts > 0).length
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
