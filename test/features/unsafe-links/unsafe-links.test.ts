import { describe, expect, it } from 'vitest'
import { openEngine } from '../../../src/kernel/engine/create-engine.js'
import { FeatureSet } from '../../../src/kernel/engine/feature-set.js'
import type { CrawlRequest, Engine } from '../../../src/index.js'
import { unsafeLinks } from '../../../src/features/unsafe-links/index.js'
import { useEngineSite } from '../../site/engine-site.js'
import { type Exchange, htmlPage } from '../../site/exchange.js'

const on = useEngineSite()
const config = { threads: 0, allowPrivateNetworks: true, fetcher: 'http', cache: false } as const
const cookie = { headers: { Cookie: 'session=1' } }

const pages = {
  '/': htmlPage(
    'Home',
    `<a href="/members">Members</a> <a href="/logout">Bye</a> <a href="/x1">Log out</a>
     <a href="/x2"><i class="bi bi-box-arrow-right"></i></a> <a href="/items/5" data-method="delete">Five</a> <a href="/hop">Hop</a>`,
  ),
  '/members': htmlPage('Members', '<p>All of them</p>'),
  '/hop': ({ response }: Exchange) => response.writeHead(302, { location: '/users/sign_out' }).end(),
  '/sitemap.xml': '<urlset><url><loc>/logout</loc></url></urlset>',
}

async function crawl(engine: Engine, more: Partial<CrawlRequest> = {}) {
  const job = engine.crawl({ url: on.site.url('/'), crawlEntireDomain: true, scrapeOptions: cookie, ...more })
  const status = await job.finished()
  const asked = on.site.requests
    .map(({ path }) => path)
    .filter((path) => path !== '/robots.txt' && path !== '/sitemap.xml')
  return { job, status, asked: [...new Set(asked)].toSorted() }
}

describe('a crawl with credentials', () => {
  it('follows no link that signs out or deletes, says why, and obeys the option', async () => {
    await on.open(pages)
    await using engine = openEngine(config, new FeatureSet([unsafeLinks]))
    const { job, status, asked } = await crawl(engine)
    expect(asked).toEqual(['/', '/hop', '/members'])
    expect(status.skippedByReason).toEqual({ UNSAFE_LINK: 5 })
    expect(await job.explain(on.site.url('/x1'))).toMatchObject({
      outcome: 'skipped',
      refusal: { reason: 'UNSAFE_LINK', message: expect.stringContaining('its text is “Log out”') as string },
    })
    expect(await job.explain(on.site.url('/unseen/logout'))).toMatchObject({
      outcome: 'unseen',
      refusal: { reason: 'UNSAFE_LINK' },
    })
    const all = await crawl(engine, { followUnsafeLinks: true })
    expect(all.asked).toEqual(expect.arrayContaining(['/logout', '/x1', '/x2', '/items/5', '/users/sign_out']))
  })

  it('keeps no text of a page with `zeroDataRetention`', async () => {
    await on.open(pages)
    await using engine = openEngine(config, new FeatureSet([unsafeLinks]))
    const { job } = await crawl(engine, { zeroDataRetention: true })
    const row = await job.explain(on.site.url('/x1'))
    expect(row).toMatchObject({ refusal: { reason: 'UNSAFE_LINK' } })
    expect(JSON.stringify(row)).not.toContain('Log out')
  })

  it('takes pages that the caller names', async () => {
    await on.open({ ...pages, '/logout': htmlPage('Bye') })
    await using engine = openEngine(config, new FeatureSet([unsafeLinks]))
    const { status } = await crawl(engine, { url: on.site.url('/logout') })
    expect(status.completed).toBe(1)
    await expect(engine.scrape(on.site.url('/logout'), cookie)).resolves.toMatchObject({
      metadata: { statusCode: 200 },
    })
    const batch = await engine.batchScrape({ urls: [on.site.url('/logout')], ...cookie }).finished()
    expect(batch.completed).toBe(1)
  })
})

it('a crawl without credentials follows every link, and runs no code of it', async () => {
  await on.open(pages)
  await using engine = openEngine(config, new FeatureSet([unsafeLinks]))
  const { asked, status } = await crawl(engine, { scrapeOptions: { headers: { 'Accept-Language': 'de' } } })
  expect(asked).toEqual(expect.arrayContaining(['/logout', '/x1', '/x2', '/items/5']))
  expect(status.skippedByReason).not.toHaveProperty('UNSAFE_LINK')
})
