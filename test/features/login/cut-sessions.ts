import { expect } from 'vitest'
import { createEngine, type Engine, type EngineConfig, type LoginOptions, memoryProfiles } from '../../../src/index.js'
import { PASSWORD, USER } from './login-site.js'
import { startProxy } from '../../site/proxy-server.js'
import { type SiteKind, startMadeSite } from './made-sites.js'
import { type OddKind, startOddSite } from './odd-sites.js'

const inOrder = (texts: readonly string[]): string[] => texts.toSorted((a, b) => (a < b ? -1 : Number(a > b)))

const titlesOf = (pages: number): string[] =>
  inOrder(Array.from({ length: pages }, (_, page) => `Day ${page} of the harbour`))

const SETTINGS: EngineConfig = { threads: 0, allowPrivateNetworks: true, fetcher: 'http', cache: false }

/** Opens an engine for crawls of made sites. */
export const openEngine = (profiles?: EngineConfig['profiles']): Engine => createEngine({ ...SETTINGS, profiles })

const loginFor = (url: string, password: string): LoginOptions => ({
  url,
  fields: { username: USER },
  secrets: { password: () => password },
})

/**
 * Crawls a site whose session ends after some pages: every page must come, after one login for each end, and nothing signs out.
 *
 * @param engines machines that crawl the site at once, and share its session
 */
export async function crawlWithCuts(
  engines: readonly Engine[],
  kind: SiteKind,
  cuts: readonly number[],
  pages: number,
): Promise<void> {
  await using site = await startMadeSite(kind, new Set(cuts), pages)
  const login = loginFor(site.loginUrl, PASSWORD)
  const crawl = async (engine: Engine): Promise<object> => {
    const job = engine.crawl({ url: site.url, crawlEntireDomain: true, sitemap: 'skip', scrapeOptions: { login } })
    const { data } = await job.finished()
    const { errors } = await job.errors()
    return { errors, titles: inOrder(data.map(({ metadata }) => metadata.title ?? '')) }
  }
  expect(await Promise.all(engines.map(crawl))).toEqual(engines.map(() => ({ errors: [], titles: titlesOf(pages) })))
  const { logins, wrong, signedOut, ended } = site.counts
  expect({ wrong, signedOut, ended }).toEqual({ wrong: 0, signedOut: 0, ended: cuts.length })
  expect(logins).toBeLessThanOrEqual(1 + cuts.length)
}

/** Cuts of a site without a page that its login leads to, which was one of every two pages. */
const isEveryPage = (kind: OddKind): boolean => /GraphQL|token/.test(kind)

/** Logs in on one machine, ends its session, and asks another one, which has that session and has never seen the form, for a page. */
export async function adoptEndedSession(kind: SiteKind | OddKind): Promise<void> {
  const isOdd = typeof kind === 'string'
  const ends = new Set([isOdd && isEveryPage(kind) ? 1 : 2])
  await using site = await (isOdd ? startOddSite(kind, ends, 4) : startMadeSite(kind, ends, 4))
  const login = 'login' in site ? site.login : loginFor(site.loginUrl, PASSWORD)
  const profiles = memoryProfiles()
  const now = 'now' in site ? site.now : undefined
  const titles: (string | undefined)[] = []
  for (const page of [0, 1]) {
    await using engine = createEngine({ ...SETTINGS, profiles, now })
    const { metadata } = await engine.scrape(new URL(`/members/${page}`, site.url).href, { login })
    titles.push(metadata.title)
  }
  expect(titles).toEqual(titlesOf(2))
  expect(site.counts.logins).toBeLessThanOrEqual(2)
}

/** Crawls a site with a wrong password: it is sent twice at most, and no page of the login is a result. */
export async function crawlInVain(engine: Engine, kind: SiteKind): Promise<void> {
  await using site = await startMadeSite(kind, new Set(), 12)
  const login = loginFor(site.loginUrl, 'wrong')
  const urls = Array.from({ length: 12 }, (_, page) => new URL(`/members/${page}`, site.url).href)
  const { data } = await engine.batchScrape({ urls, login }).finished()
  expect(data).toEqual([])
  expect(site.counts).toMatchObject({ logins: 0, served: 0, signedOut: 0 })
  expect([1, 2]).toContain(site.counts.wrong)
}

/** Crawls a site of an odd kind in the same way, with a clock that the site turns, and through two proxies where it looks at addresses. */
export async function crawlOddSite(kind: OddKind, cuts: readonly number[], least: number): Promise<void> {
  // Where no login leads to one of the pages, more are needed for as many ends: up to those that a status has.
  const pages = kind.endsWith('remembered') ? Math.min(2 * least, 100) : least
  const moments = isEveryPage(kind) ? cuts.map((_, index) => index + 1) : cuts
  await using site = await startOddSite(kind, new Set(moments), pages)
  await using first = await startProxy({ from: '127.0.0.2' })
  await using second = await startProxy({ from: '127.0.0.3' })
  const { login, now } = site
  await using engine = createEngine({
    threads: 0,
    allowPrivateNetworks: true,
    fetcher: 'http',
    cache: false,
    now,
    proxies: kind.startsWith('real') ? { basic: [first.url, second.url] } : undefined,
  })
  const options = { crawlEntireDomain: true, sitemap: 'skip', limit: pages } as const
  const job = engine.crawl({ url: site.url, ...options, scrapeOptions: { login } })
  const { data } = await job.finished()
  const { errors } = await job.errors()
  const titles = inOrder(data.map(({ metadata }) => metadata.title ?? ''))
  const { logins, wrong, lies, cuts: ended } = site.counts
  expect({ errors, titles, wrong, lies, ended }).toEqual({
    errors: [],
    titles: titlesOf(pages),
    wrong: 0,
    lies: 0,
    ended: cuts.length,
  })
  // A provider that knows the visitor asks him once.
  expect(logins).toBeLessThanOrEqual(kind.endsWith('remembered') ? 1 : 1 + cuts.length)
  expect(site.log.filter((line) => /logout|sign_out|delete/.test(line))).toEqual([])
}
