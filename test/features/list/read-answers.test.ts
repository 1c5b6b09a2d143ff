import { afterEach, expect, it } from 'vitest'
import { SharedFetches } from '../../../src/kernel/cache/shared-fetches.js'
import { FeatureSet } from '../../../src/kernel/engine/feature-set.js'
import { defineFeature, type EngineInternals } from '../../../src/kernel/engine/feature.js'
import { createHttpFetcher } from '../../../src/kernel/fetch/http/http-fetcher.js'
import { readAnswers } from '../../../src/features/list/whole/read-answers.js'
import { RowMerger } from '../../../src/features/list/whole/row-merger.js'
import type { PageContext } from '../../../src/kernel/page/page-context.js'
import type { Handler } from '../../site/exchange.js'
import { type Site, startSite } from '../../site/site.js'
import type { ListContext } from '../../../src/features/list/whole/read-further-page.js'
import { createListTasks } from '../../../src/features/list/whole/list-tasks.js'
import type { ObtainedPage } from '../../../src/kernel/page/obtain-page.js'
import { PageRequests } from '../../../src/kernel/page/page-requests.js'

/** The list of a page, whose tasks run in this thread. */
function openList(context: PageContext, signal: AbortSignal): ListContext {
  const task: EngineInternals['task'] = async (_, input, here) => here(input)
  const pageTask: EngineInternals['pageTask'] = async (_, page, here) => here(page)
  const requests = new PageRequests({ context, obtained: {} as ObtainedPage, signal })
  return {
    plan: context.plan,
    maxRows: 1000,
    deadline: { signal },
    requests,
    tasks: createListTasks({ task, pageTask }),
  }
}

/** Entries of an API. */
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

let site: Site
afterEach(() => site.close())

/** Reads the answers after those that a page of this host has recorded. */
async function readOn(host: string, allowPrivateNetworks: boolean, more: { plan?: object; tools?: object } = {}) {
  const limits = { wireBytes: 1e6, bodyBytes: 1e6, redirects: 3, headerBytes: 65_536 }
  const http = createHttpFetcher({ allowPrivateNetworks, limits })
  const recorded = recordPage(host)
  const { signal } = new AbortController()
  const fetch = { headers: {}, timeoutMs: 5000 }
  const context: unknown = {
    request: { url: recorded.url, sourceURL: recorded.url },
    plan: { cache: { read: false, write: false, maxAgeMs: 0, variant: '' }, fetch, ...more.plan },
    tools: {
      fetchers: { http },
      hydrate: async () => undefined,
      shared: new SharedFetches(Date.now),
      prepare: () => undefined,
      retryDelayMs: () => undefined,
      now: Date.now,
      ...more.tools,
    },
  }
  const rows = new RowMerger(recorded.list, 1000)
  const list = openList(context as PageContext, signal)
  const { isDone, ending } = await readAnswers(list, recorded, { rows, steps: [] }, signal)
  await http.close()
  return { isDone, ending, rows }
}

it.each(['127.0.0.1', 'localhost', '169.254.169.254'])(
  'requests of a page to %s are not continued, because it is no public address',
  async (host) => {
    site = await startSite({})
    const { port } = new URL(site.url('/'))
    const { isDone, ending, rows } = await readOn(`${host}:${port}`, false)
    expect(isDone).toBe(false)
    expect(ending.stoppedBy).toContain('not a public address')
    expect(rows.items).toHaveLength(20)
    expect(site.requests).toEqual([])
  },
)

/** Refuses answers with a header. */
const denials = defineFeature<true>({
  name: 'denials',
  refusal: {
    reason: 'FEATURE_REFUSED',
    means: '',
    code: 'CRAWL_DENIAL',
    error: { means: '', retry: false, status: 403 },
  },
  judges: () => 'all',
  plan: () => true,
  open: () => ({ beforeDigest: async ({ headers }) => ({ refused: headers['x-denied'] }) }),
})

it('an answer that a feature refuses adds no rows', async () => {
  const deny: Handler = ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-denied': 'its header denies it' })
    response.end(JSON.stringify({ items: entries(20) }))
  }
  site = await startSite({ pages: { '/api': deny } })
  const features = new FeatureSet([denials])
  const { isDone, ending, rows } = await readOn(new URL(site.url('/')).host, true, {
    plan: features.plan({}),
    tools: { features: features.forEngine({} as EngineInternals) },
  })
  expect(isDone).toBe(true)
  expect(ending.stoppedBy).toBe(`${site.url('/api?offset=20')}: its header denies it`)
  expect(rows.items).toHaveLength(20)
})
