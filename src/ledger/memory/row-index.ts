import { yieldIfHeld } from '../../concurrency/yield-turn.js'
import type {
  Attempt,
  Candidate,
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
import { ActiveRows } from './active-rows.js'
import { AbridgedRows, noRoom, toRow } from './abridged-rows.js'
import { type BookRow, isRefusedUntried, makeRow } from './new-row.js'
import { filterRows } from './filter-rows.js'
import { comesBefore } from './priority-queue.js'
import { RetryQueue } from './retry-queue.js'
import { creditsOf, RowCounts } from './row-counts.js'
import { hasRoom } from './row-limits.js'
import { RowQueue } from './row-queue.js'
import { SiteNames } from './site-names.js'

type Row = BookRow

const NONE: ReadonlySet<string> = new Set()

/** The rows of one job in memory, and which of them is next: what ledgers have in common, wherever they keep documents. */
export class RowIndex {
  readonly #rules: LedgerRules
  readonly #rows = new Map<string, Row>()
  /** The same in the order in which they were found. */
  readonly #list: Row[] = []
  readonly #abridged: AbridgedRows
  readonly #queue = new RowQueue<Row>()
  readonly #delayed = new RetryQueue<Row>()
  readonly #active = new ActiveRows<Row>()
  #taken = 0
  readonly #sites = new SiteNames()
  /** Moved with the rows in `#move`, and nowhere else but where a row comes in. */
  readonly #counts = new RowCounts()
  readonly #changed: (row: Row) => void

  /** @param changed is told of every row that is new, or no longer what it was */
  constructor(rules: LedgerRules, changed: (row: BookRow) => void = () => undefined, abridged = new AbridgedRows()) {
    this.#rules = rules
    this.#changed = changed
    this.#abridged = abridged
  }

  /** Takes in what an earlier process has abridged. */
  restoreAbridged(hash: number, facts: number): void {
    const { reason, times } = this.#abridged.restore(hash, facts)
    this.#counts.countAbridged(reason, times)
  }

  /**
   * Takes in a row of an earlier process, in the order in which they were found. One that was active then had not come to
   * its end: it is handed out again, before all others, and keeps its order.
   */
  restore(row: BookRow): void {
    if (row.outcome === 'active') row.outcome = 'queued'
    this.#keep(row)
    this.#counts.count(row, 1)
    this.#taken = Math.max(this.#taken, (row.order ?? -1) + 1)
    if (row.outcome !== 'queued') return
    if (row.order === undefined) this.#queue.push(row)
    else this.#delayed.add(row)
  }

  admit(candidates: readonly Candidate[], nowMs: number): readonly LedgerRow[] {
    const added: LedgerRow[] = []
    for (const candidate of candidates) {
      const known = this.#rows.get(candidate.key)
      if (known) {
        if (!candidate.refused && this.#findAgain(known, candidate)) added.push(known)
        continue
      }
      const row = this.#take(candidate, nowMs)
      if (row) added.push(row)
    }
    return added
  }

  claim(candidate: Candidate & { refused: Refusal }, nowMs: number): Claim {
    const row = this.#rows.get(candidate.key)
    if (!row) {
      const known = this.#abridged.find(candidate.key)
      if (known) this.#forgetAbridged(candidate.key, known.reason)
      return { outcome: known ? 'claimed' : 'added', row: this.#add(candidate, nowMs) }
    }
    if (!isRefusedUntried(row) || row.refusal?.reason === candidate.refused.reason) return { outcome: 'taken', row }
    this.#counts.count(row, -1)
    row.refusal = candidate.refused
    this.#counts.count(row, 1)
    this.#changed(row)
    return { outcome: 'claimed', row }
  }

  lease(request: LeaseRequest): LedgerRow | undefined {
    const row = this.#next(request)
    if (!row) return undefined
    this.#delayed.delete(row)
    row.order ??= this.#taken++
    this.#move(row, 'active')
    this.#active.set(row, request.nowMs)
    return row
  }

  ready(request: LeaseRequest): boolean {
    return this.#next(request) !== undefined
  }

  putBack(key: string): void {
    const row = this.#release(key)
    this.#move(row, 'queued')
    // One that was tried before is found among the delayed, and is due.
    if (row.attempts.length > 0) this.#delayed.add(row)
    else {
      delete row.order
      this.#queue.push(row)
    }
  }

  retry(key: string, attempt: Attempt): void {
    const row = this.#release(key, attempt)
    this.#move(row, 'queued')
    this.#delayed.add(row)
  }

  end(key: string, ending: Ending<unknown>, { nowMs, attempt, finalUrl, duplicateOf }: RowEnd): BookRow {
    const row = this.#release(key, attempt)
    row.endedAtMs = nowMs
    if (finalUrl !== undefined) row.finalUrl = finalUrl
    if (duplicateOf !== undefined) row.duplicateOf = duplicateOf
    if (ending.outcome === 'failed') row.failure = { code: ending.code, error: ending.error }
    if (ending.outcome === 'skipped') row.refusal = ending.refusal
    this.#move(row, ending.outcome, creditsOf(ending))
    return row
  }

  /** The row takes the sources that it has not; gives those back. */
  nameAgain(row: BookRow, sources: readonly Source[]): readonly Source[] {
    const known = new Set(row.sources?.map(({ order }) => order))
    const added = sources.filter(({ order }) => !known.has(order))
    this.#counts.count(row, -1)
    row.sources = [...(row.sources ?? []), ...added]
    this.#counts.count(row, 1)
    this.#changed(row)
    return added
  }

  async skipQueued(decide: (row: LedgerRow) => Promise<Refusal>, nowMs: number): Promise<readonly LedgerRow[]> {
    const rows = this.#list.filter((row) => row.outcome === 'queued')
    this.#delayed.clear()
    for (const [index, row] of rows.entries()) {
      // A hundred thousand rows must not hold the host's event loop, and robots.txt may be asked about each.
      if (index % 16 === 15) await yieldIfHeld()
      this.#skip(row, await decide(row), nowMs)
    }
    return rows
  }

  counts(): Counts {
    return this.#counts.read()
  }

  row(key: string): BookRow | undefined {
    return this.#rows.get(key)
  }

  /** As `row`, also for a URL of which little is kept. */
  find(key: string): LedgerRow | undefined {
    const row = this.#rows.get(key)
    if (row) return row
    const known = this.#abridged.find(key)
    return known && toRow({ key, url: key }, known)
  }

  rows(filter: RowFilter = {}): readonly LedgerRow[] {
    const { after } = filter
    return filterRows(this.#list, after === undefined ? 0 : (this.#rows.get(after)?.number ?? Infinity) + 1, filter)
  }

  #next(request: LeaseRequest): Row | undefined {
    if (this.#counts.of('done') + this.#active.kept >= this.#rules.limit) return undefined
    const { heldSites = NONE, hangingSites = NONE } = request
    const first = hangingSites.size > 0 && this.#nextBeside(new Set([...heldSites, ...hangingSites]), request)
    return first || this.#nextBeside(heldSites, request)
  }

  /** The next row of other sites than these: rows that failed slowly come last within their depth. */
  #nextBeside(sites: ReadonlySet<string>, request: LeaseRequest): Row | undefined {
    const { nowMs, maxDepth = Infinity, readKeys = NONE } = request
    const quick = this.#delayed.next(nowMs, sites, 'quick')
    if (quick) return quick
    const slow = this.#delayed.next(nowMs, sites, 'slow')
    if (slow && this.#delayed.isLong) return slow
    const row = this.#queue.next(sites, maxDepth)
    const isNext = row && (!slow || row.depth <= slow.depth) && !this.#isHeldBack(row.depth, nowMs, readKeys)
    return isNext ? row : slow
  }

  /** Whether rows of a smaller depth are still to come to their end. */
  #isHeldBack(depth: number, nowMs: number, readKeys: ReadonlySet<string>): boolean {
    const { holdLevelMs } = this.#rules
    if (this.#active.hasAbove(depth, nowMs - holdLevelMs, readKeys)) return true
    return holdLevelMs === Infinity && this.#delayed.hasAbove(depth)
  }

  /** Takes in a URL that has no row: as a row, or abridged where there is no room for one. Undefined for one that is known abridged. */
  #take(candidate: Candidate, nowMs: number): LedgerRow | undefined {
    const known = this.#abridged.find(candidate.key)
    const isRoom = hasRoom(candidate, this.#counts, this.#rules.limit)
    if (known && (candidate.refused || !isRoom)) return undefined
    if (known) this.#forgetAbridged(candidate.key, known.reason)
    if (isRoom) return this.#add(candidate, nowMs)
    const { reason, message } = candidate.refused ?? noRoom
    this.#abridged.add(candidate, reason, nowMs)
    this.#counts.countAbridged(reason, 1)
    return toRow(candidate, { ...candidate, reason, foundAtMs: nowMs }, message)
  }

  #forgetAbridged(key: string, reason: SkipReason): void {
    this.#abridged.remove(key)
    this.#counts.countAbridged(reason, -1)
  }

  #add(candidate: Candidate, nowMs: number): Row {
    const { url, place = this.#last() } = candidate
    const row = makeRow(candidate, { number: this.#list.length, place, site: this.#sites.nameOf(url), nowMs })
    this.#keep(row)
    this.#counts.count(row, 1)
    if (candidate.refused) this.#skip(row, candidate.refused, nowMs)
    else this.#queue.push(row)
    this.#changed(row)
    return row
  }

  #keep(row: Row): void {
    this.#rows.set(row.key, row)
    this.#list.push(row)
  }

  /** Behind all places that were given, in order of arrival. */
  #last(): QueuePosition {
    return [Infinity, this.#list.length]
  }

  /** Whether the row is newly queued. */
  #findAgain(row: Row, candidate: Candidate): boolean {
    const wasRefused = isRefusedUntried(row)
    const isWaiting = row.outcome === 'queued' && row.order === undefined
    // Most links of a page lead to rows that were taken up long ago: nothing is made for them.
    if (!wasRefused && !isWaiting) return false
    const place = candidate.place ?? this.#last()
    const isEarlier = candidate.depth < row.depth || (candidate.depth === row.depth && comesBefore(place, row.place))
    if (!wasRefused && !isEarlier) return false
    if (wasRefused && !hasRoom(candidate, this.#counts, this.#rules.limit)) return false
    this.#counts.count(row, -1)
    Object.assign(row, candidate, { place })
    this.#counts.count(row, 1)
    if (wasRefused) {
      this.#move(row, 'queued')
      delete row.refusal
      delete row.endedAtMs
    }
    this.#queue.push(row)
    this.#changed(row)
    return wasRefused
  }

  #release(key: string, attempt?: Attempt): Row {
    const row = this.#rows.get(key)
    if (row?.outcome !== 'active') throw new Error(`ledger: ${key} is ${row?.outcome ?? 'unknown'}, not active`)
    if (attempt) row.attempts = [...row.attempts, attempt]
    this.#active.delete(row)
    return row
  }

  #skip(row: Row, refusal: Refusal, nowMs: number): void {
    row.refusal = refusal
    row.endedAtMs = nowMs
    this.#move(row, 'skipped')
  }

  #move(row: Row, outcome: Outcome, credits?: number): void {
    this.#counts.count(row, -1)
    row.outcome = outcome
    if (credits !== undefined) row.credits = credits
    this.#counts.count(row, 1)
    this.#changed(row)
  }
}
