import { expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { breakages, startBrokenSite } from '../../site/broken-site.js'

it.each(Object.keys(breakages))('an error with a body %s is no Markdown twin: the site is crawled', async (how) => {
  using site = await startBrokenSite(404, how, (path) => !['/', '/a'].includes(path))
  await using engine = createEngine({
    allowPrivateNetworks: true,
    fetcher: 'http',
    threads: 0,
    retry: { maxRetries: 0 },
  })
  const job = engine.crawl({ url: `${site.url}/`, scrapeOptions: { markdownTwins: true } })
  const { data } = await job.finished()
  expect(data.map(({ metadata }) => new URL(metadata.url ?? '').pathname).toSorted()).toEqual(['/', '/a'])
  expect(data.map(({ metadata }) => metadata.markdownSource)).toEqual(['page', 'page'])
  expect(site.asked).toEqual(expect.arrayContaining(['/robots.txt', '/a.md']))
})
