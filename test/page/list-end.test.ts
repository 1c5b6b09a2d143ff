import { describe, expect, it } from 'vitest'
import type { List } from '../../src/index.js'
import type { ListStep } from '../../src/ledger/attempt.js'
import { type Exchange, type Handler, htmlPage, sendJson, sendPage } from '../site/exchange.js'
import { useEngineSite } from '../site/engine-site.js'
import { readEntries } from '../site/lists/read-entries.js'

const on = useEngineSite()

interface Lamp {
  readonly id: number
  readonly name: string
  readonly hours: number
}

const listLamps = (from: number, to: number): Lamp[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => ({
    id: from + at,
    name: `Deck lamp ${from + at}`,
    hours: from + at + 2,
  }))

const printRow = ({ id, name, hours }: Lamp): string =>
  `<li class="lamp"><h3><a href="/lists/entry/${id}">${name}</a></h3><p class="hours">${hours} hours</p></li>`

/** Shows ten lamps, and loads more with a button. @param next JavaScript for the URL after an `answer` to `url` */
const page =
  (first: string, next: string): Handler =>
  (exchange) => {
    const script = `
      const list = document.querySelector('ul')
      const button = document.querySelector('button')
      let url = '${first}'
      button.addEventListener('click', async () => {
        const answer = await (await fetch(url)).json()
        for (const { id, name, hours } of answer.lamps)
          list.insertAdjacentHTML('beforeend', '<li class="lamp"><h3><a href="/lists/entry/' + id + '">' + name + '</a></h3><p class="hours">' + hours + ' hours</p></li>')
        url = ${next}
        if (!url) button.remove()
      })`
    const rows = listLamps(0, 10).map(printRow).join('')
    const body = `<ul>${rows}</ul><button type="button">Load more</button><script>${script}</script>`
    exchange.response.setHeader('set-cookie', 'session=visitor')
    sendPage(exchange, htmlPage('Lamps', body))
  }

/** A page whose answers state the cursor of the next one. */
const cursorPage = page('/api?cursor=c10', "answer.cursor && '/api?cursor=' + answer.cursor")

const isBrowser = ({ request }: Exchange): boolean => request.headers['sec-fetch-mode'] !== undefined

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

async function read(most?: number): Promise<{ list: List; steps: readonly ListStep[] }> {
  const formats = [{ type: 'list', all: true, ...(most !== undefined && { most }) }] as const
  const scrapeOptions = { formats: [...formats], timeout: 60_000 }
  const job = on.engine.crawl({ url: on.site.url('/lamps'), limit: 1, sitemap: 'skip', scrapeOptions })
  const { data } = await job.finished()
  const row = await job.explain(on.site.url('/lamps'))
  const steps = (row && 'attempts' in row && row.attempts.at(-1)?.list) || []
  const list = data[0]?.list
  if (!list) throw new Error('the page has no list')
  return { list, steps }
}

const entriesOf = ({ items }: List): number[] => readEntries(JSON.stringify(items)).toSorted((a, b) => a - b)
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

describe('a list with `all: true` is not complete', { timeout: 120_000 }, () => {
  it('when `most` cuts the answer that states the end', async () => {
    await on.open({ '/lamps': cursorPage, '/api': answerCursor(100) })
    const { list } = await read(95)
    expect(list.items).toHaveLength(95)
    expect(list.complete).toBe(false)
    expect(list.stoppedBy).toContain('`most`')
  })

  it('when `most` cuts the rows of a page that states the end', async () => {
    const rows = listLamps(0, 30).map(printRow).join('')
    await on.open({
      '/lamps': (exchange) => sendPage(exchange, htmlPage('Lamps', `<ul>${rows}</ul><p>No more results</p>`)),
    })
    const { list } = await read(10)
    expect(list.items).toHaveLength(10)
    expect(list.complete).toBe(false)
    expect(list.stoppedBy).toContain('`most`')
  })
})

describe('a list with `all: true` has its last part', { timeout: 120_000 }, () => {
  it('where the requests count entries from 1, and the last part has one entry', async () => {
    const next = `Number(url.slice(11)) + 10 <= answer.total && '/api?start=' + (Number(url.slice(11)) + 10)`
    await on.open({
      '/lamps': page('/api?start=11', next),
      '/api': (exchange) => {
        const from = Number(exchange.url.searchParams.get('start')) - 1
        sendJson(exchange, { lamps: listLamps(from, Math.min(41, from + 10)), total: 41 })
      },
    })
    const { list, steps } = await read()
    expect(entriesOf(list)).toEqual(numbers(41))
    expect(list.complete).toBe(true)
    expect(steps.at(-1)?.how).toBe('requests')
  })
})

describe('a list with `all: true` is confirmed in the browser', { timeout: 120_000 }, () => {
  it('when requests without the session of the page are answered as if there were no entries', async () => {
    await on.open({ '/lamps': cursorPage, '/api': answerCursor(60, isBrowser) })
    const { list, steps } = await read()
    expect(entriesOf(list)).toEqual(numbers(60))
    expect(list.complete).toBe(true)
    expect(steps.at(-1)?.how).toBe('browser')
  })
})
