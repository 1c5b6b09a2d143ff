import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'
import type {
  Attempt,
  UrlCandidate,
  Claim,
  Counts,
  Ending,
  LeaseRequest,
  LedgerRow,
  LedgerRules,
  Outcome,
  QueuePosition,
  Refusal,
  RowEnd,
  RowFilter,
  SkipReason,
  Source,
} from '../ledger.js'
import { AbridgedRows, refusalBeyondLimit, toLedgerRow } from './abridged-rows.js'
import { type IndexedRow, isRefusedUntried, createRow } from './new-row.js'
import { comesBefore } from '../../../base/collections/priority-queue.js'
import { creditsOf, RowCounts } from './row-counts.js'
import { canKeepRow } from './row-limits.js'
import { RowScheduler } from './row-scheduler.js'
import { siteOf } from '../../../base/url.js'

/** Rows of a long list that are changed at once. A page rarely has more links. */
export const SLICE_SIZE = 500

/** The rows of one job in memory, and the order in which they are leased. Ledgers share it, whatever their storage. */
export class RowIndex {
  #rules: LedgerRules
  readonly #rows = new Map<string, IndexedRow>()
  /** The rows in order of discovery. */
  readonly #list: IndexedRow[] = []
  readonly #abridged: AbridgedRows
  /** Made when it is needed: a job that has ended needs none. */
  #scheduled: RowScheduler<IndexedRow> | undefined
  #leasedCount = 0
  #sites = new SiteNames()
  /** Updated in `#move`, and wherever a counted field of a row changes. */
  readonly #counts = new RowCounts()
  readonly #changed: (row: IndexedRow) => void

  /** @param changed called for every new or changed row */
  constructor(rules: LedgerRules, changed: (row: IndexedRow) => void = () => undefined, abridged = new AbridgedRows()) {
    this.#rules = rules
    this.#changed = changed
    this.#abridged = abridged
  }

  get #scheduler(): RowScheduler<IndexedRow> {
    const rules = this.#rules
    return (this.#scheduled ??= new RowScheduler((row) => (rules.order === 'place' ? 0 : row.depth)))
  }

  /** Number of rows that are not abridged. */
  get size(): number {
    return this.#list.length
  }

  /** Frees what only a running job needs. */
  settle(): void {
    const { limit, holdLevelMs, order = 'depth' } = this.#rules
    // Those of a running job lead to its plan.
    this.#rules = { limit, holdLevelMs, order }
    this.#scheduled = undefined
    this.#sites = new SiteNames()
  }

  /** Restores an abridged row of an earlier process. */
  restoreAbridged(hash: number, facts: number): void {
    const { reason, times } = this.#abridged.restore(hash, facts)
    this.#counts.countAbridged(reason, times)
  }

  /**
   * Restores a row of an earlier process; to be called in order of discovery. A row that was active is unfinished: it
   * is leased again as a retry is, and keeps its order.
   */
  restore(row: IndexedRow): void {
    if (row.outcome === 'active') row.outcome = 'queued'
    this.#keep(row)
    this.#counts.count(row, 1)
    this.#leasedCount = Math.max(this.#leasedCount, (row.order ?? -1) + 1)
    if (row.outcome !== 'queued') return
    if (row.order === undefined) this.#scheduler.queue.push(row)
    else this.#scheduler.queueRetry(row)
  }

  admit(candidates: readonly UrlCandidate[], nowMs: number): readonly LedgerRow[] {
    const added: LedgerRow[] = []
    for (const candidate of candidates) {
      const known = this.#rows.get(candidate.key)
      if (known) {
        if (candidate.via === 'link' && known.via === 'sitemap') this.#markLinked(known, candidate)
        if (!candidate.refused && this.#rediscover(known, candidate)) added.push(known)
        continue
      }
      const row = this.#admitUnknown(candidate, nowMs)
      if (row) added.push(row)
    }
    return added
  }

  /** Tests for a row that `admit` changes no more. */
  isSettled(key: string): boolean {
    const row = this.#rows.get(key)
    return row?.order !== undefined && row.endedAtMs !== undefined && (row.via !== 'sitemap' || row.linked === true)
  }

  /** Marks a row of a sitemap when another page links to it. */
  #markLinked(row: IndexedRow, { foundOn }: UrlCandidate): void {
    if (row.linked === true || foundOn === row.url) return
    row.linked = true
    this.#changed(row)
  }

  claim(candidate: UrlCandidate & { refused: Refusal }, nowMs: number): Claim {
    const row = this.#rows.get(candidate.key)
    if (!row) {
      const known = this.#abridged.find(candidate.key)
      if (known) this.#forgetAbridged(candidate.key, known.reason)
      return { outcome: known ? 'claimed' : 'added', row: this.#add(candidate, nowMs) }
    }
    if (!isRefusedUntried(row)) return { outcome: 'taken', row }
    this.#counts.count(row, -1)
    row.refusal = candidate.refused
    this.#counts.count(row, 1)
    this.#changed(row)
    return { outcome: 'claimed', row }
  }

  lease(request: LeaseRequest): LedgerRow | undefined {
    const row = this.next(request)
    if (!row) return undefined
    row.order ??= this.#leasedCount++
    this.#move(row, 'active')
    this.#scheduler.markActive(row, request.nowMs)
    return row
  }

  /** Finds the row that would be leased now. */
  next(request: LeaseRequest): IndexedRow | undefined {
    const { limit, holdLevelMs } = this.#rules
    if (this.#counts.byOutcome.done + this.#scheduler.activeTowardsLimit >= limit) return undefined
    return this.#scheduler.next(request, holdLevelMs)
  }

  putBack(key: string): void {
    const row = this.#release(key)
    this.#move(row, 'queued')
    // A row with attempts is deferred, and due at once.
    if (row.attempts.length > 0) this.#scheduler.queueRetry(row)
    else {
      delete row.order
      this.#scheduler.queue.push(row)
    }
  }

  retry(key: string, attempt: Attempt): void {
    const row = this.#release(key, attempt)
    this.#move(row, 'queued')
    this.#scheduler.queueRetry(row)
  }

  end(key: string, ending: Ending<unknown>, { nowMs, attempt, finalUrl, duplicateOf, warning }: RowEnd): IndexedRow {
    const row = this.#release(key, attempt)
    row.endedAtMs = nowMs
    if (finalUrl !== undefined) row.finalUrl = finalUrl
    if (duplicateOf !== undefined) row.duplicateOf = duplicateOf
    if (warning !== undefined) row.warning = warning
    if (ending.outcome === 'failed') row.failure = { code: ending.code, error: ending.error }
    if (ending.outcome === 'skipped') row.refusal = ending.refusal
    this.#move(row, ending.outcome, creditsOf(ending))
    return row
  }

  /** Adds the sources that the row does not have, and returns them. */
  addSources(row: IndexedRow, sources: readonly Source[]): readonly Source[] {
    const known = new Set(row.sources?.map(({ order }) => order))
    const added = sources.filter(({ order }) => !known.has(order))
    this.#counts.count(row, -1)
    row.sources = [...(row.sources ?? []), ...added]
    this.#counts.count(row, 1)
    this.#changed(row)
    return added
  }

  /** @param endSlice called after {@link SLICE_SIZE} rows each */
  async skipQueued(
    decide: (row: LedgerRow) => Promise<Refusal>,
    nowMs: number,
    endSlice: () => Promise<void>,
  ): Promise<readonly LedgerRow[]> {
    const rows = this.#list.filter((row) => row.outcome === 'queued')
    this.#scheduler.clearRetries()
    for (const [index, row] of rows.entries()) {
      // There may be 100,000 rows, and `decide` may read robots.txt for each: yield to the host's event loop.
      if (index % 16 === 15) await yieldIfHeld()
      if (index % SLICE_SIZE === SLICE_SIZE - 1) await endSlice()
      this.#skip(row, await decide(row), nowMs)
    }
    return rows
  }

  counts(): Counts {
    return this.#counts.read()
  }

  row(key: string): IndexedRow | undefined {
    return this.#rows.get(key)
  }

  /** As `row`, and finds abridged rows too. */
  find(key: string): LedgerRow | undefined {
    const row = this.#rows.get(key)
    if (row) return row
    const known = this.#abridged.find(key)
    return known && toLedgerRow({ key, url: key }, known)
  }

  rows(filter: RowFilter = {}): readonly LedgerRow[] {
    const { after } = filter
    return filterRows(this.#list, after === undefined ? 0 : (this.#rows.get(after)?.number ?? Infinity) + 1, filter)
  }

  /**
   * Adds a URL that has no row: as a row, or abridged when there is no room. Undefined when it is known as abridged and
   * stays so.
   */
  #admitUnknown(candidate: UrlCandidate, nowMs: number): LedgerRow | undefined {
    const known = this.#abridged.find(candidate.key)
    const isRoom = canKeepRow(candidate, this.#counts, this.#rules.limit)
    if (known && (candidate.refused || !isRoom)) return undefined
    if (known) this.#forgetAbridged(candidate.key, known.reason)
    if (isRoom) return this.#add(candidate, nowMs)
    const { reason, message } = candidate.refused ?? refusalBeyondLimit
    this.#abridged.add(candidate, reason, nowMs)
    this.#counts.countAbridged(reason, 1)
    return toLedgerRow(candidate, { ...candidate, reason, foundAtMs: nowMs }, message)
  }

  #forgetAbridged(key: string, reason: SkipReason): void {
    this.#abridged.remove(key)
    this.#counts.countAbridged(reason, -1)
  }

  #add(candidate: UrlCandidate, nowMs: number): IndexedRow {
    const { url, place = this.#last() } = candidate
    const row = createRow(candidate, { number: this.#list.length, place, site: this.#sites.of(url), nowMs })
    this.#keep(row)
    this.#counts.count(row, 1)
    if (candidate.refused) this.#skip(row, candidate.refused, nowMs)
    else this.#scheduler.queue.push(row)
    this.#changed(row)
    return row
  }

  #keep(row: IndexedRow): void {
    this.#rows.set(row.key, row)
    this.#list.push(row)
  }

  /** The position after all given ones, in order of arrival. */
  #last(): QueuePosition {
    return [Infinity, this.#list.length]
  }

  /** Updates a row that was found once more. @returns true when the row is newly queued */
  #rediscover(row: IndexedRow, candidate: UrlCandidate): boolean {
    const wasRefused = isRefusedUntried(row)
    const isWaiting = row.outcome === 'queued' && row.order === undefined
    // Most links lead to rows that were leased long ago: return before allocating anything.
    if (!wasRefused && !isWaiting) return false
    const place = candidate.place ?? this.#last()
    const levels = this.#rules.order === 'place' ? 0 : candidate.depth - row.depth
    const isEarlier = levels < 0 || (levels === 0 && comesBefore(place, row.place))
    if (!wasRefused && !isEarlier) return false
    if (wasRefused && !canKeepRow(candidate, this.#counts, this.#rules.limit)) return false
    this.#counts.count(row, -1)
    Object.assign(row, candidate, { place })
    this.#counts.count(row, 1)
    if (wasRefused) {
      this.#move(row, 'queued')
      delete row.refusal
      delete row.endedAtMs
    }
    this.#scheduler.queue.push(row)
    this.#changed(row)
    return wasRefused
  }

  #release(key: string, attempt?: Attempt): IndexedRow {
    const row = this.#rows.get(key)
    if (row?.outcome !== 'active') throw new Error(`ledger: ${key} is ${row?.outcome ?? 'unknown'}, not active`)
    // A spread leaves room for sixteen more, in each row of the job.
    if (attempt) row.attempts = row.attempts.length === 0 ? [attempt] : [...row.attempts, attempt]
    this.#scheduler.unmarkActive(row)
    return row
  }

  #skip(row: IndexedRow, refusal: Refusal, nowMs: number): void {
    row.refusal = refusal
    row.endedAtMs = nowMs
    this.#move(row, 'skipped')
  }

  #move(row: IndexedRow, outcome: Outcome, credits?: number): void {
    this.#counts.count(row, -1)
    row.outcome = outcome
    if (credits !== undefined) row.credits = credits
    this.#counts.count(row, 1)
    this.#changed(row)
  }
}

/** Selects rows by a filter, in their order. @param from index of the first row to test */
function filterRows(
  rows: readonly LedgerRow[],
  from: number,
  { outcome, reason, skip = 0, limit = Infinity }: RowFilter,
): readonly LedgerRow[] {
  const found: LedgerRow[] = []
  let passed = 0
  for (let at = from; at < rows.length && found.length < limit; at++) {
    const row = rows[at]
    if (!row || (outcome !== undefined && row.outcome !== outcome)) continue
    if (reason !== undefined && row.refusal?.reason !== reason) continue
    if (passed++ >= skip) found.push(row)
  }
  return found
}

/** Sites by origin: one string for all URLs of an origin, so that a million rows share it. */
class SiteNames {
  readonly #sites = new Map<string, string>()

  of(url: string): string {
    const origin = /^[^/]*\/\/[^/?#]*/.exec(url)?.[0] ?? url
    const known = this.#sites.get(origin)
    if (known !== undefined) return known
    const site = siteOf(new URL(url))
    this.#sites.set(origin, site)
    return site
  }
}
