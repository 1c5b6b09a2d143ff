import { afterEach, expect, it } from 'vitest'
import { SharedFetches } from '../../../src/kernel/cache/shared-fetches.js'
import { createHttpFetcher } from '../../../src/kernel/fetch/fetchers/http.js'
import { createSitePolicies } from '../../src/frontier/policies/site-policies.js'
import type { Robots } from '../../../src/kernel/frontier/robots/robots.js'
import type { FetchedPage } from '../../../src/kernel/fetch/fetched-page.js'
import { readAnswers } from '../../../src/kernel/page/list/read-answers.js'
import { RowMerger } from '../../../src/kernel/page/list/row-merger.js'
import type { PageContext } from '../../../src/kernel/page/page-context.js'
import type { ConcurrencyPermit } from '../../../src/kernel/fetch/fetcher.js'
import { findSiteStatements, withoutDeniedScrapes } from '../../src/page/page-permissions.js'
import { pageTasks } from '../../../src/kernel/page/workers/page-tasks.js'
import type { Handler } from '../../site/exchange.js'
import { startSite, type Site } from '../../site/site.js'

let site: Site
afterEach(() => site.close())

const entries = (from: number): { id: number; name: string }[] =>
  Array.from({ length: 10 }, (_, at) => ({ id: from + at, name: `Deck lamp ${from + at}` }))

/** A page of a public site whose scripts have asked this host for entries. */
function recordPage(host: string): Parameters<typeof readAnswers>[1] {
  const answers = [0, 10].map((from) => ({
    url: `http://${host}/api?offset=${from}`,
    headers: {},
    text: JSON.stringify({ items: entries(from) }),
  }))
  const items = [...entries(0), ...entries(10)].map(({ id, name }) => ({
    title: name,
    url: `http://public.test/lists/entry/${id}`,
  }))
  const keys = items.map(({ url }) => url)
  const fields = [
    { name: 'title', type: 'text' as const, source: 'role' as const, share: 1 },
    { name: 'url', type: 'url' as const, source: 'role' as const, share: 1 },
  ]
  const template = { container: 'ul', entry: 'li', columns: [], key: 'field url' }
  return { url: 'http://public.test/lamps', answers, list: { items, keys, fields, template } }
}

/** Policies of sites without files. */
const NO_FILES = createSitePolicies({
  get: async (url) => ({ url, statusCode: 404, body: new Uint8Array() }),
  robots: { preferencesOf: async () => undefined } as Partial<Robots> as Robots,
  now: Date.now,
})

it('an answer whose headers deny the use of the plan adds no rows', async () => {
  const deny: Handler = ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-robots-tag': 'noai' })
    response.end(JSON.stringify({ items: entries(20) }))
  }
  site = await startSite({ pages: { '/api': deny } })
  const limits = { wireBytes: 1e6, bodyBytes: 1e6, redirects: 3, headerBytes: 65_536 }
  const http = createHttpFetcher({ allowPrivateNetworks: true, limits })
  const recorded = recordPage(new URL(site.url('/')).host)
  const { signal } = new AbortController()
  const context: unknown = {
    request: { url: recorded.url, sourceURL: recorded.url },
    plan: {
      cache: { read: false, write: false, maxAgeMs: 0, variant: '' },
      fetch: { headers: {}, timeoutMs: 5000 },
      permissions: { agent: 'trawl', use: ['ai-train'] },
    },
    deadline: { signal },
    tools: {
      learnSeries: async (...[page]: Parameters<typeof pageTasks.learnSeries>) => pageTasks.learnSeries(page),
      continueSeries: async (...[page]: Parameters<typeof pageTasks.continueSeries>) => pageTasks.continueSeries(page),
      fetchers: { http },
      hydrate: async () => undefined,
      shared: new SharedFetches(Date.now),
      prepare: () => undefined,
      retryDelayMs: () => undefined,
      policies: NO_FILES,
      now: Date.now,
    },
  }
  const rows = new RowMerger(recorded.list, 1000)
  const { ending } = await readAnswers(context as PageContext, recorded, { rows, steps: [] }, signal)
  await http.close()
  expect(ending.stoppedBy).toBe(
    `${site.url('/api?offset=20')}: \`ai-train\` is denied by header \`x-robots-tag\`: noai`,
  )
  expect(rows.items).toHaveLength(20)
})

it('a page lends its slot while files of its site are read', async () => {
  site = await startSite({})
  const { signal } = new AbortController()
  let waits = 0
  const wait: ConcurrencyPermit['wait'] = (work) => {
    waits += 1
    return work
  }
  const context = (use?: readonly string[]): unknown => ({
    request: { permit: { wait } },
    plan: { cache: {}, permissions: { agent: 'trawl', use } },
    deadline: { signal },
    tools: { policies: NO_FILES },
  })
  const page = { url: 'https://example.com/', statusCode: 200, headers: {} } as Partial<FetchedPage> as FetchedPage
  await findSiteStatements(context() as PageContext, { page })
  expect(waits).toBe(0)
  await findSiteStatements(context(['search']) as PageContext, { page })
  expect(waits).toBe(1)
})

it('results of the action `scrape` on pages whose site denies the use of the plan are left out', async () => {
  site = await startSite({})
  const rules = '[{"location":"/denied","tdm-reservation":1}]'
  const policies = createSitePolicies({
    get: async (url) => ({ url, statusCode: 200, body: new TextEncoder().encode(rules) }),
    robots: { preferencesOf: async () => undefined } as Partial<Robots> as Robots,
    now: Date.now,
  })
  const { signal } = new AbortController()
  const context: unknown = {
    request: {},
    plan: { cache: {}, permissions: { agent: 'trawl', use: ['ai-train'] } },
    deadline: { signal },
    tools: { policies },
  }
  const scrapes = ['open', 'denied'].map((path) => ({ url: `https://example.com/${path}`, html: '<p>a</p>' }))
  const page = { url: 'https://example.com/', actions: { scrapes } } as Partial<FetchedPage> as FetchedPage
  const found = await withoutDeniedScrapes(context as PageContext, page)
  expect(found.page.actions?.scrapes.map(({ url }) => url)).toEqual(['https://example.com/open'])
  expect(found.warnings).toHaveLength(1)
  expect(found.warnings[0]).toContain('https://example.com/denied: `ai-train` is denied by')
})

it.each(['127.0.0.1', 'localhost', '169.254.169.254'])(
  'requests of a page to %s are not continued, because it is no public address',
  async (host) => {
    site = await startSite({})
    const limits = { wireBytes: 1e6, bodyBytes: 1e6, redirects: 3, headerBytes: 65_536 }
    const http = createHttpFetcher({ allowPrivateNetworks: false, limits })
    const { port } = new URL(site.url('/'))
    const recorded = recordPage(`${host}:${port}`)
    const { signal } = new AbortController()
    const context: unknown = {
      request: { url: recorded.url, sourceURL: recorded.url },
      plan: { cache: { read: false, write: false, maxAgeMs: 0, variant: '' }, fetch: { headers: {}, timeoutMs: 5000 } },
      tools: {
        learnSeries: async (...[page]: Parameters<typeof pageTasks.learnSeries>) => pageTasks.learnSeries(page),
        fetchers: { http },
        hydrate: async () => undefined,
        shared: new SharedFetches(Date.now),
        prepare: () => undefined,
        retryDelayMs: () => undefined,
        now: Date.now,
      },
    }
    const rows = new RowMerger(recorded.list, 1000)
    const { isDone, ending } = await readAnswers(context as PageContext, recorded, { rows, steps: [] }, signal)
    await http.close()
    expect(isDone).toBe(false)
    expect(ending.stoppedBy).toContain('not a public address')
    expect(rows.items).toHaveLength(20)
    expect(site.requests).toEqual([])
  },
)
