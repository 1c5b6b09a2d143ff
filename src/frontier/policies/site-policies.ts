import { RecentMap } from '../../collections/recent-map.js'
import { SingleFlight } from '../../concurrency/single-flight.js'
import { untilAborted } from '../../concurrency/until-aborted.js'
import { toTrawlError, TrawlError } from '../../errors.js'
import { isWebUrl } from '../../url.js'
import { type RankedStatement, shortenStatement } from '../permissions/permissions.js'
import type { PreferenceSource, Robots, RobotsPreferences } from '../robots/robots.js'
import { describeStatus, type GetSiteFile, isSuccess } from '../site-file.js'
import { type RslContent, readRslFile } from './rsl-file.js'
import { findRslStatement, type RslOrigin } from './rsl-statement.js'
import { findReservation, MAX_POLICY_BYTES, readTdmrepFile, type TdmrepFile } from './tdmrep-file.js'

/** Files of sites about the use of their pages: robots.txt, `tdmrep.json`, licence files. One for an engine. */
export interface SitePolicies {
  /** Finds what the site's robots.txt says about a page, if it is cached. Sends no request. */
  known(page: URL, agent: string): Promise<readonly RankedStatement[]>
  /**
   * Reads what robots.txt, `tdmrep.json` and the licence files that robots.txt names say about a page.
   *
   * @throws TrawlError if robots.txt cannot be read; the reason of the signal
   */
  read(page: URL, agent: string, signal: AbortSignal): Promise<readonly RankedStatement[]>
  /** Reads a licence file that a page names. @throws the reason of the signal */
  readLicense(origin: RslOrigin, page: URL, signal: AbortSignal): Promise<readonly RankedStatement[]>
  /** Reads a licence that a page contains. */
  readInline(text: string, origin: RslOrigin, page: URL): Promise<readonly RankedStatement[]>
}

/** Tools for reading files of sites. */
export interface PolicyTools {
  readonly get: GetSiteFile
  readonly robots: Robots
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Lifetimes of files in memory. Milliseconds. */
export const policyLifetimes = {
  /** A file that was read, or that does not exist. */
  readMs: 24 * 3_600_000,
  /** A file that could not be read. */
  failedMs: 5 * 60_000,
} as const

/** Number of files to cache; the least recently used one is dropped first. */
const MAX_FILES = 1000

/** A file that was read, or why it could not be. */
interface PolicyFile {
  readonly tdmrep: TdmrepFile
  readonly rsl: readonly RslContent[]
  readonly problem?: string
  readonly expiresAtMs: number
}

type FileKind = 'tdmrep' | 'rsl'

export function createSitePolicies({ get, robots, now }: PolicyTools): SitePolicies {
  const files = new RecentMap<string, PolicyFile>(MAX_FILES)
  const flights = new SingleFlight<PolicyFile>()

  async function fetchFile(kind: FileKind, url: string, signal: AbortSignal): Promise<PolicyFile> {
    try {
      const answer = await get(url, signal)
      // A missing file is no failure: the site does not take part in the protocol.
      const isMissing = answer.statusCode >= 400 && answer.statusCode < 500
      if (!isSuccess(answer)) return keep({ problem: describeStatus(answer) }, isMissing)
      if (answer.body.byteLength > MAX_POLICY_BYTES) {
        return keep({ problem: `has more than ${MAX_POLICY_BYTES} bytes` }, true)
      }
      if (kind === 'tdmrep') return keep({ tdmrep: readTdmrepFile(answer.body) }, true)
      return keep({ rsl: readRslFile(new TextDecoder().decode(answer.body)) }, true)
    } catch (error) {
      signal.throwIfAborted()
      return keep({ problem: toTrawlError(error).message }, false)
    }
  }

  const keep = (file: Partial<PolicyFile>, isCertain: boolean): PolicyFile => ({
    tdmrep: [],
    rsl: [],
    ...file,
    expiresAtMs: now() + (isCertain ? policyLifetimes.readMs : policyLifetimes.failedMs),
  })

  async function recall(kind: FileKind, url: string, signal: AbortSignal): Promise<PolicyFile> {
    signal.throwIfAborted()
    const key = `${kind} ${url}`
    const known = files.get(key)
    if (known && known.expiresAtMs > now()) return known
    using share = flights.join(key, { caller: undefined, start: (until) => fetchFile(kind, url, until) })
    const file = await untilAborted(share.result, signal)
    files.set(key, file)
    return file
  }

  async function readLicense(origin: RslOrigin, page: URL, signal: AbortSignal): Promise<readonly RankedStatement[]> {
    const { rsl, problem } = await recall('rsl', origin.url, signal)
    return problem === undefined ? await findRslStatement(rsl, origin, page) : [describeUnread(origin, problem)]
  }

  const readPreferences = async (page: URL, agent: string, from: PreferenceSource) =>
    isWebUrl(page) ? await robots.preferencesOf(page, agent, from) : undefined

  return {
    async known(page, agent) {
      const preferences = await readPreferences(page, agent, 'cached')
      return preferences ? [...describeLines(preferences), ...describeLicenses(preferences)] : []
    },
    async read(page, agent, signal) {
      if (!isWebUrl(page)) return []
      const preferences = await readPreferences(page, agent, { signal })
      const failure = preferences?.failure
      if (failure) throw new TrawlError(failure.code, failure.message, { url: page.href })
      const tdmrepUrl = `${page.origin}/.well-known/tdmrep.json`
      const { tdmrep } = await recall('tdmrep', tdmrepUrl, signal)
      const licenses = []
      for (const { url, shown } of preferences?.licenses ?? []) {
        const where = `${url} (${preferences?.robotsUrl ?? ''} line ${shown.number})`
        licenses.push(...(await readLicense({ url, where, rank: 0 }, page, signal)))
      }
      const lines = preferences ? describeLines(preferences) : []
      return [...lines, ...(await findReservation(tdmrep, tdmrepUrl, page)), ...licenses]
    },
    readLicense,
    readInline: async (text, origin, page) =>
      text.length > MAX_POLICY_BYTES ? [] : await findRslStatement(readRslFile(text), origin, page),
  }
}

const describeLines = ({ robotsUrl, lines }: RobotsPreferences): RankedStatement[] =>
  lines.map(({ kind, says, shown }) => ({
    source: 'robots.txt',
    protocol: kind,
    where: `${robotsUrl} line ${shown.number}`,
    text: shortenStatement(shown.text),
    says,
  }))

/** Describes licence files that were not read. */
const describeLicenses = ({ robotsUrl, licenses }: RobotsPreferences): RankedStatement[] =>
  licenses.map(({ url, shown }) => ({
    source: 'robots.txt',
    protocol: 'rsl',
    where: `${robotsUrl} line ${shown.number}`,
    text: shortenStatement(shown.text),
    says: {},
    license: url,
  }))

const describeUnread = ({ url, where, rank }: RslOrigin, problem: string): RankedStatement => ({
  source: 'rsl',
  protocol: 'rsl',
  where,
  text: shortenStatement(`could not be read: ${problem}`),
  says: {},
  license: url,
  rank,
})
