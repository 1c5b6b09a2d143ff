import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createEngine, type EngineConfig } from '../../../src/index.js'
import { startSite, type Site } from '../../site/site.js'
import { SIGN_IN } from './login-markup.js'
import { ordinaryPages } from './ordinary-pages.js'

const pages = Object.values(ordinaryPages)
const nowMs = Date.UTC(2026, 0, 1)
const config: EngineConfig = { threads: 0, allowPrivateNetworks: true, fetcher: 'http', cache: false, now: () => nowMs }
let site: Site

beforeAll(async () => {
  const links = pages.map((_, nth) => `<a href="/posts/${nth}">Post ${nth}</a>`).join(' ')
  site = await startSite({
    pages: {
      '/': `<title>Posts</title><main><h1>Posts</h1>${links} <a href="/users/sign_in">Sign in</a></main>`,
      '/users/sign_in': SIGN_IN,
      '/members': ({ response }) => void response.writeHead(302, { location: '/users/sign_in' }).end(),
      '/private': ({ response }) => void response.writeHead(401, { 'content-type': 'text/html' }).end(SIGN_IN),
      ...Object.fromEntries(
        pages.map((html, nth) => [`/posts/${nth}`, `${html}<a href="/members">m</a><a href="/private">p</a>`]),
      ),
    },
  })
})
afterAll(() => site.close())

/** Crawls the site, and writes all that came of it but for what is made up anew each time. */
async function crawl(create: typeof createEngine): Promise<string> {
  await using engine = create(config)
  // One page after the other: of two alike, the later one is the duplicate.
  const formats = ['markdown', 'html', 'rawHtml', 'links'] as const
  const job = engine.crawl({ url: site.url('/'), maxConcurrency: 1, scrapeOptions: { formats } })
  const { data, ...status } = await job.finished()
  const documents = data.map(({ metadata: { scrapeId: __, ...metadata }, ...document }) => ({ ...document, metadata }))
  const { errors } = await job.errors()
  const inOrder = documents.toSorted((a, b) => ((a.metadata.url ?? '') < (b.metadata.url ?? '') ? -1 : 1))
  return JSON.stringify(
    [
      status.status,
      status.completed,
      status.failed,
      status.skipped,
      inOrder,
      errors.map(({ code, url }) => [code, url]),
    ],
    null,
    1,
  )
}

it('a crawl without credentials has the same documents with this feature and without it, byte for byte', async () => {
  const withLogin = await crawl(createEngine)
  vi.resetModules()
  vi.doMock('../../../src/features/index.js', async (load) => {
    const { features } = await load<{ readonly features: readonly { readonly name: string }[] }>()
    return { features: features.filter(({ name }) => name !== 'login') }
  })
  const { createEngine: createWithout } = await import('../../../src/index.js')
  vi.doUnmock('../../../src/features/index.js')
  expect(() => createWithout({ ...config, login: { url: site.url('/users/sign_in') } })).toThrow('login')
  const without = await crawl(createWithout)
  expect(withLogin).toContain('Log in')
  expect(JSON.parse(withLogin)[1]).toBeGreaterThan(pages.length)
  expect(without).toBe(withLogin)
}, 60_000)
