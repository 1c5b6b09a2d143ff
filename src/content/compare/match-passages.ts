import { CharacterBudget } from '../html/document-limits.js'
import { alignKeys } from './line-diff.js'
import { pairSimilar, pairEqual, type UnmatchedPassage } from './pair-passages.js'
import type { Passage } from './read-passages.js'

/** A changed or moved part of a page. */
export interface ChangedBlock {
  change: 'added' | 'removed' | 'moved' | 'edited'
  /** The kind of Markdown block; list items and table rows are listed one by one. */
  kind: Passage['kind']
  /** The headings above it, outermost first; for a removed block, those of the last version. */
  headings: string[]
  /** Its current Markdown; absent when it was removed. */
  text?: string
  /** Its last Markdown, when it was edited or removed. */
  previous?: string
  /** The headings above it in the last version, when they differ. */
  previousHeadings?: string[]
}

/** A change with its place between passages that are the same in both versions. */
export interface PlacedChange {
  readonly block: ChangedBlock
  /** Keys of the unchanged passages around it; empty at the start and the end of the page. */
  readonly around: readonly [before: string, after: string]
}

/**
 * Lists the changes of passages in the order of the current page. A removed passage is listed at its former position.
 */
export const matchPassages = (previous: readonly Passage[], current: readonly Passage[]): ChangedBlock[] =>
  findChanges(previous, current).map(({ block }) => block)

/** Leaves the last blocks with their innermost heading alone, once all headings are longer than a limit. @returns their number */
export function shortenHeadings(blocks: readonly ChangedBlock[], maxLength: number): number {
  const budget = new CharacterBudget(maxLength)
  for (const block of blocks)
    if (!budget.take(lengthOf(block.headings) + lengthOf(block.previousHeadings ?? []))) {
      block.headings = block.headings.slice(-1)
      if (block.previousHeadings) block.previousHeadings = block.previousHeadings.slice(-1)
    }
  return budget.leftOut
}

const lengthOf = (headings: readonly string[]): number => headings.reduce((sum, { length }) => sum + length, 0)

/** Lists the changes of passages in the same order, each with its place. */
export function findChanges(previous: readonly Passage[], current: readonly Passage[]): PlacedChange[] {
  const kept = alignKeys(keysOf(previous), keysOf(current))
  const removed = listUnmatched(previous, kept?.map(([before]) => before) ?? [])
  const added = listUnmatched(current, kept?.map(([, after]) => after) ?? [])
  const equal = pairEqual(removed, added)
  const alike = pairSimilar(equal.removed, equal.added)
  const keyAt = (pair: number): string => current[kept?.[pair]?.[1] ?? -1]?.key ?? ''
  const place = ({ gap }: UnmatchedPassage): PlacedChange['around'] => [keyAt(gap - 1), keyAt(gap)]
  return [
    // Without an alignment there are no moves: the order of the passages is unknown.
    ...(kept ? equal.pairs : []).map(([was, is]) => ({
      at: is.at,
      block: describe('moved', was, is),
      around: place(is),
    })),
    ...alike.pairs.map(([was, is]) => ({ at: is.at, block: describe('edited', was, is), around: place(is) })),
    ...alike.removed.map((was) => ({
      at: (kept?.[was.gap]?.[1] ?? current.length) - 0.5,
      block: describe('removed', was, undefined),
      around: place(was),
    })),
    ...alike.added.map((is) => ({ at: is.at, block: describe('added', undefined, is), around: place(is) })),
  ]
    .toSorted((a, b) => a.at - b.at)
    .map(({ block, around }) => ({ block, around }))
}

const keysOf = (passages: readonly Passage[]): string[] => passages.map(({ key }) => key)

/** The passages without an aligned counterpart, each with the number of aligned ones before it. */
function listUnmatched(passages: readonly Passage[], kept: readonly number[]): UnmatchedPassage[] {
  const open: UnmatchedPassage[] = []
  let gap = 0
  for (const [at, passage] of passages.entries())
    if (kept[gap] === at) gap += 1
    else open.push({ passage, at, gap })
  return open
}

function describe(
  change: ChangedBlock['change'],
  was: UnmatchedPassage | undefined,
  is: UnmatchedPassage | undefined,
): ChangedBlock {
  const { kind, headings } = (is ?? was)?.passage ?? { kind: 'text', headings: [] }
  const block: ChangedBlock = { change, kind, headings: [...headings] }
  if (is) block.text = is.passage.text
  if (was && change !== 'moved') block.previous = was.passage.text
  if (was && is && was.passage.headings.join('\n') !== headings.join('\n'))
    block.previousHeadings = [...was.passage.headings]
  return block
}
