import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createEngine,
  type Engine,
  type EngineConfig,
  type LoginOptions,
  memoryProfiles,
  type ProfileStore,
} from '../../../src/index.js'
import { makeTotp } from '../../../src/features/login/totp.js'
import type { Exchange } from '../../site/exchange.js'
import { type Site, startSite } from '../../site/site.js'
import { SEED } from './login-site.js'

const config: EngineConfig = { threads: 0, allowPrivateNetworks: true, fetcher: 'http', cache: false }
const FORM = '<form method="post" action="/login"><input name="user"><input type="password" name="pass"></form>'
const CODE_FORM = '<form method="post" action="/code"><input name="digits" autocomplete="one-time-code"></form>'
const MEMBERS = `<title>Members</title><main>${'<p>Words for members alone.</p>'.repeat(40)}</main>`

let site: Site
/** True where the login asks for a code behind the password. */
let asksCode = false
/** True where pages are the login page, until the login lets in again who has the cookie. */
let isCut = false
let logins = 0

async function answer({ request, response, url }: Exchange): Promise<void> {
  let body = ''
  for await (const part of request) body += String(part)
  const sent = new URLSearchParams(body)
  const send = (html: string) => void response.writeHead(200, { 'content-type': 'text/html' }).end(html)
  const go = (location: string, headers: object = {}) => void response.writeHead(302, { location, ...headers }).end()
  const isIn = /sid=1/.test(request.headers.cookie ?? '')
  const begin = () => {
    logins += 1
    go('/page', { 'set-cookie': 'sid=1; Path=/' })
  }
  if (url.pathname === '/code') return sent.get('digits') === makeTotp(SEED, Date.now()) ? begin() : send(CODE_FORM)
  if (url.pathname === '/login' && isIn && request.method === 'GET') return go('/sso')
  if (url.pathname === '/sso') {
    isCut = false
    return go('/page')
  }
  if (url.pathname !== '/login' && isIn && isCut) return send(`<title>Sign in</title>${FORM}`)
  if (url.pathname !== '/login') return isIn ? send(MEMBERS) : go('/login')
  if (sent.get('pass') !== 'right') return send(`<title>Sign in</title>${FORM}`)
  if (asksCode) send(`<title>Check</title>${CODE_FORM}`)
  else begin()
}

const loginWith = (password: string, more: LoginOptions['secrets'] = {}): LoginOptions => ({
  url: site.url('/login'),
  fields: { username: 'anna' },
  secrets: { password: () => password, ...more },
})

const titleOf = async (engine: Engine, login: LoginOptions) => {
  const { metadata } = await engine.scrape(site.url('/page'), { login })
  return metadata.title
}

/** Returns two stores of the same sessions, as two of one folder are. */
function makeStores(): [ProfileStore, ProfileStore] {
  const kept = memoryProfiles()
  const open = (): ProfileStore => ({ read: kept.read.bind(kept), save: kept.save.bind(kept) })
  return [open(), open()]
}

beforeEach(async () => {
  site = await startSite({ pages: new Proxy({}, { get: () => answer }) })
  ;[asksCode, isCut, logins] = [false, false, 0]
})
afterEach(() => site.close())

describe('a living session is not given for another password', () => {
  it('where each engine has a store of its own over the same sessions', async () => {
    const [own, others] = makeStores()
    await using engine = createEngine({ ...config, profiles: own })
    await using other = createEngine({ ...config, profiles: others })
    expect(await titleOf(engine, loginWith('right'))).toBe('Members')
    await expect(titleOf(other, loginWith('wrong'))).rejects.toMatchObject({ code: 'LOGIN_REQUIRED' })
    expect(await titleOf(other, loginWith('right'))).toBe('Members')
    expect(logins).toBe(1)
  })

  it('where the site let its owner in again without a form', async () => {
    const profiles = memoryProfiles()
    await using engine = createEngine({ ...config, profiles })
    await using other = createEngine({ ...config, profiles })
    expect(await titleOf(engine, loginWith('right'))).toBe('Members')
    isCut = true
    const login = loginWith('right')
    expect(await titleOf(engine, login)).toBe('Members')
    isCut = true
    expect(await titleOf(engine, login)).toBe('Members')
    expect([isCut, logins]).toEqual([false, 1])
    await expect(titleOf(other, loginWith('wrong'))).rejects.toMatchObject({ code: 'LOGIN_REQUIRED' })
  })
})

it('a function that gets a code is not asked for one where no site has sent any', async () => {
  asksCode = true
  let asked = 0
  const code = () => {
    asked += 1
    return makeTotp(SEED, Date.now())
  }
  const profiles = memoryProfiles()
  await using engine = createEngine({ ...config, profiles })
  await using other = createEngine({ ...config, profiles })
  expect(await titleOf(engine, loginWith('right', { code }))).toBe('Members')
  expect(await titleOf(other, loginWith('right', { code }))).toBe('Members')
  expect([asked, logins]).toEqual([1, 1])
  await expect(titleOf(other, loginWith('wrong', { code }))).rejects.toMatchObject({ code: 'LOGIN_REQUIRED' })
  expect(asked).toBe(1)
})

it('who cannot say his password for a living session is told so, and it lives on', async () => {
  const profiles = memoryProfiles()
  await using engine = createEngine({ ...config, profiles })
  await using other = createEngine({ ...config, profiles })
  const login = loginWith('right')
  expect(await titleOf(engine, login)).toBe('Members')
  const failing = loginWith('', { password: () => Promise.reject(new Error('no vault')) })
  await expect(titleOf(other, failing)).rejects.toThrow('the function of the secret `password` failed')
  expect(await titleOf(engine, login)).toBe('Members')
  expect(logins).toBe(1)
})
