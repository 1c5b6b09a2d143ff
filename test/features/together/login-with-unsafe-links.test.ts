import { expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { useEngineSite } from '../../site/engine-site.js'
import { type Exchange, htmlPage } from '../../site/exchange.js'

const on = useEngineSite()

it('a single page is no page of a crawl, also where a step changes its request', async () => {
  await on.open({
    '/hop': ({ response }: Exchange) => response.writeHead(302, { location: '/users/sign_out' }).end(),
    '/logout': htmlPage('Bye', '<a href="/x2">Log out</a>'),
  })
  await using engine = createEngine({
    threads: 0,
    allowPrivateNetworks: true,
    fetcher: 'http',
    cache: false,
    login: { url: on.site.url('/'), function: async () => ({ headers: { Authorization: 'Bearer 1' } }) },
  })
  await expect(engine.scrape(on.site.url('/logout'))).resolves.toMatchObject({ metadata: { title: 'Bye' } })
  await expect(engine.scrape(on.site.url('/hop'))).resolves.toMatchObject({ metadata: { statusCode: 404 } })
  const batch = await engine.batchScrape({ urls: [on.site.url('/logout'), on.site.url('/x2')] }).finished()
  expect(batch.completed).toBe(2)
  const { skippedByReason } = await engine.crawl({ url: on.site.url('/logout'), crawlEntireDomain: true }).finished()
  expect(skippedByReason).toMatchObject({ UNSAFE_LINK: expect.any(Number) as number })
})
