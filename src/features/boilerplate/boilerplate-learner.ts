import type { LearntBlocks, PageBlocks } from './repeated-block.js'
import { RecentMap } from '../../base/collections/recent-map.js'
import { deriveTemplate } from '../../base/url-template.js'
import { type GroupMember, TemplateGroup } from './template-group.js'

/** A page from which boilerplate is learnt, or which waits for such pages. */
export interface SampledPage {
  readonly startedAtMs: number
  /** Number of pages started after it that have ended before it. */
  overtaken: number
  readonly memberships: readonly { readonly group: TemplateGroup; readonly member: GroupMember }[]
}

/**
 * Minimum of the limit: a page is no longer waited for when more later pages than the limit have ended before it. So many
 * that it is reached by a page that hangs, and not by one that is ten times as slow as others: without its sample, other blocks
 * may be dropped.
 */
const MIN_OVERTAKEN_LIMIT = 100
/** The limit is this number for each active page, if that is more. */
const OVERTAKEN_PER_ACTIVE_PAGE = 2
/**
 * Number of later pages of the job that a page waits for while its group has too few samples. When they have ended, its
 * group closes the first window with the samples that it has.
 */
const SAMPLE_WINDOW = 16
/** Groups kept; the least recently used are dropped. */
const MAX_GROUPS = 250

/**
 * Learns which blocks of a site are boilerplate, from blocks that repeat on the pages of one folder and of one host.
 *
 * The result depends on the order in which pages were started, not on the order in which they ended, so that it is the same on every
 * run. Takes about 20 MB at most.
 */
export class BoilerplateLearner {
  readonly #groups = new RecentMap<string, TemplateGroup>(MAX_GROUPS)
  /** Groups with pages that wait until the first sample window is complete. */
  readonly #unsampled = new Set<TemplateGroup>()
  /** Pages that have not ended, with their sequence numbers, in order. */
  readonly #pending = new Map<SampledPage, number>()
  #started = 0

  /** Adds a page that starts. Must be called in the order of the starts. */
  addPage(url: URL, nowMs: number): SampledPage {
    const sequence = this.#started++
    const memberships = groupNames(url).map((name) => {
      const group = this.#groupOf(name)
      const member = group.addPage(sequence)
      if (group.waitingSince !== undefined) this.#unsampled.add(group)
      return { group, member }
    })
    const sample = { startedAtMs: nowMs, overtaken: 0, memberships }
    this.#pending.set(sample, sequence)
    return sample
  }

  /**
   * Adds the blocks of a page that has ended.
   * @param blocks absent for a page that is no sample, such as an error page or a duplicate
   */
  endPage(sample: SampledPage, blocks?: PageBlocks): void {
    const sequence = this.#pending.get(sample)
    if (sequence === undefined) return
    this.#pending.delete(sample)
    const late = this.#countOvertaken(sequence)
    for (const { group, member } of sample.memberships) group.addSample(member, blocks)
    const [oldest = this.#started] = this.#pending.values()
    this.#settleGroups(oldest)
    for (const earlier of late) this.endPage(earlier)
  }

  /** Lists the pages that have not ended, in the order of their starts. */
  pending(): readonly SampledPage[] {
    return [...this.#pending.keys()]
  }

  /** Stops waiting: pages that have not ended are no samples. */
  settle(): void {
    for (const { memberships } of this.#pending.keys())
      for (const { group, member } of memberships) group.addSample(member, undefined)
    this.#pending.clear()
    this.#settleGroups(Infinity)
  }

  /** The blocks that a page drops; undefined while samples that count for it are missing. */
  blocksFor(sample: SampledPage): readonly LearntBlocks[] | undefined {
    return sample.memberships.every(({ member }) => member.blocks) ? this.provisionalBlocksFor(sample) : undefined
  }

  /** The blocks that a page drops according to the samples so far. */
  provisionalBlocksFor({ memberships }: SampledPage): readonly LearntBlocks[] {
    return memberships.flatMap(({ group, member }) => member.blocks ?? group.blocks)
  }

  /** Counts for each earlier page that this one has ended before it. @returns the pages that are no longer waited for */
  #countOvertaken(sequence: number): SampledPage[] {
    const max = Math.max(MIN_OVERTAKEN_LIMIT, OVERTAKEN_PER_ACTIVE_PAGE * this.#pending.size)
    const late: SampledPage[] = []
    for (const [sample, number] of this.#pending) {
      if (number > sequence) break
      sample.overtaken += 1
      if (sample.overtaken > max) late.push(sample)
    }
    return late
  }

  /** Closes first windows whose pages have ended. @param oldest sequence number of the first page that has not ended */
  #settleGroups(oldest: number): void {
    for (const group of this.#unsampled) {
      for (let since = group.waitingSince; since !== undefined; since = group.waitingSince) {
        if (since + SAMPLE_WINDOW > oldest) break
        group.settle(since + SAMPLE_WINDOW)
      }
      if (group.waitingSince === undefined) this.#unsampled.delete(group)
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

/** Names of a page's groups: its folder, with numbers and dates replaced by placeholders, and its host. */
function groupNames(url: URL): string[] {
  const [name = ''] = deriveTemplate(url).names
  const [path = ''] = name.split('?', 1)
  return [`${path.slice(0, path.lastIndexOf('/') + 1)}*`, url.host]
}
