import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type {
  BatchScrapeRequest,
  Document,
  Engine,
  EngineConfig,
  FormatItem,
  LanguageModel,
  ScrapeOptions,
} from '../../../src/index.js'
import { pathOf } from '../../kernel/job/crawl-site.js'
import { listPages } from '../../site/lists/list-sites.js'
import { LONG_MS, sorted } from './postgres-crawls.js'
import { missing } from '../../base/store/postgres-server.js'
import { createRequestGate } from './request-gate.js'
import { useWorkers } from './use-workers.js'
import { crawlOf, createWorkSite } from './work-site.js'

const PATHS = Array.from({ length: 12 }, (_, at) => `/${at}`)
/** Changes the pages with an even number. */
let edition = 1

/** Closed at the start of each job, until the site has two requests at once: one of them is of a worker. */
const gate = createRequestGate()
/** Requests that the site has not answered. */
let requests = 0

const pages = Object.fromEntries(
  PATHS.map((path, at) => [
    path,
    async ({ response }: { response: { end(body: string): void } }) => {
      requests += 1
      if (requests > 1) gate.allow(Infinity)
      await gate.pass()
      requests -= 1
      response.end(`<!doctype html><title>Page ${at}</title><body><main><h1>Page ${at}</h1>
        <p>Some words about number ${at} that nobody has written before.</p>
        <p>${at % 2 === 0 ? `Edition ${edition}` : 'The only edition'} of the text.</p>
        <button onclick="this.textContent = 'pressed'">Press</button></main>`)
    },
  ]),
)

/** Answers with the heading of the page. Each request counts as 1,000 tokens. */
const model: LanguageModel = async ({ prompt }) => ({
  text: JSON.stringify({ heading: /^# (.*)$/m.exec(prompt)?.[1] ?? 'none' }),
  usage: { inputTokens: 900, outputTokens: 100 },
})
const schema = { type: 'object', properties: { heading: { type: 'string' } }, required: ['heading'] } as const
const JSON_FORMAT = { type: 'json', schema } as const

const title = `pages of workers${missing === undefined ? '' : `: ${missing}`}`
describe.skipIf(missing !== undefined)(title, { timeout: 3 * LONG_MS }, () => {
  const on = useWorkers({ ...createWorkSite(40).pages, ...listPages, ...pages })

  /** Scrapes the pages, and returns a fact of each document, by their paths. */
  async function scrape(
    engine: Engine,
    options: Omit<BatchScrapeRequest, 'urls' | 'appendToId'>,
    read: (document: Document) => unknown,
  ) {
    gate.allow(0)
    const { data } = await engine.batchScrape({ urls: PATHS.map((path) => on.site.url(path)), ...options }).finished()
    const facts = data.map((document) => [pathOf(document.metadata.url), read(document)])
    return Object.fromEntries(facts) as Record<string, unknown>
  }

  /** Opens an engine without workers, and one that scrapes a page at once and has the others scraped by a worker. */
  async function openBoth(config: EngineConfig = {}) {
    const alone = on.open({ ledger: undefined, ...config })
    const owner = on.open({ maxConcurrency: 1, ...config })
    const worker = await on.addWorker({ config: { fetcher: config.fetcher ?? 'http' } })
    const countDone = async (): Promise<number> => {
      worker.child.kill('SIGTERM')
      await worker.ended
      return Number(/"done":(\d+)/.exec(worker.said())?.[1])
    }
    return { alone, owner, countDone }
  }

  it('have the answers of the model of the engine that runs the job', async () => {
    const { alone, owner, countDone } = await openBoth({ model })
    const read = ({ markdown, json, metadata: { modelInputTokens, modelRequests } }: Document) => ({
      markdown,
      json,
      modelInputTokens,
      modelRequests,
    })
    const expected = await scrape(alone, { formats: ['markdown', JSON_FORMAT] }, read)
    expect(expected['/3']).toMatchObject({ json: { heading: 'Page 3' }, modelInputTokens: 900, modelRequests: 1 })
    expect(await scrape(owner, { formats: ['markdown', JSON_FORMAT] }, read)).toEqual(expected)
    expect(await countDone()).toBeGreaterThan(0)
  })

  it('have these answers also when the job has learnt which text repeats', async () => {
    let most = 0
    let asking = 0
    const slow: LanguageModel = async (...question) => {
      most = Math.max(most, ++asking)
      await sleep(50)
      asking -= 1
      return model(...question)
    }
    const { alone, owner, countDone } = await openBoth({ model: slow })
    const formats: FormatItem[] = ['markdown', { type: 'json', schema: z.object({ heading: z.string() }) }]
    const crawl = async (engine: Engine) => {
      const { data } = await engine.crawl({ ...crawlOf(on.site.url('/')), scrapeOptions: { formats } }).finished()
      const facts = data.map(({ markdown, json, warning, metadata: { url } }) => [pathOf(url), markdown, json, warning])
      return sorted(facts).join().replaceAll(on.site.url(''), '')
    }
    const expected = await crawl(alone)
    expect(expected).toContain('"heading":"guide 7"')
    most = 0
    expect(await crawl(owner)).toBe(expected)
    // As many as the engine has pages at once, with or without workers.
    expect(most).toBe(1)
    expect(await countDone()).toBeGreaterThan(0)
  })

  it('keep the budget of a job for the model exact', async () => {
    let asked = 0
    const counting: LanguageModel = (...question) => {
      asked += 1
      return model(...question)
    }
    const { owner, countDone } = await openBoth({ model: counting, modelOptions: { maxOutputTokens: 100 } })
    const urls = PATHS.map((path) => on.site.url(path))
    gate.allow(0)
    const job = owner.batchScrape({ urls, formats: [JSON_FORMAT], budget: { modelTokens: 5000 } })
    const { used, stoppedBy } = await job.finished()
    expect(stoppedBy).toBe('modelTokens')
    expect(used.modelTokens).toBe(1000 * asked)
    expect(used.modelTokens).toBeLessThanOrEqual(5000)
    expect(await countDone()).toBeGreaterThan(0)
  })

  it('have the rows of the further pages of their lists', async () => {
    const { alone, owner, countDone } = await openBoth()
    const crawl = async (engine: Engine) => {
      gate.allow(0)
      const urls = [
        ...PATHS.map((path) => on.site.url(path)),
        on.site.url('/lists/next/plain?n=100'),
        on.site.url('/lists/cursor/plain?n=60'),
      ]
      const { data } = await engine.batchScrape({ urls, formats: [{ type: 'list', all: true }] }).finished()
      return sorted(data.map(({ list, metadata: { url, creditsUsed } }) => [pathOf(url), list, creditsUsed]))
    }
    const expected = await crawl(alone)
    expect(expected.join()).toContain('"complete":true,"pagesRead":5')
    expect(await crawl(owner)).toEqual(expected)
    expect(await countDone()).toBeGreaterThan(0)
  })

  it('are compared with the snapshots of the engine that runs the job', async () => {
    const { alone, owner, countDone } = await openBoth()
    const options: ScrapeOptions = { formats: ['markdown', { type: 'changeTracking', modes: ['git-diff'] }] }
    const read = ({ changeTracking }: Document) => [changeTracking?.changeStatus, changeTracking?.diff?.text]
    const compare = async (engine: Engine) => {
      edition = 1
      const first = await scrape(engine, options, read)
      edition = 2
      return [first, await scrape(engine, options, read)]
    }
    const expected = await compare(alone)
    expect(expected[1]).toMatchObject({
      '/2': ['changed', expect.stringContaining('+Edition 2')],
      '/3': ['same', undefined],
    })
    expect(await compare(owner)).toEqual(expected)
    expect(await countDone()).toBeGreaterThan(0)
  })

  it('have screenshots and the results of actions', async () => {
    const media: Record<string, number> = {}
    const files: EngineConfig['media'] = async ({ name, bytes, kind }) => {
      media[kind] = (media[kind] ?? 0) + 1
      return `https://files.test/${name}?${bytes.length > 100}`
    }
    const { owner, countDone } = await openBoth({ fetcher: 'browser', media: files })
    const options: ScrapeOptions = {
      formats: ['screenshot', 'markdown'],
      actions: [
        { type: 'click', selector: 'button' },
        { type: 'executeJavascript', script: 'return document.querySelector("button").textContent' },
        { type: 'screenshot' },
      ],
    }
    const facts = await scrape(owner, options, ({ screenshot, actions }) => ({ screenshot, actions }))
    const file = expect.stringMatching(/^https:\/\/files\.test\/.*\?true$/) as unknown
    const actions = { screenshots: [file], javascriptReturns: [{ type: 'unknown', value: 'pressed' }] }
    expect(facts).toEqual(
      Object.fromEntries(
        PATHS.map((path) => [path, { screenshot: file, actions: expect.objectContaining(actions) as unknown }]),
      ),
    )
    expect(media).toEqual({ screenshot: 2 * PATHS.length })
    expect(await countDone()).toBeGreaterThan(0)
  })

  it('are not given away when they may not be stored, or need the cache or a session of the engine that runs the job', async () => {
    const { owner, countDone } = await openBoth({ fetcher: 'auto' })
    gate.allow(Infinity)
    const urls = PATHS.map((path) => on.site.url(path))
    for (const options of [
      { zeroDataRetention: true },
      { lockdown: true },
      { minAge: 1 },
      { profile: { name: 'one' } },
    ])
      await owner.batchScrape({ urls, ...options }).finished()
    expect(await countDone()).toBe(0)
  })
})
