import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  createEngine,
  type EngineConfig,
  type FetcherRequest,
  type FetcherResponse,
  replay,
} from '../../../src/index.js'
import type { Handler } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'

const config: EngineConfig = { threads: 0, cache: false, allowPrivateNetworks: true, retry: { maxRetries: 0 } }
const PASSWORD = 'correct horse+battery'

const FORM =
  '<title>Sign in</title><form method="post" action="/session"><input name="user"><input type="password" name="pass"><button>Go</button></form>'
const MEMBERS = `<title>Members</title><main>${'<p>Words for members alone.</p>'.repeat(40)}</main>`

/** Answers as a site behind a login does. @param statusCode of the redirect behind the form */
function answer({ url, method, body, headers }: FetcherRequest, statusCode = 302): FetcherResponse {
  const { pathname } = new URL(url)
  if (pathname === '/robots.txt') return { status: 404 }
  if (method === 'POST') {
    if (pathname === '/session' && statusCode === 307) return { status: 307, headers: { location: '/moved' } }
    const isRight = new URLSearchParams(body).get('pass') === PASSWORD
    return isRight ? { status: 302, headers: { location: '/', 'set-cookie': 'sid=1; Path=/' } } : { body: FORM }
  }
  const isMember = headers['cookie'] === 'sid=1' && pathname !== '/login'
  return { headers: { 'content-type': 'text/html' }, body: isMember ? MEMBERS : FORM }
}

it.each([
  ['a form', 302, {}],
  ['a form whose answer sends it on', 307, {}],
  ['a form, where pages come as a browser asks', 302, { proxy: 'enhanced' } as const],
])('%s is sent to the fetcher whose own its URL is, and never to the network', async (_name, statusCode, options) => {
  await using site = await startSite()
  const requests: FetcherRequest[] = []
  const fetch = (request: FetcherRequest) => {
    requests.push(request)
    return answer(request, statusCode)
  }
  const handles = (url: string) => url.startsWith(site.url('/'))
  await using engine = createEngine({ ...config, features: [{ name: 'fake-site', fetcher: { handles, fetch } }] })
  const login = { url: site.url('/login'), fields: { username: 'anna' }, secrets: { password: () => PASSWORD } }
  const { metadata } = await engine.scrape(site.url('/'), { login, ...options })
  expect(metadata.title).toBe('Members')
  expect(site.requests).toEqual([])
  const [sent, ...others] = requests.filter(({ method }) => method === 'POST')
  expect(others).toHaveLength(statusCode === 307 ? 1 : 0)
  expect(sent).toMatchObject({
    url: site.url('/session'),
    body: 'user=anna&pass=correct+horse%2Bbattery',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(requests.every(({ method, body }) => method === 'POST' || body === undefined)).toBe(true)
})

it('a fetcher that knows no forms gets no login done, and what it throws is told without the secret', async () => {
  await using site = await startSite()
  const open = (fetch: (request: FetcherRequest) => FetcherResponse) =>
    createEngine({
      ...config,
      fetcher: 'http',
      features: [{ name: 'fake-site', fetcher: { handles: (url) => url.startsWith(site.url('/')), fetch } }],
    })
  const login = { url: site.url('/login'), fields: { username: 'anna' }, secrets: { password: () => PASSWORD } }
  await using blind = open((request) => answer({ ...request, method: 'GET' }))
  await expect(blind.scrape(site.url('/'), { login })).rejects.toMatchObject({ code: 'LOGIN_REQUIRED' })
  await using loud = open((request) => {
    if (request.method === 'POST') throw new Error(`no form: ${request.body}, ${encodeURIComponent(PASSWORD)}`)
    return answer(request)
  })
  const failure = await loud.scrape(site.url('/'), { login }).catch(String)
  expect(failure).toContain('feature `fake-site` failed: no form: user=anna&pass=…, …')
  expect(site.requests).toEqual([])
})

it('a replay sends no form to the network, and says of a page that was recorded as the login page that it is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
  try {
    await using site = await startSite({ pages: { '/login': FORM.replace('/session', '/login'), '/': FORM } })
    const archive = join(folder, 'site.warc')
    const login = { url: site.url('/login'), fields: { username: 'anna' }, secrets: { password: () => PASSWORD } }
    {
      await using first = createEngine({ ...config, fetcher: 'http', archive })
      for (const path of ['/', '/login']) await first.scrape(site.url(path))
    }
    const known = site.requests.length
    await using engine = createEngine({ ...config, fetcher: replay(archive) })
    await expect(engine.scrape(site.url('/'), { login })).rejects.toMatchObject({ code: 'LOGIN_REQUIRED' })
    expect(site.requests).toHaveLength(known)
  } finally {
    await rm(folder, { recursive: true })
  }
})

/** A site whose pages are for members, and that counts the forms that it is sent. */
async function startMembersSite() {
  const isMember = ({ request }: Parameters<Handler>[0]): boolean => request.headers.cookie === 'sid=1'
  const members =
    (name: string): Handler =>
    (exchange) => {
      const type = { 'content-type': 'text/html' }
      if (isMember(exchange)) exchange.response.writeHead(200, type).end(MEMBERS.replace('Members', name))
      else exchange.response.writeHead(302, { location: '/login' }).end()
    }
  const session: Handler = ({ response }) =>
    response.writeHead(302, { location: '/', 'set-cookie': 'sid=1; Path=/' }).end()
  return startSite({
    pages: { '/': members('Start'), '/a': members('A'), '/b': members('B'), '/login': FORM, '/session': session },
  })
}

it.each([
  ['an archive', {}],
  ['an archive that is added to', { record: 'missing' }],
] as const)(
  'pages of %s that were recorded behind a login need none, with the same options',
  async (_name, options) => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
    try {
      await using site = await startMembersSite()
      const archive = join(folder, 'members.warc')
      const login = { url: site.url('/login'), fields: { username: 'anna' }, secrets: { password: () => PASSWORD } }
      const urls = ['/', '/a'].map((path) => site.url(path))
      const readTitles = async (given: EngineConfig, asked: readonly string[]): Promise<string[]> => {
        await using engine = createEngine({ ...config, ...given })
        const titles: string[] = []
        for await (const { metadata } of engine.batchScrape({ urls: asked, login })) titles.push(metadata.title ?? '')
        return titles.toSorted()
      }
      const recorder: EngineConfig =
        'record' in options ? { fetcher: replay(archive, options) } : { fetcher: 'http', archive }
      expect(await readTitles(recorder, urls)).toEqual(['A', 'Start'])
      const forms = () => site.requests.filter(({ path }) => path === '/session').length
      expect(forms()).toBe(1)
      const known = site.requests.length
      expect(await readTitles({ fetcher: replay(archive, options) }, urls)).toEqual(['A', 'Start'])
      expect(site.requests).toHaveLength(known)
      // A page that the archive lacks is one of the site, which asks who is there.
      const more = { fetcher: replay(archive, { ...options, missing: 'fetch' }) }
      expect(await readTitles(more, [...urls, site.url('/b')])).toEqual(['A', 'B', 'Start'])
      expect(forms()).toBe(2)
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)

it('what a page in a browser asks of the host of a fetcher stays there too', async () => {
  await using held = await startSite({ pages: { '/': MEMBERS } })
  await using site = await startSite({
    pages: {
      '/': `<main><h1>Open</h1><p id="told">waits</p></main><script>
        const ask = (path, more) => fetch('${held.url('/')}' + path, { mode: 'no-cors', ...more }).then(() => 'came', () => 'failed')
        Promise.all([ask('a'), ask('b', { method: 'POST', body: 'pass=secret' })]).then((all) => (told.textContent = all.join(' ')))
      </script><img src="${held.url('/c')}"><iframe src="${held.url('/d')}"></iframe>`,
      '/moved': ({ response }) => response.writeHead(302, { location: held.url('/e') }).end(),
    },
  })
  const handles = (url: string) => url.startsWith(held.url('/'))
  const fetcher = { handles, fetch: () => ({ body: MEMBERS }) }
  await using engine = createEngine({ ...config, features: [{ name: 'held', fetcher }] })
  const actions = [{ type: 'wait', milliseconds: 500 }] as const
  const { markdown } = await engine.scrape(site.url('/'), { actions })
  expect(markdown).toContain('failed failed')
  await expect(engine.scrape(site.url('/moved'), { actions })).rejects.toThrow()
  expect(held.requests).toEqual([])
}, 60_000)
