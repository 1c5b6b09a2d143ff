import type { DropPlan } from '../../../content/digest/drop-plan.js'
import type { Document } from '../../page/document.js'
import type { ScrapedPage } from '../../page/scraped-page.js'
import type { LedgerRow, UrlCandidate } from '../../ledger/ledger.js'
import { PassingMap } from '../../../base/concurrency/passing-map.js'
import { yieldTurn } from '../../../base/concurrency/yield-turn.js'
import type { EndedRow } from '../attempt/attempt-row.js'
import type { PageLearner, StartedPage } from '../page-learner.js'

/** A page whose document waits for what other pages tell. */
interface DeferredPage {
  readonly row: LedgerRow
  readonly result: EndedRow
  readonly questions: readonly Question[]
  /** True once it waits no longer for learners that give no page up. */
  isFree: boolean
  readonly deferredAtMs: number
  readonly bytes: number
}

/** Facts of a page that other pages may complete. */
interface Question {
  readonly learner: PageLearner
  readonly asks: unknown
  /** The page, as the learner knows it. */
  readonly started: StartedPage
}

/** Parts of a job that its deferred pages need. */
interface DeferringJob {
  /** Aborted once pages are finished as they are. */
  readonly signal: AbortSignal
  /** Maximum size of the deferred pages, when that is less than the built-in one. Bytes. */
  readonly maxBytes: number
  readonly learners: readonly PageLearner[]
}

/** Maximum number and size of deferred pages. Beyond it they are finished with what is known so far. */
const MAX_PAGES = 200
const MAX_BYTES = 16 * 1024 * 1024
/** An active page is no longer waited for after this multiple of the time of the slowest page so far, within the two bounds below. */
const MAX_SLOWDOWN = 3
const MIN_WAIT_MS = 2000
const MAX_WAIT_MS = 10_000
/** Maximum time for which an ended page waits for what others tell, which may start much later. */
const MAX_ANSWER_WAIT_MS = 30_000
/** Documents completed at once. */
const MAX_REBUILDS = 4

/**
 * Defers documents until everything is known that learners complete them with. A deferred page has been reviewed, its links are
 * admitted, and its slot is free again.
 */
export class DeferredPages {
  readonly #learners: readonly PageLearner[]
  /** Pages that wait, by the keys of their rows. */
  readonly #deferred = new PassingMap<string, DeferredPage>()
  readonly #keys = new Set<string>()
  readonly #finish: (row: LedgerRow, result: EndedRow) => Promise<void>
  readonly #signal: AbortSignal
  readonly #maxBytes: number
  #bytes = 0
  #slowestMs = 0

  /** @param finish records the outcome of a row */
  constructor(
    finish: (row: LedgerRow, result: EndedRow) => Promise<void>,
    { signal, maxBytes, learners }: DeferringJob,
  ) {
    this.#finish = finish
    this.#signal = signal
    this.#maxBytes = Math.min(maxBytes, MAX_BYTES)
    this.#learners = learners
  }

  /** Keys of the rows whose pages are deferred. */
  get keys(): ReadonlySet<string> {
    return this.#keys
  }

  /** Begins, before the first page. @param seeds pages that the job starts with */
  async begin(seeds: readonly UrlCandidate[]): Promise<void> {
    for (const learner of this.#learners) await learner.begin?.(seeds)
  }

  /** Starts a row's page. Must be called in the order in which rows are started. */
  start(row: LedgerRow, nowMs: number): void {
    for (const learner of this.#learners) learner.start(row, nowMs)
  }

  /** Returns what is left out of a row's page by what is known so far; undefined for a page that stays whole. */
  dropFor({ key }: LedgerRow): DropPlan | undefined {
    for (const learner of this.#learners) {
      const drop = learner.drop?.(key)
      if (drop) return drop
    }
    return undefined
  }

  /** Records that a row is retried later, so that other pages no longer wait for it. */
  postpone({ key }: LedgerRow): void {
    for (const learner of this.#learners) learner.postpone(key)
  }

  /** Adds what a row has told that ended in an earlier process. */
  addTold({ key }: LedgerRow, told: ToldFacts = {}): void {
    for (const learner of this.#learners) {
      const { feature, formerName = feature } = learner
      learner.end(key, told[feature] ?? told[formerName])
    }
  }

  /**
   * Keeps the result of a row until `release` records it, if it may depend on other pages.
   *
   * @returns false if it depends on no other pages
   */
  defer(row: LedgerRow, result: EndedRow, nowMs: number): boolean {
    const reviewed = result.reviewed?.page
    const isTelling = isSample(result)
    const questions: Question[] = []
    let startedAtMs: number | undefined
    for (const learner of this.#learners) {
      const { tells, asks } = reviewed?.shared?.[learner.feature] ?? {}
      const started = learner.end(row.key, isTelling ? tells : undefined)
      startedAtMs ??= started?.startedAtMs
      const isAsking = asks !== undefined && (isTelling || learner.completesAll === true)
      if (started && isAsking) questions.push({ learner, asks, started })
    }
    this.#slowestMs = Math.max(this.#slowestMs, nowMs - (startedAtMs ?? nowMs))
    if (!reviewed || questions.length === 0) return false
    const bytes = reviewed.rawBytes + (result.ending.outcome === 'done' ? result.ending.bytes : 0)
    this.#deferred.set(row.key, { row, result, questions, isFree: false, deferredAtMs: nowMs, bytes })
    this.#keys.add(row.key)
    this.#bytes += bytes
    this.#limitSize()
    return true
  }

  /**
   * Decides about pages by what is known so far when they are too many: the oldest of those that can be freed come first, then those
   * that wait for the pages that were started first.
   */
  #limitSize(): void {
    if (this.#deferred.size <= MAX_PAGES && this.#bytes <= this.#maxBytes) return
    if (this.#freeOldest()) return
    for (const learner of this.#learners) while (learner.giveUp?.()) if (this.#freeOldest()) return
    for (const learner of this.#learners) if (learner.giveUp) learner.settle()
    this.#freeOldest()
  }

  /** Frees pages. @returns true if the pages that still wait are not too many */
  #freeOldest(): boolean {
    const waiting = this.#pages().filter((page) => !isDecided(page))
    let count = waiting.length
    let bytes = waiting.reduce((sum, page) => sum + page.bytes, 0)
    for (const page of waiting) {
      if (count <= MAX_PAGES && bytes <= this.#maxBytes) return true
      if (!isDecided({ ...page, isFree: true })) continue
      page.isFree = true
      count -= 1
      bytes -= page.bytes
    }
    return count <= MAX_PAGES && bytes <= this.#maxBytes
  }

  /** Stops waiting for pages that take much longer than others, and for what pages tell after half a minute. @returns true while there are pages to wait for */
  isAwaiting(nowMs: number): boolean {
    const maxWaitMs = Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, MAX_SLOWDOWN * this.#slowestMs))
    for (const page of this.#pages()) if (nowMs - page.deferredAtMs > MAX_ANSWER_WAIT_MS) page.isFree = true
    return this.#learners.filter((learner) => learner.isAwaiting(nowMs - maxWaitMs)).length > 0
  }

  /** Finishes the pages that are decided. */
  async release(): Promise<void> {
    const ready = this.#pages().filter((page) => isDecided(page))
    for (const page of ready) {
      this.#deferred.delete(page.row.key)
      this.#bytes -= page.bytes
    }
    const left = ready.values()
    const complete = async (): Promise<void> => {
      for (const page of left) await this.#complete(page)
    }
    await Promise.all(Array.from({ length: Math.min(MAX_REBUILDS, ready.length) }, complete))
  }

  /** Finishes all deferred pages with what is known so far. */
  async settle(): Promise<void> {
    for (const learner of this.#learners) learner.settle()
    await this.release()
  }

  #pages(): DeferredPage[] {
    return Array.from(this.#deferred, ([, page]) => page)
  }

  async #complete(page: DeferredPage): Promise<void> {
    try {
      await this.#finish(page.row, await this.#makeWhole(page))
    } finally {
      this.#keys.delete(page.row.key)
    }
  }

  async #makeWhole({ result, questions }: DeferredPage): Promise<EndedRow> {
    if (!result.reviewed) return result
    const { page, createEnding } = result.reviewed
    let document = (await this.#convertAgain(page, questions)) ?? page.document
    for (const { learner, started, asks } of questions)
      document = learner.complete?.(started, asks, document) ?? document
    return document === page.document ? result : { ...result, ending: createEnding(document) }
  }

  /** Makes the document of a page again if something else is left out now; undefined if it stays. */
  async #convertAgain(page: ScrapedPage, questions: readonly Question[]): Promise<Document | undefined> {
    if (this.#signal.aborted) return undefined
    for (const { learner, started, asks } of questions) {
      const drop = learner.dropAgain?.(started, asks)
      if (!drop) continue
      // Without worker threads documents are built on the main thread, which must run other work in between.
      await yieldTurn()
      // If the job ends meanwhile, or a worker thread fails, the first document is used.
      return await page.convertAgain(drop, this.#signal).catch(() => undefined)
    }
    return undefined
  }
}

/** True for a page that no longer waits for any learner. */
const isDecided = ({ questions, isFree }: DeferredPage): boolean =>
  questions.every(
    ({ learner, started, asks }) => learner.isDecided(started, asks) || (isFree && learner.giveUp === undefined),
  )

/** Facts that pages have for others, by feature. Plain data. */
type ToldFacts = Readonly<Record<string, unknown>>

/** Collects the facts that a page has for others; undefined for none, for an error page, and for the copy of another page. */
export function toldBy(attempt: EndedRow): ToldFacts | undefined {
  const shared = isSample(attempt) ? attempt.reviewed?.page.shared : undefined
  const told = Object.entries(shared ?? {}).flatMap(([feature, { tells }]) =>
    tells === undefined ? [] : [[feature, tells]],
  )
  return told.length === 0 ? undefined : (Object.fromEntries(told) as ToldFacts)
}

function isSample({ reviewed, duplicateOf }: EndedRow): boolean {
  const { statusCode = 0 } = reviewed?.page.document.metadata ?? {}
  return duplicateOf === undefined && statusCode >= 200 && statusCode < 300
}
