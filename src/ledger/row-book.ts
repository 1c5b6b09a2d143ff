import { yieldIfHeld } from '../yield-turn.js'
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
  Place,
  Refusal,
  RowEnd,
  Source,
} from './ledger.js'
import { comesBefore } from './place-heap.js'
import { RowCounts } from './row-counts.js'
import { RowQueue, type QueuedRow } from './row-queue.js'
import { SiteNames } from './site-names.js'

/** A row as the book keeps it. */
export type BookRow = { -readonly [K in keyof QueuedRow]: QueuedRow[K] } & {
  /** How many rows there were before it. */
  readonly number: number
}

type Row = BookRow

const NONE: ReadonlySet<string> = new Set()
/** Most rows are never tried: they share one list rather than have one each. */
const NO_ATTEMPTS: readonly Attempt[] = []

/** The rows of one job in memory, and which of them is next: what ledgers have in common, wherever they keep documents. */
export class RowBook {
  readonly #rules: LedgerRules
  readonly #rows = new Map<string, Row>()
  readonly #queue = new RowQueue<Row>()
  /** Rows that wait to be tried again, and rows handed out with when: few at any time, so a scan is cheap. */
  readonly #delayed = new Set<Row>()
  readonly #active = new Map<Row, number>()
  #taken = 0
  readonly #sites = new SiteNames()
  /** Moved with the rows in `#move`, and nowhere else but where a row comes in. */
  readonly #counts = new RowCounts()
  readonly #changed: (row: Row) => void

  /** @param changed is told of every row that is new, or no longer what it was */
  constructor(rules: LedgerRules, changed: (row: BookRow) => void = () => undefined) {
    this.#rules = rules
    this.#changed = changed
  }

  /**
   * Takes in a row of an earlier process, in the order in which they were found. One that was active then had not come to
   * its end: it is handed out again, before all others, and keeps its order.
   */
  restore(row: BookRow): void {
    if (row.outcome === 'active') row.outcome = 'queued'
    this.#rows.set(row.key, row)
    this.#counts.count(row, 1)
    this.#taken = Math.max(this.#taken, (row.order ?? -1) + 1)
    if (row.outcome !== 'queued') return
    if (row.order === undefined) this.#queue.push(row)
    else this.#delayed.add(row)
  }

  admit(candidates: readonly Candidate[], nowMs: number): readonly LedgerRow[] {
    const added: Row[] = []
    for (const candidate of candidates) {
      const known = this.#rows.get(candidate.key)
      if (known) {
        if (!candidate.refused && this.#findAgain(known, candidate)) added.push(known)
        continue
      }
      added.push(this.#add(candidate, nowMs))
    }
    return added
  }

  claim(candidate: Candidate & { refused: Refusal }, nowMs: number): Claim {
    const row = this.#rows.get(candidate.key)
    if (!row) return { outcome: 'added', row: this.#add(candidate, nowMs) }
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
    const rows = [...this.#rows.values()].filter((row) => row.outcome === 'queued')
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

  rows(filter: { outcome?: Outcome; skip?: number; limit?: number } = {}): readonly LedgerRow[] {
    const { outcome, skip = 0, limit = Infinity } = filter
    const found: LedgerRow[] = []
    let passed = 0
    for (const row of this.#rows.values()) {
      if (outcome !== undefined && row.outcome !== outcome) continue
      if (passed++ < skip) continue
      if (found.length >= limit) break
      found.push(row)
    }
    return found
  }

  #next({ nowMs, heldSites = NONE, maxDepth = Infinity, readKeys = NONE }: LeaseRequest): Row | undefined {
    if (this.#counts.of('done') + this.#kept() >= this.#rules.limit) return undefined
    const due = this.#due(nowMs, heldSites)
    if (due) return due
    const row = this.#queue.next(heldSites, maxDepth)
    return row && !this.#isHeldBack(row.depth, nowMs, readKeys) ? row : undefined
  }

  /** Active rows that count towards the limit. */
  #kept(): number {
    let kept = this.#counts.of('active')
    for (const row of this.#active.keys()) if (row.linksOnly) kept -= 1
    return kept
  }

  /** Whether rows of a smaller depth are still to come to their end. */
  #isHeldBack(depth: number, nowMs: number, readKeys: ReadonlySet<string>): boolean {
    const { holdLevelMs } = this.#rules
    for (const [row, sinceMs] of this.#active) {
      if (row.depth < depth && nowMs - sinceMs < holdLevelMs && !readKeys.has(row.key)) return true
    }
    if (holdLevelMs !== Infinity) return false
    for (const row of this.#delayed) if (row.depth < depth) return true
    return false
  }

  /** The delayed row that has waited longest past its time. */
  #due(nowMs: number, heldSites: ReadonlySet<string>): Row | undefined {
    let due: Row | undefined
    let dueAtMs = nowMs
    for (const row of this.#delayed) {
      const last = row.attempts.at(-1)
      // After a clock was set back, a row whose try ends in the future does not wait for that.
      const retryAtMs = (last?.endedAtMs ?? 0) > nowMs ? 0 : (last?.retryAtMs ?? 0)
      const isEarlier = due ? retryAtMs < dueAtMs : retryAtMs <= dueAtMs
      if (isEarlier && !heldSites.has(row.site)) [due, dueAtMs] = [row, retryAtMs]
    }
    return due
  }

  #add(candidate: Candidate, nowMs: number): Row {
    const { key, url, via, depth, place = this.#last() } = candidate
    // Written out, and the rest added in one order only where there is any: a row that is copied with `...` gets a hidden
    // class of its own, which takes up as much memory as the row and makes every change to it slow.
    const site = this.#sites.nameOf(url)
    const row: Row = {
      number: this.#rows.size,
      key,
      url,
      via,
      depth,
      place,
      site,
      outcome: 'queued',
      attempts: NO_ATTEMPTS,
      foundAtMs: nowMs,
    }
    if (candidate.foundOn !== undefined) row.foundOn = candidate.foundOn
    if (candidate.anchor !== undefined) row.anchor = candidate.anchor
    if (candidate.sources !== undefined) row.sources = candidate.sources
    if (candidate.lastmod !== undefined) row.lastmod = candidate.lastmod
    if (candidate.alternates !== undefined) row.alternates = candidate.alternates
    if (candidate.linksOnly !== undefined) row.linksOnly = candidate.linksOnly
    this.#rows.set(key, row)
    this.#counts.count(row, 1)
    if (candidate.refused) this.#skip(row, candidate.refused, nowMs)
    else this.#queue.push(row)
    this.#changed(row)
    return row
  }

  /** Behind all places that were given, in order of arrival. */
  #last(): Place {
    return [Infinity, this.#rows.size]
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
    Object.assign(row, candidate, { place })
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

const creditsOf = (ending: Ending<unknown>): number | undefined =>
  ending.outcome === 'skipped' ? undefined : (ending.credits ?? (ending.outcome === 'done' ? 1 : undefined))

const isRefusedUntried = (row: Row): boolean => row.outcome === 'skipped' && row.order === undefined
