import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createEngine, type EngineConfig, type LoginOptions, memoryProfiles } from '../../../src/index.js'
import type { Exchange } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'

/** Traits of a site that shows the box of its login to everybody, also to members. */
interface Traits {
  /** Element that holds the box. @default header */
  readonly holder?: 'header' | 'div'
  /** Where the login leads to; `in place` answers with the page itself. @default /account */
  readonly leadsTo?: '/account' | '/' | 'in place'
  /** What strangers get for a page of members: the login page, or its first words. @default login */
  readonly refusal?: 'login' | 'teaser'
  /** True if each answer has a time, a token and one of five advertisements. */
  readonly changes?: true
  /** True if the page to which the login leads has no box. */
  readonly isLandingBare?: true
  /** Pages of members after which the session ends. */
  readonly cuts?: readonly number[]
  /** How a wrong password is told: on the page, or on the next one that the visitor asks for. @default page */
  readonly tells?: 'page' | 'next page'
  readonly login?: Partial<LoginOptions>
}

const CONFIG: EngineConfig = { threads: 0, allowPrivateNetworks: true, fetcher: 'http', cache: false }
const wordsOf = (what: string): string =>
  Array.from({ length: 40 }, (_, at) => `<p>Ship ${at} of ${what} leaves with crates of fruit.</p>`).join('')

function makeAnswer(traits: Traits, counts: { logins: number; wrong: number; served: number }) {
  const { holder = 'header', leadsTo = '/account', refusal = 'login', cuts = [], tells = 'page' } = traits
  let session: string | undefined
  let visits = 0
  const show = (title: string, inner: string, hasBox = true): string => {
    visits += 1
    const token = traits.changes ? `<input type="hidden" name="token" value="${randomUUID()}">` : ''
    const box = `<form method="post" action="/login">${token}<input name="user"><input type="password" name="pass"><button>Log in</button></form>`
    const noise = traits.changes
      ? `<p>Visit ${visits}, ${randomUUID()}</p><div>Buy crates of kind ${(visits * 7) % 5} today</div><script>const nonce = "${randomUUID()}"</script>`
      : ''
    return `<title>${title}</title>${hasBox ? `<${holder}>${box}</${holder}>` : ''}<main><h1>${title}</h1>${noise}${inner}</main>`
  }
  return async ({ request, response, url: { pathname } }: Exchange): Promise<void> => {
    const { cookie = '' } = request.headers
    const isMember = session !== undefined && cookie.includes(`sid=${session}`)
    const isTold = cookie.includes('flash=1')
    const send = (html: string, headers = {}) =>
      void response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(html)
    const go = (location: string, headers = {}) => void response.writeHead(302, { location, ...headers }).end()
    const open = (path: string, more = '') => show(`Open ${path}`, `${more}${wordsOf('everybody')}`)
    if (request.method === 'POST') {
      let body = ''
      for await (const part of request) body += String(part)
      if (!body.includes('pass=right')) {
        counts.wrong += 1
        const [set, told] = [{ 'set-cookie': ['seen=1; Path=/', 'flash=1; Path=/'] }, '<p>Wrong password.</p>']
        return tells === 'page' ? send(open('/', told)) : go('/', set)
      }
      counts.logins += 1
      session = randomUUID()
      const headers = { 'set-cookie': `sid=${session}; Path=/` }
      return leadsTo === 'in place' ? send(open('/', '<p>Hello Anna</p>'), headers) : go(leadsTo, headers)
    }
    if (pathname === '/robots.txt') return void response.writeHead(404).end()
    if (pathname === '/login') return send(show('Sign in', ''))
    const flash = isTold ? { 'set-cookie': 'flash=0; Path=/' } : {}
    if (pathname === '/' || pathname.startsWith('/open/'))
      return send(open(pathname, isTold ? '<p>Wrong password.</p>' : ''), flash)
    if (!isMember) return refusal === 'login' ? go('/login') : send(show('Teaser', wordsOf('the teaser')), flash)
    if (pathname === '/account') return send(show('Account', wordsOf('Anna'), !traits.isLandingBare))
    counts.served += 1
    if (cuts.includes(counts.served)) session = undefined
    const links = ['/m/1', '/m/2', '/m/3', '/open/1', '/open/2'].map((path) => `<a href="${path}">To ${path}</a>`)
    send(show(`Members ${pathname}`, `${links.join(' ')}${wordsOf(`members at ${pathname}`)}`))
  }
}

const PAGES = ['Members /m/0', 'Members /m/1', 'Members /m/2', 'Members /m/3', 'Open /open/1', 'Open /open/2']

async function crawl(traits: Traits, password: string, machines = 1) {
  const counts = { logins: 0, wrong: 0, served: 0 }
  const answer = makeAnswer(traits, counts)
  await using site = await startSite({ pages: new Proxy({}, { get: () => answer }) })
  const options = { url: site.url('/login'), fields: { user: 'anna' }, secrets: { pass: () => password } }
  const profiles = memoryProfiles()
  const told: (readonly (string | undefined)[])[] = []
  for (let machine = 0; machine < machines; machine++) {
    await using engine = createEngine({ ...CONFIG, profiles, login: { ...options, ...traits.login } })
    const job = engine.crawl({ url: site.url('/m/0'), sitemap: 'skip', crawlEntireDomain: true })
    const { data } = await job.finished()
    const { errors } = await job.errors()
    const titles = data.map(({ metadata }) => metadata.title ?? '').toSorted((a, b) => (a < b ? -1 : 1))
    told.push([...titles, ...errors.map(({ error }) => error)])
  }
  return { told, ...counts }
}

it.each<[string, Traits]>([
  ['in its header, and leads to the account', {}],
  ['in its header, and answers in place', { leadsTo: 'in place' }],
  ['in its content, and leads to the account', { holder: 'div' }],
  ['in its content, and leads to a page that everybody gets', { holder: 'div', leadsTo: '/' }],
  ['on pages that change, and leads to one that everybody gets', { holder: 'div', leadsTo: '/', changes: true }],
  ['beside the first words of a page', { refusal: 'teaser', leadsTo: '/' }],
  ['beside the first words of pages that change', { refusal: 'teaser', leadsTo: '/', changes: true, holder: 'div' }],
  ['and whose members are known by a text', { leadsTo: 'in place', login: { loggedInWhen: { text: '<h1>' } } }],
  ['and to members on all pages but their account', { isLandingBare: true }],
  ['and to members on all pages but their account, which change', { isLandingBare: true, changes: true }],
])('no page is lost where a site shows its box to everybody %s', async (_, traits) => {
  const { told, wrong, logins } = await crawl(traits, 'right')
  expect({ told, wrong }).toEqual({ told: [PAGES], wrong: 0 })
  expect(logins).toBeLessThanOrEqual(2)
})

it.each<[string, Traits]>([
  ['to everybody', {}],
  ['to everybody, on pages that change', { changes: true, leadsTo: '/' }],
  ['to members on all pages but their account', { isLandingBare: true, changes: true }],
])('no page is lost where sessions end at a site that shows its box %s', async (_, traits) => {
  const { told, wrong, logins } = await crawl({ ...traits, cuts: [1, 3] }, 'right')
  expect({ told, wrong }).toEqual({ told: [PAGES], wrong: 0 })
  expect(logins).toBeLessThanOrEqual(4)
})

it('a session is taken over where pages that change show the box to everybody', async () => {
  const { told, logins } = await crawl({ changes: true, leadsTo: '/' }, 'right', 2)
  expect(told).toEqual([PAGES, PAGES])
  expect(logins).toBeLessThanOrEqual(2)
})

it.each<[string, Traits]>([
  ['on its page', {}],
  ['on a page that changes', { changes: true, holder: 'div' }],
  ['on the next page, and gives cookies', { tells: 'next page' }],
  ['on the next page, which changes, and gives cookies', { tells: 'next page', changes: true }],
  ['beside the first words of a page', { tells: 'next page', refusal: 'teaser' }],
  ['beside the first words of pages that change', { tells: 'next page', refusal: 'teaser', changes: true }],
])('a wrong password is sent twice at most where a site with a box for everybody tells it %s', async (_, traits) => {
  const { told, wrong, logins } = await crawl(traits, 'wrong')
  expect(told).toEqual([[expect.stringContaining('was given up')]])
  expect({ wrong, logins }).toEqual({ wrong: 2, logins: 0 })
})
