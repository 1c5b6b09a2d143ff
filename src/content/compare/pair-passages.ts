import { toPlainText } from './changed-words.js'
import { isRelativeDay, isToday, withoutStates } from './noise-words.js'
import { listPaths, type Passage } from './read-passages.js'
import { stableText } from './stable-text.js'

/** A passage without a counterpart so far. */
export interface UnmatchedPassage {
  readonly passage: Passage
  /** Index of the passage on its page. */
  readonly at: number
  /** Number of aligned passages before it: passages of the same gap may be versions of each other. */
  readonly gap: number
}

/** Pairs of passages, and the passages that remain. */
interface Pairing {
  readonly pairs: readonly (readonly [was: UnmatchedPassage, is: UnmatchedPassage])[]
  readonly removed: readonly UnmatchedPassage[]
  readonly added: readonly UnmatchedPassage[]
}

/** Pairs passages with the same text. */
export function pairEqual(removed: readonly UnmatchedPassage[], added: readonly UnmatchedPassage[]): Pairing {
  const byKey = groupBy(added.toReversed(), ({ passage }) => passage.key)
  const pairs = removed.flatMap((was) => {
    const is = byKey.get(was.passage.key)?.pop()
    return is ? [[was, is] as const] : []
  })
  return withoutPairs(removed, added, pairs)
}

/** Maximum number of comparisons for a page; each takes a few microseconds. */
const MAX_COMPARISONS = 20_000

/** Minimum similarity of two versions of a passage: lower within a gap than across the page. */
const MIN_SIMILARITY_IN_GAP = 0.4
const MIN_SIMILARITY_ANYWHERE = 0.7

/** Pairs versions of a passage: passages of the same kind with most of their words in common. */
export function pairSimilar(removed: readonly UnmatchedPassage[], added: readonly UnmatchedPassage[]): Pairing {
  const byGap = groupBy(added, ({ gap }) => gap)
  const near = pairBest(removed, added, MIN_SIMILARITY_IN_GAP, ({ gap }) => byGap.get(gap) ?? [])
  const alone = withoutPairs(removed, added, [...near.pairs, ...pairSingles(near.removed, near.added)])
  const far = pairBest(alone.removed, alone.added, MIN_SIMILARITY_ANYWHERE, () => alone.added)
  return { ...far, pairs: [...alone.pairs, ...far.pairs] }
}

/** Facts that tell an entry from another one. */
interface EntryFacts {
  /** Targets of its links, in the form that visits share. */
  readonly paths: ReadonlySet<string>
  /** Its words, without numbers, prices and states. */
  readonly name: string
}

const entryFacts = new WeakMap<Passage, EntryFacts>()

/** Reads the facts of an entry, once. */
function factsOf(passage: Passage): EntryFacts {
  const known = entryFacts.get(passage)
  if (known) return known
  const text = passage.text.slice(0, MAX_ENTRY)
  const facts = { paths: new Set(listPaths(text)), name: nameOfEntry(text) }
  entryFacts.set(passage, facts)
  return facts
}

/** Tests whether two entries lead to other pages, under other names: of a product that left and of one that came, no price has changed. */
function areTwo({ passage: was }: UnmatchedPassage, { passage: is }: UnmatchedPassage): boolean {
  if (was.kind !== 'row' && was.kind !== 'item') return false
  const [before, now] = [factsOf(was), factsOf(is)]
  if (before.paths.size === 0 || now.paths.size === 0 || before.name === now.name) return false
  return [...before.paths].every((path) => !now.paths.has(path))
}

/** Characters of an entry that are looked at. */
const MAX_ENTRY = 2000

/** The words of an entry that stay while its price, its stock and its date change. */
const nameOfEntry = (text: string): string =>
  withoutStates(toPlainText(text).toLowerCase())
    .split(/\s+/)
    .filter((word) => /^\p{L}[\p{L}\p{N}-]*$/u.test(word) && !isRelativeDay(word) && !isToday(word))
    .join(' ')

/** Pairs the only removed and the only added passage of a kind in a gap: the passage was rewritten. */
function pairSingles(
  removed: readonly UnmatchedPassage[],
  added: readonly UnmatchedPassage[],
): [UnmatchedPassage, UnmatchedPassage][] {
  const place = ({ gap, passage: { kind } }: UnmatchedPassage): string => `${gap} ${kind}`
  const [left, entered] = [groupBy(removed, place), groupBy(added, place)]
  return [...left].flatMap(([name, were]) => {
    const are = entered.get(name)
    const [was, is] = [were[0], are?.[0]]
    return was && is && were.length === 1 && are?.length === 1 && !areTwo(was, is)
      ? [[was, is] satisfies [UnmatchedPassage, UnmatchedPassage]]
      : []
  })
}

/** Pairs the most similar passages first. */
function pairBest(
  removed: readonly UnmatchedPassage[],
  added: readonly UnmatchedPassage[],
  minSimilarity: number,
  candidatesOf: (was: UnmatchedPassage) => readonly UnmatchedPassage[],
): Pairing {
  const words = new Map<UnmatchedPassage, ReadonlySet<string>>()
  const wordsOf = (unmatched: UnmatchedPassage): ReadonlySet<string> => {
    const known =
      words.get(unmatched) ?? new Set(stableText(unmatched.passage.text).match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu))
    words.set(unmatched, known)
    return known
  }
  let left = MAX_COMPARISONS
  const found = removed
    .flatMap((was) =>
      candidatesOf(was)
        .filter((is) => is.passage.kind === was.passage.kind && left-- > 0)
        .map((is) => ({ was, is, similarity: similarityOf(wordsOf(was), wordsOf(is)) })),
    )
    .filter(({ was, is, similarity }) => similarity >= minSimilarity && !areTwo(was, is))
    .toSorted((a, b) => b.similarity - a.similarity)
  const taken = new Set<UnmatchedPassage>()
  const pairs: [UnmatchedPassage, UnmatchedPassage][] = []
  for (const { was, is } of found) {
    if (taken.has(was) || taken.has(is)) continue
    taken.add(was).add(is)
    pairs.push([was, is])
  }
  return withoutPairs(removed, added, pairs)
}

function groupBy<Name>(
  passages: readonly UnmatchedPassage[],
  nameOf: (passage: UnmatchedPassage) => Name,
): Map<Name, UnmatchedPassage[]> {
  const groups = new Map<Name, UnmatchedPassage[]>()
  for (const passage of passages) {
    const group = groups.get(nameOf(passage))
    if (group) group.push(passage)
    else groups.set(nameOf(passage), [passage])
  }
  return groups
}

/** Dice coefficient of two sets of words, 0 to 1. */
function similarityOf(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let common = 0
  for (const word of some) if (others.has(word)) common += 1
  return some.size + others.size === 0 ? 0 : (2 * common) / (some.size + others.size)
}

function withoutPairs(
  removed: readonly UnmatchedPassage[],
  added: readonly UnmatchedPassage[],
  pairs: Pairing['pairs'],
): Pairing {
  const paired = new Set(pairs.flat())
  return { pairs, removed: removed.filter((was) => !paired.has(was)), added: added.filter((is) => !paired.has(is)) }
}
