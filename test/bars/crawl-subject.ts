import { createEngine } from '../../src/index.js'
import { type CrawlRules, identify, type ReferenceCrawl } from './reference-crawler.js'

/** How a crawl stands to what an independent crawler found. */
export interface Comparison {
  /** Pages that the reference has and the crawl has not, with what the crawl says of them. */
  readonly missing: readonly string[]
  /** Pages that the crawl has and the reference has not. */
  readonly surplus: readonly string[]
  /** Of every document. */
  readonly pages: readonly string[]
  /** Links that were found and have no outcome. */
  readonly open: readonly string[]
  /** The URL of everything that ended, once for each ending. */
  readonly endings: readonly string[]
  readonly counts: {
    readonly completed: number
    readonly failed: number
    readonly skipped: number
    readonly total: number
  }
}

/** Crawls by the same rules, and compares all that the crawl says with the reference. */
export async function crawlSubject(rules: CrawlRules, expected: ReferenceCrawl): Promise<Comparison> {
  const { maxDepth, sitemap = 'skip', ...others } = rules
  // The reference runs no scripts: links that only a browser finds are not in it.
  await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http' })
  // What is content of a page decides on none of its links.
  const scrapeOptions = { formats: ['images'] as const, onlyMainContent: false }
  const options = { ...others, limit: 100_000, scrapeOptions }
  const job =
    maxDepth === undefined
      ? engine.crawl({ ...options, sitemap })
      : engine.v1.crawl({ ...others, limit: 100_000, maxDepth, ignoreSitemap: sitemap === 'skip' })
  const pages: string[] = []
  const endings: string[] = []
  job.on('failed', ({ url }) => endings.push(url)).on('skipped', ({ url }) => endings.push(url))
  for await (const { metadata } of job) {
    // Of pages that are the same by their canonical URL and content, whichever was fetched first stands for all.
    pages.push(expected.standsFor(metadata.url))
    endings.push(metadata.sourceURL)
  }
  const { completed, failed, skipped, total } = await job.finished()

  const open: string[] = []
  const told = new Map<string, string>()
  for (const link of expected.links) {
    const row = await job.explain(link)
    if (!row || ['queued', 'active', 'unseen'].includes(row.outcome))
      open.push(`${link}: ${row?.outcome ?? 'not known'}`)
    else if (row.outcome === 'skipped' && row.refusal)
      told.set(identify(new URL(link), rules), `${row.refusal.reason}: ${row.refusal.message}`)
  }
  const known = new Set(pages)
  return {
    missing: [...expected.pages].filter((page) => !known.has(page)).map((page) => `${page} ${told.get(page) ?? ''}`),
    surplus: pages.filter((page) => !expected.pages.has(page)),
    pages,
    open,
    endings,
    counts: { completed, failed, skipped, total },
  }
}
