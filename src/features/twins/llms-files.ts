import { LRUCache } from 'lru-cache'
import { untilAborted } from '../../base/concurrency/until-aborted.js'
import type { FeaturePage } from '../../kernel/page/feature-page.js'
import { requestText, type TextAnswer } from './request-text.js'
import { readLlmsFile } from './twin-addresses.js'

/** Maximum size of all files in memory, as read. Characters. */
const MAX_CHARACTERS = 8_388_608
/** Maximum size of a file; a longer one is not read. Splitting it takes less than a millisecond. Bytes. */
const MAX_FILE_BYTES = 262_144
/** Size of an entry without its contents, as estimated. Characters. */
const ENTRY_CHARACTERS = 256
/** Lifetime of a file that was read, or that does not exist. Milliseconds. */
const READ_MS = 24 * 3_600_000
/** Lifetime of the knowledge that a file could not be read. Milliseconds. */
const FAILED_MS = 5 * 60_000

/** The links of a file, by page. */
type LlmsLinks = ReadonlyMap<string, string>

interface KnownFile extends LlmsFile {
  readonly expiresAtMs: number
}

/** The links of a file `llms.txt`. */
interface LlmsFile {
  readonly links: LlmsLinks
  /** True if the site has answered. */
  readonly isCertain: boolean
}

const NOTHING = { links: new Map<string, string>(), isCertain: false }

/** Files `llms.txt` of origins, which are requested once for all callers and remembered. */
export class LlmsFiles {
  readonly #now: () => number
  readonly #flights = new Map<string, Promise<LlmsFile>>()
  readonly #files = new LRUCache<string, KnownFile>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ links }, { length }) =>
      [...links].reduce((sum, [page, url]) => sum + page.length + url.length, ENTRY_CHARACTERS + length),
  })

  /** @param now milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Reads the file of an origin. What a caller with headers of its own, or without retention of data, has read is for it alone.
   *
   * @throws the signal's reason
   */
  async read(page: FeaturePage, origin: string, signal: AbortSignal): Promise<LlmsFile> {
    if (page.isForOneCaller) return toFile(await requestText(page, `${origin}/llms.txt`, 'text/plain', signal))
    const known = this.#files.get(origin)
    if (known && known.expiresAtMs > this.#now()) return known
    const running = this.#flights.get(origin)
    // The first caller asks by its own rules. If they end its request, the others do without.
    if (running) return await untilAborted(running, signal)
    const flight = this.#request(page, origin, signal).catch(() => NOTHING)
    this.#flights.set(origin, flight)
    try {
      return await flight
    } finally {
      this.#flights.delete(origin)
      signal.throwIfAborted()
    }
  }

  async #request(page: FeaturePage, origin: string, signal: AbortSignal): Promise<LlmsFile> {
    const answer = await requestText(page, `${origin}/llms.txt`, 'text/plain', signal)
    const file = toFile(answer)
    const lifetimeMs = answer === 'failed' ? FAILED_MS : READ_MS
    if (answer !== 'refused') this.#files.set(origin, { ...file, expiresAtMs: this.#now() + lifetimeMs })
    return file
  }
}

function toFile(answer: TextAnswer): LlmsFile {
  const isCertain = answer !== 'failed' && answer !== 'refused'
  if (typeof answer === 'string' || answer.body.byteLength > MAX_FILE_BYTES) return { ...NOTHING, isCertain }
  return { links: readLlmsFile(new TextDecoder().decode(answer.body), answer.url), isCertain }
}
