import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEngine, type EngineConfig, type LoginOptions, memoryProfiles } from '../../../src/index.js'
import { describeMisfits } from '../../../src/features/login/misfits.js'
import type { Exchange } from '../../site/exchange.js'
import { type Site, startSite } from '../../site/site.js'

const config: EngineConfig = { threads: 0, allowPrivateNetworks: true, fetcher: 'http', cache: false }
const FIELDS = '<input id="kunde_nr" name="kunde_nr"><input id="geheim" name="geheim" type="password">'
const FORM = `<form method="post" action="/login">${FIELDS}<button>Go</button></form>`
/** The same fields, sent by a script alone. */
const SCRIPT = `<div id="root"></div><script>
  root.innerHTML = ${JSON.stringify(`<h1>Sign in</h1>${FIELDS}<button type="button">Go</button>`)};
  document.querySelector('button').addEventListener('click', async () => {
    const sent = new URLSearchParams([...document.querySelectorAll('input')].map(({ name, value }) => [name, value]));
    if ((await fetch('/login', { method: 'POST', body: sent })).url.endsWith('/page')) location.href = '/page';
  });
</script>`
const LATE = `<title>App</title><div id="root"></div><script>setTimeout(() => {
  root.innerHTML = ${JSON.stringify(`${FIELDS}<button type="button">Go</button>`)};
  document.querySelector('button').addEventListener('click', async () => {
    const sent = new URLSearchParams([...document.querySelectorAll('input')].map(({ name, value }) => [name, value]));
    if ((await fetch('/login', { method: 'POST', body: sent })).url.endsWith('/page')) location.reload();
  });
}, 3800)</script>`

let site: Site
let password = 'right'
let isByScript = false
let [logins, wrong] = [0, 0]

async function answer({ request, response, url }: Exchange): Promise<void> {
  let body = ''
  for await (const part of request) body += String(part)
  const sent = new URLSearchParams(body)
  const send = (html: string) => void response.writeHead(200, { 'content-type': 'text/html' }).end(html)
  const go = (location: string, headers: object = {}) => void response.writeHead(302, { location, ...headers }).end()
  const [, session] = /sid=(\d)/.exec(request.headers.cookie ?? '') ?? []
  if (url.pathname === '/about') return send('<title>About</title><p>A page without a form.</p>')
  if (request.method === 'POST') {
    if (sent.get('kunde_nr') === 'anna' && sent.get('geheim') === password)
      return go('/page', { 'set-cookie': `sid=${(logins += 1)}; Path=/` })
    wrong += 1
  }
  if (url.pathname === '/login' && session !== undefined) return go('/page')
  if (url.pathname === '/login') return send(`<title>Sign in</title>${isByScript ? SCRIPT : FORM}`)
  // Later than the first step of a login waits for it.
  if (session === undefined && url.pathname === '/slow') return send(LATE)
  if (session === undefined) return go('/login')
  send(`<title>Members, session ${session}</title><main>${'<p>Words for members alone.</p>'.repeat(40)}</main>`)
}

beforeAll(async () => void (site = await startSite({ pages: new Proxy({}, { get: () => answer }) })))
afterAll(() => site.close())
beforeEach(() => {
  ;[logins, wrong, password, isByScript] = [0, 0, 'right', false]
})

const titleOf = async (more: Partial<LoginOptions>, settings: EngineConfig = {}) => {
  const secrets = { geheim: () => 'right' }
  const login = { url: site.url('/login'), fields: { kunde_nr: 'anna' }, secrets, ...more }
  await using engine = createEngine({ ...config, ...settings })
  return (await engine.scrape(site.url('/page'), { login })).metadata.title
}

describe('a name that fits no field is told before anything is sent', () => {
  it.each<[string, Partial<LoginOptions>, string]>([
    ['of `fields`', { fields: { kunde: 'anna' } }, '`fields.kunde` fits no field'],
    ['of `secrets`', { secrets: { passwort: () => 'right' } }, '`secrets.passwort` fits no field'],
    [
      'of both',
      { fields: { kunde: 'anna' }, secrets: { passwort: () => 'right' } },
      '`fields.kunde` and `secrets.passwort` fit no field',
    ],
  ])('%s', async (_, more, text) => {
    const scraped = titleOf(more)
    await expect(scraped).rejects.toThrow(`${text} of its page, which has \`kunde_nr\`, \`geheim\`: give the name or`)
    await expect(scraped).rejects.toMatchObject({ code: 'LOGIN_REQUIRED' })
    expect([logins, wrong]).toEqual([0, 0])
  })

  it('and with it that the page has no form', async () => {
    const scraped = titleOf({ url: site.url('/about') })
    await expect(scraped).rejects.toThrow(
      '`fields.kunde_nr` and `secrets.geheim` fit no field of its page, which has none',
    )
  })

  it('and the names that a site gives its fields stay in one line', () => {
    const field = { name: 'a`\n\nERROR b', type: 'text', value: '', hints: [] }
    const form = {
      action: 'http://a.test/',
      method: 'post',
      fields: [field],
      isFirstStep: false,
      isBox: false,
    } as const
    const message = describeMisfits({ fields: { kunde: 'anna' } }, [{ ...form, signature: '' }])
    expect(message).toContain('which has `a ERROR b`: give')
  })

  it('but a name that no page asks for does no harm', async () => {
    expect(await titleOf({ fields: { kunde_nr: 'anna', tenant: 'acme' } })).toBe('Members, session 1')
    const scraped = titleOf({ fields: { kunde_nr: 'anna', tenant: 'acme' }, secrets: { geheim: () => 'wrong' } })
    await expect(scraped).rejects.toThrow('it asked again for `kunde_nr`, `geheim`, and `fields.tenant` fits no field')
  })
})

describe('a sign that is wrong for every page is told after two logins', () => {
  it.each<[string, Partial<LoginOptions>, string]>([
    ['a text', { loggedInWhen: { text: 'Log out' } }, 'does not show `loggedInWhen` (no "Log out" in its source)'],
    ['a URL', { loggedInWhen: { url: '/home' } }, 'does not show `loggedInWhen` (no "/home" in its URL)'],
    ['of visitors', { loggedOutWhen: { text: 'Words' } }, 'shows `loggedOutWhen` ("Words")'],
  ])('%s', async (_, more, text) => {
    const scraped = titleOf(more)
    await expect(scraped).rejects.toThrow(
      `no form is left after each of 2 logins, but the page \`${site.url('/page')}\``,
    )
    await expect(scraped).rejects.toThrow(text)
    await expect(scraped).rejects.toMatchObject({ code: 'LOGIN_REQUIRED' })
    expect(logins).toBe(2)
  })
})

it('a sign that a page lacks, as that to which the login leads, fails this page alone', async () => {
  const secrets = { geheim: () => 'right' }
  const login = { url: site.url('/login'), fields: { kunde_nr: 'anna' }, secrets, loggedInWhen: { url: '/members' } }
  await using engine = createEngine(config)
  const codeOf = async (path: string) =>
    await engine.scrape(site.url(path), { login }).then(
      () => 'scraped',
      ({ message }: Error) => message.replace(/^.*, after a login$/s, 'failed'),
    )
  const codes = []
  for (const path of ['/members/1', '/other', '/members/2', '/other', '/members/3']) codes.push(await codeOf(path))
  expect(codes).toEqual(['scraped', 'failed', 'scraped', 'failed', 'scraped'])
  expect(logins).toBe(2)
})

describe('in the browser', { timeout: 60_000 }, () => {
  beforeEach(() => void (isByScript = true))

  it('a name that fits no field stays out of the others, and is told', async () => {
    const inBrowser = { fetcher: 'auto' } as const
    expect(await titleOf({ fields: { kunde_nr: 'anna', tenant: 'acme' } }, inBrowser)).toBe('Members, session 1')
    const scraped = titleOf({ fields: { kunde: 'anna' } }, inBrowser)
    await expect(scraped).rejects.toThrow('`fields.kunde` fits no field of its page, which has `kunde_nr`, `geheim`')
    expect(wrong).toBeLessThanOrEqual(2)
  })

  it('a form that comes late, in the place of each page, is filled in', async () => {
    const more = { url: site.url('/slow'), fields: { kunde_nr: 'anna' } }
    await using engine = createEngine({ ...config, fetcher: 'auto' })
    const login = { secrets: { geheim: () => 'right' }, ...more }
    expect((await engine.scrape(site.url('/slow'), { login })).metadata.title).toBe('Members, session 1')
    expect(logins).toBe(1)
  })

  it('a changed password begins a session of its own, and a wrong one leaves the one that there is', async () => {
    const shared: EngineConfig = { fetcher: 'auto', profiles: memoryProfiles() }
    const secrets = (text: string) => ({ secrets: { geheim: () => text } })
    expect(await titleOf({}, shared)).toBe('Members, session 1')
    await expect(titleOf(secrets('wrong'), shared)).rejects.toThrow('its form came back in the browser')
    expect(await titleOf({}, shared)).toBe('Members, session 1')
    password = 'new'
    expect(await titleOf(secrets('new'), shared)).toBe('Members, session 2')
  })
})
