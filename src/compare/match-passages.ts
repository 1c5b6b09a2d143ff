import { alignKeys } from './line-diff.js'
import { pairAlike, pairEqual, type Open } from './pair-passages.js'
import type { Passage } from './read-passages.js'

/** A part of a page that is not what it was, or not where it was. */
export interface ChangedBlock {
  change: 'added' | 'removed' | 'moved' | 'edited'
  /** What it is in Markdown; items of lists and rows of tables are told one by one. */
  kind: Passage['kind']
  /** The headings above it, outermost first; above what was removed, those of then. */
  headings: string[]
  /** Its Markdown now; absent for what was removed. */
  text?: string
  /** Its Markdown then, of what was edited or removed. */
  previous?: string
  /** The headings above it then, where they were others. */
  previousHeadings?: string[]
}

/** What became of the passages, in the order of the current page; what was removed stands where it was. */
export function matchPassages(previous: readonly Passage[], current: readonly Passage[]): ChangedBlock[] {
  const kept = alignKeys(keysOf(previous), keysOf(current))
  const gone = listOpen(previous, kept?.map(([before]) => before) ?? [])
  const come = listOpen(current, kept?.map(([, after]) => after) ?? [])
  const equal = pairEqual(gone, come)
  const alike = pairAlike(equal.gone, equal.come)
  return [
    // Where too much differs for an alignment, nothing can be said of order.
    ...(kept ? equal.pairs : []).map(([was, is]) => ({ at: is.at, block: describe('moved', was, is) })),
    ...alike.pairs.map(([was, is]) => ({ at: is.at, block: describe('edited', was, is) })),
    ...alike.gone.map((was) => ({
      at: (kept?.[was.gap]?.[1] ?? current.length) - 0.5,
      block: describe('removed', was, undefined),
    })),
    ...alike.come.map((is) => ({ at: is.at, block: describe('added', undefined, is) })),
  ]
    .toSorted((a, b) => a.at - b.at)
    .map(({ block }) => block)
}

const keysOf = (passages: readonly Passage[]): string[] => passages.map(({ key }) => key)

/** The passages that are not among the kept ones, each with how many of those stand before it. */
function listOpen(passages: readonly Passage[], kept: readonly number[]): Open[] {
  const open: Open[] = []
  let gap = 0
  for (const [at, passage] of passages.entries())
    if (kept[gap] === at) gap += 1
    else open.push({ passage, at, gap })
  return open
}

function describe(change: ChangedBlock['change'], was: Open | undefined, is: Open | undefined): ChangedBlock {
  const { kind, headings } = (is ?? was)?.passage ?? { kind: 'text', headings: [] }
  const block: ChangedBlock = { change, kind, headings: [...headings] }
  if (is) block.text = is.passage.text
  if (was && change !== 'moved') block.previous = was.passage.text
  if (was && is && was.passage.headings.join('\n') !== headings.join('\n'))
    block.previousHeadings = [...was.passage.headings]
  return block
}
