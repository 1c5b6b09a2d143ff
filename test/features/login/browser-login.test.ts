import { inspect } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { createEngine, type EngineConfig, type LoginOptions } from '../../../src/index.js'
import { startSite } from '../../site/site.js'
import { PASSWORD, startLoginSite, USER } from './login-site.js'

const config: EngineConfig = { threads: 0, allowPrivateNetworks: true, cache: false }

const loginFor = (url: string, password = PASSWORD): LoginOptions => ({
  url,
  fields: { username: USER },
  secrets: { password: () => password },
})

describe('a form that a script makes', () => {
  it('is filled in in the browser, and again when the session has ended', async () => {
    await using site = await startLoginSite('script form', [3])
    await using engine = createEngine(config)
    const job = engine.crawl({
      url: site.url,
      crawlEntireDomain: true,
      scrapeOptions: { login: loginFor(site.loginUrl) },
    })
    const status = await job.finished()
    expect((await job.errors()).errors).toEqual([])
    expect(status.data.map(({ metadata }) => metadata.title)).toHaveLength(site.pages)
    expect(status.data.every(({ metadata }) => metadata.title?.startsWith('Day'))).toBe(true)
    expect(site.logins()).toBe(2)
    expect(site.wrong()).toBe(0)
  }, 60_000)

  it('is tried at most twice with a wrong password, of which nothing is told', async () => {
    await using site = await startLoginSite('script form')
    await using engine = createEngine(config)
    const scraped = engine.scrape(site.url, { login: loginFor(site.loginUrl, 'wrong-password-2') })
    const error = await scraped.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'LOGIN_REQUIRED' })
    expect(inspect(error, { depth: 10 })).not.toContain('wrong-password-2')
    expect(site.wrong()).toBeLessThanOrEqual(2)
    expect(site.wrong()).toBeGreaterThan(0)
  }, 60_000)
})

it('a form with a wrong password is sent at most twice, over HTTP and in the browser', async () => {
  await using site = await startLoginSite('form')
  await using engine = createEngine(config)
  await expect(engine.scrape(site.url, { login: loginFor(site.loginUrl, 'wrong') })).rejects.toMatchObject({
    code: 'LOGIN_REQUIRED',
  })
  // The browser itself may refuse to send what is no e-mail address.
  expect([1, 2]).toContain(site.wrong())
}, 60_000)

it('a wrong password is sent at most twice by all calls of an engine', async () => {
  await using site = await startLoginSite('form')
  await using engine = createEngine({ ...config, fetcher: 'http' })
  const password = (): string => 'wrong'
  const login: LoginOptions = { url: site.loginUrl, fields: { username: USER }, secrets: { password } }
  for (let call = 0; call < 3; call += 1)
    await expect(engine.scrape(site.url, { login })).rejects.toMatchObject({ code: 'LOGIN_REQUIRED' })
  expect(site.wrong()).toBe(2)
}, 60_000)

describe('a function that logs in', () => {
  const open = (call: NonNullable<LoginOptions['function']>, now?: () => number) => {
    const engine = createEngine({ ...config, now })
    return { engine, login: { url: 'http://127.0.0.1:9/', function: call } satisfies LoginOptions }
  }

  it('is called again some time after failures that pass, and its error is not quoted', async () => {
    await using site = await startSite({ pages: { '/': '<title>A page</title><p>It has a text.</p>' } })
    let nowMs = Date.now()
    let calls = 0
    const { engine, login } = open(
      async () => {
        calls += 1
        if (calls <= 3) throw new Error('401 for Bearer of-no-use')
        return { headers: {} }
      },
      () => nowMs,
    )
    await using _ = engine
    const scrape = () => engine.scrape(site.url('/'), { login })
    const errors: unknown[] = []
    for (let call = 0; call < 3; call += 1) errors.push(await scrape().catch((thrown: unknown) => thrown))
    expect(inspect(errors, { depth: 10 })).not.toContain('of-no-use')
    // It is given up now, and not for good.
    await expect(scrape()).rejects.toMatchObject({ code: 'LOGIN_REQUIRED' })
    expect(calls).toBe(3)
    nowMs += 120_000
    expect((await scrape()).metadata.title).toBe('A page')
    expect(calls).toBe(4)
  }, 60_000)

  it.each([undefined, 'Bearer a', { headers: { A: 5 } }, { headers: { A: 'a\r\nB: b' } }, { headers: { 'A b': 'a' } }])(
    'must return headers: %j',
    async (wrong) => {
      await using site = await startLoginSite('form')
      for (const call of [() => wrong, async () => wrong]) {
        const { engine, login } = open(call as never)
        await using _ = engine
        await expect(engine.scrape(site.url, { login })).rejects.toThrow('must return `{ headers }` with texts')
      }
    },
    60_000,
  )

  it('may return them at once', async () => {
    await using site = await startSite({ pages: { '/': '<title>A page</title><p>It has a text.</p>' } })
    await using engine = createEngine(config)
    const login = { url: site.url('/'), function: () => ({ headers: { 'X-Token': 'a' } }) }
    expect((await engine.scrape(site.url('/'), { login })).metadata.title).toBe('A page')
    expect(site.requests.at(-1)?.headers['x-token']).toBe('a')
  })

  it('is told when the engine closes', async () => {
    await using site = await startLoginSite('form')
    const signals: AbortSignal[] = []
    const call = ({ signal }: { signal: AbortSignal }) =>
      new Promise<never>((_, reject) => {
        signals.push(signal)
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
    const { engine, login } = open(call)
    const scraped = engine.scrape(site.url, { login }).catch((thrown: unknown) => thrown)
    await vi.waitFor(() => expect(signals).toHaveLength(1), { timeout: 10_000 })
    await engine.close()
    expect(signals[0]?.aborted).toBe(true)
    expect(await scraped).toBeInstanceOf(Error)
  }, 60_000)
})
