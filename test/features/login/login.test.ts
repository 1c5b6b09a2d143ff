import { describe, expect, it } from 'vitest'
import { createEngine, type EngineConfig, type LoginOptions } from '../../../src/index.js'
import { crawlSite, kinds, loginFor, PASSWORD, startLoginSite, titlesOf, USER } from './login-site.js'

const config: EngineConfig = { threads: 0, allowPrivateNetworks: true, fetcher: 'http', cache: false }

describe.each(kinds.filter((kind) => kind !== 'script form'))('a site with a login: %s', (kind) => {
  it.each([[], [0], [3], [5, 9]])('loses no page when its sessions end %j', async (...cutAt) => {
    await using site = await startLoginSite(kind, cutAt)
    const { status, titles, errors } = await crawlSite(site, loginFor(site, kind), config)
    expect(errors).toEqual([])
    expect(titles).toEqual(titlesOf(site))
    expect(status).toMatchObject({ status: 'completed', failed: 0 })
    const cuts = kind === 'absolute' ? 3 : cutAt.length
    if (kind === 'token') expect(site.tokens()).toBeLessThanOrEqual(1 + cuts)
    else expect(site.logins()).toBeLessThanOrEqual(1 + cuts)
    expect(site.log.filter((line) => /logout|sign_out/.test(line))).toEqual([])
    expect(site.wrong()).toBe(0)
  })
})

describe('a wrong password', () => {
  it.each(['form', 'two steps', 'sso', 'soft'] as const)(
    'is tried twice at most, by %s, and the job says so',
    async (kind) => {
      await using site = await startLoginSite(kind)
      const { status, errors } = await crawlSite(site, loginFor(site, kind, 'wrong-password-1'), config)
      expect(site.wrong()).toBe(2)
      expect(status.data).toEqual([])
      expect(errors).toMatchObject([{ code: 'LOGIN_REQUIRED' }])
      expect(status.warning).toContain('LOGIN_REQUIRED')
      expect(JSON.stringify([status, errors])).not.toContain('wrong-password-1')
    },
  )
})

describe('pages without `login`', () => {
  it.each(['form', 'soft', '401', '403 form'] as const)('are no documents where the session ends: %s', async (kind) => {
    await using site = await startLoginSite(kind, [6])
    await using engine = createEngine(config)
    const page = await engine.scrape(site.url, { login: loginFor(site, kind), profile: { name: 'p' } })
    expect(page.metadata.title).toBe('Day 0 of the harbour')
    const job = engine.crawl({ url: site.url, crawlEntireDomain: true, scrapeOptions: { profile: { name: 'p' } } })
    const paused: object[] = []
    job.on('paused', (pause) => paused.push(pause))
    const status = await job.finished()
    expect(status.data.every(({ metadata }) => metadata.title?.startsWith('Day'))).toBe(true)
    // One page by the redirect of the login, and one by `scrape()`.
    expect(status.completed).toBe(4)
    expect(status.failed).toBeGreaterThan(0)
    expect(status.warning).toContain('LOGIN_REQUIRED')
    expect(paused).toHaveLength(1)
    expect(site.logins()).toBe(1)
  })
})

it('several engines that share profiles log in once', async () => {
  const { memoryProfiles } = await import('../../../src/index.js')
  await using site = await startLoginSite('form', [5])
  const profiles = memoryProfiles()
  const results = await Promise.all(
    Array.from({ length: 4 }, () =>
      crawlSite(site, { ...loginFor(site, 'form'), profile: 'team' }, { ...config, profiles }),
    ),
  )
  for (const { titles } of results) expect(titles).toEqual(titlesOf(site))
  expect(site.logins()).toBe(2)
})

it('tells of each pause', async () => {
  await using site = await startLoginSite('form', [5])
  const { paused } = await crawlSite(site, loginFor(site, 'form'), config)
  expect(paused).toMatchObject([{ code: 'LOGIN_REQUIRED', host: new URL(site.url).host }])
})

it('asks for a secret by `env`, and refuses one in a request', async () => {
  await using site = await startLoginSite('form')
  const login: LoginOptions = {
    url: site.loginUrl,
    fields: { user: USER },
    secrets: { pass: { env: 'SITE_PASSWORD' } },
  }
  const { titles } = await crawlSite(site, login, { ...config, env: { SITE_PASSWORD: PASSWORD } })
  expect(titles).toEqual(titlesOf(site))
  const without = await crawlSite(site, login, config)
  expect(without.errors[0]?.error).toContain('`env` of the engine has no `SITE_PASSWORD`')
  await using engine = createEngine(config)
  const wrong = { ...login, secrets: { pass: PASSWORD } } as unknown as LoginOptions
  await expect(engine.scrape(site.url, { login: wrong })).rejects.toThrow('a secret itself must not be in a request')
  await expect(engine.scrape(site.url, { login: wrong })).rejects.not.toThrow(PASSWORD)
})
