import { pageKey } from '../../src/kernel/frontier/duplicates/same-page.js'
import type { UrlCandidate, LedgerRow } from '../../src/kernel/ledger/ledger.js'
import { memoryLedger } from '../../src/kernel/ledger/ledgers/memory.js'

/** Cost of a frontier of one size. */
export interface FrontierCost {
  /** Microseconds for each new URL, by tenth of the URLs. */
  readonly microseconds: readonly number[]
  /** Size of live objects at the end, after a garbage collection. */
  readonly heapBytes: number
  /** Peak resident set size of the process. */
  readonly peakBytes: number
  readonly rows: number
  /** Number of pages that were leased. */
  readonly pages: number
  /** Time to skip all queued rows, as a crawl does at its end. Milliseconds. */
  readonly closingMs: number
}

/** Number of pages in flight. */
const AT_ONCE = 10
/** Number of links of a page; a tenth of them lead to known pages, and a tenth to refused ones. */
const LINKS = 50
const KEY_RULES = { ignoreQueryParameters: false, deduplicateSimilarURLs: true }

/**
 * Fills the memory ledger with this many URLs as a crawl does: a page is leased, its links become candidates and are
 * admitted, the page ends with a nearly empty document, and the next is leased.
 */
async function fill(rows: number): Promise<FrontierCost> {
  const job = await memoryLedger().open<object>('frontier', { limit: Infinity, holdLevelMs: 5000 })
  let known = 0
  let pages = 0

  const findLinks = (row: LedgerRow, page: number): UrlCandidate[] =>
    Array.from({ length: LINKS }, (_, index) => {
      const number = index % 10 === 0 ? (page * 7919) % (page * LINKS + 1) : page * LINKS + index
      // A new string for each link, as when links are read from a page.
      const url = new URL(`/docs/section-${number % 997}/a-page-with-a-name-${number}.html`, 'http://127.0.0.1:8080')
      const found = {
        key: pageKey(url, KEY_RULES),
        url: url.href,
        via: 'link' as const,
        depth: row.depth + 1,
        foundOn: row.url,
        anchor: `A page with a name ${number}`,
        place: [row.order ?? 0, index] as const,
      }
      const refused = { reason: 'EXCLUDE_PATTERN', message: '`excludePaths` has /a-pattern/' } as const
      return index % 10 === 1 ? { ...found, refused } : found
    })

  const active: LedgerRow[] = []

  /**
   * Leases further pages. Near the end of a level this may be none: no deeper page is leased while a page of the level
   * is in flight.
   */
  async function leasePages(): Promise<void> {
    while (active.length < AT_ONCE) {
      const request = { nowMs: Date.now(), heldSites: new Set<string>(), maxDepth: Infinity }
      if (!(await job.ready(request))) return
      const row = await job.lease(request)
      if (row) active.push(row)
    }
  }

  async function finishOne(): Promise<void> {
    const row = active.shift()
    if (!row) throw new Error('the frontier has no more URLs')
    const nowMs = Date.now()
    const added = await job.admit(findLinks(row, pages), nowMs)
    known += added.length
    pages += 1
    const attempt = { startedAtMs: nowMs, endedAtMs: nowMs, fetcher: 'http', statusCode: 200 }
    await job.end(row.key, { outcome: 'done', documents: [{}], bytes: 1 }, { nowMs, attempt })
    await job.counts()
  }

  const url = 'http://127.0.0.1:8080/'
  await job.admit([{ key: url, url, via: 'seed', depth: 0 }], Date.now())
  known = 1
  await leasePages()

  const microseconds: number[] = []
  for (let tenth = 1; tenth <= 10; tenth += 1) {
    const before = known
    const startedAt = performance.now()
    while (known < (rows * tenth) / 10) {
      await finishOne()
      await leasePages()
    }
    microseconds.push(((performance.now() - startedAt) * 1000) / (known - before))
  }
  while (active.length > 0) await finishOne()
  globalThis.gc?.()
  const heapBytes = process.memoryUsage().heapUsed
  const startedAt = performance.now()
  await job.skipQueued(async () => ({ reason: 'LIMIT', message: '`limit` was reached' }), Date.now())
  const closingMs = performance.now() - startedAt
  return { microseconds, heapBytes, peakBytes: process.resourceUsage().maxRSS * 1024, rows: known, pages, closingMs }
}

process.send?.(await fill(Number(process.argv[2])))
