import { yieldIfHeld } from '../../concurrency/yield-turn.js'

/** An `Allow` or `Disallow` line. */
export interface RobotsRule {
  readonly allow: boolean
  /** The path as `normalizePattern` gives it. */
  readonly pattern: string
  /** Number of the line in the file, from 1. */
  readonly lineNumber: number
  /** The line, one character for each octet. */
  readonly line: string
}

/** The rules that one crawler obeys, ordered for the search. */
export interface RuleIndex {
  /** By what rules have before their first `*`, in the order of these prefixes. */
  readonly groups: readonly RuleGroup[]
}

/** The rules with one prefix. */
interface RuleGroup {
  readonly prefix: string
  /** The group of the longest prefix that this one begins with. */
  readonly parent: RuleGroup | undefined
  /** In each list the rule that would win comes first. */
  readonly rules: readonly IndexedRule[]
  /** The rules by a part that a target must have, where there are many. */
  readonly byPart: PartIndex | undefined
}

interface IndexedRule extends RobotsRule {
  /** What has to follow the prefix, in this order, with anything before each. */
  readonly pieces: readonly string[]
  /** What has to come at the very end, with anything before it; undefined when anything may. */
  readonly ending?: string
  /** Nothing may follow the prefix. */
  readonly isWhole: boolean
}

/** Rules by a few characters that stand in what they match. */
interface PartIndex {
  readonly byPart: ReadonlyMap<string, readonly IndexedRule[]>
  /** The lengths of the parts. */
  readonly lengths: readonly number[]
}

/** Characters of a part: longer ones tell rules better apart, shorter ones are in more rules. */
const PART_CHARACTERS = 4
/** Rules with one prefix that are tried one by one. */
const FEW_RULES = 32
/** Rules tried between two looks at the clock. */
const TRIES = 64

/**
 * Orders rules for {@link findRule}: no file makes a search try all of its rules on each path unless all of them ask for the
 * same characters. 40,000 rules `/*name=` on 100,000 paths were some minutes of trying, and are a second.
 */
export async function indexRules(rules: readonly RobotsRule[]): Promise<RuleIndex> {
  const byPrefix = new Map<string, Map<string, IndexedRule>>()
  for (const rule of rules) {
    await yieldIfHeld()
    const { prefix, indexed } = readPattern(rule)
    const group = byPrefix.get(prefix) ?? new Map<string, IndexedRule>()
    byPrefix.set(prefix, group)
    const same = group.get(rule.pattern)
    // Of rules with one pattern only the first that allows can win, or else the first.
    if (!same || (rule.allow && !same.allow)) group.set(rule.pattern, indexed)
  }
  const groups: RuleGroup[] = []
  const open: RuleGroup[] = []
  for (const prefix of [...byPrefix.keys()].toSorted(compareTexts)) {
    await yieldIfHeld()
    while (open.length > 0 && !prefix.startsWith(open.at(-1)?.prefix ?? '')) open.pop()
    const ordered = [...(byPrefix.get(prefix)?.values() ?? [])].toSorted(comparePrecedence)
    const byPart = ordered.length > FEW_RULES ? await indexByPart(ordered) : undefined
    const group: RuleGroup = { prefix, parent: open.at(-1), rules: ordered, byPart }
    groups.push(group)
    open.push(group)
  }
  return { groups }
}

function readPattern(rule: RobotsRule): { prefix: string; indexed: IndexedRule } {
  const isAnchored = rule.pattern.endsWith('$')
  const [prefix = '', ...pieces] = (isAnchored ? rule.pattern.slice(0, -1) : rule.pattern).split('*')
  const isWhole = isAnchored && pieces.length === 0
  const ending = isAnchored ? pieces.pop() : undefined
  return { prefix, indexed: { ...rule, pieces, isWhole, ...(ending === undefined ? {} : { ending }) } }
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Puts each rule under that part of it that the fewest others have. */
async function indexByPart(rules: readonly IndexedRule[]): Promise<PartIndex> {
  const uses = new Map<string, number>()
  for (const rule of rules) {
    await yieldIfHeld()
    for (const part of partsOf(rule)) uses.set(part, (uses.get(part) ?? 0) + 1)
  }
  const byPart = new Map<string, IndexedRule[]>()
  for (const rule of rules) {
    await yieldIfHeld()
    let rarest = ''
    let fewest = Infinity
    for (const part of partsOf(rule)) {
      const used = uses.get(part) ?? 0
      if (used < fewest) [rarest, fewest] = [part, used]
    }
    const list = byPart.get(rarest)
    if (list) list.push(rule)
    else byPart.set(rarest, [rule])
  }
  return { byPart, lengths: [...new Set(Array.from(byPart.keys(), ({ length }) => length))] }
}

/** Pieces of one rule that are looked at for its parts, and characters of each. */
const MAX_PIECES = 8
const MAX_PIECE_CHARACTERS = 40

/** Runs of characters that stand in whatever the rule matches: those of its longest pieces. */
function partsOf({ pieces, ending = '' }: IndexedRule): ReadonlySet<string> {
  const parts = new Set<string>()
  for (const piece of [ending, ...pieces.slice(0, MAX_PIECES)]) {
    const text = piece.slice(0, MAX_PIECE_CHARACTERS)
    if (text === '') continue
    if (text.length <= PART_CHARACTERS) parts.add(text)
    else for (let at = 0; at + PART_CHARACTERS <= text.length; at++) parts.add(text.slice(at, at + PART_CHARACTERS))
  }
  return parts
}

/** The longest rule decides, and `Allow` between rules of one length. @see RFC 9309 section 2.2.2 */
export const comparePrecedence = (a: RobotsRule, b: RobotsRule): number =>
  b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow)

/**
 * The rule that decides about a path, if any matches.
 *
 * @param target path and query, as `listTargets` gives them
 */
export async function findRule({ groups }: RuleIndex, target: string): Promise<RobotsRule | undefined> {
  let best: IndexedRule | undefined
  let tries = 0
  for (let group = findGroup(groups, target); group; group = group.parent) {
    const from = group.prefix.length
    for (const list of listRules(group, target)) {
      for (const rule of list) {
        // What follows in this list gives way to what was found.
        if (best && comparePrecedence(best, rule) <= 0) break
        if (++tries % TRIES === 0) await yieldIfHeld()
        if (hasPieces(rule, target, from)) best = rule
      }
    }
  }
  return best
}

/** The group of the longest prefix that the target begins with; those of the shorter ones are above it. */
function findGroup(groups: readonly RuleGroup[], target: string): RuleGroup | undefined {
  let [from, to] = [0, groups.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((groups[middle]?.prefix ?? '') <= target) from = middle + 1
    else to = middle
  }
  // Each prefix of the target is one of the last that is not behind it.
  let group = groups[from - 1]
  while (group && !target.startsWith(group.prefix)) group = group.parent
  return group
}

function* listRules(
  { rules, byPart, prefix }: RuleGroup,
  target: string,
): Generator<readonly IndexedRule[], void, void> {
  if (!byPart) {
    yield rules
    return
  }
  const always = byPart.byPart.get('')
  if (always) yield always
  const seen = new Set<string>()
  for (const length of byPart.lengths) {
    if (length === 0) continue
    for (let at = prefix.length; at + length <= target.length; at++) {
      const part = target.slice(at, at + length)
      const list = byPart.byPart.get(part)
      if (!list || seen.has(part)) continue
      seen.add(part)
      yield list
    }
  }
}

function hasPieces({ pieces, ending, isWhole }: IndexedRule, target: string, from: number): boolean {
  if (isWhole) return target.length === from
  let at = from
  for (const piece of pieces) {
    const found = target.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return ending === undefined || (target.length - ending.length >= at && target.endsWith(ending))
}
