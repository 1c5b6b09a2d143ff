import { expect, it } from 'vitest'
import { TrawlError } from '../../src/errors.js'
import { createProxyRoutes } from '../../src/fetch/proxy/proxy-routes.js'
import { parseProxy } from '../../src/fetch/proxy/proxy.js'
import { startProxy } from '../site/proxy-server.js'

const question = { kind: 'basic', site: 'a.test', avoid: new Set<string>() } as const

it.each([
  ['is not used for a while after it took all of the time of a page', 'SCRAPE_TIMEOUT', 1],
  ['is used again after a page was cancelled', 'SCRAPE_JOB_CANCELLED', 2],
] as const)('a proxy that opens no tunnel %s', async (_what, code, count) => {
  await using hanging = await startProxy({ fault: 'hang' })
  await using working = await startProxy()
  const basic = [hanging, working].flatMap(({ url }) => parseProxy(url) ?? [])
  const proxies = { basic, enhanced: [], byCountry: {}, skipTlsVerification: false }
  const routes = createProxyRoutes({ proxies, now: () => 0, allowPrivateNetworks: true })
  const named = () => Array.from({ length: 4 }, () => routes.find(question)).flatMap((route) => route ?? [])
  const route = named().find(({ proxy }) => proxy.endsWith(`:${hanging.port}`))
  const page = new AbortController()
  const opening = route?.dial({ hostname: '127.0.0.1', port: 9 }, page.signal)
  const reason = new TrawlError(code, 'the page has ended')
  setTimeout(() => page.abort(reason), 1_200)
  await expect(opening).rejects.toBe(reason)
  expect(new Set(named().map(({ proxy }) => proxy)).size).toBe(count)
})
