import { expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import type { Exchange } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'

const SECRET = 'hunter2-of-anna'
const FORM =
  '<title>Sign in</title><form method="post" action="/login"><input name="user"><input type="password" name="pass"></form>'
const MEMBERS = `<title>Members</title>${'<p>Words for members alone.</p>'.repeat(40)}`

/** Ways in which the page of the second login has what the site was sent in the first one. */
const ways: Record<string, readonly [status: number, headers: object, html: string]> = {
  'in the name of a field': [200, {}, `<title>Sign in</title><form><input name="${SECRET}"></form>`],
  'in another scheme': [302, { location: `${SECRET}:a` }, ''],
  'in a host': [302, { location: `http://${SECRET}.invalid/` }, ''],
}

it.each(Object.entries(ways))(
  'a later login that fails before it asks for a secret does not show it %s',
  async (_, way) => {
    let hasEnded = false
    const answer = async ({ request, response, url }: Exchange): Promise<void> => {
      const send = (status: number, headers: object, html: string) =>
        void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html)
      if (request.method === 'POST') return send(302, { location: '/a', 'set-cookie': 'sid=1; Path=/' }, '')
      if (url.pathname === '/login') return hasEnded ? send(...way) : send(200, {}, FORM)
      if (!hasEnded && request.headers.cookie?.includes('sid=1')) return send(200, {}, MEMBERS)
      send(401, {}, 'No')
    }
    await using site = await startSite({ pages: { '/login': answer, '/a': answer, '/b': answer } })
    await using engine = createEngine({
      threads: 0,
      allowPrivateNetworks: true,
      fetcher: 'http',
      cache: false,
      retry: { maxRetries: 0 },
      login: { url: site.url('/login'), fields: { user: 'anna' }, secrets: { pass: () => SECRET } },
    })
    expect((await engine.scrape(site.url('/a'))).metadata.title).toBe('Members')
    hasEnded = true
    const error: unknown = await engine.scrape(site.url('/b')).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ message: expect.stringContaining('the login at') })
    expect(String(error)).not.toContain(SECRET)
  },
)
