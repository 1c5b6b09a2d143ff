import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createEngine, type EngineConfig, type LoginOptions } from '../../../src/index.js'
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
