import { createHash } from 'node:crypto'
import type { UrlCandidate, LedgerRow, Refusal, SkipReason, Via } from '../ledger.js'
import { skipReasons } from '../skip-reason.js'
import { rowLimits } from './row-limits.js'

const VIAS: readonly Via[] = ['seed', 'link', 'redirect', 'sitemap', 'previous', 'search']
const MAX_DEPTH = 511

/** Bytes of a key's hash. */
const HASH_BYTES = 6

/** Place and time at which an abridged row was found. */
interface FoundRow {
  readonly via: Via
  /** At most 511. */
  readonly depth: number
  readonly foundAtMs: number
}

/** An abridged row: numbers only, about 80 bytes whatever the URL's length. */
interface AbridgedRow extends FoundRow {
  readonly reason: SkipReason
}

/** An abridged row as it is packed. */
interface PackedRow extends FoundRow {
  /** Index of the reason in {@link skipReasons}. */
  readonly reason: number
}

/** URLs of which a job stores little more than the reason why they were not scraped. */
export class AbridgedRows {
  /**
   * Packed rows by the hash of their key. Beyond the maximum number of rows, URLs are only counted by reason: that
   * number is stored under the key `-1 - reason`.
   */
  #facts: Map<number, number> | undefined
  readonly #changed: (hash: number, facts: number | undefined) => void

  /** @param changed called for every entry that is new, changed or deleted */
  constructor(changed: (hash: number, facts: number | undefined) => void = () => undefined) {
    this.#changed = changed
  }

  /** Adds an entry of an earlier process, and returns the reason and the number of URLs that it stands for. */
  restore(hash: number, facts: number): { reason: SkipReason; times: number } {
    this.#write(hash, facts)
    return hash < 0 ? { reason: reasonOf(-1 - hash), times: facts } : { reason: unpack(facts).reason, times: 1 }
  }

  find(key: string): AbridgedRow | undefined {
    const facts = this.#facts?.get(hashKey(key))
    return facts === undefined ? undefined : unpack(facts)
  }

  add({ key, via, depth }: UrlCandidate, reason: SkipReason, foundAtMs: number): void {
    if ((this.#facts?.size ?? 0) < rowLimits.abridged)
      this.#set(hashKey(key), packRow({ reason: indexOf(reason), via, depth, foundAtMs }))
    else {
      const counter = -1 - indexOf(reason)
      this.#set(counter, (this.#facts?.get(counter) ?? 0) + 1)
    }
  }

  remove(key: string): void {
    const hash = hashKey(key)
    if (this.#facts?.delete(hash)) this.#changed(hash, undefined)
  }

  #set(hash: number, facts: number): void {
    this.#write(hash, facts)
    this.#changed(hash, facts)
  }

  #write(hash: number, facts: number): void {
    this.#facts ??= new Map()
    this.#facts.set(hash, facts)
  }
}

/** Expands an abridged row. */
export const toLedgerRow = (
  { key, url }: { readonly key: string; readonly url: string },
  { reason, via, depth, foundAtMs }: AbridgedRow,
  message = messageOf(reason),
): LedgerRow => ({
  key,
  url,
  via,
  depth,
  outcome: 'skipped',
  refusal: { reason, message },
  attempts: [],
  foundAtMs,
  endedAtMs: foundAtMs,
  abridged: true,
})

/** The refusal of a URL that no rule refuses, and that was dropped for lack of room. */
export const refusalBeyondLimit: Refusal = {
  reason: 'LIMIT',
  message: 'found when more URLs were queued than `limit` lets the job scrape',
}

const messageOf = (reason: SkipReason): string =>
  reason === refusalBeyondLimit.reason
    ? refusalBeyondLimit.message
    : 'refused; only the reason is stored, because the job has refused too many URLs'

/** The first six bytes of a key's SHA-256, as a number. */
export const hashKey = (key: string): number => createHash('sha256').update(key).digest().readUIntBE(0, HASH_BYTES)

/** Returns the index of a reason. Only reasons of trawl itself are known when a URL is found: features refuse later. */
const indexOf = (reason: SkipReason): number => skipReasons.findIndex((known) => known === reason)

/** Reads the reason of a packed row. */
export const reasonOf = (index: number): SkipReason => skipReasons[index] ?? 'LIMIT'

/** Number of reasons that the low bits of a packed row tell apart. */
const LOW_REASONS = 16
/** In the year 2106. Seconds since the epoch. */
const MAX_SECONDS = 2 ** 32 - 1
/** Place value of the high bits of a packed reason: above 32 bits of seconds and 16 of the rest. */
const HIGH_REASON = 2 ** 48
/** Maximum number of reasons: five high bits keep a packed row a safe integer. A test compares it with {@link skipReasons}. */
export const MAX_REASONS = 32 * LOW_REASONS

/**
 * Packs a row into a safe integer: from the top, 5 high bits of the reason, 32 bits of seconds, 9 of depth, 3 of `via`, 4 low
 * bits of the reason. Files of versions with at most 16 reasons have the same numbers.
 *
 * @param row with its reason as an index of {@link skipReasons}
 */
export const packRow = ({ reason, via, depth, foundAtMs }: PackedRow): number =>
  Math.floor(reason / LOW_REASONS) * HIGH_REASON +
  Math.min(Math.floor(foundAtMs / 1000), MAX_SECONDS) * 0x10000 +
  (Math.min(depth, MAX_DEPTH) << 7) +
  (VIAS.indexOf(via) << 4) +
  (reason % LOW_REASONS)

export function unpackRow(facts: number): PackedRow {
  const low = facts % 0x10000
  return {
    reason: Math.floor(facts / HIGH_REASON) * LOW_REASONS + (low & 15),
    via: VIAS[(low >> 4) & 7] ?? 'link',
    depth: low >> 7,
    foundAtMs: Math.floor((facts % HIGH_REASON) / 0x10000) * 1000,
  }
}

function unpack(facts: number): AbridgedRow {
  const row = unpackRow(facts)
  return { ...row, reason: reasonOf(row.reason) }
}
