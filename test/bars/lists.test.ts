import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { createEngine, type Engine } from '../../src/index.js'
import { htmlPage, type Handler, readNumber, sendPage } from '../site/exchange.js'
import { listRows, listLanterns } from '../site/lists/lanterns.js'
import { listKinds, listPages, listSites } from '../site/lists/list-sites.js'
import { readEntries } from '../site/lists/read-entries.js'
import { type Site, startSite } from '../site/site.js'

/** Kinds that grow in the browser. The others have pages with URLs of their own. */
const growing = listKinds.filter((kind) => !['numbered', 'next', 'cursor'].includes(kind))
const isWhole = process.env['BARS'] === 'whole'
/** `npm test` has no time for all: the tests of `test/kernel/fetch` and `test/kernel/page` read the same sites with other counts. */
const counts = isWhole ? [0, 1, 7, 100, 1000] : [7]
const sites = isWhole ? listSites : listSites.filter(({ framework }) => framework === 'reactive')

/** A list of 100 pages with 50 rows each. */
const lamps: Handler = (exchange) => {
  const page = readNumber(exchange, 'page', 1)
  const rows = listRows(listLanterns((page - 1) * 50, page * 50), 'plain').map(({ html }) => html)
  const next = page < 100 ? `<a rel="next" href="?page=${page + 1}">Next</a>` : ''
  sendPage(exchange, htmlPage('Lamps', `<ul>${rows.join('')}</ul>${next}`))
}

let site: Site
let engine: Engine

beforeAll(async () => {
  site = await startSite({ pages: { ...listPages, '/lamps': lamps } })
  engine = createEngine({ allowPrivateNetworks: true })
})
afterAll(async () => {
  await engine.close()
  await site.close()
})

describe('`expand: true` puts each entry of a list into the Markdown once:', () => {
  const growingSites = sites.filter(({ kind }) => growing.includes(kind))
  const cases = growingSites.flatMap(({ kind, framework, path }) =>
    counts.map((count) => ({ kind, framework, path, count })),
  )
  it.each(cases)('$count entries, $kind, $framework', { timeout: 120_000 }, async ({ path, count }) => {
    const { markdown, warning } = await engine.scrape(site.url(`${path}?n=${count}`), { expand: true })
    const entries = readEntries(markdown)
    expect(new Set(entries).size).toBe(entries.length)
    expect(entries.length).toBeGreaterThanOrEqual(count * 0.99)
    expect(warning).toBeUndefined()
  })
})

describe('format `list` with `all: true` has each entry of a list once, and is complete only if it has all:', () => {
  // A list of one entry is not recognized as a list.
  const cases = sites.flatMap(({ kind, framework, path }) =>
    counts.filter((count) => count !== 1).map((count) => ({ kind, framework, path, count })),
  )
  it.each(cases)('$count entries, $kind, $framework', { timeout: 300_000 }, async ({ path, count }) => {
    const { list } = await engine.scrape(site.url(`${path}?n=${count}`), {
      formats: [{ type: 'list', all: true }],
      timeout: 300_000,
    })
    const entries = readEntries(JSON.stringify(list.items))
    expect(new Set(entries).size).toBe(entries.length)
    expect(entries.length).toBeGreaterThanOrEqual(count * 0.99)
    expect(!list.complete || entries.length === count).toBe(true)
  })
})

test('5,000 rows of 100 pages are read with 100 requests, and without a model', { timeout: 120_000 }, async () => {
  const before = site.requests.length
  const { list } = await engine.scrape(site.url('/lamps'), { formats: [{ type: 'list', all: true }], timeout: 120_000 })
  const entries = readEntries(JSON.stringify(list.items))
  expect(new Set(entries).size).toBe(5000)
  expect(list).toMatchObject({ complete: true, pagesRead: 100, how: 'pages' })
  expect(list.items).toHaveLength(5000)
  expect(site.requests.length - before).toBe(100)
})
