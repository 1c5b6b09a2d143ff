import { afterEach, expect, it } from 'vitest'
import { SharedFetches } from '../../../src/kernel/cache/shared-fetches.js'
import { createHttpFetcher } from '../../../src/kernel/fetch/fetchers/http.js'
import { readAnswers } from '../../../src/kernel/page/list/read-answers.js'
import { RowMerger } from '../../../src/kernel/page/list/row-merger.js'
import type { PageContext } from '../../../src/kernel/page/page-context.js'
import { pageTasks } from '../../../src/kernel/page/workers/page-tasks.js'
import { startSite, type Site } from '../../site/site.js'
import { recordPage } from './recorded-page.js'

let site: Site
afterEach(() => site.close())

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
