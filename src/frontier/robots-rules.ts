import { setImmediate } from 'node:timers/promises'
import robotsParser from 'robots-parser'

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
  /** Rules by what they have before their first `*`; in each list the one that would win comes first. */
  readonly byPrefix: ReadonlyMap<string, readonly IndexedRule[]>
  /** The lengths that the prefixes have. */
  readonly prefixLengths: readonly number[]
  /** How many rules were tried so far, for one path after the other. */
  tries: number
}

interface IndexedRule extends RobotsRule {
  /** What has to follow the prefix, in this order, with anything before each. */
  readonly pieces: readonly string[]
  /** What has to come at the very end, with anything before it; undefined when anything may. */
  readonly ending?: string
  /** Nothing may follow the prefix. */
  readonly isWhole: boolean
}

/** What robots-parser exports; its own types do not survive `module: nodenext`. */
type ParseRobots = (
  robotsUrl: string,
  contents: string,
) => {
  getMatchingLineNumber(url: string, userAgent?: string): number
}
const parseRobots = robotsParser as unknown as ParseRobots

// Some milliseconds of trying: after that the event loop takes its turn.
const MOST_TRIES_AT_ONCE = 2000

/**
 * Orders rules for {@link findRule}.
 *
 * robots-parser tries every rule on every path, each in time that grows with the product of their lengths: up to 100 ms
 * for 20,000 rules, and seconds for a hostile file. So it is only asked about rules that are known to match.
 */
export function indexRules(rules: readonly RobotsRule[]): RuleIndex {
  const byPrefix = new Map<string, IndexedRule[]>()
  for (const rule of rules.toSorted(comparePrecedence)) {
    const isAnchored = rule.pattern.endsWith('$')
    const [prefix = '', ...pieces] = (isAnchored ? rule.pattern.slice(0, -1) : rule.pattern).split('*')
    const isWhole = isAnchored && pieces.length === 0
    const ending = isAnchored ? pieces.pop() : undefined
    const indexed = { ...rule, pieces, isWhole, ...(ending === undefined ? {} : { ending }) }
    const list = byPrefix.get(prefix)
    if (list) list.push(indexed)
    else byPrefix.set(prefix, [indexed])
  }
  const lengths = new Set(Array.from(byPrefix.keys(), ({ length }) => length))
  return { byPrefix, prefixLengths: [...lengths].toSorted((a, b) => a - b), tries: 0 }
}

/** The longest rule decides, and `Allow` between rules of one length. @see RFC 9309 section 2.2.2 */
export const comparePrecedence = (a: RobotsRule, b: RobotsRule): number =>
  b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow)

/**
 * The rule that decides about a path, if any matches.
 *
 * @param target path and query, as `listTargets` gives them
 */
export async function findRule(index: RuleIndex, target: string): Promise<RobotsRule | undefined> {
  const matching: RobotsRule[] = []
  for (const length of index.prefixLengths) {
    if (length > target.length) break
    for (const rule of index.byPrefix.get(target.slice(0, length)) ?? []) {
      if (++index.tries % MOST_TRIES_AT_ONCE === 0) await setImmediate()
      if (!hasPieces(rule, target, length)) continue
      matching.push(rule)
      // What follows in this list gives way to it.
      break
    }
  }
  return matching.length === 0 ? undefined : decide(matching, target)
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

/** Has robots-parser decide between rules. */
function decide(rules: readonly RobotsRule[], target: string): RobotsRule | undefined {
  const lines = rules.map(({ allow, pattern }) => `${allow ? 'Allow' : 'Disallow'}: ${pattern}`)
  const origin = 'http://robots.invalid'
  const robots = parseRobots(`${origin}/robots.txt`, ['User-agent: *', ...lines].join('\n'))
  return rules[robots.getMatchingLineNumber(`${origin}${target}`) - 2]
}
