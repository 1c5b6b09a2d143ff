import {
  describeLine,
  type RecordSource,
  type Robots,
  type RobotsFailure,
  type RobotsLine,
} from '../../kernel/frontier/robots/robots.js'
import {
  readPath,
  resolveLine,
  type RobotsRecord,
  type RobotsRecordKind,
  type RobotsRecords,
  toText,
} from '../../content/robots/robots-file.js'
import { listTargets } from '../../content/robots/robots-pattern.js'
import { comparePrecedence, findRule, indexRules, type RuleIndex } from '../../content/robots/robots-rules.js'
import type { StatedUses, Use } from './permissions.js'
import { readContentSignal, readContentUsage } from './read-signals.js'

/** Kinds of lines about the use of pages. */
type PreferenceKind = 'content-signals' | 'aipref'

/** A line of a robots.txt about the use of pages: `Content-Signal` or `Content-Usage`. */
interface PreferenceLine {
  readonly kind: PreferenceKind
  /** Path that it applies to, normalised by `normalizePattern`; `/` if it names none. */
  readonly pattern: string
  readonly says: StatedUses
  readonly shown: RobotsLine
}

/** A `License` line: the URL of a licence file. */
interface LicenseLine {
  readonly url: string
  readonly shown: RobotsLine
}

/** Lines of a `robots.txt` about the use of a page. */
export interface RobotsPreferences {
  /** URL of the file. */
  readonly robotsUrl: string
  readonly lines: readonly PreferenceLine[]
  /** Licence files for the crawler. */
  readonly licenses: readonly LicenseLine[]
  /** Reason why the file could not be fetched; set when nothing is known. */
  readonly failure?: RobotsFailure
}

/** Maximum `License` lines of a group: each is a file to read. */
const MAX_LICENSES = 5

/** Records of robots.txt about the use of pages. */
export const robotsKinds: ReadonlyMap<string, RobotsRecordKind> = new Map<string, RobotsRecordKind>([
  ['content-signal', { read: (value) => readPreference(value, readContentSignal) }],
  ['content-usage', { isRule: true, read: (value) => readPreference(value, readContentUsage) }],
  ['license', { isForAll: true, max: MAX_LICENSES, read: resolveLine }],
])

/** Value of a record about the use of pages. */
type Preference = { readonly pattern: string; readonly says: StatedUses }

/**
 * Reads a value about the use of pages: a path, which may be left out, and the preferences.
 *
 * @see draft-ietf-aipref-attach section 3; https://contentsignals.org
 */
function readPreference(value: string, read: (text: string) => StatedUses): Preference | undefined {
  const hasPath = /^[/*]/.test(value)
  const end = hasPath ? value.search(/[\t ]/) : 0
  if (end < 0) return undefined
  const pattern = hasPath ? readPath(value.slice(0, end)) : '/'
  const says = read(toText(value.slice(end)))
  return pattern === undefined || Object.keys(says).length === 0 ? undefined : { pattern, says }
}

/** The statements of robots.txt about the use of pages. */
export interface PreferenceReader {
  /**
   * Finds what the file says about the use of a page. Undefined when it says nothing, and when it is not cached with `cached`.
   * Throws as `Robots.judge` does.
   */
  preferencesOf(url: URL, agent: string, from: RecordSource): Promise<RobotsPreferences | undefined>
}

/** Creates the reader of an engine. It indexes the lines of a group once. */
export function createPreferenceReader(robots: Robots): PreferenceReader {
  const indexes = new WeakMap<RobotsRecords, Promise<PreferenceIndex>>()
  const indexOf = (records: RobotsRecords): Promise<PreferenceIndex> => {
    const index = indexes.get(records) ?? indexPreferences(records)
    indexes.set(records, index)
    return index
  }
  return {
    async preferencesOf(url, agent, from) {
      const records = await robots.recordsOf(url, agent, from)
      if (!records) return undefined
      const { robotsUrl, ofGroup, ofAll, failure } = records
      if (failure) return { robotsUrl, lines: [], licenses: [], failure }
      const hasLines = ofGroup.has('content-signal') || ofGroup.has('content-usage')
      // No preferences are implied for pages that must not be fetched.
      const lines = hasLines && !(await records.forbids()) ? await findPreferences(await indexOf(ofGroup), url) : []
      const licenses = (ofGroup.get('license') ?? ofAll.get('license') ?? []).map((record) => ({
        url: record.value as string,
        shown: describeLine(record),
      }))
      return lines.length + licenses.length === 0 ? undefined : { robotsUrl, lines, licenses }
    },
  }
}

/** The lines of one crawler about the use of pages, indexed for search. */
type PreferenceIndex = Readonly<Record<PreferenceKind, PathIndex | undefined>>

interface PathIndex {
  readonly rules: RuleIndex
  readonly byPattern: ReadonlyMap<string, readonly PreferenceLine[]>
}

/** Indexes the lines of one crawler. */
async function indexPreferences(records: RobotsRecords): Promise<PreferenceIndex> {
  const indexKind = async (name: string, kind: PreferenceKind): Promise<PathIndex | undefined> => {
    const own = records.get(name)
    return own && (await indexPaths(own, kind))
  }
  return {
    'content-signals': await indexKind('content-signal', 'content-signals'),
    aipref: await indexKind('content-usage', 'aipref'),
  }
}

async function indexPaths(records: readonly RobotsRecord[], kind: PreferenceKind): Promise<PathIndex> {
  const byPattern = new Map<string, (RobotsRecord & { readonly value: Preference })[]>()
  for (const { value, ...place } of records) {
    const line = { ...place, value: value as Preference }
    const { pattern } = line.value
    const same = byPattern.get(pattern)
    if (!same) byPattern.set(pattern, [line])
    // A file may repeat a line thousands of times.
    else if (addsVerdict(line.value, same)) same.push(line)
  }
  const rules = [...byPattern].map(([pattern, [first]]) => ({
    allow: true,
    pattern,
    lineNumber: first?.lineNumber ?? 0,
    line: first?.line ?? '',
  }))
  const shown = [...byPattern].map(([pattern, lines]): [string, readonly PreferenceLine[]] => [
    pattern,
    lines.map((line) => ({ kind, ...line.value, shown: describeLine(line) })),
  ])
  return { rules: await indexRules(rules), byPattern: new Map(shown) }
}

const addsVerdict = ({ says }: Preference, others: readonly { readonly value: Preference }[]): boolean =>
  Object.entries(says).some(([use, verdict]) => others.every(({ value }) => value.says[use as Use] !== verdict))

/**
 * Finds the lines that apply to a URL: of each kind, those with the longest matching path. Several with one path all apply.
 *
 * @see draft-ietf-aipref-attach section 3.1
 */
async function findPreferences(index: PreferenceIndex, url: URL): Promise<PreferenceLine[]> {
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
