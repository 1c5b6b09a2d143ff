import type { Document } from '../../page/document.js'
import type { LearntBlocks, PageBlocks } from '../../extract/repeats/repeated-block.js'
import type { Ending, LedgerRow } from '../../ledger/ledger.js'
import { yieldTurn } from '../../concurrency/yield-turn.js'
import { BoilerplateLearner, type SampledPage } from './boilerplate-learner.js'
import type { RowAttempt } from '../attempt/attempt-row.js'

/** A turn that came to an end. */
export type EndedTurn = RowAttempt & { readonly ending: Ending<Document> }

/** A page whose document waits for what other pages teach. */
interface HeldPage {
  readonly row: LedgerRow
  readonly turn: EndedTurn
  readonly pupil: SampledPage | undefined
  /** What its document was made without. */
  readonly used: readonly LearntBlocks[]
  readonly bytes: number
}

/** Pages held at once, and what they take up. Beyond that they are finished with what is known. */
const MAX_PAGES = 200
const MAX_BYTES = 16 * 1024 * 1024
/** Others no longer wait for a page that takes so many times as long as the slowest that has come in, within bounds. */
const SLOWER = 3
const SLOW_MS = 2000
const MAX_SLOW_MS = 10_000
/** Pages made again at once. */
const AT_ONCE = 4

/**
 * Holds the first documents of each template back until it is known what they drop, and makes them again where that is
 * something. A held page has been reviewed, its links are admitted, and its place in the engine is free again.
 */
export class DeferredPages {
  readonly #learner = new BoilerplateLearner()
  /** Of the rows that are being fetched, or wait to be tried again. */
  readonly #pupils = new Map<string, SampledPage>()
  readonly #held = new Set<HeldPage>()
  readonly #keys = new Set<string>()
  readonly #finish: (row: LedgerRow, turn: EndedTurn) => Promise<void>
  readonly #signal: AbortSignal
  readonly #maxBytes: number
  #bytes = 0
  #slowestMs = 0

  /**
   * @param finish gives a row its outcome
   * @param signal when it is aborted, pages are finished as they are
   * @param maxBytes pages are not held beyond this
   */
  constructor(finish: (row: LedgerRow, turn: EndedTurn) => Promise<void>, signal: AbortSignal, maxBytes: number) {
    this.#finish = finish
    this.#signal = signal
    this.#maxBytes = Math.min(maxBytes, MAX_BYTES)
  }

  /** The keys of the rows whose pages are held. */
  get keys(): ReadonlySet<string> {
    return this.#keys
  }

  /** A row's turn begins; to be called in the order in which rows are taken up. */
  begin({ key, url }: LedgerRow, nowMs: number): void {
    if (this.#pupils.has(key)) return
    this.#pupils.set(key, this.#learner.begin(new URL(url), nowMs))
  }

  /** What a row's page drops as far as is known; undefined for one that takes no part. */
  learntFor({ key }: LedgerRow): readonly LearntBlocks[] | undefined {
    const pupil = this.#pupils.get(key)
    return pupil && this.#learner.guessFor(pupil)
  }

  /** A row is to be tried again: nobody waits for what it teaches. */
  postpone({ key }: LedgerRow): void {
    const pupil = this.#pupils.get(key)
    if (pupil !== undefined) this.#learner.end(pupil)
  }

  /** A row has ended in an earlier process. @param blocks what its page taught */
  teach({ key }: LedgerRow, blocks?: PageBlocks): void {
    const pupil = this.#pupils.get(key)
    this.#pupils.delete(key)
    if (pupil !== undefined) this.#learner.end(pupil, blocks)
  }

  /**
   * Takes a turn that has ended, with or without a page; `release` finishes it.
   *
   * @param used what its document was made without
   */
  hold(row: LedgerRow, turn: EndedTurn, used: readonly LearntBlocks[], nowMs: number): void {
    const pupil = this.#pupils.get(row.key)
    this.#pupils.delete(row.key)
    this.#slowestMs = Math.max(this.#slowestMs, nowMs - (pupil?.begunAtMs ?? nowMs))
    const { page } = turn.kept ?? {}
    const bytes = page === undefined ? 0 : page.rawBytes + (turn.ending.outcome === 'done' ? turn.ending.bytes : 0)
    this.#held.add({ row, turn, pupil, used, bytes })
    this.#keys.add(row.key)
    this.#bytes += bytes
    if (pupil !== undefined) this.#learner.end(pupil, sampleOf(turn))
    if (this.#held.size > MAX_PAGES || this.#bytes > this.#maxBytes) this.#learner.settle()
  }

  /** Stops waiting for pages that take much longer than others; gives back whether there are pages to wait for. */
  isAwaiting(nowMs: number): boolean {
    const patienceMs = Math.min(MAX_SLOW_MS, Math.max(SLOW_MS, SLOWER * this.#slowestMs))
    for (const pupil of this.#learner.pending()) if (nowMs - pupil.begunAtMs > patienceMs) this.#learner.end(pupil)
    return this.#learner.pending().length > 0
  }

  /** Finishes the pages that need not wait any longer. */
  async release(): Promise<void> {
    const ready = [...this.#held].filter((page) => this.#planOf(page) !== undefined)
    for (const page of ready) {
      this.#held.delete(page)
      this.#bytes -= page.bytes
    }
    const left = ready.values()
    const complete = async (): Promise<void> => {
      for (const page of left) await this.#complete(page)
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, ready.length) }, complete))
  }

  /** Finishes all pages: no more are to come for now. */
  async settle(): Promise<void> {
    this.#learner.settle()
    await this.release()
  }

  /** A page of which nothing could be dropped waits for nothing. */
  #planOf({ turn, pupil }: HeldPage): readonly LearntBlocks[] | undefined {
    const isWhole = (turn.kept?.page.blocks?.hashes.length ?? 0) === 0
    return pupil === undefined || isWhole ? [] : this.#learner.planOf(pupil)
  }

  async #complete(held: HeldPage): Promise<void> {
    try {
      await this.#finish(held.row, await this.#makeAgain(held))
    } finally {
      this.#keys.delete(held.row.key)
    }
  }

  async #makeAgain(held: HeldPage): Promise<EndedTurn> {
    const { turn, used } = held
    const learnt = this.#planOf(held) ?? []
    const blocks = turn.kept?.page.blocks
    if (!turn.kept || !blocks || this.#signal.aborted || !differ(blocks, used, learnt)) return turn
    const { page, endWith } = turn.kept
    // Without threads each is made on the host's own, which gets its turn in between.
    await yieldTurn()
    // Stopped in between, or too much for a thread: what there is, is a whole document.
    const document = await page.again(learnt, this.#signal).catch(() => page.document)
    return { ...turn, ending: endWith(document) }
  }
}

/** What a page says about others of its template. An error page says nothing, and neither does the copy of another. */
export function sampleOf({ kept, duplicateOf }: RowAttempt): PageBlocks | undefined {
  const { statusCode = 0 } = kept?.page.document.metadata ?? {}
  return duplicateOf === undefined && statusCode >= 200 && statusCode < 300 ? kept?.page.blocks : undefined
}

/** Whether it makes a difference to a page with these blocks which of both is dropped. */
function differ({ hashes }: PageBlocks, used: readonly LearntBlocks[], learnt: readonly LearntBlocks[]): boolean {
  const [before, after] = [used, learnt].map((plan) => new Set(plan.flatMap((part) => [...part.hashes])))
  const own = new Set(Array.from(hashes, Math.abs))
  const isOwn = (hash: number): boolean => own.has(Math.abs(hash))
  return (
    [...(before ?? [])].some((hash) => isOwn(hash) && !after?.has(hash)) ||
    [...(after ?? [])].some((hash) => isOwn(hash) && !before?.has(hash))
  )
}
