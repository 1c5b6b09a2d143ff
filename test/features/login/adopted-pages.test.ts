import { expect, it } from 'vitest'
import { createEngine, type EngineConfig, memoryProfiles } from '../../../src/index.js'
import type { Exchange } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'

const config: EngineConfig = { threads: 0, allowPrivateNetworks: true, fetcher: 'http', cache: false }
const FORM = '<form method="post" action="/login"><input name="user"><input type="password" name="pass"></form>'
const WORDS = '<p>Words about the harbour and about its ships.</p>'.repeat(40)
const MISSING = '<title>Missing</title><p>There is nothing here.</p>'

/** Answer for a visitor: its status and its source. */
type Answer = readonly [status: number, html: string]

/** Logs in on one machine, and scrapes pages on another one, which takes the session over. @param start answers `/start`, the nth time */
async function scrapeElsewhere(start: (isMember: boolean, nth: number) => Answer, paths: readonly string[]) {
  let [logins, starts] = [0, 0]
  const answer = ({ request, response, url }: Exchange): void => {
    const isMember = /sid=/.test(request.headers.cookie ?? '')
    const go = (location: string, headers = {}) => void response.writeHead(302, { location, ...headers }).end()
    const send = ([status, html]: Answer) => void response.writeHead(status, { 'content-type': 'text/html' }).end(html)
    if (request.method === 'POST') return go('/home', { 'set-cookie': `sid=${(logins += 1)}; Path=/` })
    if (url.pathname === '/login') return isMember ? go('/home') : send([200, `<title>Sign in</title>${FORM}`])
    if (url.pathname === '/start') return send(start(isMember, (starts += 1)))
    if (url.pathname === '/missing') return send([404, MISSING])
    return isMember ? send([200, `<title>Members</title>${WORDS}`]) : go('/login')
  }
  await using site = await startSite({ pages: new Proxy({}, { get: () => answer }) })
  const login = { url: site.url('/login'), fields: { user: 'anna' }, secrets: { pass: () => 'right' } }
  const profiles = memoryProfiles()
  await using first = createEngine({ ...config, profiles })
  await first.scrape(site.url('/members'), { login })
  await using second = createEngine({ ...config, profiles })
  const titles: (string | undefined)[] = []
  for (const path of paths) titles.push((await second.scrape(site.url(path), { login })).metadata.title)
  return { titles, logins }
}

it.each<[string, (isMember: boolean, nth: number) => Answer]>([
  [
    'an error that members get for missing pages',
    (isMember) => (isMember ? [200, '<title>Start</title>'] : [404, MISSING]),
  ],
  ['an error that passes', (_, nth) => (nth === 1 ? [503, MISSING] : [200, '<title>Start</title>'])],
  [
    'a page, and the member an error that passes',
    (_, nth) => (nth === 2 ? [404, MISSING] : [200, '<title>Start</title>']),
  ],
  ['that of another machine of the site', (_, nth) => [200, `<title>Start</title><!-- ${nth % 2} -->${WORDS}`]],
  ['the same box for the login', () => [200, `<title>Start</title><header>${FORM}</header>${WORDS}`]],
])('no page is taken for that of strangers where they get %s', async (_, start) => {
  const { titles, logins } = await scrapeElsewhere(start, ['/start', '/missing', '/start', '/members', '/start'])
  expect(titles).toEqual(['Start', 'Missing', 'Start', 'Members', 'Start'])
  expect(logins).toBe(1)
})
