import { describe, expect, it } from 'vitest'
import { createEngine, type LoginOptions } from '../../../src/index.js'
import {
  config,
  type Host,
  leaks,
  siteLogin,
  MEMBERS,
  other,
  plain,
  secure,
  show,
  traps,
  useHosts,
  form,
} from './leaky-site.js'
import { PASSWORD } from './login-site.js'

useHosts()

describe('the password of a login of https is not sent over HTTP by', () => {
  it.each(Object.keys(traps))('%s', async (name) => {
    traps[name]?.()
    await using engine = createEngine({ ...config, fetcher: 'http' })
    await engine
      .scrape(secure.site.url('/members'), { login: siteLogin(), skipTlsVerification: true })
      .catch((error: unknown) => expect(error).toMatchObject({ code: 'LOGIN_REQUIRED' }))
    expect(secure.told.length).toBeGreaterThan(0)
    expect(leaks()).toEqual([])
  })

  it('and its failure says so', async () => {
    traps['a form for plain http']?.()
    await using engine = createEngine({ ...config, fetcher: 'http' })
    const scraped = engine.scrape(secure.site.url('/members'), { login: siteLogin(), skipTlsVerification: true })
    await expect(scraped).rejects.toThrow('its form would send the secrets over plain http')
  })
})

describe('in the browser, the password of a login of https', () => {
  it('is filled in by no action on a page of plain http, to which it led', async () => {
    traps['a page of plain http, whose form is for https']?.()
    await using engine = createEngine(config)
    const actions = [{ type: 'fill', selector: '[name=pass]', secret: () => PASSWORD }, { type: 'submit' }] as const
    const scraped = engine.scrape(secure.site.url('/login'), { actions, skipTlsVerification: true })
    await expect(scraped).rejects.toThrow('a secret is not filled in on a page of plain http')
    expect(leaks()).toEqual([])
  }, 60_000)

  it('is sent to its own host', async () => {
    secure.pages = {
      '/login': show(form('/in')),
      '/in': show('', 303, { location: '/members', 'set-cookie': 'sid=1; Path=/; Secure' }),
    }
    await using engine = createEngine(config)
    const flow = [{ type: 'fill', selector: '[name=pass]', secret: () => PASSWORD }, { type: 'submit' }] as const
    const { url } = siteLogin()
    await engine.scrape(secure.site.url('/members'), { login: { url, flow }, skipTlsVerification: true })
    expect(secure.told.filter((line) => line.startsWith('POST') && line.includes(PASSWORD))).toHaveLength(1)
  }, 60_000)
})

describe('the headers of a `function` that logs in', () => {
  const call = (url: string): LoginOptions => ({ url, function: async () => ({ headers: { 'X-Token': 'a-token' } }) })
  const tokens = ({ told }: Host): string[] => told.filter((line) => line.includes('a-token'))

  it('are for the host of its `url`, whatever host has the page, and for those of `headersFor`', async () => {
    const urls = [secure, other].map(({ site }) => site.url('/members'))
    const login = call(secure.site.url('/'))
    await using engine = createEngine({ ...config, fetcher: 'http' })
    await engine.batchScrape({ urls, login, skipTlsVerification: true }).finished()
    expect([tokens(secure).length, tokens(other)]).toEqual([1, []])
    const headersFor = [new URL(other.site.url('/')).host]
    await engine.batchScrape({ urls, login, headersFor, skipTlsVerification: true }).finished()
    expect([tokens(secure).length, tokens(other).length]).toEqual([2, 1])
  })

  it.each(['http', 'auto'] as const)(
    'follow no redirect to another host, by %s',
    async (fetcher) => {
      secure.pages = { '/moved': show('', 302, { location: other.site.url('/members') }) }
      other.pages = { '/': show(`<main><a href="${secure.site.url('/moved')}">on</a>${MEMBERS}</main>`) }
      await using engine = createEngine({ ...config, fetcher })
      const actions = fetcher === 'auto' ? ([{ type: 'wait', milliseconds: 10 }] as const) : undefined
      const scrapeOptions = { login: call(secure.site.url('/')), skipTlsVerification: true, actions }
      const request = { url: other.site.url('/'), allowExternalLinks: true, scrapeOptions, limit: 3 }
      await engine.crawl(request).finished()
      expect(tokens(secure).some((line) => line.includes('/moved'))).toBe(true)
      expect(tokens(other)).toEqual([])
    },
    60_000,
  )

  it('are not sent over plain http', async () => {
    const login = call(plain.site.url('/').replace('http:', 'https:'))
    await using engine = createEngine({ ...config, fetcher: 'http' })
    await engine.scrape(plain.site.url('/members'), { login })
    expect(tokens(plain)).toEqual([])
  })

  it('are called for once where a page of another host asks for a login, which says where to name it', async () => {
    let calls = 0
    const counted = async () => {
      calls += 1
      return { headers: { 'X-Token': 'a-token' } }
    }
    other.pages = { '/members': show('No', 401, { 'www-authenticate': 'Bearer' }) }
    await using engine = createEngine({ ...config, fetcher: 'http' })
    const login = { url: secure.site.url('/'), function: counted }
    const scraped = engine.scrape(other.site.url('/members'), { login, skipTlsVerification: true })
    await expect(scraped).rejects.toThrow('name it in `headersFor`')
    expect(calls).toBe(1)
  })
})
