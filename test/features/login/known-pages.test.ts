import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { startSite, type Site } from '../../site/site.js'
import { loginPages, SIGN_IN } from './login-markup.js'
import { ordinaryPages } from './ordinary-pages.js'

const engine = createEngine({
  threads: 0,
  allowPrivateNetworks: true,
  fetcher: 'http',
  cache: false,
  retry: { maxRetries: 0 },
})
const logins = Object.entries(loginPages)
const ordinary = Object.entries(ordinaryPages)
let site: Site
beforeAll(async () => {
  site = await startSite({
    pages: {
      '/users/sign_in': SIGN_IN,
      ...Object.fromEntries(
        logins.map(([, { html, status = 200, headers }], nth) => [
          `/reports/${nth}`,
          ({ response }) =>
            void response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html),
        ]),
      ),
      ...Object.fromEntries(ordinary.map(([, html], nth) => [`/posts/${nth}`, html])),
    },
  })
})
afterAll(async () => {
  await engine.close()
  await site.close()
})

const scrape = (path: string) => engine.scrape(site.url(path), { headers: { Cookie: 'session=1' } })

describe('a login page in the place of a page that was asked for is no document', () => {
  it.each(logins.map(([name], nth) => [name, nth] as const))('%s', async (_, nth) => {
    await expect(scrape(`/reports/${nth}`)).rejects.toMatchObject({ code: 'LOGIN_REQUIRED' })
  })
})

describe('a page that speaks of logging in is a document', () => {
  it.each(ordinary.map(([name], nth) => [name, nth] as const))('%s', async (_, nth) => {
    await expect(scrape(`/posts/${nth}`)).resolves.toHaveProperty('markdown')
  })
})
