import { ownValue } from '../../base/collections/own-value.js'
import type { ChangedBlock, PlacedChange } from './match-passages.js'

/** Blocks of a page that have changed before. */
export interface NoiseMemory {
  /** Number of comparisons. */
  readonly visits: number
  /** Number of changes of each place, by its hash. */
  readonly changes: Readonly<Record<string, number>>
}

export const NO_NOISE: NoiseMemory = { visits: 0, changes: {} }

/** Least number of changes, and least share of the comparisons, with which a place counts as noise. */
const MIN_CHANGES = 3
const MIN_SHARE = 0.5

/** The same for prices and states, which may change often and matter still. */
const MIN_TELLING_CHANGES = 8
const MIN_TELLING_SHARE = 0.9

/** Comparisons after which the past counts half. */
const MAX_VISITS = 40

/** Maximum number of places of a page. */
const MAX_PLACES = 300

/** Places of a changed block, by hashes. */
export interface BlockPlaces {
  /** Those between the unchanged blocks before and after it: a change of one of them leaves the other. */
  readonly before: string
  readonly after: string
  /** That of its text without numbers; absent if more than numbers has changed. */
  readonly skeleton: string | undefined
}

/** Names the places of changes. */
export function namePlaces(changes: readonly PlacedChange[]): ReadonlyMap<ChangedBlock, BlockPlaces> {
  const regions = new Map<string, PlacedChange[]>()
  for (const change of changes) {
    const region = change.around.join('\u0000')
    const known = regions.get(region)
    if (known) known.push(change)
    else regions.set(region, [change])
  }
  const names = new Map<ChangedBlock, BlockPlaces>()
  for (const region of regions.values()) {
    const kinds = describeKinds(region.map(({ block }) => block))
    for (const { block, around } of region) {
      const [before, after] = around.map((anchor) => hash(`${anchor}\u0000${kinds}`))
      const skeleton = skeletonOf(block)
      names.set(block, {
        before: `b${before ?? ''}`,
        after: `a${after ?? ''}`,
        skeleton: skeleton === undefined ? undefined : `s${hash(skeleton)}`,
      })
    }
  }
  return names
}

/**
 * The kinds of the blocks of a region, in the version with more of them: what appears and disappears by turns has one place. Of lists
 * and tables not how many, because they grow and shrink.
 */
function describeKinds(blocks: readonly ChangedBlock[]): string {
  const [before, now] = (['added', 'removed'] as const).map((absent) => countKinds(blocks, absent))
  const kinds = new Set([...(before?.keys() ?? []), ...(now?.keys() ?? [])])
  return Array.from(kinds, (kind) => `${kind} ${Math.max(before?.get(kind) ?? 0, now?.get(kind) ?? 0)}`)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .join()
}

/** Counts the blocks by kind, without those of one change. */
function countKinds(blocks: readonly ChangedBlock[], absent: ChangedBlock['change']): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { kind, change } of blocks)
    if (change !== absent) counts.set(kind, kind === 'item' || kind === 'row' ? 1 : (counts.get(kind) ?? 0) + 1)
  return counts
}

/** The text of a block in which only numbers have changed, without these. */
function skeletonOf({ change, kind, headings, text = '', previous = '' }: ChangedBlock): string | undefined {
  if (change !== 'edited') return undefined
  const skeleton = withoutNumbers(text)
  return skeleton === withoutNumbers(previous) ? [kind, ...headings, skeleton].join('\u0000') : undefined
}

const withoutNumbers = (text: string): string => text.slice(0, 2000).replace(/\d[\d.,:]*/g, '#')

/** FNV-1a of 32 bits. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return (value >>> 0).toString(36)
}

/**
 * Tests whether a block stands in a place that has changed in most comparisons before. One that was added or removed does so
 * only if the blocks on both sides say so: it may stand beside the place.
 *
 * @param isTelling true for a price or a state
 */
export function isNoisy(
  { change }: ChangedBlock,
  { before, after, skeleton }: BlockPlaces,
  noise: NoiseMemory,
  isTelling: boolean,
): boolean {
  const [least, share] = isTelling ? [MIN_TELLING_CHANGES, MIN_TELLING_SHARE] : [MIN_CHANGES, MIN_SHARE]
  const isFrequent = (place: string): boolean => {
    const count = ownValue(noise.changes, place) ?? 0
    return count >= least && count >= share * noise.visits
  }
  if (skeleton !== undefined && isFrequent(skeleton)) return true
  return change === 'edited' ? isFrequent(before) || isFrequent(after) : isFrequent(before) && isFrequent(after)
}

/**
 * Adds a comparison.
 *
 * @param changed places of the blocks that have changed. All places of a block that was noise before count as often as the one by
 * which that is known, so that the noise stays known when the block beside it changes for good
 */
export function addVisit(
  noise: NoiseMemory,
  changed: Iterable<{ readonly places: BlockPlaces; readonly isNoisy: boolean }> = [],
): NoiseMemory {
  const changes = new Map<string, number>()
  for (const { places, isNoisy: inherits } of changed) {
    const names = [places.before, places.after, ...(places.skeleton === undefined ? [] : [places.skeleton])]
    const counts = names.map((name) => ownValue(noise.changes, name) ?? 0)
    for (const [index, name] of names.entries()) {
      const count = 1 + (inherits ? Math.max(...counts) : (counts[index] ?? 0))
      changes.set(name, Math.max(count, changes.get(name) ?? 0))
    }
  }
  const visits = noise.visits + 1
  const isOld = visits > MAX_VISITS
  const kept = [...Object.entries(noise.changes).filter(([name]) => !changes.has(name)), ...changes]
    .map(([place, count]) => [place, isOld ? count / 2 : count] as const)
    .filter(([, count]) => count >= 1)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_PLACES)
  return { visits: isOld ? visits / 2 : visits, changes: Object.fromEntries(kept) }
}
