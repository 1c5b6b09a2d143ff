import { describe, expect, it } from 'vitest'
import { type Exchange, type Handler, htmlPage, sendJson, sendPage } from '../../site/exchange.js'
import { useEngineSite } from '../../site/engine-site.js'
import { entriesOf, isBrowser, lampPage, listLamps, numbers, printRow, readLamps } from './lamp-lists.js'

const on = useEngineSite()

const answerCursor =
  (count: number, isAnswered: (exchange: Exchange) => boolean = () => true): Handler =>
  (exchange) => {
    const from = Number((exchange.url.searchParams.get('cursor') ?? '').slice(1))
    const to = Math.min(count, from + 10)
    const cursor = to < count ? `c${to}` : null
    sendJson(
      exchange,
      isAnswered(exchange) ? { lamps: listLamps(from, to), cursor } : { lamps: [], cursor: null, total: 0 },
    )
  }

describe('a list with `all: true` is not complete', { timeout: 120_000 }, () => {
  it('when `most` cuts the answer that states the end', async () => {
    await on.open({ '/lamps': lampPage(), '/api': answerCursor(100) })
    const { list } = await readLamps(on, 95)
    expect(list.items).toHaveLength(95)
    expect(list.complete).toBe(false)
    expect(list.stoppedBy).toContain('`most`')
  })

  it('when `most` cuts the rows of a page that states the end', async () => {
    const rows = listLamps(0, 30).map(printRow).join('')
    await on.open({
      '/lamps': (exchange) => sendPage(exchange, htmlPage('Lamps', `<ul>${rows}</ul><p>No more results</p>`)),
    })
    const { list } = await readLamps(on, 10)
    expect(list.items).toHaveLength(10)
    expect(list.complete).toBe(false)
    expect(list.stoppedBy).toContain('`most`')
  })
})

describe('a list with `all: true` has its last part', { timeout: 120_000 }, () => {
  it('where the requests count entries from 1, and the last part has one entry', async () => {
    const next = `Number(url.slice(11)) + 10 <= answer.total && '/api?start=' + (Number(url.slice(11)) + 10)`
    await on.open({
      '/lamps': lampPage({ first: '/api?start=11', next }),
      '/api': (exchange) => {
        const from = Number(exchange.url.searchParams.get('start')) - 1
        sendJson(exchange, { lamps: listLamps(from, Math.min(41, from + 10)), total: 41 })
      },
    })
    const { list, steps } = await readLamps(on)
    expect(entriesOf(list)).toEqual(numbers(41))
    expect(list.complete).toBe(true)
    expect(steps.at(-1)?.how).toBe('requests')
  })
})

describe('a list with `all: true` is confirmed in the browser', { timeout: 120_000 }, () => {
  it('when requests without the session of the page are answered as if there were no entries', async () => {
    await on.open({ '/lamps': lampPage(), '/api': answerCursor(60, ({ request }) => isBrowser(request)) })
    const { list, steps } = await readLamps(on)
    expect(entriesOf(list)).toEqual(numbers(60))
    expect(list.complete).toBe(true)
    expect(steps.at(-1)?.how).toBe('browser')
  })
})
