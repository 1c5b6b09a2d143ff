import { describe, expect, it } from 'vitest'
import type { List, ScrapeOptions } from '../../../src/index.js'
import { type Handler, htmlPage, readNumber, sendPage } from '../../site/exchange.js'
import { runHere } from '../../cli/run-here.js'
import { useEngineSite } from '../../site/engine-site.js'
import { listPages } from '../../site/lists/list-sites.js'
import { readEntries } from '../../site/lists/read-entries.js'

const on = useEngineSite()

const lamp = (at: number): string =>
  `<li class="lamp"><h3><a href="/lists/entry/${at}">Deck lamp ${at}</a></h3><p>It burns for ${at + 2} hours.</p></li>`
const rows = (from: number, to: number): string =>
  `<ul>${Array.from({ length: to - from }, (_, at) => lamp(from + at)).join('')}</ul>`

/** Serves pages of ten rows at `?page=`, each with a link to the next one until the last. */
const pagesOf =
  (last: number, link = (page: number): string => `<a href="?page=${page}">Next</a>`): Handler =>
  (exchange) => {
    const page = readNumber(exchange, 'page', 1)
    const next = page < last ? link(page + 1) : ''
    sendPage(exchange, htmlPage('Lamps', `${rows((page - 1) * 10, page * 10)}${next}`))
  }

async function readAll(path: string, options: ScrapeOptions = {}, most?: number): Promise<List> {
  const formats = [{ type: 'list', all: true, ...(most !== undefined && { most }) }] as const
  const { list } = await on.engine.scrape(on.site.url(path), { maxAge: 0, ...options, formats })
  return list
}

const entriesOf = ({ items }: List): number[] => readEntries(JSON.stringify(items)).toSorted((a, b) => a - b)
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

describe('a list with `all: true` has the rows of all pages, each once, and is complete:', () => {
  it.each([
    ['with numbers', 'numbered/plain'],
    ['with numbers in the data of the page only', 'numbered/hydrated'],
    ['with a `Link` header', 'next/plain'],
    ['with `rel="next"`', 'next/hydrated'],
    ['with a cursor', 'cursor/plain'],
    ['with a cursor, of a framework', 'cursor/hydrated'],
  ])('%s', async (_what, path) => {
    await on.open(listPages, { fetcher: 'http' })
    const list = await readAll(`/lists/${path}?n=1000`)
    expect(entriesOf(list)).toEqual(numbers(1000))
    expect(list).toMatchObject({ complete: true, pagesRead: 50, how: 'pages' })
    expect(list.stoppedBy).toBeUndefined()
    expect(list.fields.find(({ name }) => name === 'price')).toMatchObject({ type: 'number', share: 1 })
    expect(on.site.requests).toHaveLength(50)
  })

  it('with a link to the next page beside a text that says that the list ends', async () => {
    const link = (page: number): string => `<p>No more results</p><a href="?page=${page}">Next</a>`
    await on.open({ '/lamps': pagesOf(3, link) }, { fetcher: 'http' })
    const list = await readAll('/lamps')
    expect(entriesOf(list)).toEqual(numbers(30))
    expect(list.complete).toBe(true)
  })

  it('with an offset in the URL and a total, and without a link', async () => {
    const page: Handler = (exchange) => {
      const offset = readNumber(exchange, 'offset', 0)
      sendPage(
        exchange,
        htmlPage('Lamps', `<p>Showing ${offset + 1}-${offset + 10} of 40 lamps</p>${rows(offset, offset + 10)}`),
      )
    }
    await on.open({ '/lamps': page }, { fetcher: 'http' })
    const list = await readAll('/lamps?offset=0')
    expect(entriesOf(list)).toEqual(numbers(40))
    expect(list.complete).toBe(true)
  })
})

describe('a list with `all: true` is not complete, and says why,', () => {
  it('after `most` rows', async () => {
    await on.open({ '/lamps': pagesOf(9) }, { fetcher: 'http' })
    const list = await readAll('/lamps', {}, 25)
    expect(entriesOf(list)).toEqual(numbers(25))
    expect(list).toMatchObject({ complete: false, pagesRead: 3 })
    expect(list.stoppedBy).toContain('`most`')
  })

  it.each([
    ['leads back', (): string => '<a href="?page=1">Next</a>', 'was read before', 3],
    ['is on another site', (): string => '<a href="http://localhost:1/?page=2">Next</a>', 'on another site', 1],
    ['answers 404', (): string => '<a rel="next" href="/status/404">Next</a>', 'answered 404', 1],
    ['resets the connection', (): string => '<a rel="next" href="/reset">Next</a>', 'could not be read', 1],
    ['has another list', (): string => '<a rel="next" href="/links">Next</a>', 'is not on', 2],
  ])('when the next page %s', async (_what, link, why, pagesRead) => {
    await on.open(
      {
        '/lamps': pagesOf(9, (page) =>
          page === 3 || pagesRead === 1 || why === 'is not on' ? link() : `<a href="?page=${page}">Next</a>`,
        ),
      },
      { fetcher: 'http' },
    )
    const formats = [{ type: 'list', all: true }] as const
    const { list, warning = '' } = await on.engine.scrape(on.site.url('/lamps'), { maxAge: 0, formats })
    expect(list).toMatchObject({ complete: false, pagesRead })
    expect(list.stoppedBy).toContain(why)
    expect(entriesOf(list).slice(0, 10)).toEqual(numbers(10))
    // What it goes on with is missing: that is said where nobody looks at `complete`, which few pages let be known.
    const isLost = why !== 'was read before'
    expect(list.lostPage !== undefined).toBe(isLost)
    expect(warning.includes(`The list was not read to its end: ${list.stoppedBy}`)).toBe(isLost)
  })

  it.each([
    ['and the last page has no link', ''],
    ['and the last page says that the list ends', '<p>No more results</p>'],
  ])('when a page in between lacks the list, %s', async (_what, end) => {
    const pages: Handler = (exchange) => {
      const page = readNumber(exchange, 'page', 1)
      const list = page === 2 ? '<p>Please try again later.</p>' : rows((page - 1) * 10, page * 10)
      sendPage(exchange, htmlPage('Lamps', `${list}${page < 4 ? `<a href="?page=${page + 1}">Next</a>` : end}`))
    }
    await on.open({ '/lamps': pages }, { fetcher: 'http' })
    const list = await readAll('/lamps')
    expect(entriesOf(list)).toEqual([...numbers(10), ...numbers(20).map((at) => at + 20)])
    expect(list).toMatchObject({ complete: false, stoppedBy: `The list is not on ${on.site.url('/lamps?page=2')}.` })
  })

  it('which --strict makes a failure', async () => {
    await on.open({
      '/lamps': pagesOf(9, (page) => `<a href="${page === 3 ? '/status/500' : `?page=${page}`}">Next</a>`),
    })
    const { code, stderr } = await runHere(['scrape', on.site.url('/lamps'), '--all', '--strict'])
    expect(stderr).toContain('was not read to its end')
    expect(code).toBe(3)
  })

  it('when its pages state a larger total', async () => {
    const link = (page: number): string => `<p>Showing 1-10 of 95 lamps</p><a href="?page=${page}">Next</a>`
    await on.open({ '/lamps': pagesOf(3, link) }, { fetcher: 'http' })
    const list = await readAll('/lamps')
    expect(list.complete).toBe(false)
    expect(list.stoppedBy).toBe('The page states 95 entries, and 30 were found.')
  })

  it.each([
    [
      'a sponsored link',
      '<li class="lamp"><h3><a rel="sponsored" href="/lists/entry/900">Candles</a></h3><p>Buy</p></li>',
    ],
    [
      'a label',
      '<li class="lamp"><h3><a href="/lists/entry/900">Candles</a></h3><p>Burn.</p><span>Sponsored</span></li>',
    ],
    ['a class', '<li class="lamp ad"><h3><a href="/lists/entry/900">Candles</a></h3><p>Burn.</p></li>'],
  ])('when advertisements with %s bring it to the total of its page', async (_what, ad) => {
    const page = (total: number): Handler => {
      const list = rows(0, 9).replace('</ul>', `${ad}</ul>`)
      return (exchange) => sendPage(exchange, htmlPage('Lamps', `<p>${total} items</p>${list}`))
    }
    await on.open({ '/ten': page(10), '/nine': page(9) }, { fetcher: 'http' })
    expect(await readAll('/ten')).toMatchObject({ complete: false })
    expect(await readAll('/nine')).toMatchObject({ complete: true })
  })

  it('when the time of the page is nearly up', async () => {
    // A page takes so long that not even a fast machine reads 10,000 rows, another limit, within the time.
    const page: Handler = (exchange) => setTimeout(() => pagesOf(Infinity)(exchange), 30)
    await on.open({ '/lamps': page }, { fetcher: 'http' })
    const list = await readAll('/lamps', { timeout: 1500 })
    expect(list.items.length).toBeGreaterThan(10)
    expect(list.complete).toBe(false)
    expect(list.stoppedBy).toContain('`timeout`')
  })

  it('when its first page has taken most of the time', async () => {
    const page: Handler = (exchange) => {
      const number = readNumber(exchange, 'page', 1)
      if (number > 2) return
      setTimeout(() => pagesOf(9)(exchange), number === 1 ? 2000 : 0)
    }
    await on.open({ '/lamps': page }, { fetcher: 'http' })
    const list = await readAll('/lamps', { timeout: 5000 })
    expect(list.items).toHaveLength(20)
    expect(list.stoppedBy).toContain('`timeout`')
  })

  it('when the pages of a site that has no end repeat', async () => {
    const page: Handler = (exchange) => {
      const next = readNumber(exchange, 'page', 1) + 1
      sendPage(exchange, htmlPage('Lamps', `${rows(0, 10)}<a href="?page=${next}">Next</a>`))
    }
    await on.open({ '/lamps': page }, { fetcher: 'http' })
    const list = await readAll('/lamps')
    expect(list).toMatchObject({
      complete: false,
      pagesRead: 3,
      how: 'page',
      stoppedBy: 'Further pages brought no new rows.',
    })
  })
})

describe('a further page of a list', () => {
  it('is requested with the headers of the page, and again after an error that is temporary', async () => {
    const page: Handler = (exchange) => {
      const isSecond = exchange.url.searchParams.has('page')
      if (isSecond && exchange.visits === 1) return sendPage(exchange, htmlPage('Busy'), 503)
      return pagesOf(2)(exchange)
    }
    await on.open({ '/lamps': page }, { fetcher: 'http' })
    const list = await readAll('/lamps', { headers: { 'x-key': 'secret' } })
    expect(list).toMatchObject({ complete: true, pagesRead: 2 })
    expect(on.site.requests.map(({ headers }) => headers['x-key'])).toEqual(['secret', 'secret', 'secret'])
  })

  it('is digested in a worker thread, and costs a credit', async () => {
    await on.open({ '/lamps': pagesOf(3) }, { fetcher: 'http', threads: 1 })
    const { list, metadata } = await on.engine.scrape(on.site.url('/lamps'), { formats: [{ type: 'list', all: true }] })
    expect(entriesOf(list)).toEqual(numbers(30))
    expect(metadata.creditsUsed).toBe(3)
  })

  it('is not requested without `all`', async () => {
    await on.open({ '/lamps': pagesOf(3) }, { fetcher: 'http' })
    const { list } = await on.engine.scrape(on.site.url('/lamps'), { formats: ['list'] })
    expect(entriesOf(list)).toEqual(numbers(10))
    expect(on.site.requests).toHaveLength(1)
  })
})

describe('in a crawl, the further pages of a list', () => {
  const crawl = async (path: string, options: object = {}) => {
    const scrapeOptions: ScrapeOptions = { maxAge: 0, formats: [{ type: 'list', all: true }] }
    const job = on.engine.crawl({ url: on.site.url(path), limit: 1, sitemap: 'skip', ...options, scrapeOptions })
    const { data } = await job.finished()
    return { job, list: data[0]?.list }
  }

  it('are requested one after the other on a site that allows one request at a time, and are explained', async () => {
    await on.open({ '/lamps': pagesOf(3) }, { fetcher: 'http', maxConcurrencyPerSite: 1 })
    const { job, list } = await crawl('/lamps')
    expect(list).toMatchObject({ complete: true, pagesRead: 3 })
    const row = await job.explain(on.site.url('/lamps'))
    expect(row && 'attempts' in row ? row.attempts[0]?.list : undefined).toEqual([
      { how: 'pages', url: on.site.url('/lamps?page=2'), evidence: 'the link "Next"', added: 10 },
      { how: 'pages', url: on.site.url('/lamps?page=3'), evidence: 'the link "Next"', added: 10 },
    ])
  })

  it('are not requested where robots.txt forbids it', async () => {
    const robots: Handler = ({ response }) => response.end('User-agent: *\nDisallow: /lamps?page=3')
    await on.open({ '/lamps': pagesOf(4), '/robots.txt': robots }, { fetcher: 'http' })
    const { list } = await crawl('/lamps')
    expect(list).toMatchObject({ complete: false, pagesRead: 2 })
    expect(list?.stoppedBy).toContain('robots.txt')
    expect(on.site.requests.map(({ path }) => path)).not.toContain('/lamps?page=3')
  })

  it('are not requested once its budget is used up', async () => {
    await on.open({ '/lamps': pagesOf(9) }, { fetcher: 'http' })
    const { list } = await crawl('/lamps', { budget: { requests: 4 } })
    expect(list?.complete).toBe(false)
    expect(list?.stoppedBy).toContain('budget')
    expect(on.site.requests.length).toBeLessThanOrEqual(5)
  })
})
