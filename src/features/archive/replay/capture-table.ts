import { readTime } from '../read/archive-record.js'
import type { IndexedRecord } from '../read/read-index.js'
import type { ArchiveInput } from '../read/archive-input.js'

/** The place of a record. */
export interface CapturePlace {
  readonly input: ArchiveInput
  readonly offset: number
}

/** A response to a URL. */
export interface FoundCapture extends CapturePlace {
  /** Time of the response, and -Infinity for a 304: that one says that the page before it is still the page. */
  readonly rank: number
}

/**
 * Finds the captures of an archive, by hashes of what they are found by: an object and three keys of a `Map` for each took six times the
 * memory, and an archive may have millions. Two texts of one hash are told apart where the record is read.
 */
export class CaptureTable {
  readonly #inputs: ArchiveInput[] = []
  /** Archives, by the rows of the captures. */
  readonly #input: number[] = []
  readonly #offset: number[] = []
  readonly #rank: number[] = []
  readonly #timeMs: number[] = []
  /** The next row of the same URL; the last one leads to itself. */
  readonly #next: number[] = []
  /** For each URL, the row of the response to give, which the others follow. */
  readonly #byUrl = new Map<number, number>()
  readonly #byDigest = new Map<number, number>()

  /** @param untilMs time until which responses are found by their URLs; later ones only for what refers to them */
  add({ input, date, digest, mime, offset, status }: IndexedRecord, key: string, untilMs: number): void {
    if (this.#inputs.at(-1) !== input) this.#inputs.push(input)
    const row = this.#input.length
    const timeMs = readTime(date) ?? 0
    const rank = timeMs > untilMs ? NaN : status === 304 ? -Infinity : timeMs
    this.#input.push(this.#inputs.length - 1)
    this.#offset.push(offset)
    this.#rank.push(rank)
    // A revisit record has no body that another could refer to.
    const isRevisit = mime === 'warc/revisit'
    this.#timeMs.push(isRevisit ? NaN : timeMs)
    const hash = hashText(key)
    const first = this.#byUrl.get(hash)
    if (first === undefined || isNewer(rank, this.#rank[first])) {
      this.#next.push(first ?? row)
      this.#byUrl.set(hash, row)
    } else {
      const { [first]: second = first } = this.#next
      this.#next.push(second === first ? row : second)
      this.#next[first] = row
    }
    if (!isRevisit && digest !== '') this.#byDigest.set(hashText(plainDigest(digest)), row)
  }

  /** Finds the response to a URL. */
  find(key: string): FoundCapture | undefined {
    const row = this.#byUrl.get(hashText(key))
    const rank = row === undefined ? NaN : (this.#rank[row] ?? NaN)
    return row === undefined || Number.isNaN(rank) ? undefined : { ...this.#placeOf(row), rank }
  }

  /** Finds the record with a body. */
  findBody(digest: string): CapturePlace | undefined {
    const row = this.#byDigest.get(hashText(plainDigest(digest)))
    return row === undefined ? undefined : this.#placeOf(row)
  }

  /** Finds the record of a URL that has a body, by its time. */
  findAt(key: string, timeMs: number): CapturePlace | undefined {
    let row = this.#byUrl.get(hashText(key))
    while (row !== undefined) {
      if (this.#timeMs[row] === timeMs) return this.#placeOf(row)
      const next: number | undefined = this.#next[row]
      row = next === row ? undefined : next
    }
    return undefined
  }

  #placeOf(row: number): CapturePlace {
    const input = this.#inputs[this.#input[row] ?? 0]
    if (!input) throw new RangeError(`no row ${row}`)
    return { input, offset: this.#offset[row] ?? 0 }
  }
}

/** Tests whether a response is given in the place of another one. NaN is later than all that is asked for. */
export const isNewer = (rank: number, known: number | undefined): boolean =>
  known === undefined || Number.isNaN(known) || known <= rank

/** Returns a digest as all programs write it: some leave the name of SHA-1 out. */
export const plainDigest = (digest: string): string => digest.toLowerCase().replace(/^sha1:/, '')

/** Hashes a text to 53 bits: of a million texts, two have one hash in 18,000 archives. */
function hashText(text: string): number {
  let [high, low] = [0x811c9dc5, 0x1b873593]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x5bd1e995)
    low ^= low >>> 15
  }
  high = Math.imul(high ^ (low >>> 13), 0x85ebca6b)
  high ^= high >>> 16
  return (high >>> 0) * 2 ** 21 + (low >>> 11)
}
