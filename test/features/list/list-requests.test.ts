import { describe, expect, it } from 'vitest'
import { type Exchange, type Handler, sendJson, sendPage } from '../../site/exchange.js'
import { useEngineSite } from '../../site/engine-site.js'
import { listPages } from '../../site/lists/list-sites.js'
import { entriesOf, isBrowser, lampPage, listLamps, numbers, readLamps } from './lamp-lists.js'

const on = useEngineSite()

const readCursor = ({ url }: Exchange): number => Number((url.searchParams.get('cursor') ?? '').slice(1))

/** Answers with ten lamps after the cursor, of so many in all. */
const answer =
  (count: number, change: (exchange: Exchange, from: number) => object | undefined = () => undefined): Handler =>
  (exchange) => {
    const from = readCursor(exchange)
    const to = Math.min(count, from + 10)
    const usual = { lamps: listLamps(from, to), cursor: to < count ? `c${to}` : null }
    sendJson(exchange, { ...usual, ...change(exchange, from) })
  }

/** Requests that no browser has sent. */
const requested = (): string[] =>
  on.site.requests
    .filter(({ path, headers }) => path.startsWith('/api') && !isBrowser({ headers }))
    .map(({ path }) => path)

describe('a list with `all: true` continues the requests that its page sends for more,', { timeout: 120_000 }, () => {
  it.each([
    ['an offset', 'window/hydrated'],
    ['a page number', 'inner/plain'],
    ['a cursor, in a page of a framework', 'more/reactive'],
  ])('with %s', async (_what, path) => {
    await on.open(listPages)
    const url = on.site.url(`/lists/${path}?n=400`)
    const { list } = await on.engine.scrape(url, { formats: [{ type: 'list', all: true }] })
    expect(entriesOf(list)).toEqual(numbers(400))
    expect(list).toMatchObject({ complete: true, how: 'requests' })
  })

  it('with the headers of the page, and tells each step', async () => {
    await on.open({ '/lamps': lampPage(), '/api': answer(100) })
    const { list, steps } = await readLamps(on)
    expect(entriesOf(list)).toEqual(numbers(100))
    expect(list.complete).toBe(true)
    expect(steps[0]).toMatchObject({ how: 'browser', evidence: 'the page itself' })
    expect(steps.at(-1)).toEqual({
      how: 'requests',
      url: on.site.url('/api?cursor=c90'),
      evidence: '`cursor` is `cursor` of the answer before',
      added: 10,
    })
    const last = on.site.requests.at(-1)
    expect(last).toMatchObject({ method: 'GET', path: '/api?cursor=c90' })
    expect(last?.headers).toMatchObject({
      accept: 'application/json, text/plain',
      referer: on.site.url('/lamps'),
      'x-key': 'secret',
    })
    expect(last?.headers['sec-fetch-mode']).toBeUndefined()
  })

  it('and pays for the page, the browser and each request, and not for those that the page has sent', async () => {
    await on.open({ '/lamps': lampPage({ shown: 'answer.lamps.slice(0, 9)' }), '/api': answer(100) })
    const { list, steps, credits } = await readLamps(on)
    expect(entriesOf(list)).toEqual(numbers(100))
    expect(steps.filter(({ wasRecorded }) => wasRecorded === true)).toMatchObject([
      { how: 'requests', evidence: 'recorded in the browser' },
    ])
    expect(credits).toBe(2 + requested().length)
    expect(credits).toBe(steps.length)
  })

  it('with the same fields in all rows, each entry once though answers overlap', async () => {
    await on.open({
      '/lamps': lampPage(),
      '/api': answer(100, (_exchange, from) => ({ lamps: listLamps(from - 3, Math.min(100, from + 10)) })),
    })
    const { list } = await readLamps(on)
    expect(entriesOf(list)).toEqual(numbers(100))
    expect(list.items.map((item) => Object.keys(item).length)).toEqual(numbers(100).map(() => 3))
  })

  it('until `most`, of cursors that never end', async () => {
    await on.open({ '/lamps': lampPage(), '/api': answer(Infinity) })
    const { list } = await readLamps(on, 200)
    expect(list.items).toHaveLength(200)
    expect(list).toMatchObject({ complete: false, how: 'requests' })
    expect(list.stoppedBy).toContain('`most`')
  })

  it('until two answers of a cursor that never ends bring nothing new', async () => {
    await on.open({
      '/lamps': lampPage(),
      '/api': answer(Infinity, (_exchange, from) => (from < 60 ? undefined : { lamps: listLamps(50, 60) })),
    })
    const { list } = await readLamps(on)
    expect(entriesOf(list)).toEqual(numbers(60))
    expect(list).toMatchObject({ complete: false, stoppedBy: 'Further answers brought no new rows.' })
    expect(requested()).toHaveLength(5)
  })

  it('and is complete if a site answers behind its end with the last part, and states its total', async () => {
    await on.open({
      '/lamps': lampPage(),
      '/api': answer(Infinity, (_exchange, from) => ({ total: 80, ...(from >= 80 && { lamps: listLamps(70, 80) }) })),
    })
    const { list } = await readLamps(on)
    expect(entriesOf(list)).toEqual(numbers(80))
    expect(list.complete).toBe(true)
  })

  it('until a cursor leads back', async () => {
    await on.open({
      '/lamps': lampPage(),
      '/api': answer(Infinity, (_exchange, from) => (from === 60 ? { cursor: 'c40' } : undefined)),
    })
    const { list } = await readLamps(on)
    expect(entriesOf(list)).toEqual(numbers(70))
    expect(list.complete).toBe(false)
    expect(list.stoppedBy).toContain('was sent before')
  })

  it('and is not complete if the answers state a larger total', async () => {
    await on.open({ '/lamps': lampPage(), '/api': answer(80, () => ({ total: 90 })) })
    const { list } = await readLamps(on)
    expect(entriesOf(list)).toEqual(numbers(80))
    expect(list).toMatchObject({ complete: false, stoppedBy: 'The answers state 90 entries, and 80 were found.' })
  })
})

describe('a list with `all: true` continues requests', { timeout: 120_000 }, () => {
  it('until the time of the page is nearly up, and keeps their rows', async () => {
    const slow: Handler = async (exchange) => {
      await new Promise((resolve) => setTimeout(resolve, 200))
      answer(Infinity)(exchange)
    }
    await on.open({ '/lamps': lampPage(), '/api': slow })
    const { list } = await on.engine.scrape(on.site.url('/lamps'), {
      formats: [{ type: 'list', all: true }],
      timeout: 12_000,
    })
    expect(list).toMatchObject({ complete: false, how: 'requests' })
    expect(list.items.length).toBeGreaterThan(30)
    expect(list.stoppedBy).toContain('`timeout`')
  })
})

describe('a list with `all: true` is read in the browser', { timeout: 120_000 }, () => {
  const changes: [string, Handler, string][] = [
    [
      'when answers change their shape',
      answer(80, (_exchange, from) =>
        from < 50 ? undefined : { lamps: undefined, entries: listLamps(from, from + 10) },
      ),
      'another form',
    ],
    [
      'when the answer is 50 MB of JSON',
      answer(80, ({ request }, from) =>
        from === 50 && !isBrowser(request) ? { padding: 'x'.repeat(50_000_000) } : undefined,
      ),
      '/api?cursor=c50',
    ],
    [
      'when the site refuses requests from outside of it',
      (exchange) => (!isBrowser(exchange.request) ? sendPage(exchange, 'no', 403) : answer(80)(exchange)),
      'answered 403',
    ],
  ]
  it.each(changes)('%s', async (_what, api, why) => {
    await on.open({ '/lamps': lampPage(), '/api': api })
    const { list, steps } = await readLamps(on)
    expect(entriesOf(list)).toEqual(numbers(80))
    expect(list.complete).toBe(true)
    expect(steps.at(-1)).toMatchObject({ how: 'browser' })
    expect(steps.at(-1)?.evidence).toContain(why)
  })

  it('when robots.txt forbids the requests', async () => {
    const robots: Handler = ({ response }) => response.end('User-agent: *\nDisallow: /api')
    await on.open({ '/lamps': lampPage(), '/api': answer(80), '/robots.txt': robots })
    const { list } = await readLamps(on)
    expect(entriesOf(list)).toEqual(numbers(80))
    expect(requested()).toEqual([])
  })

  it('when it asks for more with POST', async () => {
    await on.open({ '/lamps': lampPage({ method: 'POST' }), '/api': answer(80) })
    const { list } = await readLamps(on)
    expect(entriesOf(list)).toEqual(numbers(80))
    expect(list.how).toBe('browser')
    expect(requested()).toEqual([])
  })

  it('when the next request is for another address', async () => {
    const links: Handler = (exchange) => {
      const from = readCursor(exchange)
      const to = Math.min(80, from + 10)
      const isLured = !isBrowser(exchange.request) && from === 50
      const next = isLured ? `http://localhost:${exchange.url.port}/secret` : `/api?cursor=c${to}`
      sendJson(exchange, { lamps: listLamps(from, to), next: to < 80 ? next : null })
    }
    await on.open({ '/lamps': lampPage(), '/api': links })
    const { list, steps } = await readLamps(on)
    expect(entriesOf(list)).toEqual(numbers(80))
    expect(steps.map(({ how, evidence }) => [how, evidence])).toEqual([
      ['browser', 'the page itself'],
      ['requests', '`next` of the answer before'],
      ['requests', '`next` of the answer before'],
      ['requests', '`next` of the answer before'],
      ['browser', expect.stringContaining('is for another site')],
    ])
    expect(on.site.requests.map(({ path }) => path)).not.toContain('/secret')
  })
})
