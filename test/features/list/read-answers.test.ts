import { afterEach, expect, it } from 'vitest'
import { SharedFetches } from '../../../src/kernel/cache/shared-fetches.js'
import { FeatureSet } from '../../../src/kernel/engine/feature-set.js'
import { defineFeature, type EngineInternals } from '../../../src/kernel/engine/feature.js'
import { createHttpFetcher } from '../../../src/kernel/fetch/http/http-fetcher.js'
import { readAnswers } from '../../../src/features/list/whole/read-answers.js'
import { RowMerger } from '../../../src/features/list/whole/row-merger.js'
import type { PageContext } from '../../../src/kernel/page/page-context.js'
import type { Handler } from '../../site/exchange.js'
import { startSite, type Site } from '../../site/site.js'
import { entries, openList, recordPage } from './recorded-page.js'

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
