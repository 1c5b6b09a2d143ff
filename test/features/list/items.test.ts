import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type ListRow, sqlite } from '../../../src/index.js'
import { untilSteady } from '../machines/postgres-crawls.js'
import { useEngineSite } from '../../site/engine-site.js'
import { htmlPage } from '../../site/exchange.js'

const on = useEngineSite()
const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

/** A page with a list of lamps, of these numbers. */
const lampPage = (numbers: readonly number[], price = 5): string => {
  const rows = numbers.map(
    (at) =>
      `<li class="lamp"><h3><a href="/lamp/${at}">Deck lamp ${at}</a></h3><p>It burns for ${at + 20} hours.</p>` +
      `<span class="price">${price}.00 EUR</span></li>`,
  )
  return htmlPage('Lamps', `<ul>${rows.join('')}</ul>`)
}

/** A page with a table of ports, without links. */
const tablePage = (names: readonly string[]): string => {
  const rows = names.map((name) => `<tr><td>${name}</td><td>${name.length}</td></tr>`)
  return htmlPage('Ports', `<table><tr><th>Port</th><th>Letters</th></tr>${rows.join('')}</table>`)
}

/** Request for these pages, one after the other. */
const batch = (...paths: string[]) => ({
  urls: paths.map((path) => on.site.url(path)),
  formats: ['list'] as const,
  maxConcurrency: 1,
  maxAge: 0,
})

const titleOf = ({ title }: ListRow): number => Number(String(title).replace('Deck lamp ', ''))

async function readTitles(items: AsyncIterable<ListRow>, count = Infinity): Promise<number[]> {
  const titles: number[] = []
  for await (const row of items) {
    titles.push(titleOf(row))
    if (titles.length === count) break
  }
  return titles
}

describe('the rows of a job', () => {
  it('are those of all pages in order, each once by its URL', async () => {
    const pages = {
      '/1': lampPage([0, 1, 2, 3, 4, 5]),
      // The price of the lamps has changed in between.
      '/2': lampPage([4, 5, 6, 7, 8, 9], 6),
      '/3': lampPage([9, 0, 10, 11, 12], 7),
    }
    await on.open(pages)
    const job = on.engine.batchScrape(batch('/1', '/2', '/3'))
    expect(await readTitles(job.items())).toEqual(numbersTo(13))
    // Each loop starts at the first page.
    const [first] = await Promise.all([job.items().next(), readTitles(job.items())])
    expect(first.value).toMatchObject({ title: 'Deck lamp 0', price: 5, priceCurrency: 'EUR' })
  })

  it('are told apart by all of their values, where they have no URLs', async () => {
    await on.open({
      '/1': tablePage(['Bari', 'Split', 'Ancona']),
      '/2': tablePage(['Split', 'Zadar', 'Bari', 'Trieste']),
    })
    const ports: unknown[] = []
    for await (const row of on.engine.batchScrape(batch('/1', '/2')).items()) ports.push(row)
    expect(ports.map((row) => Object.values(row as ListRow))).toEqual(
      ['Bari', 'Split', 'Ancona', 'Zadar', 'Trieste'].map((name) => [name, name.length]),
    )
  })

  it('leave out pages that failed or have no list', async () => {
    await on.open({ '/1': lampPage([0, 1, 2]), '/text': htmlPage('Text'), '/2': lampPage([3, 4, 5]) })
    const request = batch('/1', '/text', '/2')
    const job = on.engine.batchScrape({ ...request, urls: ['http://127.0.0.1:1/', ...request.urls] })
    expect((await readTitles(job.items())).toSorted((a, b) => a - b)).toEqual(numbersTo(6))
    expect(await job.finished()).toMatchObject({ completed: 3, failed: 1 })
  })

  it('end with the error of a job that failed', async () => {
    await on.open({ '/1': lampPage([0, 1, 2]), '/2': lampPage([3, 4, 5]) }, { creditLimit: 1 })
    const titles: number[] = []
    const read = async (): Promise<void> => {
      for await (const row of on.engine.batchScrape(batch('/1', '/2')).items()) titles.push(titleOf(row))
    }
    await expect(read()).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
    expect(titles).toEqual([0, 1, 2])
  })

  it('are left in the midst of a page: the iterator is done, and the job goes on', async () => {
    const paths = numbersTo(30).map((at) => `/${at}`)
    const pages = Object.fromEntries(paths.map((path, at) => [path, lampPage([0, 1, 2, 3].map((row) => at * 4 + row))]))
    await on.open(pages, { maxWaitingBytes: 500 })
    const job = on.engine.batchScrape(batch(...paths))
    const items = job.items()
    expect(await readTitles(items, 2)).toEqual([0, 1])
    expect(await items.next()).toEqual({ done: true, value: undefined })
    expect((await job.finished()).completed).toBe(30)
  })

  it('hold a crawl while they are read slowly, as its documents do', async () => {
    const paths = numbersTo(40).map((at) => `/${at}`)
    const pages = Object.fromEntries(paths.map((path, at) => [path, lampPage([0, 1, 2, 3].map((row) => at * 4 + row))]))
    await on.open(pages, { maxWaitingBytes: 2000 })
    const job = on.engine.batchScrape(batch(...paths))
    const items = job.items()
    expect((await items.next()).done).toBe(false)
    expect(await untilSteady(() => on.site.requests.length)).toBeLessThan(20)
    expect(await readTitles(items)).toHaveLength(159)
    expect((await job.finished()).completed).toBe(40)
  })

  it('acknowledge a page when the row after its last one is asked for', async () => {
    await on.open(
      { '/1': lampPage([0, 1, 2]), '/2': lampPage([3, 4, 5]), '/3': lampPage([6, 7, 8]) },
      { ledger: sqlite(join(folder, 'jobs.db')) },
    )
    const job = on.engine.batchScrape(batch('/1', '/2', '/3'), { acknowledge: true })
    await job.finished()
    expect(await readTitles(job.items(), 2)).toEqual([0, 1])
    expect(await readTitles(job.items(), 3)).toEqual([0, 1, 2])
    expect(await readTitles(job.items(), 4)).toEqual([0, 1, 2, 3])
    expect(await readTitles(job.items())).toEqual([3, 4, 5, 6, 7, 8])
    expect(await readTitles(job.items())).toEqual([])
  })

  it('wait for no page that is read when the iterator is closed', async () => {
    await on.open({ '/1': lampPage([0, 1, 2]), '/2': ({ response }) => void response.write('never ends') })
    await using job = on.engine.batchScrape(batch('/1', '/2'))
    const items = job.items()
    expect([await items.next(), await items.next(), await items.next()].map(({ done }) => done)).not.toContain(true)
    const waiting = items.next()
    await items.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
  })

  it('are refused at the call for a job without format `list`', async () => {
    await on.open({ '/1': lampPage([0, 1, 2]) })
    const job = on.engine.batchScrape({ urls: [on.site.url('/1')], formats: ['markdown', 'links'] })
    expect(() => job.items()).toThrow(
      expect.objectContaining({
        code: 'BAD_REQUEST',
        message: `job ${job.id} has no rows: \`items()\` needs \`list\` among the \`formats\` of its pages`,
      }),
    )
    expect(await job.finished()).toMatchObject({ completed: 1 })
  })
})
