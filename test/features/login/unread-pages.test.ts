import { afterEach, expect, it, vi } from 'vitest'
import { createEngine, type EngineConfig } from '../../../src/index.js'
import type * as Pool from '../../../src/kernel/page/workers/page-pool.js'
import type { Exchange } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'

const { unread } = vi.hoisted(() => ({ unread: { from: Infinity, asked: 0 } }))

// Threads that take too long have no result.
vi.mock('../../../src/kernel/page/workers/page-pool.js', async (load) => {
  const { createPagePool, ...rest } = await load<typeof Pool>()
  const create: typeof createPagePool = (options) => {
    const pool = createPagePool(options)
    const pageTask: typeof pool.pageTask = async (name, ...task) =>
      name === 'login/signs' && (unread.asked += 1) >= unread.from ? undefined : await pool.pageTask(name, ...task)
    return { ...pool, pageTask }
  }
  return { ...rest, createPagePool: create }
})

afterEach(() => Object.assign(unread, { from: Infinity, asked: 0 }))

const config: EngineConfig = {
  threads: 0,
  allowPrivateNetworks: true,
  fetcher: 'http',
  cache: false,
  retry: { maxRetries: 1, backoffMs: 1, maxBackoffMs: 1 },
}
const FORM =
  '<title>Sign in</title><form method="post" action="/login"><input name="user"><input type="password" name="pass"></form>'

const show = ({ response }: Exchange): void => void response.writeHead(200, { 'content-type': 'text/html' }).end(FORM)

it('a page of which it takes too long to read whether it is the login page is no document', async () => {
  await using site = await startSite({ pages: { '/a': show } })
  await using engine = createEngine(config)
  unread.from = 1
  const scraped = engine.scrape(site.url('/a'), { headers: { cookie: 'sid=1' } })
  await expect(scraped).rejects.toMatchObject({ code: 'LOGIN_REQUIRED', retry: true })
})

it.each([1, 2])(
  'a login whose page %i takes too long to read fails, and sends no password again and again',
  async (from) => {
    await using site = await startSite({ pages: { '/a': show, '/login': show } })
    await using engine = createEngine(config)
    unread.from = from
    const login = { url: site.url('/login'), fields: { user: 'anna' }, secrets: { pass: () => 'wrong' } }
    for (const path of ['/a', '/a', '/a', '/a'])
      await expect(engine.scrape(site.url(path), { login })).rejects.toMatchObject({
        code: 'LOGIN_REQUIRED',
        message: expect.stringContaining('takes too long to tell'),
      })
    const sent = site.requests.filter(({ method }) => method === 'POST')
    expect(sent.length).toBeLessThanOrEqual(from === 1 ? 0 : 2)
  },
)
