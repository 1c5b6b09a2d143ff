import { afterEach, describe, expect, it } from 'vitest'
import { createRobots, type Robots } from '../../../src/kernel/frontier/robots/robots.js'
import type { Handler } from '../../site/exchange.js'
import { type Site, startSite } from '../../site/site.js'
import { getSiteFile } from './get-site-file.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const sites: Site[] = []
afterEach(() => Promise.all(sites.splice(0).map((site) => site.close())))

/** A site whose `robots.txt` is the result of `answer`, and a manual clock. */
async function openSite(answer: string | Handler | undefined) {
  const site = await startSite({ pages: answer === undefined ? {} : { '/robots.txt': answer } })
  sites.push(site)
  const clock = { ms: 1_000_000 }
  const robots: Robots = createRobots({ get: getSiteFile, now: () => clock.ms })
  const judge = (path: string, agent = 'trawl') => robots.judge(new URL(site.url(path)), agent)
  const countAsked = (): number => site.requests.filter(({ path }) => path === '/robots.txt').length
  return { site, clock, robots, judge, countAsked }
}

const rules: Handler = ({ response }) => {
  response.writeHead(200, { 'content-type': 'text/plain' })
  response.end('User-agent: *\nDisallow: /private\nCrawl-delay: 2\n')
}

const answerWith =
  (status: number, headers: Record<string, string> = {}): Handler =>
  ({ response }) => {
    response.writeHead(status, headers)
    response.end('User-agent: *\nDisallow: /')
  }

describe('the robots.txt of a site', () => {
  it('decides what is allowed, by which line of which file, and with which delay', async () => {
    const { site, judge } = await openSite(rules)
    const robotsUrl = site.url('/robots.txt')
    expect(await judge('/public')).toEqual({ allowed: true, why: 'no rule', robotsUrl, crawlDelayMs: 2000 })
    expect(await judge('/private/a')).toEqual({
      allowed: false,
      why: 'rule',
      robotsUrl,
      line: { number: 2, text: 'Disallow: /private' },
      crawlDelayMs: 2000,
    })
  })

  it('is fetched once for concurrent callers, and cached', async () => {
    const { judge, robots, site, countAsked } = await openSite(rules)
    await Promise.all(Array.from({ length: 50 }, (_, n) => judge(`/${n}`, `agent${n}`)))
    await robots.sitemapsOf(site.origin)
    expect(countAsked()).toBe(1)
  })

  it('is cached for one day', async () => {
    const { judge, clock, countAsked } = await openSite(rules)
    await judge('/')
    clock.ms += DAY - 1
    await judge('/')
    expect(countAsked()).toBe(1)
    clock.ms += 1
    await judge('/')
    expect(countAsked()).toBe(2)
  })

  it('applies to one scheme, host and port', async () => {
    const first = await openSite(rules)
    const second = await openSite(undefined)
    const url = new URL(second.site.url('/private'))
    expect((await first.robots.judge(url, 'trawl')).allowed).toBe(true)
    expect((await first.judge('/private')).allowed).toBe(false)
    expect([first.countAsked(), second.countAsked()]).toEqual([1, 1])
  })

  it('does not apply to itself, nor to URLs that are not http or https', async () => {
    const { judge, robots, countAsked } = await openSite(answerWith(200))
    expect(await judge('/robots.txt')).toMatchObject({ allowed: true, why: 'no rule' })
    expect(await robots.judge(new URL('mailto:a@b.example'), 'trawl')).toMatchObject({ allowed: true, why: 'no rule' })
    expect(countAsked()).toBe(0)
  })

  it.each([300, 304, 400, 401, 403, 404, 410, 451])('allows everything when its status is %i', async (status) => {
    const { judge } = await openSite(answerWith(status))
    expect(await judge('/a')).toMatchObject({ allowed: true, why: 'unavailable' })
  })

  it.each([429, 500, 502, 503, 599])('allows nothing while its status is %i', async (status) => {
    let isWell = false
    const { judge, clock, countAsked } = await openSite((exchange) =>
      isWell ? rules(exchange) : answerWith(status)(exchange),
    )
    const verdict = await judge('/a')
    expect(verdict).toMatchObject({ allowed: false, why: 'unreachable', retryAtMs: clock.ms + 5 * MINUTE })
    expect(verdict.problem).toContain(`answered ${status}`)
    isWell = true
    clock.ms += 5 * MINUTE - 1
    expect((await judge('/a')).allowed).toBe(false)
    expect(countAsked()).toBe(1)
    clock.ms += 1
    expect(await judge('/a')).toMatchObject({ allowed: true, why: 'no rule' })
    expect(await judge('/a')).not.toHaveProperty('problem')
  })

  it('is treated as missing for one hour after it was missing', async () => {
    const { judge, clock, countAsked } = await openSite(undefined)
    await judge('/')
    clock.ms += HOUR - 1
    await judge('/')
    expect(countAsked()).toBe(1)
    clock.ms += 1
    await judge('/')
    expect(countAsked()).toBe(2)
  })

  it('allows nothing while the site cannot be reached', async () => {
    const { site, judge } = await openSite(rules)
    await site.close()
    const verdict = await judge('/a')
    expect(verdict).toMatchObject({ allowed: false, why: 'unreachable' })
    expect(verdict.problem).toContain('ECONNREFUSED')
  })

  it('is treated as missing after thirty days of failures', async () => {
    const { judge, clock } = await openSite(answerWith(503))
    await judge('/a')
    clock.ms += 29 * DAY
    expect((await judge('/a')).why).toBe('unreachable')
    clock.ms += DAY
    expect(await judge('/a')).toMatchObject({ allowed: true, why: 'unavailable' })
  })

  it('applies in its last copy while it cannot be fetched again', async () => {
    let isWell = true
    const { judge, clock, countAsked } = await openSite((exchange) =>
      isWell ? rules(exchange) : answerWith(503)(exchange),
    )
    await judge('/private')
    isWell = false
    clock.ms += 2 * DAY
    expect(await judge('/private')).toMatchObject({ allowed: false, why: 'rule', retryAtMs: clock.ms + 5 * MINUTE })
    expect(await judge('/a')).toMatchObject({ allowed: true, why: 'no rule' })
    expect(countAsked()).toBe(2)
    isWell = true
    clock.ms += 5 * MINUTE
    expect(await judge('/private')).not.toHaveProperty('problem')
  })

  it('is read through redirects, and is treated as missing when they lead nowhere', async () => {
    const elsewhere = await startSite({ pages: { '/rules': rules } })
    sites.push(elsewhere)
    const moved = await openSite(answerWith(301, { location: elsewhere.url('/rules') }))
    expect((await moved.judge('/private')).allowed).toBe(false)
    const lost = await openSite(answerWith(301, { location: '/robots.txt' }))
    expect(await lost.judge('/private')).toMatchObject({ allowed: true, why: 'unavailable' })
  })
})

describe('the Sitemap lines of robots.txt', () => {
  it('are absolute, in order and unique, in any group', async () => {
    const { robots, site } = await openSite(({ response }) => {
      const lines = [
        'Sitemap: /one.xml',
        'User-agent: other',
        'sitemap : https://cdn.example.com/two.xml.gz?a=1#top',
        'Disallow: /',
        'SITEMAP: three%20é.xml',
        'Sitemap: /one.xml',
        'Sitemap:',
        'Sitemap: javascript:void',
        'Sitemap: ftp://example.com/four.xml',
        'Sitemap: http://[five]/',
      ]
      response.end(lines.join('\r\n'))
    })
    expect(await robots.sitemapsOf(site.origin)).toEqual([
      site.url('/one.xml'),
      'https://cdn.example.com/two.xml.gz?a=1',
      site.url('/three%20%C3%A9.xml'),
    ])
  })

  it('are resolved against the URL of the file', async () => {
    const elsewhere = await startSite({ pages: { '/a/robots.txt': 'Sitemap: map.xml' } })
    sites.push(elsewhere)
    const { robots, site } = await openSite(answerWith(302, { location: elsewhere.url('/a/robots.txt') }))
    expect(await robots.sitemapsOf(site.origin)).toEqual([elsewhere.url('/a/map.xml')])
  })

  it('are empty without a file', async () => {
    const { robots, site } = await openSite(answerWith(503))
    expect(await robots.sitemapsOf(site.origin)).toEqual([])
  })
})
