import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type EngineConfig, type LoginOptions } from '../../../src/index.js'
import type { Exchange } from '../../site/exchange.js'
import { type Site, startSite } from '../../site/site.js'
import { PASSWORD, USER } from './login-site.js'

const config: EngineConfig = { threads: 0, allowPrivateNetworks: true, cache: false }

const LOGIN =
  '<form method="post" action="/login"><input name="user"><input type="password" name="pass"><button>Go</button></form>'
const register = (fields: string): string =>
  `<form method="post" action="/register"><input name="user">${fields}<button>Join</button></form>`
const PASS = '<input type="password" name="pass">'

/** Forms beside that of the login. */
const others: Record<string, string> = {
  'a search and a newsletter':
    '<form action="/search"><input name="q"></form><form method="post" action="/news"><input type="email" name="user"><button>Join</button></form>',
  'one to register, with a name and an address': register(`<input name="email" type="email">${PASS}`),
  'one to register, with a field that `username` fits best': register(`<input name="username">${PASS}`),
  'one to register, which asks for the password twice': register(`${PASS}<input type="password" name="again">`),
  'one to register, which asks for a new password': register(
    '<input type="password" name="pass" autocomplete="new-password">',
  ),
  'one to register, which asks for the same': register(PASS),
  'one to ask for a new password':
    '<form method="post" action="/reset"><input type="email" name="user"><button>Send</button></form>',
  'one for guests':
    '<form method="post" action="/guest"><input name="user"><input name="order"><button>Show</button></form>',
}

/** What the page of the login shows, and the forms that were sent. */
let shown = ''
let afterLogin = ''
const sent: string[] = []
let site: Site

async function answer({ request, response, url }: Exchange): Promise<void> {
  let body = ''
  for await (const part of request) body += String(part)
  const send = (status: number, html: string, headers: object = {}) =>
    void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html)
  if (request.method === 'POST') {
    sent.push(`${url.pathname} ${body}`)
    if (url.pathname !== '/login' && url.pathname !== '/enter') return send(200, '<title>Thank you</title>')
    if (afterLogin !== '') return send(200, afterLogin)
    return send(302, '', { location: '/', 'set-cookie': 'sid=1; Path=/' })
  }
  if (url.pathname === '/login') return send(200, shown)
  if (!request.headers.cookie?.includes('sid=1')) return send(302, '', { location: '/login' })
  send(200, `<title>Members</title><main>${'<p>Words for members alone.</p>'.repeat(40)}</main>`)
}

beforeAll(async () => void (site = await startSite({ pages: new Proxy({}, { get: () => answer }) })))
afterAll(() => site.close())

const start = (forms: string, fetcher: 'http' | 'auto', after = '') => {
  sent.length = 0
  afterLogin = after
  const html = `<h1>Sign in</h1>${forms}`
  shown =
    fetcher === 'http'
      ? `<title>Sign in</title>${html}`
      : `<title>Sign in</title><div id="root"></div><script>root.innerHTML = ${JSON.stringify(html)}</script>`
  const login: LoginOptions = {
    url: site.url('/login'),
    fields: { username: USER },
    secrets: { password: () => PASSWORD },
  }
  const engine = createEngine({ ...config, fetcher })
  return { engine, scrape: () => engine.scrape(site.url('/page'), { login }) }
}

describe('of several forms on a page, the login is chosen beside', () => {
  it.each(Object.keys(others))('%s', async (name) => {
    for (const forms of [`${others[name]}${LOGIN}`, `${LOGIN}${others[name]}`]) {
      const { engine, scrape } = start(forms, 'http')
      await using _ = engine
      expect((await scrape()).metadata.title).toBe('Members')
      expect(sent).toEqual([`/login user=${USER}&pass=${PASSWORD}`])
    }
  })

  it('all of them, which a script makes', async () => {
    const { engine, scrape } = start(Object.values(others).join('') + LOGIN, 'auto')
    await using _ = engine
    expect((await scrape()).metadata.title).toBe('Members')
    expect(sent).toEqual([`/login user=${USER}&pass=${PASSWORD}`])
  })
})

/** Forms of logins that ask for more than one to register beside them does, or for a new password. */
const logins: Record<string, string> = {
  'a code that need not be there': `${PASS}<input name="otp" placeholder="2FA code, if you have one">`,
  'a company': `${PASS}<input name="company" placeholder="Company (optional)">`,
  'a trap for programs': `${PASS}<input name="website" tabindex="-1"><input name="phone" style="position:absolute;left:-9999px">`,
  'a new password, so that no browser fills it in': '<input type="password" name="pass" autocomplete="new-password">',
}
const joined =
  '<form method="post" action="/register"><input name="email" type="email"><input type="password" name="pass"><button>Join</button></form>'
const shared = '<form method="post" action="/share"><input type="password" name="pass"><button>Open</button></form>'
const news =
  '<form method="post" action="/news"><input type="email" name="email" placeholder="Your e-mail"><button>Subscribe</button></form>'

describe.each(['http', 'auto'] as const)('the password goes to the form of the login, by `fetcher: %s`', (fetcher) => {
  it.each(Object.keys(logins))(
    'if it asks for %s',
    async (name) => {
      const own = `<form method="post" action="/login"><input name="user">${logins[name]}<button>Go</button></form>`
      const orders = [joined + shared + news + own, own + news + shared + joined]
      // The browser takes its time.
      for (const forms of fetcher === 'http' ? orders : orders.slice(0, 1)) {
        const { engine, scrape } = start(forms, fetcher)
        await using _ = engine
        expect((await scrape()).metadata.title).toBe('Members')
        expect(sent).toHaveLength(1)
        expect(sent[0]).toMatch(/^\/login /)
        expect(sent[0]).toContain(PASSWORD)
      }
    },
    60_000,
  )

  it('if its address says nothing, and it asks for a new password beside a newsletter', async () => {
    const own = `<form method="post" action="/enter"><input name="user">${logins['a new password, so that no browser fills it in']}<button>Go</button></form>`
    const { engine, scrape } = start(news + own, fetcher)
    await using _ = engine
    expect((await scrape()).metadata.title).toBe('Members')
    expect(sent).toEqual([`/enter user=${USER}&pass=${PASSWORD}`])
  }, 60_000)
})

describe('a one-time code that nothing answers', () => {
  const CODE =
    '<title>Check</title><form method="post" action="/code"><input name="digits" autocomplete="one-time-code"><button>Go</button></form>'

  it.each(['http', 'auto'] as const)('is said with what to name, after one try, by `fetcher: %s`', async (fetcher) => {
    const { engine, scrape } = start(LOGIN, fetcher, CODE)
    await using _ = engine
    await expect(scrape()).rejects.toThrow('it asks for a one-time code: name one in `secrets`, as `code')
    expect(sent).toHaveLength(1)
  })
})
