import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createEngine, sqlite } from '../../../src/index.js'
import { type Pages, useEngineSite } from '../../site/engine-site.js'
import { type Handler, htmlPage, sendPage } from '../../site/exchange.js'

const on = useEngineSite()
const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

/** A category of a shop with these products. */
const category = (...numbers: readonly number[]): string => {
  const cards = numbers.map(
    (at) =>
      `<article class="card"><h3 class="card-title"><a href="/lamp/${at}">Deck lamp ${at}</a></h3>` +
      `<p class="card-text">It burns for ${at + 20} hours in any weather.</p><span class="price">${at}.00 EUR</span></article>`,
  )
  return htmlPage(
    'Lamps',
    `<main><h1>Lamps</h1><div class="products"><div class="row">${cards.join('')}</div></div></main>`,
  )
}

/** A product, and one that it is sold with. */
const product = htmlPage(
  'Lamp',
  `<main><h1>Deck lamp 7</h1><p>${'This lamp has seen every harbour of the coast, and burns in any weather. '.repeat(30)}</p>
  <div class="related"><h2>Goes with</h2><article class="card"><h3 class="card-title"><a href="/lamp/8">Deck lamp 8</a></h3>
  <p class="card-text">It burns for 28 hours in any weather.</p><span class="price">8.00 EUR</span></article></div></main>`,
)

/** An article of a magazine that shows itself as its overview shows articles. */
const story = htmlPage(
  'Story',
  `<main><div class="products"><div class="row"><article class="card"><h3 class="card-title"><a href="/story">A story</a></h3>
  <p class="card-text">It tells of lamps in short words, and links to <a href="/lamp/3">one</a>.</p><span class="price">2 EUR</span>
  </article></div></div></main>`,
)

const pages: Pages = {
  '/one': category(5),
  '/two': category(6, 7),
  '/many': category(1, 2, 3, 4),
  '/more': category(8, 9, 10),
  '/product': product,
  '/story': story,
}

const rowOf = (at: number): object => ({
  title: `Deck lamp ${at}`,
  url: on.site.url(`/lamp/${at}`),
  text: `It burns for ${at + 20} hours in any weather.`,
  price: at,
  priceCurrency: 'EUR',
})

/** Returns the numbers of the lamps in the lists of these pages. */
async function readLists(paths: readonly string[], formats: readonly unknown[] = ['list']): Promise<unknown[]> {
  const urls = paths.map((path) => on.site.url(path))
  const job = on.engine.batchScrape({ urls, formats: formats as ['list'], maxAge: 0 })
  const { data } = await job.finished()
  const items = (path: string): readonly object[] =>
    data.find(({ metadata }) => metadata.url.endsWith(path))?.list?.items ?? []
  return paths.map((path) => items(path).map((row) => Number(Reflect.get(row, 'price') ?? Reflect.get(row, 'cost'))))
}

describe('one or two entries are a list in a job whose other pages have lists of their structure', () => {
  it('before or after them', async () => {
    await on.open(pages)
    expect(await readLists(['/one', '/two', '/many', '/more'])).toEqual([[5], [6, 7], [1, 2, 3, 4], [8, 9, 10]])
    expect(await readLists(['/more', '/two', '/one'])).toEqual([[8, 9, 10], [6, 7], [5]])
  })

  it('with the fields of these, and the sign that it may go on', async () => {
    await on.open(pages)
    const job = on.engine.batchScrape({ urls: ['/many', '/one'].map((path) => on.site.url(path)), formats: ['list'] })
    const { data } = await job.finished()
    const [many, one] = ['/many', '/one'].map((path) => data.find(({ metadata }) => metadata.url.endsWith(path))?.list)
    expect(one?.items).toEqual([rowOf(5)])
    expect(one).toMatchObject({ complete: false, pagesRead: 1, how: 'page' })
    expect(one?.fields.map(({ name }) => name)).toEqual(many?.fields.map(({ name }) => name))
    const rows = []
    for await (const row of job.items()) rows.push(row)
    expect(rows).toHaveLength(5)
  })

  it('in the shape of a schema', async () => {
    await on.open(pages)
    const schema = z.object({ name: z.string(), cost: z.number() })
    expect(await readLists(['/one', '/many'], [{ type: 'list', schema }])).toEqual([[5], [1, 2, 3, 4]])
  })

  it('in a crawl, in the same way whatever page ends first', async () => {
    const links = Object.keys(pages).map((path) => `<p>Read <a href="${path}">about ${path}</a> here, please.</p>`)
    await on.open({ ...pages, '/': htmlPage('Start', `<main>${links.join('')}</main>`) })
    for (const maxConcurrency of [1, 5]) {
      const job = on.engine.crawl({ url: on.site.url('/'), maxConcurrency, scrapeOptions: { formats: ['list'] } })
      const { data } = await job.finished()
      const lists = data.flatMap(({ metadata, list }) =>
        list && list.items.length > 0 ? [[new URL(metadata.url).pathname, list.items.length]] : [],
      )
      expect(Object.fromEntries(lists)).toEqual({ '/one': 1, '/two': 2, '/many': 4, '/more': 3 })
    }
  })

  it('in a long batch, in the same way wherever a slow page stands', { timeout: 60_000 }, async () => {
    const after =
      (ms: number, page: string): Handler =>
      async (exchange) => {
        await setTimeout(ms)
        sendPage(exchange, page)
      }
    const plain = (at: number): [string, string] => [
      `/plain-${at}`,
      htmlPage(`Page ${at}`, `<main><p>${`Words of page ${at}. `.repeat(20)}</p></main>`),
    ]
    const others = Object.fromEntries(Array.from({ length: 40 }, (_, at) => plain(at)))
    const slow = after(1200, htmlPage('Slow', '<main><p>It takes its time.</p></main>'))
    // It takes longer than two seconds, and less than three times as long as the other slow page.
    await on.open({ ...pages, ...others, '/slow': slow, '/many': after(2600, category(1, 2, 3, 4)) })
    for (const paths of [
      ['/one', '/slow', '/many', ...Object.keys(others)],
      ['/many', '/slow', ...Object.keys(others), '/one'],
    ]) {
      const lists = await readLists(paths)
      expect(
        lists
          .filter((rows) => (rows as number[]).length > 0)
          .toSorted((a, b) => (b as number[]).length - (a as number[]).length),
      ).toEqual([[1, 2, 3, 4], [5]])
    }
  })

  it('that is resumed in another process', async () => {
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    const gate: Handler = async (exchange) => {
      await released
      sendPage(exchange, category(5))
    }
    const file = join(folder, 'lists.db')
    await on.open({ ...pages, '/one': gate }, { ledger: sqlite(file), cache: false })
    const { id } = on.engine.batchScrape({ urls: [on.site.url('/many'), on.site.url('/one')], formats: ['list'] })
    await expect
      .poll(async () => (await (await on.engine.job(id))?.explain(on.site.url('/many')))?.outcome, { timeout: 20_000 })
      .toBe('done')
    await on.engine.close({ drain: false })
    release()
    await using later = createEngine({ allowPrivateNetworks: true, threads: 0, cache: false, ledger: sqlite(file) })
    const rows = []
    for await (const { list } of (await later.job(id)) ?? []) rows.push(...(list?.items ?? []))
    expect(rows).toContainEqual(rowOf(5))
    expect(rows).toHaveLength(5)
  })
})

describe('one or two entries are no list', () => {
  it('in a single scrape', async () => {
    await on.open(pages)
    const { list } = await on.engine.scrape(on.site.url('/one'), { formats: ['list'] })
    expect(list.items).toEqual([])
  })

  it('without a page of their structure, beside a longer text, and if they lead to their own page', async () => {
    await on.open(pages)
    expect(await readLists(['/one', '/two', '/product'])).toEqual([[], [], []])
    expect(await readLists(['/many', '/product', '/story'])).toEqual([[1, 2, 3, 4], [], []])
  })
})
