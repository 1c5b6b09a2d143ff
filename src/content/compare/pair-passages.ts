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
  readonly isPriced: boolean
}

const entryFacts = new WeakMap<Passage, EntryFacts & { readonly above: EntryFacts }>()

/** Reads the facts of an entry and of the heading above it, once. */
function factsOf({ passage }: UnmatchedPassage): EntryFacts & { readonly above: EntryFacts } {
  const known = entryFacts.get(passage)
  if (known) return known
  const facts = { ...readFacts(passage.text), above: readFacts(passage.headings.at(-1) ?? '') }
  entryFacts.set(passage, facts)
  return facts
}

function readFacts(markdown: string): EntryFacts {
  const text = markdown.slice(0, MAX_ENTRY)
  return { paths: new Set(listPaths(text)), name: nameOfEntry(text), isPriced: /\p{Sc}/u.test(text) }
}

/** Similarity from which the names of two priced entries may be one that was reworded. */
const MIN_SAME_NAME = 0.5

/** Tests whether two passages are of two entries: of a product that left and of one that came, no price has changed. */
function areTwo(was: UnmatchedPassage, is: UnmatchedPassage): boolean {
  const { kind } = was.passage
  const [before, now] = [factsOf(was), factsOf(is)]
  const arePriced = before.isPriced && now.isPriced
  if (kind === 'row' || kind === 'item') return haveTwoNames(before, now, arePriced)
  // A price alone is of the entry that its heading names.
  return arePriced && kind !== 'heading' && before.name === now.name && haveTwoNames(before.above, now.above, true)
}

/** @param byName true if names alone tell entries apart, where they lead nowhere */
function haveTwoNames(before: EntryFacts, now: EntryFacts, byName: boolean): boolean {
  if (before.name === now.name) return false
  if (before.paths.size > 0 && now.paths.size > 0) return [...before.paths].every((path) => !now.paths.has(path))
  if (!byName || before.name === '' || now.name === '') return false
  return similarityOf(new Set(before.name.split(' ')), new Set(now.name.split(' '))) < MIN_SAME_NAME
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
