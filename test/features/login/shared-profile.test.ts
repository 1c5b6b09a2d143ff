import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createEngine,
  type EngineConfig,
  type LoginOptions,
  memoryProfiles,
  type ProfileStore,
} from '../../../src/index.js'
import type { Exchange } from '../../site/exchange.js'
import { type Site, startSite } from '../../site/site.js'
import { loginFor, startLoginSite } from './login-site.js'

const config: EngineConfig = { threads: 0, allowPrivateNetworks: true, fetcher: 'http', cache: false }
const FORM = '<form method="post" action="/login"><input name="user"><input type="password" name="pass"></form>'

/** Answers with the name of the account whose cookie came; who is logged in is shown no form. */
async function answer({ request, response, url }: Exchange): Promise<void> {
  let body = ''
  for await (const part of request) body += String(part)
  const user = /user=(\w+)/.exec(request.headers.cookie ?? '')?.[1]
  const send = (status: number, html: string, headers: object = {}) =>
    void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html)
  if (url.pathname === '/login' && request.method === 'POST')
    return send(302, '', { location: '/', 'set-cookie': `user=${new URLSearchParams(body).get('user')}; Path=/` })
  if (url.pathname === '/login' && user === undefined) return send(200, `<title>Sign in</title>${FORM}`)
  if (user === undefined || url.pathname === '/login')
    return send(302, '', { location: user === undefined ? '/login' : '/' })
  send(200, `<title>Pages of ${user}</title><main>${'<p>Words for members alone.</p>'.repeat(40)}</main>`)
}

describe('two accounts of a site', () => {
  let site: Site
  beforeAll(async () => void (site = await startSite({ pages: new Proxy({}, { get: () => answer }) })))
  afterAll(() => site.close())

  const of = (username: string, profile?: string): LoginOptions => ({
    url: site.url('/login'),
    fields: { username },
    secrets: { password: () => 'a password' },
    profile,
  })

  it('never share a session where no profile is named', async () => {
    await using engine = createEngine(config)
    const logins = ['anna', 'bert', 'anna', 'carl'].map((name) => of(name))
    const pages = await Promise.all(logins.map((login) => engine.scrape(site.url('/page'), { login })))
    expect(pages.map(({ metadata }) => metadata.title)).toEqual(
      ['anna', 'bert', 'anna', 'carl'].map((name) => `Pages of ${name}`),
    )
  })

  it('are told by their passwords: who knows a name alone gets no page of a living session', async () => {
    let password = 'right'
    let logins = 0
    const strict = async (exchange: Exchange): Promise<void> => {
      const { request, response, url } = exchange
      if (url.pathname !== '/login' || request.method !== 'POST') return await answer(exchange)
      let body = ''
      for await (const part of request) body += String(part)
      const sent = new URLSearchParams(body)
      logins += 1
      const isRight = sent.get('pass') === password
      const headers = isRight ? { location: '/', 'set-cookie': `user=${sent.get('user')}; Path=/` } : {}
      response.writeHead(isRight ? 302 : 200, { 'content-type': 'text/html', ...headers }).end(isRight ? '' : FORM)
    }
    await using served = await startSite({ pages: new Proxy({}, { get: () => strict }) })
    const as = (given: string): LoginOptions => ({
      url: served.url('/login'),
      fields: { username: 'anna' },
      secrets: { password: () => given },
    })
    const store = memoryProfiles()
    await using engine = createEngine({ ...config, profiles: store })
    await using other = createEngine({ ...config, profiles: store })
    const titleFor = async (from: typeof engine, given: string) => {
      const { metadata } = await from.scrape(served.url('/page'), { login: as(given) })
      return metadata.title
    }
    expect(await titleFor(engine, 'right')).toBe('Pages of anna')
    expect(await titleFor(engine, 'right')).toBe('Pages of anna')
    expect(logins).toBe(1)
    for (const from of [engine, other])
      await expect(titleFor(from, 'wrong')).rejects.toMatchObject({ code: 'LOGIN_REQUIRED' })
    expect(logins).toBe(5)
    // Whose password is right is not disturbed, and a new password counts at once.
    expect(await titleFor(engine, 'right')).toBe('Pages of anna')
    expect(logins).toBe(5)
    password = 'new'
    expect(await titleFor(engine, 'new')).toBe('Pages of anna')
    await expect(titleFor(engine, 'right')).rejects.toMatchObject({ code: 'LOGIN_REQUIRED' })
  })

  it.each(['fields', 'variables'])('are told by their %s', async (by) => {
    await using engine = createEngine({ ...config, env: { A: 'anna', B: 'bert' } })
    const secret = (name: string): LoginOptions => ({
      url: site.url('/login'),
      secrets: { username: { env: name }, password: () => 'a password' },
    })
    const logins = by === 'fields' ? [of('anna'), of('bert')] : [secret('A'), secret('B')]
    const pages = await Promise.all(logins.map((login) => engine.scrape(site.url('/page'), { login })))
    expect(pages.map(({ metadata }) => metadata.title)).toEqual(['Pages of anna', 'Pages of bert'])
  })

  it('are told by their flow', async () => {
    await using engine = createEngine({ ...config, fetcher: 'auto' })
    const flowOf = (text: string): LoginOptions => ({
      url: site.url('/login'),
      flow: [
        { type: 'fill', selector: '[name=user]', text },
        { type: 'fill', selector: '[name=pass]', secret: () => 'a password' },
        { type: 'submit' },
        { type: 'wait', milliseconds: 300 },
      ],
    })
    for (const name of ['anna', 'bert', 'anna']) {
      const page = await engine.scrape(site.url('/page'), { login: flowOf(name) })
      expect(page.metadata.title).toBe(`Pages of ${name}`)
    }
  }, 60_000)

  it('cannot use one profile in an engine: the second is told to name its own', async () => {
    await using engine = createEngine(config)
    await engine.scrape(site.url('/page'), { login: of('anna', 'team') })
    const second = engine.scrape(site.url('/page'), { login: of('bert', 'team') })
    await expect(second).rejects.toThrow('the profile `team` is that of another account')
    const page = await engine.scrape(site.url('/page'), { login: of('anna', 'team') })
    expect(page.metadata.title).toBe('Pages of anna')
  })

  it('may use one profile one after the other: the session of the first is left', async () => {
    const profiles = memoryProfiles()
    for (const name of ['anna', 'bert', 'anna']) {
      await using engine = createEngine({ ...config, profiles })
      const page = await engine.scrape(site.url('/page'), { login: of(name, 'team') })
      expect(page.metadata.title).toBe(`Pages of ${name}`)
    }
  })
})

describe('a store of profiles that hangs', () => {
  const never = () => new Promise<never>(() => undefined)
  const hanging: Record<string, Partial<ProfileStore>> = {
    'when it is read': { read: never },
    'when it is written': { save: never },
    'when it is locked': { lock: never },
    'when its lock is given back': { lock: async () => never },
  }

  it(`does not keep the engine from closing: ${Object.keys(hanging).join(', ')}`, async () => {
    await using site = await startLoginSite('form')
    const ends = Object.entries(hanging).map(async ([how, part]) => {
      const engine = createEngine({ ...config, profiles: { ...memoryProfiles(), ...part } })
      const scraped = engine.scrape(site.url, { login: loginFor(site, 'form'), timeout: 1000 })
      await expect(scraped).rejects.toBeInstanceOf(Error)
      const closed = engine.close().then(() => `${how}: closed`)
      return Promise.race([closed, sleep(30_000, `${how}: hangs`, { ref: false })])
    })
    expect(await Promise.all(ends)).toEqual(Object.keys(hanging).map((how) => `${how}: closed`))
  })

  it('gives a lock back that comes when nobody waits for it any more', async () => {
    await using site = await startLoginSite('form')
    let give: (() => void) | undefined
    let isGivenBack = false
    const lock = () =>
      new Promise<() => Promise<void>>((resolve) => {
        give = () => resolve(async () => void (isGivenBack = true))
      })
    const engine = createEngine({ ...config, profiles: { ...memoryProfiles(), lock } })
    const scraped = engine.scrape(site.url, { login: loginFor(site, 'form'), timeout: 1000 })
    await expect(scraped).rejects.toBeInstanceOf(Error)
    await engine.close()
    give?.()
    await expect.poll(() => isGivenBack).toBe(true)
  })
})
