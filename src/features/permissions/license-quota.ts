import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { domainOf } from '../../kernel/frontier/scope/site-relation.js'
import { policyLimits } from './policy-limits.js'

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
export class LicenseQuota {
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
