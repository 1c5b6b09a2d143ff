import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createEngine, type Embed, type Engine, type EngineConfig, type SearchHit, sqlite } from '../../../src/index.js'
import { openChangingSite, useChangingSite } from '../../site/changing-site.js'
import { type Site, startSite } from '../../site/site.js'

const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

const html = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`

const PAGES = {
  '/money': html('Money', '<p>Cash is returned within two weeks of the purchase.</p>'),
  '/shipping': html('Shipping', '<p>Parcels leave the warehouse on Mondays.</p>'),
}

/** Groups of words of one meaning: each is a number of the vector. */
const MEANINGS = [/cash|money|refund|reimburse/gi, /parcel|shipping|delivery/gi, /apple|fruit/gi, /pear/gi]
const countMeanings = (text: string): number[] => MEANINGS.map((words) => text.match(words)?.length ?? 0)

/** An embedder that knows these meanings, and its calls. */
function createEmbed(change: (numbers: number[]) => number[] = (numbers) => numbers) {
  const calls: { texts: string[]; purpose: string }[] = []
  const embed: Embed = async (texts, { purpose }) => {
    calls.push({ texts, purpose })
    return texts.map((text) => change(countMeanings(text)))
  }
  const passages = (): string[] =>
    calls
      .filter(({ purpose }) => purpose === 'passage')
      .flatMap(({ texts }) => texts)
      .filter((text) => text.includes('\n'))
  return { embed, calls, passages }
}

const settings: EngineConfig = { allowPrivateNetworks: true, fetcher: 'http', threads: 0, index: true }
const open = (more: EngineConfig = {}): Engine => createEngine({ ...settings, ...more })
const urlsOf = (site: Site): string[] => Object.keys(PAGES).map((path) => site.url(path))
const titles = (hits: readonly SearchHit[]): (string | undefined)[] => hits.map(({ title }) => title)

describe('an engine with `embed`', () => {
  it('finds a chunk by its meaning, without a word of the query', async () => {
    await using site = await startSite({ pages: PAGES })
    const { embed, calls, passages } = createEmbed()
    await using engine = open({ embed })
    const job = engine.batchScrape({ urls: urlsOf(site) })
    const { warning } = await job.finished()
    expect(warning).toBeUndefined()
    expect(passages().toSorted()).toEqual([
      'Money\nMoney\n\n# Money\n\nCash is returned within two weeks of the purchase.',
      'Shipping\nShipping\n\n# Shipping\n\nParcels leave the warehouse on Mondays.',
    ])
    expect(titles(await job.search('how are refunds reimbursed'))).toEqual(['Money', 'Shipping'])
    expect(titles(await engine.search('delivery', { limit: 1 }))).toEqual(['Shipping'])
    expect(calls.at(-1)).toEqual({ texts: ['delivery'], purpose: 'query' })
    await using words = open()
    const other = words.batchScrape({ urls: urlsOf(site) })
    await other.finished()
    expect(await other.search('how are refunds reimbursed')).toEqual([])
  })

  it('goes by words alone, with a warning, where `embed` fails', async () => {
    await using site = await startSite({ pages: PAGES })
    let isDown = true
    const { embed } = createEmbed()
    await using engine = open({
      embed: (texts, context) => (isDown ? Promise.reject(new Error('no connection')) : embed(texts, context)),
    })
    const job = engine.batchScrape({ urls: urlsOf(site) })
    expect((await job.finished()).warning).toContain(
      'Some chunks have no vector, and are found by words alone: no connection.',
    )
    expect(titles(await job.search('parcels'))).toEqual(['Shipping'])
    expect(await job.search('delivery')).toEqual([])
    isDown = false
    // The same pages, and only the vectors are missing.
    const next = engine.batchScrape({ urls: urlsOf(site) })
    expect((await next.finished()).warning).toBeUndefined()
    expect(titles(await job.search('delivery', { limit: 1 }))).toEqual(['Shipping'])
  })

  it('does not wait for vectors while it scrapes, and waits for them at the end', async () => {
    await using site = await startSite({ pages: PAGES })
    const { embed } = createEmbed()
    let letThrough = (): void => undefined
    const opened = new Promise<void>((resolve) => (letThrough = resolve))
    await using engine = open({
      embed: async (texts, context) => {
        await opened
        return embed(texts, context)
      },
    })
    const job = engine.batchScrape({ urls: urlsOf(site) })
    let read = 0
    for await (const _ of job) if ((read += 1) === 2) break
    expect((await job.status()).status).toBe('scraping')
    letThrough()
    expect((await job.finished()).status).toBe('completed')
    expect(titles(await job.search('delivery', { limit: 1 }))).toEqual(['Shipping'])
  })

  it('waits for no vectors once the job is cancelled, or the engine closed', async () => {
    await using site = await startSite({ pages: PAGES })
    const aborted: boolean[] = []
    const embed: Embed = (_texts, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          aborted.push(true)
          reject(signal.reason)
        }),
      )
    await using engine = open({ embed })
    const job = engine.batchScrape({ urls: urlsOf(site) })
    for await (const _ of job) break
    await job.cancel()
    expect(await job.finished()).toMatchObject({ status: 'cancelled' })
    const other = engine.batchScrape({ urls: urlsOf(site) })
    for await (const _ of other) break
    await engine.close()
    expect(aborted).not.toEqual([])
  })

  it('sends and stores nothing with `zeroDataRetention`', async () => {
    await using site = await startSite({ pages: PAGES })
    const { embed, calls } = createEmbed()
    await using engine = open({ embed })
    await engine.batchScrape({ urls: urlsOf(site), zeroDataRetention: true }).finished()
    expect(calls).toEqual([])
    expect(await engine.search('delivery')).toEqual([])
  })

  it('finds the best chunk by words, however many others are in the middle of both rankings', async () => {
    const notes = Array.from({ length: 100 }, (_note, nth): [string, string] => [
      `/note/${nth}`,
      html(`Note ${nth}`, `<p>A zebra eats fruit${' and pear'.repeat(nth)}.</p>`),
    ])
    const pages = { ...Object.fromEntries(notes), '/answer': html('Zebra', '<p>A zebra has no money.</p>') }
    await using site = await startSite({ pages })
    await using engine = open({ embed: createEmbed().embed })
    const job = engine.batchScrape({ urls: Object.keys(pages).map((path) => site.url(path)) })
    await job.finished()
    const hits = titles(await job.search('apple zebra', { limit: 20 }))
    expect(hits[0]).toBe('Note 0')
    expect(hits).toContain('Zebra')
  })

  it('embeds a file of pages once, and again with another `embed`', async () => {
    await using site = await startSite({ pages: PAGES })
    const index = join(folder, 'search.db')
    const scrape = async (embed: Embed | undefined) => {
      await using engine = open({ index, ...(embed && { embed }) })
      return (await engine.batchScrape({ urls: urlsOf(site) }).finished()).warning
    }
    const find = async (embed: Embed) => {
      await using engine = open({ index, embed })
      return titles(await engine.search('delivery', { limit: 1 }))
    }
    const first = createEmbed()
    expect(await find(first.embed)).toEqual([])
    expect(await scrape(undefined)).toBeUndefined()
    expect(await scrape(first.embed)).toBeUndefined()
    expect(first.passages()).toHaveLength(2)
    expect(await find(first.embed)).toEqual(['Shipping'])
    const again = createEmbed()
    expect(await scrape(again.embed)).toBeUndefined()
    expect(again.passages()).toEqual([])
    for (const other of [createEmbed((numbers) => numbers.toReversed()), createEmbed((numbers) => [...numbers, 1])]) {
      await expect(find(other.embed)).rejects.toMatchObject({
        code: 'SEARCH_ERROR',
        message: expect.stringContaining('another `embed`'),
      })
      expect(await scrape(other.embed)).toContain('made by another `embed`')
      expect(other.passages()).toHaveLength(2)
      expect(await find(other.embed)).toEqual(['Shipping'])
    }
  })

  it('embeds what was under way in an engine that was closed, when the job is resumed', async () => {
    await using site = await startSite({ pages: PAGES })
    const ledger = join(folder, 'crawl.db')
    const hanging: Embed = (_texts, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const first = open({ ledger: sqlite(ledger), embed: hanging })
    const job = first.batchScrape({ urls: urlsOf(site) })
    let read = 0
    for await (const _ of job) if ((read += 1) === 2) break
    await first.close()
    const { embed, passages } = createEmbed()
    await using second = open({ ledger: sqlite(ledger), embed })
    const [resumed] = await second.resume()
    expect((await resumed?.finished())?.status).toBe('completed')
    expect(passages()).toHaveLength(2)
    expect(titles(await second.search('delivery', { limit: 1 }))).toEqual(['Shipping'])
  })
})

describe('a crawl with `since` and `embed`', () => {
  const on = useChangingSite()

  it('embeds changed pages only, and drops those that are no longer there', async () => {
    const { embed, passages } = createEmbed()
    const { engine, pages, start } = await openChangingSite(on, { '/': ['/a', '/b'] }, {}, { embed })
    pages.set('/a', { links: [], text: 'apples' })
    pages.set('/b', { links: [], text: 'pears' })
    const crawl = { url: start, index: true, since: 'last' } as const
    await engine.crawl(crawl).finished()
    const before = passages().length
    expect(before).toBe(3)
    const [best] = await engine.search('fruit', { limit: 1 })
    expect(best?.text).toContain('apples')
    pages.set('/a', { links: [], text: 'a parcel' })
    pages.set('/', { links: ['/a'] })
    const second = engine.crawl(crawl)
    await second.finished()
    const texts = passages().slice(before).join(' ')
    expect(texts).toContain('a parcel')
    expect(texts).not.toMatch(/apples|pears/)
    expect((await engine.search('delivery', { limit: 1 }))[0]?.text).toContain('a parcel')
    // Every chunk that is left has a vector, and is found.
    expect((await engine.search('fruit')).map(({ text }) => text).join(' ')).not.toMatch(/apples|pears/)
  })
})
