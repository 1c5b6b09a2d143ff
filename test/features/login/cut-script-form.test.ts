import { expect, it } from 'vitest'
import type { EngineConfig } from '../../../src/index.js'
import { crawlSite, loginFor, startLoginSite, titlesOf } from './login-site.js'

/** Ends of the session. Each login in the browser takes about 8 s, in which it looks for further steps. */
const ENDS = process.env.BARS === 'whole' ? 50 : 5

it.each([
  ['at an address of its own', false],
  ['in the place of each page', true],
])(
  `a site whose form a script makes %s loses no page when its session ends ${ENDS} times, and logs in once for each end`,
  async (_, isShell) => {
    // After two pages, one of which is that to which the login leads.
    const cuts = Array.from({ length: ENDS }, (__, index) => 2 + index * 3)
    await using site = await startLoginSite('script form', cuts, ENDS + 5, { isShell })
    const login = loginFor(site, 'script form')
    const config: EngineConfig = { threads: 0, allowPrivateNetworks: true, cache: false }
    // The first page has the time of the first login.
    const scrapeOptions = { login, timeout: 240_000 }
    const { titles, errors } = await crawlSite(site, login, config, { sitemap: 'skip', scrapeOptions })
    expect({ errors, titles }).toEqual({ errors: [], titles: titlesOf(site) })
    expect(site.logins()).toBeLessThanOrEqual(1 + ENDS)
    expect(site.wrong()).toBe(0)
    expect(site.log.filter((line) => /logout|sign_out/.test(line))).toEqual([])
  },
  900_000,
)
