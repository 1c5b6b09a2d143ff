import { expect, it } from 'vitest'
import { article, useModelSite } from './site/model-site.js'

const on = useModelSite()

const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }
const formats = ['markdown', { type: 'json', schema }] as const
const filler = '<p>Words that make the page long enough to be read in a thread of its own.</p>'.repeat(60)
const pages = Object.fromEntries(
  ['/', '/a', '/b'].map((path) => [
    path,
    article(`<h1>Page ${path}</h1><a href="/a">a</a><a href="/b">b</a>${filler}`),
  ]),
)

it('a crawl has data of each page, read in threads, and within one budget', async () => {
  await on.open(
    pages,
    ({ prompt }) => ({
      says: { title: /^# (.*)$/m.exec(prompt)?.[1] },
      usage: { prompt_tokens: 100, completion_tokens: 10 },
    }),
    { threads: 1 },
  )
  const job = on.engine.crawl({
    url: on.site.url('/'),
    sitemap: 'skip',
    scrapeOptions: { formats },
    budget: { modelTokens: 100_000 },
  })
  const { data, creditsUsed } = await job.finished()
  expect(
    data.map(({ json }) => json).toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other))),
  ).toEqual([{ title: 'Page /' }, { title: 'Page /a' }, { title: 'Page /b' }])
  expect(data.every(({ metadata }) => metadata.modelInputTokens === 100)).toBe(true)
  expect(creditsUsed).toBe(15)
})

it('a job that is cancelled does not wait for the model', async () => {
  let isAsked = (): void => undefined
  const asked = new Promise<void>((resolve) => (isAsked = resolve))
  await on.open(pages, () => {
    isAsked()
    return { delayMs: 60_000 }
  })
  const job = on.engine.batchScrape({ urls: [on.site.url('/')], formats })
  await asked
  expect(await job.cancel()).toMatchObject({ status: 'cancelled', completed: 0 })
})

it('an engine that is closed does not, either', async () => {
  let isAsked = (): void => undefined
  const asked = new Promise<void>((resolve) => (isAsked = resolve))
  await on.open(pages, () => {
    isAsked()
    return { delayMs: 60_000 }
  })
  const scraped = on.engine.scrape(on.site.url('/'), { formats }).catch((error: unknown) => error)
  await asked
  await on.engine.close()
  expect(await scraped).toMatchObject({ code: 'ENGINE_CLOSED' })
})
