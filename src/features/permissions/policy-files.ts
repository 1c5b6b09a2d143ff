import { LRUCache } from 'lru-cache'
import { SingleFlight } from '../../base/concurrency/single-flight.js'
import { untilAborted } from '../../base/concurrency/until-aborted.js'
import { toTrawlError } from '../../base/errors.js'
import { describeStatus, type GetSiteFile, isSuccess, type SiteFile } from '../../base/http/site-file.js'
import { policyLimits } from './policy-limits.js'
import { type RslContent, readRslFile } from './rsl-file.js'
import { readTdmrepFile, type TdmrepFile } from './tdmrep-file.js'

/** Estimated size of an entry without its contents. Bytes. */
const ENTRY_BYTES = 512
/** Estimated bytes in memory of each byte of a file: its text and its patterns, and objects for its shortest elements. */
const MEMORY_OF_BYTE = 16

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

  constructor(tools: PolicyFileTools) {
    this.#tools = tools
  }

  /** True while no file is in memory, as in an engine none of whose pages has to be permitted. */
  get isEmpty(): boolean {
    return this.#files.size === 0
  }

  /** Returns a file that is in memory, also when it is old. */
  recall(kind: PolicyFileKind, url: string): PolicyFile | undefined {
    return this.#files.get(keyOf(kind, url))
  }

  /** Tests whether a file is in memory and need not be requested. */
  isFresh(kind: PolicyFileKind, url: string): boolean {
    const known = this.#files.get(keyOf(kind, url))
    return known !== undefined && known.expiresAtMs > this.#tools.now()
  }

  /**
   * Reads a file. When the time of `late` ends, its callers go on without it, and the request for it runs on to its own end, so
   * that other pages know the result.
   *
   * @param late aborted when the time of the page for policy files ends. @default never
   * @returns a file with a problem if it could not be read, or not in time
   * @throws the reason of the signal
   */
  async read(
    kind: PolicyFileKind,
    url: string,
    { signal, late }: { readonly signal?: AbortSignal; readonly late?: AbortSignal },
  ): Promise<PolicyFile | 'late'> {
    signal?.throwIfAborted()
    const key = keyOf(kind, url)
    const known = this.#files.get(key)
    if (known && this.isFresh(kind, url)) return known
    const share = this.#flights.join(key, {
      caller: undefined,
      start: async (until) => {
        const file = await this.#fetch(kind, url, until)
        this.#files.set(key, file)
        return file
      },
    })
    const leave = (): void => share[Symbol.dispose]()
    try {
      const first = late ? untilLate(share.result, late) : share.result
      const file = await (signal ? untilAborted(first, signal) : first)
      if (file === 'late') share.result.then(leave, leave)
      else leave()
      return file
    } catch (error) {
      leave()
      throw error
    }
  }

  async #fetch(kind: PolicyFileKind, url: string, signal: AbortSignal): Promise<KnownFile> {
    try {
      const answer = await this.#tools.get(url, signal)
      // A missing file is no failure: the site does not take part in the protocol. A file that is refused may exist.
      const isMissing = answer.statusCode === 404 || answer.statusCode === 410
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

const keyOf = (kind: PolicyFileKind, url: string): string => `${kind} ${url}`

const untilLate = <Result>(result: Promise<Result>, late: AbortSignal): Promise<Result | 'late'> =>
  untilAborted(result, late).catch((error: unknown) => {
    if (late.aborted) return 'late'
    throw error
  })

const TOO_LARGE = `has more than ${policyLimits.fileBytes} bytes`
const TOO_SLOW = `took longer than ${policyLimits.timeoutMs} ms`

const readFile = async (kind: PolicyFileKind, { body }: SiteFile): Promise<Partial<PolicyFile>> =>
  kind === 'tdmrep' ? { tdmrep: readTdmrepFile(body) } : { rsl: await readRslFile(new TextDecoder().decode(body)) }
