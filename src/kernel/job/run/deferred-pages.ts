import type { Document } from '../../page/document.js'
import type { ScrapedPage } from '../../page/scraped-page.js'
import { type LearntBlocks, mayDrop, type PageBlocks } from '../../../features/boilerplate/repeated-block.js'
import type { Ending, LedgerRow } from '../../ledger/ledger.js'
import { PassingMap } from '../../../base/concurrency/passing-map.js'
import { yieldTurn } from '../../../base/concurrency/yield-turn.js'
import { BoilerplateLearner, type SampledPage } from '../../../features/boilerplate/boilerplate-learner.js'
import type { RowAttempt } from '../attempt/attempt-row.js'
import type { PageLearner } from '../page-learner.js'

/** An attempt that ended its row. */
export type EndedAttempt = RowAttempt & { readonly ending: Ending<Document> }

/** A page whose document waits for the samples of other pages. */
interface DeferredPage {
  readonly row: LedgerRow
  readonly result: EndedAttempt
  readonly sample: SampledPage | undefined
  /** Boilerplate blocks that were dropped when its document was built. */
  readonly used: readonly LearntBlocks[]
  readonly questions: readonly Question[]
  /** True once it does not wait for what other pages tell any more. */
  isFree: boolean
  readonly deferredAtMs: number
  readonly bytes: number
}

/** Facts of a page that other pages may complete. */
interface Question {
  readonly learner: PageLearner
  readonly asks: unknown
  /** Number of the page. */
  readonly sequence: number
}

/** Parts of a job that its deferred pages need. */
interface DeferringJob {
  /** Aborted once pages are finished as they are. */
  readonly signal: AbortSignal
  /** Maximum size of the deferred pages, when that is less than the built-in one. Bytes. */
  readonly maxBytes: number
  readonly learners: readonly PageLearner[]
}

/** Maximum number and size of deferred pages. Beyond it they are finished with the samples so far. */
const MAX_PAGES = 200
const MAX_BYTES = 16 * 1024 * 1024
/** An active page is no longer waited for after this multiple of the time of the slowest page so far, within the two bounds below. */
const MAX_SLOWDOWN = 3
const MIN_WAIT_MS = 2000
const MAX_WAIT_MS = 10_000
/** Maximum time for which an ended page waits for what others tell, which may start much later. */
const MAX_ANSWER_WAIT_MS = 30_000
/** Documents rebuilt at once. */
const MAX_REBUILDS = 4

/**
 * Defers the first documents of each URL template until it is known which boilerplate blocks they drop, and rebuilds those that drop
 * any. A deferred page has been reviewed, its links are admitted, and its slot is free again.
 */
export class DeferredPages {
  readonly #learner = new BoilerplateLearner()
  readonly #learners: readonly PageLearner[]
  /** Pages that are being fetched or wait for a retry, by row key. */
  readonly #samples = new Map<string, SampledPage>()
  /** Pages that wait, by the keys of their rows. */
  readonly #deferred = new PassingMap<string, DeferredPage>()
  readonly #keys = new Set<string>()
  readonly #finish: (row: LedgerRow, result: EndedAttempt) => Promise<void>
  readonly #signal: AbortSignal
  readonly #maxBytes: number
  #bytes = 0
  #slowestMs = 0

  /** @param finish records the outcome of a row */
  constructor(
    finish: (row: LedgerRow, result: EndedAttempt) => Promise<void>,
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

  /** Starts a row's page. Must be called in the order in which rows are started. @param learnsBlocks true if its blocks are learnt */
  start({ key, url }: LedgerRow, nowMs: number, learnsBlocks: boolean): void {
    for (const learner of this.#learners) learner.start(key, nowMs)
    if (!learnsBlocks || this.#samples.has(key)) return
    this.#samples.set(key, this.#learner.addPage(new URL(url), nowMs))
  }

  /** Blocks that a row's page drops according to the samples so far; undefined for a page that is not deferred. */
  blocksFor({ key }: LedgerRow): readonly LearntBlocks[] | undefined {
    const sample = this.#samples.get(key)
    return sample && this.#learner.provisionalBlocksFor(sample)
  }

  /** Records that a row is retried later, so that other pages no longer wait for its sample. */
  postpone({ key }: LedgerRow): void {
    for (const learner of this.#learners) learner.postpone(key)
    const sample = this.#samples.get(key)
    if (sample !== undefined) this.#learner.endPage(sample)
  }

  /** Adds the sample of a row that ended in an earlier process. */
  addSample({ key }: LedgerRow, blocks?: PageBlocks, told?: ToldFacts): void {
    for (const learner of this.#learners) learner.end(key, told?.[learner.format])
    const sample = this.#samples.get(key)
    this.#samples.delete(key)
    if (sample !== undefined) this.#learner.endPage(sample, blocks)
  }

  /**
   * Keeps the result of a row until `release` records it, if it may depend on other pages.
   *
   * @param used boilerplate blocks that were dropped when its document was built; undefined if none are learnt
   * @returns false if it depends on no other pages
   */
  defer(row: LedgerRow, result: EndedAttempt, used: readonly LearntBlocks[] | undefined, nowMs: number): boolean {
    const shared = isSample(result) ? result.reviewed?.page.shared : undefined
    const questions: Question[] = []
    let { startedAtMs } = this.#samples.get(row.key) ?? {}
    for (const learner of this.#learners) {
      const { tells, asks } = shared?.[learner.format] ?? {}
      const started = learner.end(row.key, tells)
      startedAtMs ??= started?.startedAtMs
      if (started && asks !== undefined) questions.push({ learner, asks, sequence: started.sequence })
    }
    const sample = this.#samples.get(row.key)
    this.#slowestMs = Math.max(this.#slowestMs, nowMs - (startedAtMs ?? nowMs))
    if (!used && questions.length === 0) return false
    this.#samples.delete(row.key)
    const reviewed = result.reviewed?.page
    const bytes =
      reviewed === undefined ? 0 : reviewed.rawBytes + (result.ending.outcome === 'done' ? result.ending.bytes : 0)
    const page = { row, result, sample, used: used ?? [], questions, isFree: false, deferredAtMs: nowMs, bytes }
    this.#deferred.set(row.key, page)
    this.#keys.add(row.key)
    this.#bytes += bytes
    if (sample !== undefined) this.#learner.endPage(sample, sampleOf(result))
    this.#limitSize()
    return true
  }

  /**
   * Decides about pages by what is known so far when they are too many: the oldest that wait for what others tell only come first, then those
   * that wait for the pages that were started first.
   */
  #limitSize(): void {
    if (this.#deferred.size <= MAX_PAGES && this.#bytes <= this.#maxBytes) return
    if (this.#freeOldest()) return
    for (const slow of this.#learner.pending()) {
      this.#learner.endPage(slow)
      if (this.#freeOldest()) return
    }
    this.#learner.settle()
    this.#freeOldest()
  }

  /** Stops waiting for what other pages tell. @returns true if the pages that still wait are not too many */
  #freeOldest(): boolean {
    const waiting = this.#pages().filter((page) => !this.#isDecided(page))
    let count = waiting.length
    let bytes = waiting.reduce((sum, page) => sum + page.bytes, 0)
    for (const page of waiting) {
      if (count <= MAX_PAGES && bytes <= this.#maxBytes) return true
      if (this.#blocksOf(page) === undefined) continue
      page.isFree = true
      count -= 1
      bytes -= page.bytes
    }
    return count <= MAX_PAGES && bytes <= this.#maxBytes
  }

  /** Stops waiting for pages that take much longer than others, and for what pages tell after half a minute. @returns true while there are pages to wait for */
  isAwaiting(nowMs: number): boolean {
    const maxWaitMs = Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, MAX_SLOWDOWN * this.#slowestMs))
    for (const sample of this.#learner.pending())
      if (nowMs - sample.startedAtMs > maxWaitMs) this.#learner.endPage(sample)
    for (const page of this.#pages()) if (nowMs - page.deferredAtMs > MAX_ANSWER_WAIT_MS) page.isFree = true
    const awaiting = this.#learners.filter((learner) => learner.isAwaiting(nowMs - maxWaitMs))
    return awaiting.length > 0 || this.#learner.pending().length > 0
  }

  /** Finishes the pages whose samples are complete. */
  async release(): Promise<void> {
    const ready = this.#pages().filter((page) => this.#isDecided(page))
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

  /** Finishes all deferred pages with the samples so far. */
  async settle(): Promise<void> {
    this.#learner.settle()
    for (const learner of this.#learners) learner.settle()
    await this.release()
  }

  #pages(): DeferredPage[] {
    return Array.from(this.#deferred, ([, page]) => page)
  }

  #isDecided(page: DeferredPage): boolean {
    if (this.#blocksOf(page) === undefined) return false
    return page.isFree || page.questions.every(({ learner, sequence }) => learner.isDecided(sequence))
  }

  /** Blocks that a deferred page drops; undefined while it waits. A page without blocks does not wait. */
  #blocksOf({ result, sample }: DeferredPage): readonly LearntBlocks[] | undefined {
    const isWhole = (result.reviewed?.page.blocks?.hashes.length ?? 0) === 0
    return sample === undefined || isWhole ? [] : this.#learner.blocksFor(sample)
  }

  async #complete(page: DeferredPage): Promise<void> {
    try {
      await this.#finish(page.row, await this.#rebuild(page))
    } finally {
      this.#keys.delete(page.row.key)
    }
  }

  async #rebuild(deferred: DeferredPage): Promise<EndedAttempt> {
    const { result, questions } = deferred
    if (!result.reviewed) return result
    const { page, createEnding } = result.reviewed
    let document = (await this.#convert(deferred, page)) ?? page.document
    for (const { learner, sequence, asks } of questions)
      document = learner.complete(sequence, asks, document) ?? document
    return document === page.document ? result : { ...result, ending: createEnding(document) }
  }

  /** Makes the document of a page again if it drops other blocks now; undefined if it does not. */
  async #convert(deferred: DeferredPage, page: ScrapedPage): Promise<Document | undefined> {
    const learnt = this.#blocksOf(deferred) ?? []
    if (!page.blocks || this.#signal.aborted || !differ(page.blocks, deferred.used, learnt)) return undefined
    // Without worker threads documents are built on the main thread, which must run other work in between.
    await yieldTurn()
    // If the job ends meanwhile, or a worker thread fails, the first document is used.
    return await page.convertAgain(learnt, this.#signal).catch(() => undefined)
  }
}

/** Facts that pages have for others, by the types of their formats. Plain data. */
export type ToldFacts = Readonly<Record<string, unknown>>

/** Collects the facts that a page has for others; undefined for none, for an error page, and for the copy of another page. */
export function toldBy(attempt: RowAttempt): ToldFacts | undefined {
  const shared = isSample(attempt) ? attempt.reviewed?.page.shared : undefined
  const told = Object.entries(shared ?? {}).flatMap(([format, { tells }]) =>
    tells === undefined ? [] : [[format, tells]],
  )
  return told.length === 0 ? undefined : (Object.fromEntries(told) as ToldFacts)
}

/** The sample of a page; undefined for an error page and for the copy of another page. */
export function sampleOf(attempt: RowAttempt): PageBlocks | undefined {
  return isSample(attempt) ? attempt.reviewed?.page.blocks : undefined
}

function isSample({ reviewed, duplicateOf }: RowAttempt): boolean {
  const { statusCode = 0 } = reviewed?.page.document.metadata ?? {}
  return duplicateOf === undefined && statusCode >= 200 && statusCode < 300
}

/** Returns true if a page with these blocks differs depending on which of the two lists is dropped. */
function differ(blocks: PageBlocks, used: readonly LearntBlocks[], learnt: readonly LearntBlocks[]): boolean {
  // Most pages: a group keeps its objects while it learns nothing new.
  if (used.length === learnt.length && used.every((part, index) => part === learnt[index])) return false
  if (!mayDrop(blocks, used) && !mayDrop(blocks, learnt)) return false
  const [before, after] = [used, learnt].map((plan) => new Set(plan.flatMap((part) => [...part.hashes])))
  const own = new Set(Array.from(blocks.hashes, Math.abs))
  const isOwn = (hash: number): boolean => own.has(Math.abs(hash))
  return (
    [...(before ?? [])].some((hash) => isOwn(hash) && !after?.has(hash)) ||
    [...(after ?? [])].some((hash) => isOwn(hash) && !before?.has(hash))
  )
}
