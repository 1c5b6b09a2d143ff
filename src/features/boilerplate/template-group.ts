import { PassingMap } from '../../base/concurrency/passing-map.js'
import type { LearntBlocks, PageBlocks } from './repeated-block.js'

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

/** A repeated block. */
interface LearntBlock {
  readonly reason: string
  /** True when the block is dropped only at the borders of the content, because it shares its position in the page with others. */
  readonly atBorder: boolean
}

/** Minimum share of the pages of a window that must have a block for it to be learnt. */
const MIN_LEARNT_SHARE = 0.8
/** Minimum share of later pages that must have a learnt block for it to stay learnt. */
const MIN_KEPT_SHARE = 0.5
/** Blocks learnt at once: all of them are sent to a worker thread with every page. */
const MAX_LEARNT = 256

/**
 * Infers the blocks that repeat on pages of one template.
 *
 * @param known blocks learnt from earlier pages
 * @param name of the template in messages
 * @returns `known` itself when nothing has changed
 */
function inferRepeatedBlocks(
  pages: readonly PageBlocks[],
  known: ReadonlyMap<number, LearntBlock>,
  name: string,
): ReadonlyMap<number, LearntBlock> {
  const learnt = new Map<number, LearntBlock>()
  for (const [hash, { seen, alone }] of countBlocks(pages)) {
    const before = known.get(hash)
    const least = (before ? MIN_KEPT_SHARE : MIN_LEARNT_SHARE) * pages.length
    if (seen < least || learnt.size === MAX_LEARNT) continue
    const reason = before?.reason ?? `repeats on ${seen} of ${pages.length} pages of ${name}`
    learnt.set(hash, { reason, atBorder: alone < least })
  }
  return isSame(learnt, known) ? known : learnt
}

/** Groups blocks by reason, in the form that worker threads take. A negative hash means `atBorder`. */
function groupByReason(learnt: ReadonlyMap<number, LearntBlock>): readonly LearntBlocks[] {
  const byReason = new Map<string, number[]>()
  for (const [hash, { reason, atBorder }] of learnt) {
    const hashes = byReason.get(reason) ?? []
    byReason.set(reason, hashes)
    hashes.push(atBorder ? -hash : hash)
  }
  return [...byReason].map(([reason, hashes]) => ({ reason, hashes: Float64Array.from(hashes) }))
}

/** Counts the pages that have each block (`seen`), and those where no other block has its position (`alone`). */
function countBlocks(pages: readonly PageBlocks[]): Map<number, { seen: number; alone: number }> {
  const counts = new Map<number, { seen: number; alone: number }>()
  for (const { hashes } of pages) {
    // A block that occurs twice on a page counts once.
    for (const signed of new Set(hashes)) {
      const hash = Math.abs(signed)
      const count = counts.get(hash) ?? { seen: 0, alone: 0 }
      counts.set(hash, count)
      count.seen += 1
      if (signed > 0) count.alone += 1
    }
  }
  return counts
}

function isSame(a: ReadonlyMap<number, LearntBlock>, b: ReadonlyMap<number, LearntBlock>): boolean {
  if (a.size !== b.size) return false
  for (const [hash, { atBorder }] of a) if (b.get(hash)?.atBorder !== atBorder) return false
  return true
}
