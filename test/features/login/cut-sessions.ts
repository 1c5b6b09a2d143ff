import { expect } from 'vitest'
import { createEngine, type Engine } from '../../../src/index.js'
import { PASSWORD, USER } from './login-site.js'
import { type SiteKind, startMadeSite } from './made-sites.js'

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** Opens an engine for crawls of made sites. */
export const openEngine = (): Engine =>
  createEngine({ threads: 0, allowPrivateNetworks: true, fetcher: 'http', cache: false })

/** Crawls a site whose session ends after some pages: every page must come, after one login for each end, and nothing signs out. */
export async function crawlWithCuts(
  engine: Engine,
  kind: SiteKind,
  cuts: readonly number[],
  pages: number,
): Promise<void> {
  await using site = await startMadeSite(kind, new Set(cuts), pages)
  const login = { url: site.loginUrl, fields: { username: USER }, secrets: { password: () => PASSWORD } }
  const job = engine.crawl({ url: site.url, crawlEntireDomain: true, sitemap: 'skip', scrapeOptions: { login } })
  const status = await job.finished()
  const titles = status.data.map(({ metadata }) => metadata.title ?? '').toSorted(compareText)
  const { errors } = await job.errors()
  expect({ errors, titles, wrong: site.counts.wrong, signedOut: site.counts.signedOut }).toEqual({
    errors: [],
    titles: Array.from({ length: pages }, (_, page) => `Day ${page} of the harbour`).toSorted(compareText),
    wrong: 0,
    signedOut: 0,
  })
  expect(site.counts.logins).toBeLessThanOrEqual(1 + cuts.length)
}
