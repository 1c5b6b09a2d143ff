import type { LearntBlocks, PageBlocks } from '../../extract/repeats/repeated-block.js'
import { RecentMap } from '../../collections/recent-map.js'
import { deriveTemplate } from '../../frontier/duplicates/url-template.js'
import { type GroupMember, TemplateGroup } from './template-group.js'

/** A page that takes part. */
export interface SampledPage {
  readonly begunAtMs: number
  /** How many pages have ended of those taken up after it. */
  overtaken: number
  readonly seats: readonly { readonly group: TemplateGroup; readonly seat: GroupMember }[]
}

/** Nobody waits for a page that as many as this have overtaken: at least, and for each page under way. */
const OVERTAKEN = 8
const OVERTAKEN_EACH = 2
/** A page waits for pages of its template among so many that were taken up after it. */
const PATIENCE = 16
/** Templates after which those are forgotten that have not come up since as many before. */
const REMEMBERED = 250

/**
 * Learns which blocks of a site are boilerplate, from what repeats on the pages of one folder and on the pages of one
 * host. It goes by the order in which pages were taken up, not by that in which they came in: the same pages in the same
 * order teach every page the same. Holds some 20 MB at most.
 */
export class BoilerplateLearner {
  readonly #groups = new RecentMap<string, TemplateGroup>(REMEMBERED)
  /** Groups with pages that wait for a first lesson. */
  readonly #young = new Set<TemplateGroup>()
  /** Pages that have not ended, in their order. */
  readonly #pending = new Map<SampledPage, number>()
  #begun = 0

  /** A page is taken up; to be called in that order. */
  begin(url: URL, nowMs: number): SampledPage {
    const sequence = this.#begun++
    const seats = groupNames(url).map((name) => {
      const group = this.#groupOf(name)
      const seat = group.join(sequence)
      if (group.waitingSince !== undefined) this.#young.add(group)
      return { group, seat }
    })
    const pupil = { begunAtMs: nowMs, overtaken: 0, seats }
    this.#pending.set(pupil, sequence)
    return pupil
  }

  /** A page has ended. @param blocks absent for one that teaches nothing: an error page, the copy of another */
  end(pupil: SampledPage, blocks?: PageBlocks): void {
    const sequence = this.#pending.get(pupil)
    if (sequence === undefined) return
    this.#pending.delete(pupil)
    const late = this.#countOvertaken(sequence)
    for (const { group, seat } of pupil.seats) group.hear(seat, blocks)
    const [oldest = this.#begun] = this.#pending.values()
    this.#settleYoung(oldest)
    for (const earlier of late) this.end(earlier)
  }

  /** Pages that have not ended, the first taken up first. */
  pending(): readonly SampledPage[] {
    return [...this.#pending.keys()]
  }

  /** Waits for nothing more: pages that have not ended teach nothing, and no more are to come for now. */
  settle(): void {
    for (const { seats } of this.#pending.keys()) for (const { group, seat } of seats) group.hear(seat, undefined)
    this.#pending.clear()
    this.#settleYoung(Infinity)
  }

  /** What a page is to drop; undefined while that is not settled. */
  planOf(pupil: SampledPage): readonly LearntBlocks[] | undefined {
    return pupil.seats.every(({ seat }) => seat.plan) ? this.guessFor(pupil) : undefined
  }

  /** What a page is to drop as far as is known. */
  guessFor({ seats }: SampledPage): readonly LearntBlocks[] {
    return seats.flatMap(({ group, seat }) => seat.plan ?? group.plan)
  }

  /** Counts for the pages before this one that it came in first; gives back those that are out of patience. */
  #countOvertaken(sequence: number): SampledPage[] {
    const most = Math.max(OVERTAKEN, OVERTAKEN_EACH * this.#pending.size)
    const late: SampledPage[] = []
    for (const [pupil, number] of this.#pending) {
      if (number > sequence) break
      pupil.overtaken += 1
      if (pupil.overtaken > most) late.push(pupil)
    }
    return late
  }

  /** @param ended all pages before this one have ended */
  #settleYoung(ended: number): void {
    for (const group of this.#young) {
      for (let since = group.waitingSince; since !== undefined; since = group.waitingSince) {
        if (since + PATIENCE > ended) break
        group.settle(since + PATIENCE)
      }
      if (group.waitingSince === undefined) this.#young.delete(group)
    }
  }

  #groupOf(name: string): TemplateGroup {
    const known = this.#groups.get(name)
    if (known) return known
    const group = new TemplateGroup(name)
    this.#groups.set(name, group)
    return group
  }
}

/** The folder that the page lies in, with numbers and dates in its path as one, and the host. */
function groupNames(url: URL): string[] {
  const [name = ''] = deriveTemplate(url).names
  const [path = ''] = name.split('?', 1)
  return [`${path.slice(0, path.lastIndexOf('/') + 1)}*`, url.host]
}
