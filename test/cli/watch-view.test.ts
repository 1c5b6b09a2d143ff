import { describe, expect, it } from 'vitest'
import { printEta, printWatch, printWatchLine, type WatchedState } from '../../src/cli/terminal/watch-view.js'

const used = { bytes: 3_400_000, requests: 130, browserSeconds: 0, modelTokens: 0, modelCost: 0, seconds: 42 }

const state: WatchedState = {
  kind: 'crawl',
  subject: 'https://example.com/docs/',
  progress: { completed: 120, failed: 3, skipped: 12, queued: 380, active: 3 },
  total: 500,
  isGrowing: false,
  elapsedMs: 42_000,
  recentRate: 2.9,
  hosts: [
    ['example.com', 118],
    ['docs.example.com', 2],
  ],
  failures: [
    ['SCRAPE_TIMEOUT', 2],
    ['SCRAPE_DNS_RESOLUTION_ERROR', 1],
  ],
  skippedByReason: { DUPLICATE: 2, EXCLUDE_PATTERN: 10 },
  used,
  creditsUsed: 120,
  pages: [
    { url: 'https://example.com/docs/a', attempt: 1, step: 'fetch', elapsedMs: 3200, lent: true },
    { url: `https://example.com/docs/${'long/'.repeat(20)}end`, attempt: 2, step: 'fetch', elapsedMs: 61_000 },
    { url: 'https://example.com/docs/c', attempt: 1, step: 'digest', elapsedMs: 90 },
  ],
  isStopping: false,
}

describe('the live view', () => {
  it('shows rates, hosts, reasons of failures and the step of each page at 80 columns', () => {
    expect(printWatch(state, { width: 80, height: 24 })).toEqual([
      'Crawl 42.0 s  https://example.com/docs/',
      '[####----------------]  120 done  3 active  380 waiting  3 failed  12 skipped',
      '2.9 pages/s now  2.9 pages/s over all  3.4 MB  ETA 2:11',
      'Hosts    118 example.com, 2 docs.example.com',
      'Failed   2 SCRAPE_TIMEOUT, 1 SCRAPE_DNS_RESOLUTION_ERROR',
      'Skipped  10 EXCLUDE_PATTERN, 2 DUPLICATE',
      '  waits    3.2 s  https://example.com/docs/a',
      '  fetch     1:01  #2 https://example.com/do...long/long/long/long/long/long/end',
      '  digest   0.1 s  https://example.com/docs/c',
    ])
  })

  it.each([
    [80, 24],
    [60, 12],
    [40, 10],
    [20, 8],
    [10, 4],
    [2, 1],
  ])('fits into %d columns and %d lines', (width, height) => {
    const lines = printWatch(state, { width, height })
    // The cursor stands below the last line: as many lines as the terminal has would scroll it.
    expect(lines.length).toBeLessThanOrEqual(Math.max(1, height - 1))
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(width)
  })

  it('keeps every count at 40 columns, on more lines', () => {
    const text = printWatch(state, { width: 40, height: 40 }).join('\n')
    for (const part of ['120 done', '380 waiting', '3 failed', '12 skipped', 'ETA 2:11', '2 SCRAPE_TIMEOUT']) {
      expect(text).toContain(part)
    }
  })

  it('says how many pages have no room', () => {
    const pages = Array.from({ length: 50 }, () => ({ url: 'https://a.com/', attempt: 1 }))
    const lines = printWatch({ ...state, pages }, { width: 80, height: 12 })
    expect(lines).toHaveLength(11)
    expect(lines.at(-1)).toBe('  and 46 more')
  })

  it('has one line for pages where there is room for one', () => {
    const pages = Array.from({ length: 50 }, () => ({ url: 'https://a.com/', attempt: 1 }))
    const all = printWatch({ ...state, pages: [] }, { width: 80, height: 24 })
    const lines = printWatch({ ...state, pages }, { width: 80, height: all.length + 2 })
    expect(lines).toHaveLength(all.length + 1)
    expect(lines.at(-1)).toContain('https://a.com/')
  })

  it('lets no text of the world control the terminal', () => {
    const evil = '\u001b]0;owned\u0007\u009b2J\u202e\n\r漢字\u{1f600}'
    const hostile: WatchedState = {
      ...state,
      subject: `https://a.com/${evil}`,
      hosts: [[evil, 1]],
      failures: [[evil, 1]],
      pages: [{ url: `https://a.com/${evil}`, attempt: 1, step: 'fetch', elapsedMs: 1 }],
    }
    for (const line of printWatch(hostile, { width: 80, height: 24 })) expect(line).toMatch(/^[ -~]*$/)
  })

  it('estimates the end only where something is known', () => {
    const eta = (changes: Partial<WatchedState>): string => printEta({ ...state, ...changes })
    const nothing = { completed: 0, failed: 0, skipped: 0, queued: 10, active: 1 }
    expect(eta({})).toBe('ETA 2:11')
    expect(eta({ isGrowing: true })).toBe('ETA 2:11 or later: the queue grows')
    expect(eta({ progress: nothing, recentRate: 0 })).toBe('ETA unknown until a page is done')
    expect(eta({ recentRate: 0 })).toBe('ETA unknown: no page lately')
    expect(eta({ total: 120, isGrowing: true })).toBe('ETA unknown: looking for pages')
    expect(eta({ isStopping: true })).toBe('stopping')
  })

  it('is one line where there is no terminal', () => {
    expect(printWatchLine(state)).toBe(
      '42.0 s  120 done  3 active  380 waiting  3 failed  12 skipped  2.9 pages/s  ETA 2:11  2 SCRAPE_TIMEOUT  1 SCRAPE_DNS_RESOLUTION_ERROR',
    )
  })
})
