import { SingleFlight } from '../../base/concurrency/single-flight.js'
import { untilAborted } from '../../base/concurrency/until-aborted.js'
import type { SheetText } from '../../base/text/linked-sheet.js'

/** Bounds on the sheets that an engine remembers: their number, and their size together in bytes. */
const MAX_SHEETS = 2000
const MAX_BYTES = 16_777_216
/** Time for which a sheet is used, and for which one that failed is not requested again. Milliseconds. */
const FRESH_MS = 3_600_000
const FAILED_MS = 600_000

/** The texts of a sheet, after those that it imports; none for a sheet that failed. */
export type SheetTexts = readonly SheetText[]

interface Entry {
  readonly texts: SheetTexts
  readonly bytes: number
  readonly untilMs: number
}

/** Style sheets of sites, each of which is requested once for all pages. The least recently used are forgotten first. */
export class SheetMemory {
  readonly #now: () => number
  readonly #entries = new Map<string, Entry>()
  readonly #flights = new SingleFlight<SheetTexts | undefined>()
  #bytes = 0
  #isClosed = false

  /** @param now milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Returns the texts of a sheet; undefined for one that is to be requested. */
  get(key: string): SheetTexts | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#delete(key, entry)
    const leftMs = entry.untilMs - this.#now()
    // A clock that was set back makes no sheet last longer.
    if (leftMs <= 0 || leftMs > FRESH_MS) return undefined
    this.#add(key, entry)
    return entry.texts
  }

  /**
   * Loads a sheet, once for all callers that want it at the same time.
   *
   * @returns undefined if it was not requested, which is not remembered
   * @throws what loading it throws; the signal's reason
   */
  async load(
    key: string,
    load: (signal: AbortSignal) => Promise<SheetTexts | undefined>,
    signal: AbortSignal,
  ): Promise<SheetTexts | undefined> {
    signal.throwIfAborted()
    const start = async (until: AbortSignal): Promise<SheetTexts | undefined> => {
      const texts = await load(until)
      if (texts !== undefined) this.#set(key, texts, FRESH_MS)
      return texts
    }
    using share = this.#flights.join(key, { caller: undefined, start })
    return await untilAborted(share.result, signal)
  }

  /** Notes that a sheet failed. */
  fail(key: string): void {
    this.#set(key, [], FAILED_MS)
  }

  /** Forgets all sheets, and remembers none from now on. */
  close(): void {
    this.#isClosed = true
    this.#entries.clear()
    this.#bytes = 0
  }

  #set(key: string, texts: SheetTexts, lastsMs: number): void {
    if (this.#isClosed) return
    const known = this.#entries.get(key)
    if (known) this.#delete(key, known)
    const bytes = key.length + texts.reduce((sum, text) => sum + text.bytes.byteLength, 0)
    this.#add(key, { texts, bytes, untilMs: this.#now() + lastsMs })
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= MAX_SHEETS && this.#bytes <= MAX_BYTES) break
      this.#delete(oldest, entry)
    }
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes
  }

  #delete(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
  }
}
