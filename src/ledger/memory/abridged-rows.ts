import { createHash } from 'node:crypto'
import type { UrlCandidate, LedgerRow, Refusal, SkipReason, Via } from '../ledger.js'
import { skipReasons } from '../skip-reason.js'
import { rowLimits } from './row-limits.js'

const VIAS: readonly Via[] = ['seed', 'link', 'redirect', 'sitemap', 'previous']
const MAX_DEPTH = 511

/** Bytes of a key's hash. */
const HASH_BYTES = 6

/** An abridged row: numbers only, about 80 bytes whatever the URL's length. */
export interface AbridgedRow {
  readonly reason: SkipReason
  readonly via: Via
  /** At most 511. */
  readonly depth: number
  readonly foundAtMs: number
}

/** URLs of which a job stores little more than the reason why they were not scraped. */
export class AbridgedRows {
  /**
   * Packed rows by the hash of their key. Beyond the maximum number of rows, URLs are only counted by reason: that
   * number is stored under the key `-1 - reason`.
   */
  readonly #facts = new Map<number, number>()
  readonly #changed: (hash: number, facts: number | undefined) => void

  /** @param changed called for every entry that is new, changed or deleted */
  constructor(changed: (hash: number, facts: number | undefined) => void = () => undefined) {
    this.#changed = changed
  }

  /** Adds an entry of an earlier process, and returns the reason and the number of URLs that it stands for. */
  restore(hash: number, facts: number): { reason: SkipReason; times: number } {
    this.#facts.set(hash, facts)
    return hash < 0 ? { reason: reasonOf(-1 - hash), times: facts } : { reason: unpack(facts).reason, times: 1 }
  }

  find(key: string): AbridgedRow | undefined {
    const facts = this.#facts.size === 0 ? undefined : this.#facts.get(hashKey(key))
    return facts === undefined ? undefined : unpack(facts)
  }

  add({ key, via, depth }: UrlCandidate, reason: SkipReason, foundAtMs: number): void {
    if (this.#facts.size < rowLimits.abridged) this.#set(hashKey(key), pack({ reason, via, depth, foundAtMs }))
    else {
      const counter = -1 - skipReasons.indexOf(reason)
      this.#set(counter, (this.#facts.get(counter) ?? 0) + 1)
    }
  }

  remove(key: string): void {
    const hash = hashKey(key)
    if (this.#facts.delete(hash)) this.#changed(hash, undefined)
  }

  #set(hash: number, facts: number): void {
    this.#facts.set(hash, facts)
    this.#changed(hash, facts)
  }
}

/** Expands an abridged row. */
export const toLedgerRow = (
  { key, url }: Pick<LedgerRow, 'key' | 'url'>,
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

const reasonOf = (index: number): SkipReason => skipReasons[index] ?? 'LIMIT'

/** Packs a row into a safe integer: seconds, then 9 bits of depth, 3 of `via`, 4 of the reason. */
const pack = ({ reason, via, depth, foundAtMs }: AbridgedRow): number =>
  Math.floor(foundAtMs / 1000) * 0x10000 +
  (Math.min(depth, MAX_DEPTH) << 7) +
  (VIAS.indexOf(via) << 4) +
  skipReasons.indexOf(reason)

function unpack(facts: number): AbridgedRow {
  const low = facts % 0x10000
  return {
    reason: reasonOf(low & 15),
    via: VIAS[(low >> 4) & 7] ?? 'link',
    depth: low >> 7,
    foundAtMs: Math.floor(facts / 0x10000) * 1000,
  }
}
