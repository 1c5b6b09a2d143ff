import type { LearntBlocks, PageBlocks } from '../../extract/repeats/repeated-block.js'
import { inferRepeatedBlocks, type Learnt, writeLearnt } from './infer-repeated-blocks.js'

/** A page's place in a group. */
export interface GroupMember {
  /** How many pages the job had taken up before it. */
  readonly sequence: number
  /** How many of them are of the group. */
  readonly member: number
  /** What the page is to drop; undefined while lessons that count for it are under way. */
  plan: readonly LearntBlocks[] | undefined
}

/** Pages of the first lesson. */
const FIRST_PAGES = 5
/** Pages of the longest lesson. */
const MAX_PAGES = 20
/** With fewer pages than this nothing is learnt. */
export const MIN_PAGES = 4

/**
 * Pages made after one template, and what they teach. A lesson is about pages in the order in which they were taken up:
 * the first five, the next five, then ten, and twenty at a time. The first pages drop what they themselves have
 * taught, those of later lessons what was taught before; so it does not matter which page comes in first.
 */
export class TemplateGroup {
  readonly #name: string
  #members = 0
  /** The lesson under way: the members from `from` to below `to`. */
  #from = 0
  #to = FIRST_PAGES
  /** Whether nothing was learnt yet, for want of pages. */
  #isYoung = true
  /** Members of this lesson and later ones that have not ended. */
  readonly #awaited = new Set<number>()
  /** What members of this lesson and later ones said, and those of earlier ones that were too few. */
  readonly #heard = new Map<number, PageBlocks>()
  #learnt: ReadonlyMap<number, Learnt> = new Map()
  #plan: readonly LearntBlocks[] = []
  #waiting: GroupMember[] = []

  /** @param name of the template, for a reader: `/docs/*` */
  constructor(name: string) {
    this.#name = name
  }

  /** What is dropped now. */
  get plan(): readonly LearntBlocks[] {
    return this.#plan
  }

  /** The sequence number of the page that has waited longest for a first lesson. */
  get waitingSince(): number | undefined {
    return this.#isYoung ? this.#waiting[0]?.sequence : undefined
  }

  /** Takes a page in. */
  join(sequence: number): GroupMember {
    const seat: GroupMember = { sequence, member: this.#members, plan: undefined }
    this.#members += 1
    this.#awaited.add(seat.member)
    this.#waiting.push(seat)
    this.#seatReady()
    return seat
  }

  /** A page has ended. @param blocks absent for one that teaches nothing: an error page, the copy of another */
  hear({ member }: GroupMember, blocks: PageBlocks | undefined): void {
    if (!this.#awaited.delete(member)) return
    if (blocks !== undefined) this.#heard.set(member, blocks)
    while (this.#members >= this.#to && this.#hasHeard(this.#to)) this.#endLesson(this.#to)
  }

  /** Ends a first lesson with those of its pages that were taken up before this number, and does not wait for more. */
  settle(sequence: number): void {
    if (!this.#isYoung) return
    const late = this.#waiting.find((seat) => seat.sequence >= sequence)
    const to = late?.member ?? this.#members
    if (to > this.#from) this.#endLesson(to)
  }

  #hasHeard(to: number): boolean {
    for (const member of this.#awaited) if (member < to) return false
    return true
  }

  #endLesson(to: number): void {
    const heard = [...this.#heard].filter(([member]) => member < to)
    // Pages with the same content are one page.
    const pages = new Map(
      heard.toSorted(([a], [b]) => b - a).map(([member, blocks]) => [blocks.whole, { member, blocks }]),
    )
    for (const [member] of heard) this.#heard.delete(member)
    if (pages.size >= MIN_PAGES)
      this.#learn([...pages.values()].toSorted((a, b) => a.member - b.member).map(({ blocks }) => blocks))
    else if (this.#isYoung) for (const { member, blocks } of pages.values()) this.#heard.set(member, blocks)
    this.#from = to
    this.#to = to + Math.min(Math.max(to, FIRST_PAGES), MAX_PAGES)
    this.#seatReady()
  }

  #learn(pages: readonly PageBlocks[]): void {
    this.#isYoung = false
    const learnt = inferRepeatedBlocks(pages, this.#learnt, this.#name)
    // The same array while nothing changes, so that no page is made again for nothing.
    if (learnt === this.#learnt) return
    this.#learnt = learnt
    this.#plan = writeLearnt(learnt)
  }

  /** Gives the plan to those that waited for it. */
  #seatReady(): void {
    const ready = this.#isYoung ? this.#from : this.#to
    for (const seat of this.#waiting) if (seat.member < ready) seat.plan = this.#plan
    this.#waiting = this.#waiting.filter(({ plan }) => plan === undefined)
  }
}
