import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createEngine, type CrawlRequest, type Document } from '../../../src/index.js'
import { generateSite } from '../../site/generate-site.js'
import { startSite } from '../../site/site.js'

const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

/** Content of a document, without facts about its fetch. */
const contentOf = ({ metadata, ...fields }: Document): unknown => {
  const { scrapeId: _id, cacheState: _state, cachedAt: _at, learntBoilerplate: _learnt, ...facts } = metadata
  return [facts.sourceURL, fields, facts.title, facts.statusCode, facts.depth]
}

it(
  'makes no request when all pages are in the folder, and gives the same documents',
  { timeout: 120_000 },
  async () => {
    const pages = Object.fromEntries(generateSite({ pages: 80 }))
    await using site = await startSite({ pages })
    const request: CrawlRequest = {
      url: site.url('/'),
      limit: 80,
      sitemap: 'skip',
      ignoreRobotsTxt: true,
    }
    const crawl = async (): Promise<readonly Document[]> => {
      await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http', cache: folder })
      return (await engine.crawl(request).finished()).data
    }
    const cold = await crawl()
    const asked = site.requests.length
    expect(asked).toBeGreaterThanOrEqual(80)
    const warm = await crawl()
    const failed = cold.filter(({ metadata }) => metadata.statusCode !== 200).map(({ metadata }) => metadata.sourceURL)
    // A dead link that is named like a file is no document.
    const isDead = (url: string): boolean => url.endsWith('.png') && !(new URL(url).pathname in pages)
    const askedAgain = site.requests.slice(asked).map(({ path }) => site.url(path))
    // Failed pages are requested again.
    expect(askedAgain.filter((url) => !failed.includes(url) && !isDead(url))).toEqual([])
    const byUrl = (documents: readonly Document[]): unknown[] =>
      documents
        .map(contentOf)
        .map((content) => JSON.stringify(content))
        .sort()
    expect(byUrl(warm)).toEqual(byUrl(cold))
    expect(warm.filter(({ metadata }) => metadata.cacheState === 'hit').length).toBe(warm.length - failed.length)
  },
)
