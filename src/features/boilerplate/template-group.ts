import { PassingMap } from '../../base/concurrency/passing-map.js'
import type { LearntBlocks, PageBlocks } from './repeated-block.js'
import { inferRepeatedBlocks, type LearntBlock, groupByReason } from './infer-repeated-blocks.js'

/** Membership of a page in a group. */
export interface GroupMember {
  /** Number of pages that the job had started before it. */
  readonly sequence: number
  /** Number of pages of the group that the job had started before it. */
  readonly index: number
  /** Blocks that the page drops; undefined while a sample window that counts for it is open. */
  blocks: readonly LearntBlocks[] | undefined
}

/** Pages in the first sample window. */
const FIRST_WINDOW_PAGES = 5
/** Pages in the largest sample window. */
const MAX_WINDOW_PAGES = 20
/** Minimum number of different pages that blocks are inferred from. */
export const MIN_PAGES = 4

/**
 * Pages of one URL template, and the blocks that repeat on them.
 *
 * Sample windows follow the order in which pages were started: the first five pages, the next five, then ten, then twenty at a time.
 * Pages of the first window drop the blocks inferred from that window; pages of later windows drop those inferred from earlier ones.
 * The order in which pages end therefore makes no difference.
 */
export class TemplateGroup {
  readonly #name: string
  #members = 0
  /** The open window: members from `#from` to below `#to`. */
  #from = 0
  #to = FIRST_WINDOW_PAGES
  /** True until blocks were inferred from a window. */
  #isUnsampled = true
  /** Members of the open window and of later ones whose pages have not ended. */
  readonly #awaited = new Set<number>()
  /** Samples of the open window and later ones, and of earlier windows that had too few. */
  readonly #samples = new PassingMap<number, PageBlocks>()
  #learnt: ReadonlyMap<number, LearntBlock> = new Map()
  #blocks: readonly LearntBlocks[] = []
  #waiting: GroupMember[] = []

  /** @param name of the template in messages: `/docs/*` */
  constructor(name: string) {
    this.#name = name
  }

  /** Blocks that are dropped now. */
  get blocks(): readonly LearntBlocks[] {
    return this.#blocks
  }

  /** Sequence number of the page that has waited longest for the first window. */
  get waitingSince(): number | undefined {
    return this.#isUnsampled ? this.#waiting[0]?.sequence : undefined
  }

  /** Adds a page. */
  addPage(sequence: number): GroupMember {
    const member: GroupMember = { sequence, index: this.#members, blocks: undefined }
    this.#members += 1
    this.#awaited.add(member.index)
    this.#waiting.push(member)
    this.#assignBlocks()
    return member
  }

  /**
   * Adds the blocks of a page that has ended.
   * @param blocks absent for a page that is no sample, such as an error page or a duplicate
   */
  addSample({ index: member }: GroupMember, blocks: PageBlocks | undefined): void {
    if (!this.#awaited.delete(member)) return
    if (blocks !== undefined) this.#samples.set(member, blocks)
    while (this.#members >= this.#to && this.#hasSamples(this.#to)) this.#closeWindow(this.#to)
  }

  /** Closes the first window with the pages that were started before this sequence number. */
  settle(sequence: number): void {
    if (!this.#isUnsampled) return
    const late = this.#waiting.find((member) => member.sequence >= sequence)
    const to = late?.index ?? this.#members
    if (to > this.#from) this.#closeWindow(to)
  }

  #hasSamples(to: number): boolean {
    for (const member of this.#awaited) if (member < to) return false
    return true
  }

  #closeWindow(to: number): void {
    const complete = [...this.#samples].filter(([member]) => member < to)
    // Pages with the same content count as one sample.
    const pages = new Map(
      complete.toSorted(([a], [b]) => b - a).map(([member, blocks]) => [blocks.whole, { member, blocks }]),
    )
    for (const [member] of complete) this.#samples.delete(member)
    if (pages.size >= MIN_PAGES)
      this.#infer([...pages.values()].toSorted((a, b) => a.member - b.member).map(({ blocks }) => blocks))
    else if (this.#isUnsampled) for (const { member, blocks } of pages.values()) this.#samples.set(member, blocks)
    this.#from = to
    this.#to = to + Math.min(Math.max(to, FIRST_WINDOW_PAGES), MAX_WINDOW_PAGES)
    this.#assignBlocks()
  }

  #infer(pages: readonly PageBlocks[]): void {
    this.#isUnsampled = false
    const learnt = inferRepeatedBlocks(pages, this.#learnt, this.#name)
    // The same array while nothing changes, so that no document is rebuilt without need.
    if (learnt === this.#learnt) return
    this.#learnt = learnt
    this.#blocks = groupByReason(learnt)
  }

  /** Assigns the blocks to members that waited for the closed window. */
  #assignBlocks(): void {
    const ready = this.#isUnsampled ? this.#from : this.#to
    for (const member of this.#waiting) if (member.index < ready) member.blocks = this.#blocks
    this.#waiting = this.#waiting.filter(({ blocks: plan }) => plan === undefined)
  }
}
