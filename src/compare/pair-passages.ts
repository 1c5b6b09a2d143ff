import type { Passage } from './read-passages.js'
import { stableText } from './stable-text.js'

/** A passage that has no counterpart yet. */
export interface Open {
  readonly passage: Passage
  /** Its place on its page. */
  readonly at: number
  /** How many of the passages that stayed stand before it: those of one gap may be versions of each other. */
  readonly gap: number
}

/** Passages that belong together, and those that are left. */
export interface Paired {
  readonly pairs: readonly (readonly [was: Open, is: Open])[]
  readonly gone: readonly Open[]
  readonly come: readonly Open[]
}

/** Pairs those that say the same. */
export function pairEqual(gone: readonly Open[], come: readonly Open[]): Paired {
  const byKey = groupBy(come.toReversed(), ({ passage }) => passage.key)
  const pairs = gone.flatMap((was) => {
    const is = byKey.get(was.passage.key)?.pop()
    return is ? [[was, is] as const] : []
  })
  return withoutPairs(gone, come, pairs)
}

/** Comparisons that are made over a whole page, each of some microseconds. */
const MAX_COMPARED = 20_000

/** In one gap, versions have less in common than they must have from one end of a page to the other. */
const ALIKE_IN_GAP = 0.4
const ALIKE_ANYWHERE = 0.7

/** Pairs those that are versions of each other: of one kind, with most of their words in common. */
export function pairAlike(gone: readonly Open[], come: readonly Open[]): Paired {
  const byGap = groupBy(come, ({ gap }) => gap)
  const near = pairBest(gone, come, ALIKE_IN_GAP, ({ gap }) => byGap.get(gap) ?? [])
  const alone = withoutPairs(gone, come, [...near.pairs, ...pairAlone(near.gone, near.come)])
  const far = pairBest(alone.gone, alone.come, ALIKE_ANYWHERE, () => alone.come)
  return { ...far, pairs: [...alone.pairs, ...far.pairs] }
}

/** The only one of its kind that left a gap, and the only one that came into it: it was rewritten. */
function pairAlone(gone: readonly Open[], come: readonly Open[]): [Open, Open][] {
  const place = ({ gap, passage: { kind } }: Open): string => `${gap} ${kind}`
  const [left, entered] = [groupBy(gone, place), groupBy(come, place)]
  return [...left].flatMap(([name, were]) => {
    const are = entered.get(name)
    const [was, is] = [were[0], are?.[0]]
    return was && is && were.length === 1 && are?.length === 1 ? [[was, is] satisfies [Open, Open]] : []
  })
}

/** The pairs that are most alike first. */
function pairBest(
  gone: readonly Open[],
  come: readonly Open[],
  least: number,
  candidatesOf: (was: Open) => readonly Open[],
): Paired {
  const words = new Map<Open, ReadonlySet<string>>()
  const wordsOf = (open: Open): ReadonlySet<string> => {
    const known = words.get(open) ?? new Set(stableText(open.passage.text).match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu))
    words.set(open, known)
    return known
  }
  let left = MAX_COMPARED
  const found = gone
    .flatMap((was) =>
      candidatesOf(was)
        .filter((is) => is.passage.kind === was.passage.kind && left-- > 0)
        .map((is) => ({ was, is, likeness: likenessOf(wordsOf(was), wordsOf(is)) })),
    )
    .filter(({ likeness }) => likeness >= least)
    .toSorted((a, b) => b.likeness - a.likeness)
  const taken = new Set<Open>()
  const pairs: [Open, Open][] = []
  for (const { was, is } of found) {
    if (taken.has(was) || taken.has(is)) continue
    taken.add(was).add(is)
    pairs.push([was, is])
  }
  return withoutPairs(gone, come, pairs)
}

function groupBy<Name>(opens: readonly Open[], nameOf: (open: Open) => Name): Map<Name, Open[]> {
  const groups = new Map<Name, Open[]>()
  for (const open of opens) {
    const group = groups.get(nameOf(open))
    if (group) group.push(open)
    else groups.set(nameOf(open), [open])
  }
  return groups
}

/** Twice the words in common against all words, 0 to 1. */
function likenessOf(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let common = 0
  for (const word of some) if (others.has(word)) common += 1
  return some.size + others.size === 0 ? 0 : (2 * common) / (some.size + others.size)
}

function withoutPairs(gone: readonly Open[], come: readonly Open[], pairs: Paired['pairs']): Paired {
  const paired = new Set(pairs.flat())
  return { pairs, gone: gone.filter((was) => !paired.has(was)), come: come.filter((is) => !paired.has(is)) }
}
