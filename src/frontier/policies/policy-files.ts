import { LRUCache } from 'lru-cache'
import { SingleFlight } from '../../concurrency/single-flight.js'
import { untilAborted } from '../../concurrency/until-aborted.js'
import { toTrawlError } from '../../errors.js'
import type { PreferenceSource } from '../robots/robots.js'
import { describeStatus, type GetSiteFile, isSuccess, type SiteFile } from '../site-file.js'
import { type RslContent, readRslFile } from './rsl-file.js'
import { readTdmrepFile, type TdmrepFile } from './tdmrep-file.js'

/** Limits of policy files: `tdmrep.json` and licence files. */
export const policyLimits = {
  /** Maximum size of a file; a longer one is not read. Bytes. */
  fileBytes: 262_144,
  /** Time for a file; one that takes longer is not read. Milliseconds. */
  timeoutMs: 10_000,
  /** Lifetime of a file that was read, or that does not exist. Milliseconds. */
  readMs: 24 * 3_600_000,
  /** Lifetime of the knowledge that a file could not be read. Milliseconds. */
  failedMs: 5 * 60_000,
  /** Maximum size of all files in memory, as estimated. Bytes. */
  totalBytes: 33_554_432,
  /** Maximum number of licence files that the pages of one site have requested in a day. */
  filesBySite: 20,
} as const

/** Estimated size of an entry without its contents. Bytes. */
const ENTRY_BYTES = 512
/** Estimated bytes in memory of each byte of a file: its text and its patterns, and objects for its shortest elements. */
const MEMORY_OF_BYTE = 16
/** Number of sites whose licence files are counted. */
const MAX_SITES = 1000

/** A file that was read, or why it could not be. */
export interface PolicyFile {
  readonly tdmrep: TdmrepFile
  readonly rsl: readonly RslContent[]
  readonly problem?: string
  /** True for a file that the site does not have. */
  readonly isMissing?: true
}

interface KnownFile extends PolicyFile {
  readonly expiresAtMs: number
  /** Bytes read. */
  readonly bytes: number
}

export type PolicyFileKind = 'tdmrep' | 'rsl'

/** Tools for reading files of sites. */
export interface PolicyFileTools {
  readonly get: GetSiteFile
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** `tdmrep.json` and licence files, which are requested once for all callers and remembered, within {@link policyLimits}. */
export class PolicyFiles {
  readonly #tools: PolicyFileTools
  readonly #flights = new SingleFlight<KnownFile>()
  readonly #files = new LRUCache<string, KnownFile>({
    maxSize: policyLimits.totalBytes,
    sizeCalculation: ({ bytes }, { length }) => ENTRY_BYTES + 2 * length + MEMORY_OF_BYTE * bytes,
  })
  readonly #asked = new LRUCache<string, { readonly urls: Set<string>; readonly expiresAtMs: number }>({
    max: MAX_SITES,
  })

  constructor(tools: PolicyFileTools) {
    this.#tools = tools
  }

  /**
   * Reads a file.
   *
   * @param from `cached` sends no request, and takes what is in memory also when it is old
   * @returns undefined for a file that is not in memory, with `cached`
   * @throws the reason of the signal
   */
  async read(kind: PolicyFileKind, url: string, from: PreferenceSource): Promise<PolicyFile | undefined> {
    const key = `${kind} ${url}`
    const known = this.#files.get(key)
    if (from === 'cached') return known
    const { signal } = from
    signal?.throwIfAborted()
    if (known && known.expiresAtMs > this.#tools.now()) return known
    using share = this.#flights.join(key, { caller: undefined, start: (until) => this.#fetch(kind, url, until) })
    const file = await (signal ? untilAborted(share.result, signal) : share.result)
    this.#files.set(key, file)
    return file
  }

  /**
   * Tests whether a page of a site may have a licence file read: a site whose pages name ever new files would otherwise send
   * thousands of requests to others.
   */
  mayRead(url: string, site: string): boolean {
    const nowMs = this.#tools.now()
    const known = this.#asked.get(site)
    const asked =
      known && known.expiresAtMs > nowMs ? known : { urls: new Set<string>(), expiresAtMs: nowMs + policyLimits.readMs }
    if (asked !== known) this.#asked.set(site, asked)
    if (asked.urls.size < policyLimits.filesBySite) asked.urls.add(url)
    return asked.urls.has(url)
  }

  async #fetch(kind: PolicyFileKind, url: string, signal: AbortSignal): Promise<KnownFile> {
    try {
      const answer = await this.#tools.get(url, signal)
      // A missing file is no failure: the site does not take part in the protocol.
      const isMissing = answer.statusCode >= 400 && answer.statusCode < 500
      if (isMissing) return this.#make({ problem: describeStatus(answer), isMissing }, policyLimits.readMs)
      if (!isSuccess(answer)) return this.#make({ problem: describeStatus(answer) }, policyLimits.failedMs)
      const bytes = answer.body.byteLength
      if (bytes > policyLimits.fileBytes) return this.#make({ problem: TOO_LARGE }, policyLimits.readMs)
      return this.#make(await readFile(kind, answer), policyLimits.readMs, bytes)
    } catch (error) {
      signal.throwIfAborted()
      const { code, message } = toTrawlError(error)
      const isTooLarge = code === 'SCRAPE_DECOMPRESSED_TOO_LARGE' || code === 'SCRAPE_BODY_TOO_LARGE'
      if (isTooLarge) return this.#make({ problem: TOO_LARGE }, policyLimits.readMs)
      const isLate = code === 'SCRAPE_TIMEOUT'
      return this.#make({ problem: isLate ? TOO_SLOW : message }, policyLimits.failedMs)
    }
  }

  #make(file: Partial<PolicyFile>, lifetimeMs: number, bytes = 0): KnownFile {
    return { tdmrep: [], rsl: [], ...file, bytes, expiresAtMs: this.#tools.now() + lifetimeMs }
  }
}

const TOO_LARGE = `has more than ${policyLimits.fileBytes} bytes`
const TOO_SLOW = `took longer than ${policyLimits.timeoutMs} ms`

const readFile = async (kind: PolicyFileKind, { body }: SiteFile): Promise<Partial<PolicyFile>> =>
  kind === 'tdmrep' ? { tdmrep: readTdmrepFile(body) } : { rsl: await readRslFile(new TextDecoder().decode(body)) }
