import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, it } from 'vitest'
import { createEngine, memoryCache, type PageCache } from '../../../src/index.js'
import { htmlPage } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'

const TENANTS = ['red', 'green', 'blue', 'white']

it('calls functions of the host in the asynchronous context of the job that they are called for', async () => {
  const links = (tenant: string): string => ['a', 'b', 'c'].map((at) => `<a href="/${tenant}/${at}">${at}</a>`).join('')
  await using site = await startSite({
    pages: Object.fromEntries(
      TENANTS.flatMap((tenant) => ['', 'a', 'b', 'c'].map((at) => [`/${tenant}/${at}`, htmlPage(at, links(tenant))])),
    ),
  })
  const context = new AsyncLocalStorage<string>()
  /** The context of each call, and the tenant that it is made for. */
  const calls: (readonly [context: string | undefined, tenant: string | undefined])[] = []
  const note = (text: string): void => {
    const tenant = TENANTS.find((name) => text.includes(`/${name}/`))
    if (tenant !== undefined) calls.push([context.getStore(), tenant])
  }
  const pages = memoryCache()
  const cache: PageCache = {
    ...pages,
    get: (key, ...rest) => {
      note(JSON.stringify(key))
      return pages.get(key, ...rest)
    },
  }
  const log = (...parts: unknown[]): void => note(JSON.stringify(parts))
  const logger = { trace: log, debug: log, info: log, warn: log, error: log }
  // One page at once, so that each page that ends wakes another job.
  await using engine = createEngine({ allowPrivateNetworks: true, maxConcurrency: 1, cache, logger })
  const crawl = async (tenant: string): Promise<number> => {
    const job = engine.crawl({ url: site.url(`/${tenant}/`), limit: 4 })
    job.on('document', ({ metadata }) => note(metadata.sourceURL))
    let documents = 0
    for await (const _ of job) documents += 1
    return documents
  }
  const documents = await Promise.all(TENANTS.map((tenant) => context.run(tenant, () => crawl(tenant))))
  expect(documents).toEqual([4, 4, 4, 4])
  expect(calls.length).toBeGreaterThanOrEqual(2 * 16)
  expect(calls.filter(([own, tenant]) => own !== tenant)).toEqual([])
})
