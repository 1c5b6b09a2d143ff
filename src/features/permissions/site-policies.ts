import { TrawlError } from '../../base/errors.js'
import { isWebUrl } from '../../base/url.js'
import { type RankedStatement, shortenStatement } from './permissions.js'
import type { PolicyBudget } from './policy-budget.js'
import { type PolicyFile, type PolicyFileKind, type PolicyFileTools, PolicyFiles } from './policy-files.js'
import { policyLimits } from './policy-limits.js'
import type { PreferenceReader, RobotsPreferences } from './robots-preferences.js'
import { readRslFile } from './rsl-file.js'
import { findRslStatement, type RslOrigin } from './rsl-statement.js'
import { findReservation } from './tdmrep-file.js'
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { domainOf } from '../../kernel/frontier/scope/site-relation.js'

/** A licence file, and what names it. */
export interface NamedLicense {
  readonly url: string
  readonly source: 'robots.txt' | 'header' | 'link'
  /** The place in words, such as ``header `link` ``. */
  readonly where: string
  /** The text that names the file, as written. */
  readonly text: string
}

/** Source of policy files: `cached` sends no request. */
export type PolicySource =
  | 'cached'
  | {
      readonly signal?: AbortSignal
      /** Time of the page for policy files. @default that of each file */
      readonly budget?: PolicyBudget
    }

/**
 * Files of sites about the use of their pages: robots.txt, `tdmrep.json`, licence files. One for an engine. A file that cannot
 * be read, because its server fails, or takes longer than {@link policyLimits} or the budget of the page, is a statement that says so and decides nothing.
 */
export interface SitePolicies {
  /**
   * Reads what robots.txt, `tdmrep.json` and the licence files that robots.txt names say about a page.
   *
   * @param from `cached` sends no request: what is in memory counts
   * @throws TrawlError if robots.txt cannot be read; the reason of the signal
   */
  read(page: URL, agent: string, from: PolicySource): Promise<readonly RankedStatement[]>
  /**
   * Reads a licence file that a page names, and no more than {@link policyLimits} for its site, and for the host of the file.
   *
   * @param from `cached` sends no request: a file that is not in memory is only named
   * @throws the reason of the signal
   */
  readLicense(license: NamedLicense, page: URL, from: PolicySource): Promise<readonly RankedStatement[]>
  /** Reads a licence that a page contains. */
  readInline(text: string, origin: RslOrigin, page: URL): Promise<readonly RankedStatement[]>
}

/** Tools for reading files of sites. */
interface PolicyTools extends PolicyFileTools {
  readonly robots: PreferenceReader
}

export function createSitePolicies({ robots, ...tools }: PolicyTools): SitePolicies {
  const files = new PolicyFiles(tools)
  const quota = new LicenseQuota(tools.now)

  async function readFile(kind: PolicyFileKind, url: string, from: PolicySource): Promise<PolicyFile | undefined> {
    if (from === 'cached') return files.recall(kind, url)
    const { signal, budget } = from
    using wait = budget?.startWait()
    const file = await files.read(kind, url, { signal, late: wait?.signal })
    if (file !== 'late') return file
    return { tdmrep: [], rsl: [], problem: `the page had waited ${budget?.totalMs} ms for policy files` }
  }

  async function readTdmrep(page: URL, from: PolicySource): Promise<readonly RankedStatement[]> {
    const url = `${page.origin}/.well-known/tdmrep.json`
    const { tdmrep = [], problem, isMissing } = (await readFile('tdmrep', url, from)) ?? {}
    if (problem === undefined || isMissing) return await findReservation(tdmrep, url, page)
    return [{ source: 'tdmrep.json', protocol: 'tdmrep', where: url, text: unread(problem), says: {} }]
  }

  async function readLicense(
    license: NamedLicense,
    page: URL,
    from: PolicySource,
  ): Promise<readonly RankedStatement[]> {
    const { url, where } = license
    const refusal = from === 'cached' || files.isFresh('rsl', url) ? undefined : quota.refuse(url, page)
    if (refusal !== undefined) return [{ ...describeNamed(license), text: unread(refusal) }]
    const file = await readFile('rsl', url, from)
    if (!file) return [describeNamed(license)]
    const place = { where: `${url} (${where})`, rank: RANKS[license.source] }
    const { problem } = file
    if (problem === undefined) return await findRslStatement(file.rsl, { url, ...place }, page)
    return [{ source: 'rsl', protocol: 'rsl', ...place, text: unread(problem), says: {}, license: url }]
  }

  return {
    async read(page, agent, from) {
      if (!isWebUrl(page)) return []
      const preferences = await robots.preferencesOf(page, agent, from)
      const failure = from === 'cached' ? undefined : preferences?.failure
      if (failure) throw new TrawlError(failure.code, failure.message, { url: page.href })
      if (!preferences && from === 'cached' && files.isEmpty) return []
      const licenses = preferences ? listLicenses(preferences) : []
      // At the same time, so that a server that hangs costs the page the time of one file.
      const found = await Promise.all([
        readTdmrep(page, from),
        ...licenses.map((license) => readLicense(license, page, from)),
      ])
      return [...(preferences ? describeLines(preferences) : []), ...found.flat()]
    },
    readLicense,
    readInline: async (text, origin, page) =>
      text.length > policyLimits.fileBytes ? [] : await findRslStatement(await readRslFile(text), origin, page),
  }
}

/** Precedence of what names a licence file. */
const RANKS: Readonly<Record<NamedLicense['source'], number>> = { 'robots.txt': 0, header: 1, link: 2 }

const unread = (problem: string): string => shortenStatement(`could not be read: ${problem}`)

const describeLines = ({ robotsUrl, lines }: RobotsPreferences): RankedStatement[] =>
  lines.map(({ kind, says, shown }) => ({
    source: 'robots.txt',
    protocol: kind,
    where: `${robotsUrl} line ${shown.number}`,
    text: shortenStatement(shown.text),
    says,
  }))

const listLicenses = ({ robotsUrl, licenses }: RobotsPreferences): NamedLicense[] =>
  licenses.map(({ url, shown }) => ({
    url,
    source: 'robots.txt',
    where: `${robotsUrl} line ${shown.number}`,
    text: shown.text,
  }))

/** Describes a licence file that is not read. */
const describeNamed = ({ url, source, where, text }: NamedLicense): RankedStatement => ({
  source,
  protocol: 'rsl',
  where,
  text: shortenStatement(text),
  says: {},
  license: url,
})

/** Number of domains whose licence files are counted. */
const MAX_SITES = 1000
/** Number of hosts of licence files that are counted. */
const MAX_HOSTS = 100

interface Count {
  /** Hashes of the URLs: a URL has up to 8000 characters. */
  readonly urls: Set<number>
  readonly expiresAtMs: number
}

/**
 * Counts the licence files that are requested, so that neither one site that names ever new files, nor many sites that name
 * files of one host, send it thousands of requests.
 */
class LicenseQuota {
  readonly #now: () => number
  readonly #bySite = new LRUCache<string, Count>({ max: MAX_SITES })
  readonly #byHost = new LRUCache<string, Count>({ max: MAX_HOSTS })

  /** @param now milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Takes a place for a licence file, within `policyLimits`. One that has a place keeps it for a day.
   *
   * @param page a page of the site that names the file
   * @returns why the file must not be requested; undefined if it may be
   */
  refuse(url: string, page: URL): string | undefined {
    const { filesBySite, filesByHost } = policyLimits
    const hash = hashUrl(url)
    const site = siteOf(page)
    const file = new URL(url)
    const ofSite = this.#countOf(this.#bySite, site)
    if (!ofSite.has(hash) && ofSite.size >= filesBySite) return `its site names more than ${filesBySite} licence files`
    if (siteOf(file) !== site) {
      const ofHost = this.#countOf(this.#byHost, file.host)
      if (!ofHost.has(hash) && ofHost.size >= filesByHost)
        return `sites name more than ${filesByHost} licence files of \`${file.host}\``
      ofHost.add(hash)
    }
    ofSite.add(hash)
    return undefined
  }

  #countOf(counts: LRUCache<string, Count>, key: string): Set<number> {
    const nowMs = this.#now()
    const known = counts.get(key)
    if (known && known.expiresAtMs > nowMs) return known.urls
    const urls = new Set<number>()
    counts.set(key, { urls, expiresAtMs: nowMs + policyLimits.readMs })
    return urls
  }
}

/** Registrable domain of a page, including private suffixes; host and port if it has none. */
const siteOf = (url: URL): string => domainOf(url) ?? url.host

const hashUrl = (url: string): number => createHash('sha256').update(url).digest().readUIntBE(0, 6)
