import { describe, expect, it } from 'vitest'
import { printSummary, type JobSummary } from '../../src/cli/output/summary.js'
import { crawlFlags } from '../../src/cli/flags/request-flags.js'
import { nameFlags } from '../../src/cli/to-usage-error.js'
import { noUse } from '../../src/base/accounting/budget.js'

const end: JobSummary = {
  kind: 'crawl',
  status: {
    success: true,
    status: 'completed',
    completed: 200,
    total: 200,
    failed: 0,
    skipped: 8,
    skippedByReason: { FILE_TYPE: 3, EXTERNAL_LINK: 5 },
    creditsUsed: 200,
    used: noUse,
    createdAt: '2026-01-01T00:00:00.000Z',
    completedAt: '2026-01-01T00:01:40.000Z',
    expiresAt: '2026-01-02T00:01:40.000Z',
    duration: 100,
    data: [],
  },
  errors: [],
  robotsBlocked: [],
  invalidURLs: [],
  written: 200,
  unit: 'page',
  errorPages: 0,
  destination: 'out/',
}
const failure = (url: string, code: 'SCRAPE_TIMEOUT' | 'SCRAPE_JOB_CANCELLED' = 'SCRAPE_TIMEOUT') => ({
  id: 'id',
  timestamp: '2026-01-01T00:00:00.000Z',
  url,
  code,
  error: 'because',
})

describe('printSummary', () => {
  it('has one line each for the totals, the skipped pages, and the destination', () => {
    expect(printSummary(end, String)).toEqual([
      'Crawl completed: 200 pages, 0 failed, 8 skipped in 1:40, 2.0 pages/s',
      'Skipped: 5 EXTERNAL_LINK, 3 FILE_TYPE',
      '200 pages written to out/',
    ])
  })

  it('lists the first twenty failures', () => {
    const errors = Array.from({ length: 25 }, (_, index) => failure(`https://example.com/${index}`))
    const lines = printSummary({ ...end, errors }, String)
    expect(lines.slice(2, 4)).toEqual(['Failed:', '  https://example.com/0  SCRAPE_TIMEOUT: because'])
    expect(lines).toContain('  https://example.com/19  SCRAPE_TIMEOUT: because')
    expect(lines).not.toContain('  https://example.com/20  SCRAPE_TIMEOUT: because')
    expect(lines).toContain('  and 5 more')
  })

  it('names flags in place of options', () => {
    const [one] = [failure('https://example.com/')]
    const errors = [{ ...one, error: 'longer than `timeout` (1000 ms), as `scrapeOptions.timeout` says' }]
    const status = { ...end.status, warning: 'More than `limit`, and `limit=5`.' }
    const lines = printSummary({ ...end, errors, status }, (message) => nameFlags(message, crawlFlags()))
    expect(lines).toContain(
      '  https://example.com/  SCRAPE_TIMEOUT: longer than --timeout (1000 ms), as --timeout says',
    )
    expect(lines).toContain('Warning: More than --limit, and `limit=5`.')
  })

  it('only counts the pages that a cancelled job interrupted', () => {
    const errors = [failure('https://example.com/', 'SCRAPE_JOB_CANCELLED')]
    expect(printSummary({ ...end, errors }, String).slice(2, -1)).toEqual(['Cancelled: 1 page in progress'])
  })

  it('tells pages that were written from those that are there in the same text', () => {
    const last = (written: number, unchanged: number) => printSummary({ ...end, written, unchanged }, String).at(-1)
    expect(last(2, 30)).toBe('2 pages written to out/; 30 pages there in the same text')
    expect(last(0, 1)).toBe('0 pages written to out/; 1 page there in the same text')
    expect(last(0, 0)).toBe('0 pages: nothing was written to out/')
  })

  it('does not list a page as failed that the headline counts as skipped', () => {
    const errors = [{ ...failure('https://example.com/away'), code: 'CRAWL_DENIAL' as const }]
    expect(printSummary({ ...end, errors }, String).slice(2, -1)).toEqual([
      'Skipped after a request:',
      '  https://example.com/away  because',
    ])
    expect(printSummary({ ...end, kind: 'batch-scrape', errors }, String)).toContain('Failed:')
  })

  it('reports warnings, robots.txt, invalid URLs and error pages', () => {
    const lines = printSummary(
      {
        ...end,
        status: { ...end.status, warning: 'Few pages.' },
        robotsBlocked: ['https://example.com/private'],
        invalidURLs: ['not a url'],
        errorPages: 2,
        answered: [{ url: 'https://example.com/down', statusCode: 503, error: 'Service Unavailable' }],
      },
      String,
    )
    expect(lines[0]).toContain('200 pages, 2 with an error status, 0 failed')
    expect(lines.slice(2)).toEqual([
      'Not written, as their sites answered with an error:',
      '  https://example.com/down  503 Service Unavailable',
      'Refused by robots.txt:',
      '  https://example.com/private',
      'Not valid, left out:',
      '  not a url',
      'Warning: Few pages.',
      '200 pages written to out/',
    ])
  })
})
