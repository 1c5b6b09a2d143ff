import { yieldIfHeld } from '../../base/concurrency/yield-turn.js'
import type { DropPlan } from '../../content/digest/drop-plan.js'
import type { JobView } from '../../kernel/job/job-hooks.js'
import type { PageLearner, StartedPage, StartingRow } from '../../kernel/job/page-learner.js'
import type { UrlCandidate } from '../../kernel/ledger/ledger.js'
import { BoilerplateLearner, type SampledPage } from './boilerplate-learner.js'
import { type LearntBlocks, mayDrop, type PackedBlocks, type PageBlocks, unpackBlocks } from './repeated-block.js'
import { MIN_PAGES } from './template-group.js'

/** URLs processed between two looks at the clock. */
const SLICE_SIZE = 64

/** A page whose blocks are compared. */
interface ComparedPage extends StartedPage {
  readonly sample: SampledPage
  /** Blocks that were dropped when its document was made. */
  used: readonly LearntBlocks[]
}

/**
 * Learns which blocks repeat on the pages of a job. The first pages of each URL template wait until it is known which blocks they
 * drop, and are converted again if they drop any.
 */
export class BlockLearner implements PageLearner<ComparedPage, PackedBlocks, PackedBlocks> {
  readonly feature = 'boilerplate'
  readonly formerName = 'blocks'
  readonly completesAll = true
  readonly #job: JobView
  readonly #learner = new BoilerplateLearner()
  /** Pages that are being fetched or wait for a retry, by the keys of their rows. */
  readonly #pages = new Map<string, ComparedPage>()
  /** Number of pages of each host, in a batch. */
  readonly #counts = new Map<string, number>()

  constructor(job: JobView) {
    this.#job = job
  }

  async begin(seeds: readonly UrlCandidate[]): Promise<void> {
    if (this.#job.kind === 'crawl') return
    for (const [index, { url }] of seeds.entries()) {
      if (index % SLICE_SIZE === SLICE_SIZE - 1) await yieldIfHeld()
      const { host } = new URL(url)
      this.#counts.set(host, (this.#counts.get(host) ?? 0) + 1)
    }
  }

  start({ key, url }: StartingRow, nowMs: number): void {
    if (this.#pages.has(key) || !this.#learnsFrom(new URL(url))) return
    this.#pages.set(key, { startedAtMs: nowMs, sample: this.#learner.addPage(new URL(url), nowMs), used: [] })
  }

  /** A crawl may find enough pages; of a batch they are known. */
  #learnsFrom({ host }: URL): boolean {
    if (this.#job.slice === undefined) return false
    return this.#job.kind === 'crawl' || (this.#counts.get(host) ?? 0) >= MIN_PAGES
  }

  drop(key: string): DropPlan | undefined {
    const page = this.#pages.get(key)
    if (!page) return undefined
    page.used = this.#learner.provisionalBlocksFor(page.sample)
    return this.#planOf(page.used)
  }

  end(key: string, tells?: PackedBlocks): ComparedPage | undefined {
    const page = this.#pages.get(key)
    this.#pages.delete(key)
    if (page) this.#learner.endPage(page.sample, tells && unpackBlocks(tells))
    return page
  }

  postpone(key: string): void {
    const page = this.#pages.get(key)
    if (page) this.#learner.endPage(page.sample)
  }

  isAwaiting(timeMs: number): boolean {
    for (const sample of this.#learner.pending()) if (sample.startedAtMs < timeMs) this.#learner.endPage(sample)
    return this.#learner.pending().length > 0
  }

  giveUp(): boolean {
    const [first] = this.#learner.pending()
    if (first) this.#learner.endPage(first)
    return first !== undefined
  }

  settle(): void {
    this.#learner.settle()
  }

  isDecided({ sample }: ComparedPage, { hashes }: PackedBlocks): boolean {
    return hashes === '' || this.#learner.blocksFor(sample) !== undefined
  }

  dropAgain({ sample, used }: ComparedPage, asks: PackedBlocks): DropPlan | undefined {
    const learnt = this.#learner.blocksFor(sample) ?? []
    return differ(unpackBlocks(asks), used, learnt) ? this.#planOf(learnt) : undefined
  }

  #planOf(learnt: readonly LearntBlocks[]): DropPlan {
    return { feature: this.feature, learnt }
  }
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
