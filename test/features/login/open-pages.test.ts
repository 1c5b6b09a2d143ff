import { expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import type { Exchange } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'

const FORM = '<form method="post" action="/login"><input name="user"><input type="password" name="pass"></form>'
const WORDS = '<p>Words about the harbour and its ships.</p>'.repeat(40)

/** Crawls members' pages that link to pages for everybody, which are all alike. */
async function crawl(open: string) {
  const answer = ({ request, response, url }: Exchange): void => {
    const isMember = request.headers.cookie?.includes('sid=1') === true
    const send = (status: number, headers: object, html = '') =>
      void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html)
    if (request.method === 'POST') return send(302, { location: '/m/0', 'set-cookie': 'sid=1; Path=/' })
    if (url.pathname === '/login') return send(200, {}, `<title>Sign in</title>${FORM}`)
    if (url.pathname.startsWith('/open/')) return send(200, {}, open)
    if (!isMember) return send(302, { location: '/login' })
    const links = ['/m/1', '/open/1', '/open/2'].map((path) => `<a href="${path}">To ${path}</a>`).join(' ')
    send(200, {}, `<title>Members</title>${WORDS}${links}`)
  }
  await using site = await startSite({ pages: new Proxy({}, { get: () => answer }) })
  await using engine = createEngine({
    threads: 0,
    allowPrivateNetworks: true,
    fetcher: 'http',
    cache: false,
    login: { url: site.url('/login'), fields: { user: 'anna' }, secrets: { pass: () => 'right' } },
  })
  const job = engine.crawl({ url: site.url('/m/0'), sitemap: 'skip', crawlEntireDomain: true })
  const { data } = await job.finished()
  const errors = (await job.errors()).errors.map(({ code }) => code)
  const logins = site.requests.filter(({ method }) => method === 'POST').length
  return {
    titles: data.map(({ metadata }) => String(metadata.title)).toSorted((a, b) => a.localeCompare(b)),
    errors,
    logins,
  }
}

it('pages with a box for the login that everybody gets are documents, also where the login was seen', async () => {
  const { titles, errors, logins } = await crawl(`<title>Open</title><header>${FORM}</header>${WORDS}`)
  expect({ titles, errors }).toEqual({ titles: ['Members', 'Members', 'Open', 'Open'], errors: [] })
  expect(logins).toBeLessThanOrEqual(2)
})

it('pages that show everybody the form and little else are none', async () => {
  const { titles, errors } = await crawl(`<title>For others</title>${FORM}`)
  expect({ titles, errors }).toEqual({ titles: ['Members', 'Members'], errors: ['LOGIN_REQUIRED', 'LOGIN_REQUIRED'] })
})
