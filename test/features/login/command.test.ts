import { expect, it } from 'vitest'
import { runHere } from '../../cli/run-here.js'
import { PASSWORD, startLoginSite, USER } from './login-site.js'

const crawl = (url: string, loginUrl: string, environment: Record<string, string>) => {
  const login = { url: loginUrl, fields: { username: USER }, secrets: { password: { env: 'SITE_PASSWORD' } } }
  return runHere(['crawl', url, '--crawl-entire-domain', '--login', JSON.stringify(login), '--strict'], environment)
}

it('the command line logs in with a password from the environment, again when the session has ended', async () => {
  await using site = await startLoginSite('absolute')
  const { code, stdout, stderr } = await crawl(site.url, site.loginUrl, { SITE_PASSWORD: PASSWORD })
  expect(stdout.trim().split('\n').length).toBe(site.pages)
  expect(site.logins()).toBeGreaterThan(1)
  expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining(PASSWORD)])
})

it('a variable that is not set is named', async () => {
  await using site = await startLoginSite('form')
  const { code, stderr } = await crawl(site.url, site.loginUrl, {})
  expect(stderr).toContain('`SITE_PASSWORD`')
  expect(code).toBe(1)
})
