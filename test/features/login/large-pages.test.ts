import { expect, it, vi } from 'vitest'
import { createEngine, type EngineConfig, memoryProfiles } from '../../../src/index.js'
import type * as Signs from '../../../src/features/login/read-login-signs.js'
import type { Exchange } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'

const { sizes } = vi.hoisted(() => ({ sizes: [] as number[] }))

// Code of a thread is loaded there: this is what the host's thread reads.
vi.mock('../../../src/features/login/read-login-signs.js', async (load) => {
  const { readLoginSigns, ...rest } = await load<typeof Signs>()
  const readHere: typeof readLoginSigns = (page) => {
    sizes.push(page.body.byteLength)
    return readLoginSigns(page)
  }
  return { ...rest, readLoginSigns: readHere }
})

const config: EngineConfig = { threads: 1, allowPrivateNetworks: true, fetcher: 'http', cache: false }
const FORM = '<form method="post" action="/login"><input name="user"><input type="password" name="pass"></form>'
const LARGE = `<!-- ${'x'.repeat(100_000)} -->`
const MEMBERS = `<title>Members</title>${'<p>Words for members alone.</p>'.repeat(40)}`

it('large pages of a login, and those by which a session is tested, are read in threads', async () => {
  const answer = ({ request, response, url }: Exchange): void => {
    const isMember = /sid=1/.test(request.headers.cookie ?? '')
    // A small one is read here.
    const more = url.pathname === '/home' ? '' : LARGE
    const show = (html: string) => void response.writeHead(200, { 'content-type': 'text/html' }).end(html + more)
    if (request.method === 'POST')
      return void response.writeHead(302, { location: '/home', 'set-cookie': 'sid=1; Path=/' }).end()
    show(isMember && url.pathname !== '/login' ? MEMBERS : `<title>Sign in</title>${FORM}`)
  }
  await using site = await startSite({ pages: new Proxy({}, { get: () => answer }) })
  const login = { url: site.url('/login'), fields: { user: 'anna' }, secrets: { pass: () => 'right' } }
  const profiles = memoryProfiles()
  for (const path of ['/a', '/b']) {
    // The second one takes the session over, and compares what members and strangers get.
    await using engine = createEngine({ ...config, profiles })
    const { metadata } = await engine.scrape(site.url(path), { login })
    expect(metadata.title).toBe('Members')
  }
  expect(site.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  expect(sizes.length).toBeGreaterThan(0)
  expect(Math.max(...sizes)).toBeLessThan(LARGE.length)
}, 60_000)
