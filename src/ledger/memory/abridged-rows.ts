import { createHash } from 'node:crypto'
import type { Candidate, LedgerRow, Refusal, SkipReason, Via } from '../ledger.js'
import { skipReasons } from '../skip-reason.js'
import { rowLimits } from './row-limits.js'

const VIAS: readonly Via[] = ['seed', 'link', 'redirect', 'sitemap', 'previous']
const MAX_DEPTH = 511

/** Bytes of the hash that stands for a key. */
const HASH_BYTES = 6

/** What is kept of a URL that there was no room for: numbers alone, some 80 bytes however long it is. */
export interface Abridged {
  readonly reason: SkipReason
  readonly via: Via
  /** At most 511. */
  readonly depth: number
  readonly foundAtMs: number
}

/** The URLs of which a job knows no more than why they were not scraped. */
export class AbridgedRows {
  /** Facts by the hash of the key; under `-1 - reason`, how many there are of which not even this is kept. */
  readonly #facts = new Map<number, number>()
  readonly #changed: (hash: number, facts: number | undefined) => void

  /** @param changed is told of every entry that is new, has changed, or has gone */
  constructor(changed: (hash: number, facts: number | undefined) => void = () => undefined) {
    this.#changed = changed
  }

  /** Takes in an entry of an earlier process; gives back the reason, and how many URLs it stands for. */
  restore(hash: number, facts: number): { reason: SkipReason; times: number } {
    this.#facts.set(hash, facts)
    return hash < 0 ? { reason: reasonOf(-1 - hash), times: facts } : { reason: unpack(facts).reason, times: 1 }
  }

  find(key: string): Abridged | undefined {
    const facts = this.#facts.size === 0 ? undefined : this.#facts.get(hashOf(key))
    return facts === undefined ? undefined : unpack(facts)
  }

  add({ key, via, depth }: Candidate, reason: SkipReason, foundAtMs: number): void {
    if (this.#facts.size < rowLimits.abridged) this.#set(hashOf(key), pack({ reason, via, depth, foundAtMs }))
    else {
      const counter = -1 - skipReasons.indexOf(reason)
      this.#set(counter, (this.#facts.get(counter) ?? 0) + 1)
    }
  }

  remove(key: string): void {
    const hash = hashOf(key)
    if (this.#facts.delete(hash)) this.#changed(hash, undefined)
  }

  #set(hash: number, facts: number): void {
    this.#facts.set(hash, facts)
    this.#changed(hash, facts)
  }
}

/** Describes a URL of which little is kept as a row. */
export const toRow = (
  { key, url }: Pick<LedgerRow, 'key' | 'url'>,
  { reason, via, depth, foundAtMs }: Abridged,
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

/** Says why a URL with nothing against it is not kept. */
export const noRoom: Refusal = { reason: 'LIMIT', message: 'found when more URLs were waiting than `limit` can use' }

const messageOf = (reason: SkipReason): string =>
  reason === noRoom.reason
    ? noRoom.message
    : 'refused; the job has found too many such URLs to keep more than the reason'

const hashOf = (key: string): number => createHash('sha256').update(key).digest().readUIntBE(0, HASH_BYTES)

const reasonOf = (index: number): SkipReason => skipReasons[index] ?? 'LIMIT'

/** Seconds, 9 bits of depth, 3 of the way it was found, 4 of the reason. */
const pack = ({ reason, via, depth, foundAtMs }: Abridged): number =>
  Math.floor(foundAtMs / 1000) * 0x10000 +
  (Math.min(depth, MAX_DEPTH) << 7) +
  (VIAS.indexOf(via) << 4) +
  skipReasons.indexOf(reason)

function unpack(facts: number): Abridged {
  const low = facts % 0x10000
  return {
    reason: reasonOf(low & 15),
    via: VIAS[(low >> 4) & 7] ?? 'link',
    depth: low >> 7,
    foundAtMs: Math.floor(facts / 0x10000) * 1000,
  }
}
