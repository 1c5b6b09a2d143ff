import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type LoginOptions } from '../../../src/index.js'
import type { Exchange } from '../../site/exchange.js'
import { type Site, startSite } from '../../site/site.js'

const LOGIN =
  '<form method="post" action="/login"><input name="user"><input type="password" name="pass"><button>Go</button></form>'

/** Forms on the first page behind a login. */
const first = {
  'sets up codes':
    '<form method="post" action="/2fa/setup"><p>Scan this with your app, then type what it shows.</p><input name="otp"><button>Activate</button></form>',
  'joins a meeting':
    '<form method="post" action="/join"><input name="meeting"><input name="passcode"><button>Join</button></form>',
}

let box = ''
let isMadeByScript = false
/** True for a site that shows its form to members too. */
let isShownToAll = false
const sent: string[] = []
let site: Site

async function answer({ request, response, url }: Exchange): Promise<void> {
  let body = ''
  for await (const part of request) body += String(part)
  const isMember = request.headers.cookie?.includes('sid=1') === true
  const send = (status: number, html: string, headers: object = {}) =>
    void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html)
  if (request.method === 'POST') {
    sent.push(`${url.pathname} ${body}`)
    return send(302, '', { location: '/', 'set-cookie': 'sid=1; Path=/' })
  }
  const html = isMadeByScript
    ? `<div id="root"></div><script>root.innerHTML = ${JSON.stringify(LOGIN)}</script>`
    : LOGIN
  if (url.pathname === '/login' && (isShownToAll || !isMember)) return send(200, `<title>Sign in</title>${html}`)
  if (!isMember || url.pathname === '/login') return send(302, '', { location: isMember ? '/' : '/login' })
  if (url.pathname === '/') return send(200, `<title>Home of anna</title><h1>Hello</h1><p>No messages.</p>${box}`)
  send(200, `<title>Members</title><main>${'<p>Words for members alone.</p>'.repeat(40)}</main>`)
}

beforeAll(async () => void (site = await startSite({ pages: new Proxy({}, { get: () => answer }) })))
afterAll(() => site.close())

const scrape = async (fetcher: 'http' | 'auto', page = '/page', more: Partial<LoginOptions> = {}) => {
  sent.length = 0
  const login = {
    url: site.url('/login'),
    fields: { username: 'anna' },
    secrets: { password: () => 'a secret' },
    ...more,
  }
  await using engine = createEngine({ threads: 0, allowPrivateNetworks: true, cache: false, fetcher })
  return (await engine.scrape(site.url(page), { login })).metadata.title
}

describe.each(Object.entries(first))('a login whose first page %s', (_, form) => {
  it.each([true, false])('is done, where its form is shown to members too: %s', async (isToAll) => {
    ;[box, isMadeByScript, isShownToAll] = [form, false, isToAll]
    expect(await scrape('http')).toBe('Members')
    expect(sent).toEqual(['/login user=anna&pass=a+secret'])
  })

  it('is done where `loggedInWhen` says so', async () => {
    ;[box, isMadeByScript, isShownToAll] = [form, false, true]
    expect(await scrape('http', '/', { loggedInWhen: { text: 'of anna' } })).toBe('Home of anna')
    expect(sent).toHaveLength(1)
  })
})

it('a login in the browser whose first page sets up codes is done', async () => {
  ;[box, isMadeByScript, isShownToAll] = [first['sets up codes'], true, true]
  expect(await scrape('auto')).toBe('Members')
  expect(sent[0]).toBe('/login user=anna&pass=a+secret')
}, 60_000)
