import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { TrawlError } from '../../../src/base/errors.js'
import { createEnhancedHttpFetcher } from '../../../src/features/browser/enhanced/enhanced-http.js'
import { createProxyRoutes } from '../../../src/base/network/proxy-routes.js'
import { parseProxy } from '../../../src/base/network/proxy.js'
import { startProxy } from '../../site/proxy-server.js'
import { openBrowser } from './open-browser.js'
import { defaultLimits } from '../../kernel/fetch/open-fetcher.js'

const target = { hostname: '127.0.0.1', port: 9 }
const timeout = new TrawlError('SCRAPE_TIMEOUT', 'the page has ended')

/** The routes through two proxies: one through the first, and how many of the proxies are in use. */
function openRoutes(...urls: readonly string[]) {
  const basic = urls.flatMap((url) => parseProxy(url) ?? [])
  const proxies = { basic, enhanced: [], byCountry: {}, skipTlsVerification: false }
  const routes = createProxyRoutes({ proxies, now: () => 0, allowPrivateNetworks: true })
  const question = { kind: 'basic', site: 'a.test', avoid: new Set<string>() } as const
  const find = () => Array.from({ length: 4 }, () => routes.find(question)).flatMap((route) => route ?? [])
  const route = find().find(({ proxy }) => proxy === basic[0]?.name)
  if (!route) throw new Error('no route through the first proxy')
  return { route, countUsed: () => new Set(find().map(({ proxy }) => proxy)).size }
}

it.each([
  ['is not used for a while after it took all of the time of a page', 'SCRAPE_TIMEOUT', 1],
  ['is used again after a page was cancelled', 'SCRAPE_JOB_CANCELLED', 2],
] as const)('a proxy that opens no tunnel %s', async (_what, code, count) => {
  await using hanging = await startProxy({ fault: 'hang' })
  await using working = await startProxy()
  const { route, countUsed } = openRoutes(hanging.url, working.url)
  const page = new AbortController()
  const opening = route.dial(target, page.signal)
  const reason = new TrawlError(code, 'the page has ended')
  setTimeout(() => page.abort(reason), 1_200)
  await expect(opening).rejects.toBe(reason)
  expect(countUsed()).toBe(count)
})

it.each(['browser', 'enhanced-http'] as const)(
  'a proxy that opens no tunnel for a page of the fetcher %s is not used for a while',
  async (name) => {
    await using hanging = await startProxy({ fault: 'hang' })
    await using working = await startProxy()
    const { route, countUsed } = openRoutes(hanging.url, working.url)
    const enhanced = { allowPrivateNetworks: true, limits: defaultLimits }
    const fetcher = name === 'browser' ? openBrowser().fetcher : createEnhancedHttpFetcher(enhanced)
    const url = 'http://127.0.0.1:8099/'
    const plan = { headers: {}, skipTlsVerification: true, timeoutMs: 20_000 }
    const page = new AbortController()
    const failed = expect(fetcher.fetch({ url, sourceURL: url, route }, plan, page.signal)).rejects.toBe(timeout)
    await expect.poll(() => hanging.tunnels.length, { timeout: 20_000 }).toBeGreaterThan(0)
    setTimeout(() => page.abort(timeout), 1_200)
    await failed
    await fetcher.close()
    expect(countUsed()).toBe(1)
  },
)

it('a proxy that opened a tunnel for a page is used again after another that it could not open in time', async () => {
  let count = 0
  const server = createServer((socket) => {
    socket.on('error', () => undefined).resume()
    if (count++ === 0) socket.write('HTTP/1.1 200 OK\r\n\r\n')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = Object(server.address()) as { port: number }
  await using other = await startProxy()
  const { route, countUsed } = openRoutes(`http://127.0.0.1:${port}`, other.url)
  const page = new AbortController()
  const open = await route.dial(target, page.signal)
  setTimeout(() => page.abort(timeout), 1_200)
  await expect(route.dial(target, page.signal)).rejects.toBe(timeout)
  open.destroy()
  server.close()
  expect(countUsed()).toBe(2)
})
