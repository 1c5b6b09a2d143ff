import { siteOf } from '../../url.js'
import { yieldTurn } from '../../yield-turn.js'
import type {
  Attempt,
  Candidate,
  Claim,
  Counts,
  Delivery,
  Ending,
  JobLedger,
  LeaseRequest,
  Ledger,
  LedgerRow,
  LedgerRules,
  Outcome,
  Place,
  Refusal,
  RowEnd,
  SkipReason,
} from '../ledger.js'
import { comesBefore } from '../place-heap.js'
import { RowQueue, type QueuedRow } from '../row-queue.js'

type Row = { -readonly [K in keyof QueuedRow]: QueuedRow[K] }

const NONE: ReadonlySet<string> = new Set()
/** Most rows are never tried: they share one list rather than have one each. */
const NO_ATTEMPTS: readonly Attempt[] = []

/** Keeps every job's rows and documents in this process's memory. */
export function memoryLedger(): Ledger {
  return {
    open: async <Doc>(_jobId: string, rules: LedgerRules) => new MemoryJobLedger<Doc>(rules),
    close: async () => undefined,
  }
}

class MemoryJobLedger<Doc> implements JobLedger<Doc> {
  readonly #rules: LedgerRules
  readonly #rows = new Map<string, Row>()
  readonly #queue = new RowQueue<Row>()
  /** Rows that wait to be tried again, and rows handed out with when: few at any time, so a scan is cheap. */
  readonly #delayed = new Set<Row>()
  readonly #active = new Map<Row, number>()
  readonly #deliveries: Delivery<Doc>[] = []
  #sorted: Delivery<Doc>[] = []
  #taken = 0
  readonly #sites = new Map<string, string>()
  /** An index over the rows, moved with them in `#move` and nowhere else. */
  readonly #reasons = new Map<SkipReason, number>()
  #credits = 0
  readonly #counts: Record<Outcome, number> = { queued: 0, active: 0, done: 0, failed: 0, skipped: 0 }

  constructor(rules: LedgerRules) {
    this.#rules = rules
  }

  async admit(candidates: readonly Candidate[], nowMs: number): Promise<readonly LedgerRow[]> {
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

  async claim(candidate: Candidate & { refused: Refusal }, nowMs: number): Promise<Claim> {
    const row = this.#rows.get(candidate.key)
    if (!row) return { outcome: 'added', row: this.#add(candidate, nowMs) }
    if (!isRefusedUntried(row) || row.refusal?.reason === candidate.refused.reason) return { outcome: 'taken', row }
    this.#count(row, -1)
    row.refusal = candidate.refused
    this.#count(row, 1)
    return { outcome: 'claimed', row }
  }

  async lease(request: LeaseRequest): Promise<LedgerRow | undefined> {
    const row = this.#next(request)
    if (!row) return undefined
    this.#delayed.delete(row)
    row.order ??= this.#taken++
    this.#move(row, 'active')
    this.#active.set(row, request.nowMs)
    return row
  }

  async ready(request: LeaseRequest): Promise<boolean> {
    return this.#next(request) !== undefined
  }

  async putBack(key: string): Promise<void> {
    const row = this.#release(key)
    this.#move(row, 'queued')
    // One that was tried before is found among the delayed, and is due.
    if (row.attempts.length > 0) this.#delayed.add(row)
    else {
      delete row.order
      this.#queue.push(row)
    }
  }

  async retry(key: string, attempt: Attempt): Promise<void> {
    const row = this.#release(key, attempt)
    this.#move(row, 'queued')
    this.#delayed.add(row)
  }

  async end(key: string, ending: Ending<Doc>, { nowMs, attempt, finalUrl, duplicateOf }: RowEnd): Promise<LedgerRow> {
    const row = this.#release(key, attempt)
    row.endedAtMs = nowMs
    if (finalUrl !== undefined) row.finalUrl = finalUrl
    if (duplicateOf !== undefined) row.duplicateOf = duplicateOf
    if (ending.outcome === 'failed') row.failure = { code: ending.code, error: ending.error }
    if (ending.outcome === 'skipped') row.refusal = ending.refusal
    if (ending.outcome === 'done') {
      for (const [index, document] of ending.documents.entries()) {
        const order = row.sources?.[index]?.order ?? row.order ?? 0
        this.#deliveries.push({ sequence: this.#deliveries.length, order, document, bytes: ending.bytes })
      }
      this.#credits += (ending.credits ?? 1) * Math.max(1, row.sources?.length ?? 1)
    }
    this.#move(row, ending.outcome)
    return row
  }

  async skipQueued(decide: (row: LedgerRow) => Promise<Refusal>, nowMs: number): Promise<readonly LedgerRow[]> {
    const rows = [...this.#rows.values()].filter((row) => row.outcome === 'queued')
    this.#delayed.clear()
    for (const [index, row] of rows.entries()) {
      // A hundred thousand rows must not hold the host's event loop.
      if (index % 1000 === 999) await yieldTurn()
      this.#skip(row, await decide(row), nowMs)
    }
    return rows
  }

  async counts(): Promise<Counts> {
    return { ...this.#counts, credits: this.#credits, skippedByReason: Object.fromEntries(this.#reasons) }
  }

  async row(key: string): Promise<LedgerRow | undefined> {
    return this.#rows.get(key)
  }

  async rows(filter: { outcome?: Outcome; skip?: number; limit?: number } = {}): Promise<readonly LedgerRow[]> {
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

  async documents({ skip, limit }: { skip: number; limit: number }): Promise<readonly Delivery<Doc>[]> {
    if (this.#sorted.length !== this.#deliveries.length) {
      this.#sorted = this.#deliveries.toSorted((a, b) => a.order - b.order)
    }
    return this.#sorted.slice(skip, skip + limit)
  }

  async completed(fromSequence: number, limit: number): Promise<readonly Delivery<Doc>[]> {
    return this.#deliveries.slice(fromSequence, fromSequence + limit)
  }

  #next({ nowMs, heldSites = NONE, maxDepth = Infinity, readKeys = NONE }: LeaseRequest): Row | undefined {
    if (this.#counts.done + this.#kept() >= this.#rules.limit) return undefined
    const due = this.#due(nowMs, heldSites)
    if (due) return due
    const row = this.#queue.next(heldSites, maxDepth)
    return row && !this.#isHeldBack(row.depth, nowMs, readKeys) ? row : undefined
  }

  /** Active rows that count towards the limit. */
  #kept(): number {
    let kept = this.#counts.active
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
      if (retryAtMs <= dueAtMs && !heldSites.has(row.site)) [due, dueAtMs] = [row, retryAtMs]
    }
    return due
  }

  #add(candidate: Candidate, nowMs: number): Row {
    const { key, url, via, depth, place = this.#last() } = candidate
    // Written out, and the rest added in one order only where there is any: a row that is copied with `...` gets a hidden
    // class of its own, which takes up as much memory as the row and makes every change to it slow.
    const site = this.#siteOf(url)
    const row: Row = { key, url, via, depth, place, site, outcome: 'queued', attempts: NO_ATTEMPTS, foundAtMs: nowMs }
    if (candidate.foundOn !== undefined) row.foundOn = candidate.foundOn
    if (candidate.anchor !== undefined) row.anchor = candidate.anchor
    if (candidate.sources !== undefined) row.sources = candidate.sources
    if (candidate.lastmod !== undefined) row.lastmod = candidate.lastmod
    if (candidate.alternates !== undefined) row.alternates = candidate.alternates
    if (candidate.linksOnly !== undefined) row.linksOnly = candidate.linksOnly
    this.#rows.set(key, row)
    this.#count(row, 1)
    if (candidate.refused) this.#skip(row, candidate.refused, nowMs)
    else this.#queue.push(row)
    return row
  }

  /** The site of a URL: one string for all the rows of an origin. */
  #siteOf(url: string): string {
    const origin = /^[^/]*\/\/[^/?#]*/.exec(url)?.[0] ?? url
    const known = this.#sites.get(origin)
    if (known !== undefined) return known
    const site = siteOf(new URL(url))
    this.#sites.set(origin, site)
    return site
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

  #move(row: Row, outcome: Outcome): void {
    this.#count(row, -1)
    row.outcome = outcome
    this.#count(row, 1)
  }

  #count(row: Row, sign: 1 | -1): void {
    const weight = sign * Math.max(1, row.sources?.length ?? 1)
    this.#counts[row.outcome] += weight
    if (row.outcome !== 'skipped' || !row.refusal) return
    const { reason } = row.refusal
    const left = (this.#reasons.get(reason) ?? 0) + weight
    if (left > 0) this.#reasons.set(reason, left)
    else this.#reasons.delete(reason)
  }
}

const isRefusedUntried = (row: Row): boolean => row.outcome === 'skipped' && row.order === undefined
