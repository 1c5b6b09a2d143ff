import { describe, expect, it } from 'vitest'
import type { List } from '../../../src/index.js'
import { type Handler, htmlPage, sendPage } from '../../site/exchange.js'
import { useEngineSite } from '../../site/engine-site.js'
import { listPages } from '../../site/lists/list-sites.js'
import { readEntries } from '../../site/lists/read-entries.js'

const on = useEngineSite()

async function readAll(path: string): Promise<List> {
  const { list } = await on.engine.scrape(on.site.url(path), { maxAge: 0, formats: [{ type: 'list', all: true }] })
  return list
}

const entriesOf = ({ items }: List): number[] => readEntries(JSON.stringify(items)).toSorted((a, b) => a - b)
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

interface Lamp {
  readonly id: number
  readonly name: string
  readonly cents: number
  readonly lit: string
  readonly tags: readonly { readonly label: string }[]
  readonly kind: string
}

const createLamp = (id: number): Lamp => ({
  id,
  name: `Deck lamp ${id}`,
  cents: 1250 + 100 * id,
  lit: `2024-03-${String((id % 28) + 1).padStart(2, '0')}T10:00:00Z`,
  tags: Array.from({ length: (id % 3) + 1 }, (_, at) => ({ label: `tag ${id + at}` })),
  kind: 'deck',
})
const lamps = (count: number): Lamp[] => Array.from({ length: count }, (_, at) => createLamp(at))

const toRow = ({ id, name, cents, lit, tags }: Lamp): string =>
  `<li class="lamp"><h3><a href="/lists/entry/${id}">${name}</a></h3><p class="price">€ ${(cents / 100).toFixed(2)}</p>
<time datetime="${lit.slice(0, 10)}">${lit.slice(0, 10)}</time><p>${tags.map(({ label }) => `<span class="tag">${label}</span>`).join(' ')}</p></li>`

/** Serves a page that shows some lamps, and embeds data. */
const pageWith =
  (shown: readonly Lamp[], data: unknown): Handler =>
  (exchange) =>
    sendPage(
      exchange,
      htmlPage(
        'Lamps',
        `<ul>${shown.map(toRow).join('')}</ul><script type="application/json">${JSON.stringify(data)}</script>`,
      ),
    )

describe('a list with `all: true` has the entries that are only in the data of the page:', () => {
  it.each([
    ['a global variable', 'plain'],
    ['the data of a framework', 'hydrated'],
  ])('%s', async (_what, framework) => {
    await on.open(listPages, { fetcher: 'http', threads: 1 })
    const list = await readAll(`/lists/embedded/${framework}?n=1000`)
    expect(entriesOf(list)).toEqual(numbers(1000))
    expect(list).toMatchObject({ complete: true, pagesRead: 1, how: 'data' })
    expect(on.site.requests).toHaveLength(1)
  })

  it('with the fields of the visible rows', async () => {
    await on.open({ '/lamps': pageWith(lamps(12), { total: 80, lamps: lamps(80) }) }, { fetcher: 'http' })
    const list = await readAll('/lamps')
    expect(list).toMatchObject({ complete: true, how: 'data' })
    expect(list.items).toHaveLength(80)
    const [visible, embedded] = [list.items[5], list.items[70]]
    expect(Object.keys(embedded ?? {})).toEqual(Object.keys(visible ?? {}))
    expect(embedded).toMatchObject({
      title: 'Deck lamp 70',
      price: 82.5,
      priceCurrency: 'EUR',
      url: on.site.url('/lists/entry/70'),
    })
    expect(Object.values(embedded ?? {})).toContain('2024-03-15')
    expect(Object.values(embedded ?? {})).toContainEqual(['tag 70', 'tag 71'])
  })

  it('in a JSON-LD `ItemList`', async () => {
    const entries = lamps(30).map(({ id, name }, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      item: { '@type': 'Product', name, url: `/lists/entry/${id}` },
    }))
    const data = { '@context': 'https://schema.org', '@type': 'ItemList', numberOfItems: 30, itemListElement: entries }
    const shown = lamps(10).map(
      ({ id, name }) => `<li><h3><a href="/lists/entry/${id}">${name}</a></h3><p>A lamp of a ship.</p></li>`,
    )
    const body = `<ul>${shown.join('')}</ul><script type="application/ld+json">${JSON.stringify(data)}</script>`
    await on.open({ '/lamps': (exchange) => sendPage(exchange, htmlPage('Lamps', body)) }, { fetcher: 'http' })
    expect(entriesOf(await readAll('/lamps'))).toEqual(numbers(30))
  })
})

it('entries in the data of a page that differ only in the hour are rows of their own', async () => {
  const trips = Array.from({ length: 30 }, (_, at) => ({ ship: `Ferry ${at < 20 ? at : 20 + (at >> 1)}`, at }))
  const rows = trips
    .slice(0, 9)
    .map(({ ship, at }) => `<tr><td>${ship}</td><td>13/02/2024 ${10 + (at % 10)}:30</td></tr>`)
  const data = trips.map(({ ship, at }) => ({ ship, leaves: `2024-02-13T${10 + (at % 10)}:30:00` }))
  const table = `<table><tr><th>Ship</th><th>Leaves</th></tr>${rows.join('')}</table>`
  const body = `${table}<script type="application/json">${JSON.stringify({ total: 30, trips: data })}</script>`
  await on.open({ '/trips': (exchange) => sendPage(exchange, htmlPage('Trips', body)) }, { fetcher: 'http' })
  const { items } = await readAll('/trips')
  expect(items).toHaveLength(30)
  expect(items.at(-1)).toEqual({ Ship: 'Ferry 34', Leaves: '2024-02-13T19:30' })
})

describe('a price in the data of a page', () => {
  const mixed = lamps(80).map((lamp) => ({ ...lamp, code: lamp.id < 40 ? 'EUR' : 'USD' }))

  it('has the currency of its own entry, although all visible ones have the same', async () => {
    await on.open({ '/lamps': pageWith(lamps(12), { lamps: mixed }) }, { fetcher: 'http' })
    const { items } = await readAll('/lamps')
    expect([items[5], items[39], items[70]].map((item) => item?.['priceCurrency'])).toEqual(['EUR', 'EUR', 'USD'])
  })

  it('has no currency if entries have several, and it is not certain how the page writes them', async () => {
    const signs = mixed.map(({ code, ...lamp }) => ({ ...lamp, sign: code === 'EUR' ? '€' : '$' }))
    await on.open({ '/lamps': pageWith(lamps(12), { lamps: signs }) }, { fetcher: 'http' })
    const { items } = await readAll('/lamps')
    expect([items[5], items[70]].map((item) => item?.['priceCurrency'])).toEqual(['EUR', undefined])
    expect(items[70]).toMatchObject({ price: 82.5 })
  })
})

describe('the data of a page does not add to its list', () => {
  it.each<[string, unknown]>([
    ['if it holds a selection of other entries in between', { lamps: lamps(80).filter(({ id }) => id % 2 === 0) }],
    ['if the visible entries are a selection of it', { lamps: lamps(80).toSorted((a, b) => (a.id % 7) - (b.id % 7)) }],
    ['if it has other entries', { lamps: lamps(80).map((lamp) => ({ ...lamp, name: `Cabin ${lamp.id}` })) }],
    ['if links cannot be made from it', { lamps: lamps(80).map((lamp) => ({ ...lamp, id: 'other' })) }],
    ['if most fields cannot be made from it', { lamps: lamps(80).map(({ id, name }) => ({ id, name })) }],
    ['if it is no list', { lamps: { total: 80 } }],
  ])('%s', async (_what, data) => {
    await on.open({ '/lamps': pageWith(lamps(12), data) }, { fetcher: 'http' })
    const list = await readAll('/lamps')
    expect(entriesOf(list)).toEqual(numbers(12))
    expect(list).toMatchObject({ complete: false, how: 'page' })
  })

  it('if the fixed part of its links has a value that further entries have another one of', async () => {
    const data = { lamps: lamps(80).map((lamp) => ({ ...lamp, kind: lamp.id < 40 ? 'entry' : 'cabin' })) }
    await on.open({ '/lamps': pageWith(lamps(12), data) }, { fetcher: 'http' })
    expect(entriesOf(await readAll('/lamps'))).toEqual(numbers(12))
  })

  it('if its links would lead elsewhere than the pattern says', async () => {
    const data = { lamps: lamps(80).map((lamp) => (lamp.id < 40 ? lamp : { ...lamp, id: `../../${lamp.id}` })) }
    await on.open({ '/lamps': pageWith(lamps(12), data) }, { fetcher: 'http' })
    expect(entriesOf(await readAll('/lamps'))).toEqual(numbers(12))
  })
})

it('without threads, the data of a large page is not compared with its list', async () => {
  const data = { total: 80, lamps: lamps(80), other: 'x'.repeat(65_536) }
  await on.open({ '/lamps': pageWith(lamps(12), data) }, { fetcher: 'http', threads: 0 })
  expect(await readAll('/lamps')).toMatchObject({ complete: false, how: 'page' })
})

describe('a list with rows from data', () => {
  it('is not complete without a total that agrees', async () => {
    await on.open({ '/lamps': pageWith(lamps(12), { total: 90, lamps: lamps(80) }) }, { fetcher: 'http' })
    const list = await readAll('/lamps')
    expect(entriesOf(list)).toEqual(numbers(80))
    expect(list).toMatchObject({ complete: false, how: 'data' })
  })

  it('has different entries with the same link as rows of their own', async () => {
    const data = { total: 80, lamps: lamps(80).map((lamp) => (lamp.id === 70 ? { ...lamp, id: 69 } : lamp)) }
    await on.open({ '/lamps': pageWith(lamps(12), data) }, { fetcher: 'http' })
    const list = await readAll('/lamps')
    expect(list.items).toHaveLength(80)
    expect(list.complete).toBe(true)
  })

  it('is not complete if the total counts an entry that repeats', async () => {
    const data = { total: 81, lamps: [...lamps(80), createLamp(79)] }
    await on.open({ '/lamps': pageWith(lamps(12), data) }, { fetcher: 'http' })
    const list = await readAll('/lamps')
    expect(list.items).toHaveLength(80)
    expect(list.complete).toBe(false)
  })

  it.each<[string, (at: number) => object]>([
    ['of a type of their own', (at) => ({ ...createLamp(at), type: 'sponsored' })],
    ['with a mark', (at) => ({ ...createLamp(at), isAd: true })],
  ])('counts no advertisements %s', async (_what, createAd) => {
    const mixed = lamps(78).flatMap((lamp): object[] =>
      lamp.id % 39 === 38 ? [lamp, createAd(1000 + lamp.id)] : [lamp],
    )
    const data = { total: 80, filters: { total: 78 }, lamps: mixed }
    await on.open({ '/lamps': pageWith(lamps(12), data) }, { fetcher: 'http' })
    const list = await readAll('/lamps')
    expect(list.items).toHaveLength(80)
    expect(list.complete).toBe(false)
    await on.open({ '/lamps': pageWith(lamps(12), { ...data, total: 78 }) }, { fetcher: 'http' })
    expect((await readAll('/lamps')).complete).toBe(true)
  })

  it('has each entry of data that repeats once', async () => {
    const data = { lamps: [...lamps(40), ...lamps(40)] }
    await on.open({ '/lamps': pageWith(lamps(12), data) }, { fetcher: 'http' })
    const { items } = await readAll('/lamps')
    expect(new Set(items.map(({ url }) => url)).size).toBe(items.length)
  })

  it('tells in `explain` which data it is from, and costs no credit for them', async () => {
    await on.open({ '/lamps': pageWith(lamps(12), { total: 80, lamps: lamps(80) }) }, { fetcher: 'http', threads: 1 })
    const scrapeOptions = { formats: [{ type: 'list' as const, all: true }] }
    const job = on.engine.crawl({ url: on.site.url('/lamps'), limit: 1, sitemap: 'skip', scrapeOptions })
    const { data } = await job.finished()
    const row = await job.explain(on.site.url('/lamps'))
    expect(row && 'attempts' in row ? row.attempts[0]?.list : undefined).toEqual([
      { how: 'data', url: on.site.url('/lamps'), evidence: '`lamps` of `application/json`', added: 68 },
    ])
    expect(data[0]?.metadata.creditsUsed).toBe(1)
  })
})
