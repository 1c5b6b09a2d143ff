import type { Document, LedgerRow, ReportedJob } from '../../../src/index.js'

/** Start of the jobs. */
export const START_MS = Date.UTC(2026, 4, 17, 12)

/** A row of a page that was scraped, as a crawl leaves it. */
export const scrapedRow = (url: string, more: Partial<LedgerRow> = {}): LedgerRow => ({
  key: url,
  url,
  via: 'link',
  depth: 1,
  outcome: 'done',
  attempts: [{ startedAtMs: START_MS + 10, endedAtMs: START_MS + 250, fetcher: 'http', statusCode: 200 }],
  foundAtMs: START_MS,
  endedAtMs: START_MS + 300,
  credits: 1,
  ...more,
})

/** A document of a page. */
export const documentOf = (url: string, more: Partial<Document> = {}): Document => ({
  markdown: `# Page\n\nText of ${url}`,
  ...more,
  metadata: {
    sourceURL: url,
    url,
    statusCode: 200,
    proxyUsed: 'basic',
    scrapeId: 'id',
    creditsUsed: 1,
    title: `Title of ${url}`,
    ...more.metadata,
  },
})

/** A job that has ended, with these rows and documents. */
export function storedJob(rows: readonly LedgerRow[], documents: readonly Document[]): ReportedJob {
  const times = { createdAt: new Date(START_MS).toISOString(), expiresAt: new Date(START_MS).toISOString() }
  const countOf = (outcome: LedgerRow['outcome']): number => rows.filter((row) => row.outcome === outcome).length
  return {
    id: 'job',
    kind: 'crawl',
    request: { url: 'https://site.test/', limit: 50_000, headers: { authorization: 'secret-token' } },
    async *urls() {
      yield* rows
    },
    async status({ skip = 0, limit = 100 } = {}) {
      const data = documents.slice(skip, skip + limit)
      return {
        success: true,
        status: 'completed',
        completed: countOf('done'),
        total: countOf('done'),
        failed: countOf('failed'),
        skipped: countOf('skipped'),
        skippedByReason: {},
        creditsUsed: rows.length,
        used: { bytes: 5e6, requests: rows.length, browserSeconds: 0, modelTokens: 0, modelCost: 0, seconds: 60 },
        ...times,
        duration: 60,
        data,
        ...(skip + data.length < documents.length && { next: 'next' }),
      }
    },
  }
}
