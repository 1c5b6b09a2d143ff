import { expect, it } from 'vitest'
import { article, useModelSite } from '../../site/model-site.js'

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

it('a crawl with format `json` returns data for each page, in threads and within one budget', async () => {
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

it('an engine that is closed does not wait for the model', async () => {
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

it('a job stops when its model budget is used up, and continues with a larger one', async () => {
  const paths = Array.from({ length: 12 }, (_, at) => `/${at}`)
  let spent = 0
  await on.open(
    Object.fromEntries(paths.map((path) => [path, article(`<h1>Page ${path}</h1><p>Text.</p>`)])),
    ({ system, prompt }) => {
      const usage = { prompt_tokens: system.length + prompt.length, completion_tokens: 20 }
      spent += usage.prompt_tokens + usage.completion_tokens
      return { says: { title: /^# (.*)$/m.exec(prompt)?.[1] }, usage }
    },
    { modelOptions: { maxOutputTokens: 50 }, maxConcurrency: 2 },
  )
  const modelTokens = 10_000
  const job = on.engine.batchScrape({ urls: paths.map((path) => on.site.url(path)), formats, budget: { modelTokens } })
  const stopped = await job.finished()
  expect(stopped).toMatchObject({ status: 'completed', stoppedBy: 'modelTokens', total: 12 })
  expect(stopped.completed).toBeLessThan(12)
  expect(stopped.used.modelTokens).toBe(spent)
  expect(spent).toBeLessThanOrEqual(modelTokens)
  for (const { json, warning } of stopped.data) {
    if (json === undefined) expect(warning).toContain(`\`modelTokens\` ${modelTokens}`)
  }
  // Less than the limit is used, and yet it has no room: the same again would be no use.
  expect(() => job.resume({ budget: { requests: 1000 } })).toThrow('budget.modelTokens: 10000 is not enough')
  void job.resume({ budget: { modelTokens: 1_000_000 } })
  const status = await job.finished()
  expect(status).toMatchObject({ completed: 12, total: 12, used: { modelTokens: spent } })
  expect(status.data.slice(stopped.completed).every(({ json }) => json !== undefined)).toBe(true)
})
