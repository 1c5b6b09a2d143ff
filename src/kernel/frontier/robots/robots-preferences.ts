import type { StatedUses, Use } from '../permissions/permissions.js'
import { listTargets } from './robots-pattern.js'
import { comparePrecedence, findRule, indexRules, type RuleIndex } from './robots-rules.js'

/** Kinds of lines about the use of pages. */
export type PreferenceKind = 'content-signals' | 'aipref'

/** A line of a robots.txt about the use of pages: `Content-Signal` or `Content-Usage`. */
export interface PreferenceLine {
  readonly kind: PreferenceKind
  /** Path that it applies to, normalised by `normalizePattern`; `/` if it names none. */
  readonly pattern: string
  readonly says: StatedUses
  /** Line number in the file, from 1. */
  readonly lineNumber: number
  /** The line, one character per byte. */
  readonly line: string
}

/** A `License` line: the URL of a licence file. */
export interface LicenseLine {
  readonly url: string
  readonly lineNumber: number
  /** The line, one character per byte. */
  readonly line: string
}

/** The lines of one crawler about the use of pages, indexed for search. */
export type PreferenceIndex = Readonly<Record<PreferenceKind, PathIndex | undefined>>

interface PathIndex {
  readonly rules: RuleIndex
  readonly byPattern: ReadonlyMap<string, readonly PreferenceLine[]>
}

/** Indexes the lines of one crawler. */
export async function indexPreferences(lines: readonly PreferenceLine[]): Promise<PreferenceIndex> {
  const indexKind = async (kind: PreferenceKind): Promise<PathIndex | undefined> => {
    const own = lines.filter((line) => line.kind === kind)
    return own.length === 0 ? undefined : await indexPaths(own)
  }
  return { 'content-signals': await indexKind('content-signals'), aipref: await indexKind('aipref') }
}

async function indexPaths(lines: readonly PreferenceLine[]): Promise<PathIndex> {
  const byPattern = new Map<string, PreferenceLine[]>()
  for (const line of lines) {
    const same = byPattern.get(line.pattern)
    if (!same) byPattern.set(line.pattern, [line])
    // A file may repeat a line thousands of times.
    else if (addsVerdict(line, same)) same.push(line)
  }
  const rules = [...byPattern].map(([pattern, [first]]) => ({
    allow: true,
    pattern,
    lineNumber: first?.lineNumber ?? 0,
    line: first?.line ?? '',
  }))
  return { rules: await indexRules(rules), byPattern }
}

const addsVerdict = ({ says }: PreferenceLine, others: readonly PreferenceLine[]): boolean =>
  Object.entries(says).some(([use, verdict]) => others.every((other) => other.says[use as Use] !== verdict))

/**
 * Finds the lines that apply to a URL: of each kind, those with the longest matching path. Several with one path all apply.
 *
 * @see draft-ietf-aipref-attach section 3.1
 */
export async function findPreferences(index: PreferenceIndex, url: URL): Promise<PreferenceLine[]> {
  const found: PreferenceLine[] = []
  for (const paths of [index['content-signals'], index.aipref]) {
    if (!paths) continue
    const rules = []
    for (const target of listTargets(url)) rules.push(await findRule(paths.rules, target))
    const [best] = rules.filter((rule) => rule !== undefined).toSorted(comparePrecedence)
    found.push(...((best && paths.byPattern.get(best.pattern)) ?? []))
  }
  return found
}
