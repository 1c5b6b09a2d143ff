import { rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type Document, type Engine, type JobStatus } from '../../src/index.js'
import { ask, page, type Answer, untilEnded } from './server-client.js'
import { asModule, blocks, writeModules } from './doc-code.js'
import { startSite, type Site } from '../site/site.js'
import { findFreePort } from '../site/find-free-port.js'

const folder = new URL('.servers/', import.meta.url)
const servers = blocks.filter(({ isNamed }) => isNamed)

const PAGES = 9
const numbered = Array.from({ length: PAGES }, (_, at) => `/${at}`)
/** While it is set, the site holds its answers back. */
const held = { isHeld: false }
const slowly =
  (html: string) =>
  async ({ response }: { response: { end(body: string): void } }) => {
    while (held.isHeld) await sleep(5)
    response.end(html)
  }
const pages = {
  '/': slowly(page(...numbered, '/broken', '/private/a')),
  ...Object.fromEntries(numbered.map((path) => [path, slowly(page('/'))])),
  '/broken': ({ response }: { response: { destroy(): void } }) => response.destroy(),
  '/robots.txt': 'User-agent: *\nDisallow: /private/',
}

let site: Site
let ports: number[]
const ofSite = (path: string): string => site.url(path)

beforeAll(async () => {
  site = await startSite({ pages })
  ports = [await findFreePort(), await findFreePort(), await findFreePort()]
  await writeModules(servers, { origin: site.origin, folder, ports, trawl: '../../../src/index.js' })
})

afterEach(() => {
  held.isHeld = false
})

afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true })
})

it('the server on node:http has fewer than 120 lines', () => {
  const named = (name: string): string => servers.find((block) => block.name === name)?.code ?? ''
  const lines = `${named('api.ts')}${named('server.ts')}`.trimEnd().split('\n')
  expect(named('server.ts')).toContain('node:http')
  expect(lines.length).toBeLessThan(120)
})

const frameworks = [
  ['server.ts', 0, 'export { engine, server as handle }'],
  ['fastify-server.ts', 1, 'const handle = { close: () => app.close() }\nexport { engine, handle }'],
  ['express-server.ts', 2, 'export { engine, server as handle }'],
] as const

describe.each(frameworks)('the server of docs/guides/servers.md, %s,', (name, at, exported) => {
  let base: string
  let running: { engine: Engine; handle: { close(): unknown } }

  beforeAll(async () => {
    base = `http://127.0.0.1:${ports[at]}`
    const own = new URL(`own-${name}`, folder)
    const block = servers.find((one) => one.name === name)
    if (!block) throw new Error(`docs/guides/servers.md has no ${name}`)
    await writeFile(
      own,
      `${asModule(block, { origin: site.origin, folder, ports, trawl: '../../../src/index.js' })}\n${exported}`,
    )
    running = (await import(own.href)) as typeof running
  })

  afterAll(async () => {
    await running.engine.close()
    await running.handle.close()
  })

  it('answers 401 to a request without a valid key', async () => {
    for (const authorization of ['', 'secret', 'Bearer ', 'Bearer other', 'Basic secret']) {
      const { status, body } = await ask(base, 'GET', '/v2/crawl/active', undefined, { authorization })
      expect([status, body]).toEqual([401, { success: false, error: expect.any(String) }])
    }
  })

  it('crawls a site for its client: create, active, status with `next`, errors', async () => {
    held.isHeld = true
    const request = { url: ofSite('/'), scrapeOptions: { formats: ['markdown', 'links'], maxAge: 0 } }
    const started = await ask(base, 'POST', '/v2/crawl', request)
    const { id, url } = started.body as { id: string; url: string }
    expect(started).toEqual({ status: 200, body: { success: true, id, url: `${base}/v2/crawl/${id}` } })
    for (const list of ['active', 'ongoing']) {
      const active = await ask(base, 'GET', `/v2/crawl/${list}`)
      expect(active.body).toEqual({
        success: true,
        crawls: [
          {
            id,
            teamId: 'harbour',
            url: ofSite('/'),
            created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/),
            options: { scrapeOptions: request.scrapeOptions },
          },
        ],
      })
    }
    expect((await ask(base, 'GET', url)).body).toMatchObject({ success: true, status: 'scraping' })
    held.isHeld = false

    const ended = await untilEnded(base, url)
    expect(ended).toMatchObject({ success: true, status: 'completed', completed: PAGES + 1, creditsUsed: PAGES + 1 })
    expect((await ask(base, 'GET', '/v2/crawl/active')).body).toEqual({ success: true, crawls: [] })
    const found: string[] = []
    let hops = 0
    for (let next: string | undefined = `${url}?limit=2`; next !== undefined; hops += 1) {
      const { data, next: following } = (await ask(base, 'GET', next)).body as unknown as JobStatus<Document>
      found.push(...data.map(({ metadata }) => new URL(metadata.url).pathname))
      expect(data.every(({ markdown, links }) => markdown !== undefined && links !== undefined)).toBe(true)
      next = following
    }
    expect(found.toSorted()).toEqual(['/', ...numbered].toSorted())
    expect(hops).toBe(Math.ceil((PAGES + 1) / 2))
    const past = await ask(base, 'GET', `${url}?skip=1000`)
    expect([past.body['data'], past.body['next']]).toEqual([[], undefined])

    expect(await ask(base, 'GET', `${url}/errors`)).toEqual({
      status: 200,
      body: {
        errors: [
          expect.objectContaining({ url: ofSite('/broken'), code: 'SCRAPE_SITE_ERROR', error: expect.any(String) }),
        ],
        robotsBlocked: [ofSite('/private/a')],
      },
    })
  })

  it('scrapes batches, names or refuses invalid URLs, and accepts further URLs while they run', async () => {
    held.isHeld = true
    const urls = [ofSite('/1'), 'ftp://x.test', ofSite('/2')]
    const started = await ask(base, 'POST', '/v2/batch/scrape', { urls, maxAge: 0 })
    const { id, url } = started.body as { id: string; url: string }
    expect(started).toEqual({
      status: 200,
      body: { success: true, id, url: `${base}/v2/batch/scrape/${id}`, invalidURLs: ['ftp://x.test'] },
    })
    expect((await ask(base, 'GET', '/v2/crawl/active')).body).toEqual({ success: true, crawls: [] })
    const more = await ask(base, 'POST', '/v2/batch/scrape', { urls: [ofSite('/3')], appendToId: id })
    expect([more.status, more.body['id']]).toEqual([200, id])
    held.isHeld = false
    const ended = await untilEnded(base, url)
    expect(ended.data.map(({ metadata }) => new URL(metadata.url).pathname)).toEqual(['/1', '/2', '/3'])
    expect((await ask(base, 'GET', `${url}/errors`)).body).toEqual({ errors: [], robotsBlocked: [] })

    const late = await ask(base, 'POST', '/v2/batch/scrape', { urls: [ofSite('/4')], appendToId: id })
    expect(late).toMatchObject({ status: 409, body: { success: false, code: 'JOB_FINISHED' } })
    const strict = await ask(base, 'POST', '/v2/batch/scrape', { urls, ignoreInvalidURLs: false })
    expect(strict).toMatchObject({
      status: 400,
      body: { success: false, code: 'BAD_REQUEST', error: 'Bad Request', details: [{ path: ['urls', 1] }] },
    })
    const none = await ask(base, 'POST', '/v2/batch/scrape', { urls: ['ftp://x.test'] })
    expect(none).toMatchObject({
      status: 400,
      body: { details: [{ message: expect.stringContaining('no valid URLs') }] },
    })
  })

  it('cancels running jobs, and refuses to cancel ended ones', async () => {
    held.isHeld = true
    const { body } = await ask(base, 'POST', '/v2/crawl', { url: ofSite('/'), scrapeOptions: { maxAge: 0 } })
    const url = String(body['url'])
    expect(await ask(base, 'DELETE', url)).toEqual({ status: 200, body: { status: 'cancelled' } })
    expect(await untilEnded(base, url)).toMatchObject({ success: true, status: 'cancelled' })
    held.isHeld = false
    const done = await ask(base, 'POST', '/v2/crawl', { url: ofSite('/1'), limit: 1, sitemap: 'skip' })
    await untilEnded(base, String(done.body['url']))
    const refused = await ask(base, 'DELETE', String(done.body['url']))
    expect(refused).toMatchObject({ status: 409, body: { success: false, code: 'JOB_FINISHED' } })
  })

  it('answers the status of a failed crawl as a success, without which clients ask for ever', async () => {
    const { body } = await ask(base, 'POST', '/v2/crawl', { url: ofSite('/broken'), sitemap: 'skip' })
    expect(await untilEnded(base, String(body['url']))).toMatchObject({
      success: true,
      status: 'failed',
      error: expect.any(String),
    })
  })

  it('serves crawls of version 1', async () => {
    const request = { url: ofSite('/'), limit: 2, ignoreSitemap: true, scrapeOptions: { formats: ['markdown'] } }
    const { status, body } = await ask(base, 'POST', '/v1/crawl', request)
    expect([status, body['success']]).toEqual([200, true])
    const ended = await untilEnded(base, `/v1/crawl/${String(body['id'])}`)
    expect(ended).toMatchObject({ status: 'completed', completed: 2 })
    const deep = await ask(base, 'POST', '/v1/crawl', { url: ofSite('/a/b/c'), maxDepth: 1 })
    expect(deep).toMatchObject({
      status: 400,
      body: { details: [{ path: ['url'], message: 'URL depth exceeds the specified maxDepth' }] },
    })
    expect((await ask(base, 'POST', '/v1/batch/scrape', { urls: [ofSite('/')] })).status).toBe(404)
  })

  it('refuses wrong requests with the status and body of the interface', async () => {
    const id = '01890a5d-ac96-774b-bcce-b302099a8057'
    const wrong = { success: false, error: expect.any(String) }
    const { body: batch } = await ask(base, 'POST', '/v2/batch/scrape', { urls: [ofSite('/1')] })
    const cases: [string, string, unknown, number, object][] = [
      ['POST', '/v2/crawl', '{"url":', 400, { ...wrong, code: 'BAD_REQUEST_INVALID_JSON' }],
      ['POST', '/v2/crawl', { url: ofSite('/'), budget: { requests: 1_000_000 } }, 400, wrong],
      ['POST', '/v2/crawl', {}, 400, { ...wrong, code: 'BAD_REQUEST', details: [{ path: ['url'] }] }],
      [
        'POST',
        '/v2/crawl',
        { url: ofSite('/'), limits: 3, sitemap: 'none' },
        400,
        { ...wrong, code: 'BAD_REQUEST', details: [{ path: ['sitemap'] }, { code: 'unrecognized_keys', path: [] }] },
      ],
      ['GET', `/v2/crawl/${id}`, undefined, 404, wrong],
      ['GET', `/v2/crawl/${id}/errors`, undefined, 404, wrong],
      ['DELETE', `/v2/batch/scrape/${id}`, undefined, 404, wrong],
      ['GET', `/v2/crawl/${String(batch['id'])}`, undefined, 404, wrong],
      ['GET', '/v2/crawl/no-id', undefined, 400, wrong],
      [
        'GET',
        `/v2/batch/scrape/${String(batch['id'])}?limit=-1`,
        undefined,
        400,
        { ...wrong, details: [{ path: ['limit'] }] },
      ],
      [
        'GET',
        `/v2/batch/scrape/${String(batch['id'])}?skip=x`,
        undefined,
        400,
        { ...wrong, details: [{ path: ['skip'] }] },
      ],
      ['GET', '/v2/crawl', undefined, 404, wrong],
      ['PUT', `/v2/crawl/${id}`, {}, 404, wrong],
      // As by clients of version 1. It cancels nothing.
      ['DELETE', `/v2/batch/scrape/${String(batch['id'])}/errors`, undefined, 200, { errors: [] }],
      ['GET', '/else', undefined, 404, wrong],
      ['POST', '/v2/crawl', { url: ofSite('/'), prompt: 'x'.repeat(11 * 1024 ** 2) }, 413, wrong],
    ]
    for (const [method, path, sent, status, body] of cases) {
      expect([path, await ask(base, method, path, sent)]).toMatchObject([path, { status, body }])
    }
    const plain = await ask(base, 'POST', '/v2/crawl', { url: ofSite('/') }, { 'content-type': 'text/plain' })
    expect(plain).toMatchObject({ status: 400, body: { ...wrong, code: 'BAD_REQUEST' } })
  })
})

describe('the routes', () => {
  type Api = { answer(teams: Map<string, { id: string; engine: Engine }>, call: object): Promise<Answer> }
  const call = (key: string, method: string, url: string, body?: object) => ({
    method,
    url,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  })

  it('keep the jobs of teams apart, and answer 402 without credits and 503 after the engine was closed', async () => {
    const { answer } = (await import(new URL('api.ts', folder).href)) as Api
    const [rich, poor] = [createEngine({ allowPrivateNetworks: true }), createEngine({ creditLimit: 0 })]
    const teams = new Map([
      ['a', { id: 'rich', engine: rich }],
      ['b', { id: 'poor', engine: poor }],
    ])
    const { body } = await answer(teams, call('a', 'POST', '/v2/batch/scrape', { urls: [ofSite('/1')] }))
    const { id } = JSON.parse(JSON.stringify(body)) as { id: string }
    expect((await answer(teams, call('a', 'GET', `/v2/batch/scrape/${id}`))).status).toBe(200)
    expect((await answer(teams, call('b', 'GET', `/v2/batch/scrape/${id}`))).status).toBe(404)
    expect(await answer(teams, call('b', 'POST', '/v2/crawl', { url: ofSite('/') }))).toMatchObject({
      status: 402,
      body: { success: false, code: 'INSUFFICIENT_CREDITS' },
    })
    await Promise.all([rich.close(), poor.close()])
    expect(await answer(teams, call('a', 'POST', '/v2/crawl', { url: ofSite('/') }))).toMatchObject({
      status: 503,
      body: { success: false, code: 'ENGINE_CLOSED' },
    })
  })
})
