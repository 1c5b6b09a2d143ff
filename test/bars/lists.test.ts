import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type Engine } from '../../src/index.js'
import { listKinds, listPages, listSites } from '../site/lists/list-sites.js'
import { readEntries } from '../site/lists/read-entries.js'
import { type Site, startSite } from '../site/site.js'

/** Kinds that grow in the browser. The others have pages with URLs of their own. */
const growing = listKinds.filter((kind) => !['numbered', 'next', 'cursor'].includes(kind))
const counts = [0, 1, 7, 100, 1000]

let site: Site
let engine: Engine

beforeAll(async () => {
  site = await startSite({ pages: listPages })
  engine = createEngine({ allowPrivateNetworks: true })
})
afterAll(async () => {
  await engine.close()
  await site.close()
})

describe('`expand: true` puts each entry of a list into the Markdown once:', () => {
  const sites = listSites.filter(({ kind }) => growing.includes(kind))
  const cases = sites.flatMap(({ kind, framework, path }) => counts.map((count) => ({ kind, framework, path, count })))
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
  const cases = listSites.flatMap(({ kind, framework, path }) =>
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
