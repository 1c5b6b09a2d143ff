import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createEngine, type EngineConfig, memoryProfiles } from '../../../src/index.js'
import { crawlSite, loginFor, startLoginSite, titlesOf } from './login-site.js'

const config: EngineConfig = { threads: 0, allowPrivateNetworks: true, fetcher: 'http', cache: false }

it('engines on one folder of profiles lose no page where sessions end after every fourth page, and log in once for each end', async () => {
  const cuts = Array.from({ length: 12 }, (_, index) => 3 + index * 4)
  await using site = await startLoginSite('form', cuts, 24)
  const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
  try {
    const crawls = await Promise.all(
      [1, 2].map(() => crawlSite(site, loginFor(site, 'form'), { ...config, profiles: folder })),
    )
    for (const { titles, errors } of crawls) {
      expect(errors).toEqual([])
      expect(titles).toEqual(titlesOf(site))
    }
    expect(site.logins()).toBeLessThanOrEqual(1 + cuts.length)
  } finally {
    await rm(folder, { recursive: true })
  }
})

describe('a page that its visitor must not see', () => {
  it('fails alone, and is no reason to log in again and again', async () => {
    await using site = await startLoginSite('form', [7], 12, { forbidden: 11 })
    const { titles, errors } = await crawlSite(site, loginFor(site, 'form'), config)
    expect(errors.map(({ code, url }) => [code, new URL(url ?? '').pathname])).toEqual([
      ['LOGIN_REQUIRED', '/members/11'],
    ])
    expect(titles).toEqual(titlesOf(site).filter((title) => !title.startsWith('Day 11 ')))
    // First, after the end of its session, and for the page.
    expect(site.logins()).toBeLessThanOrEqual(3)
  })

  it('is given up after some logins where no page comes right', async () => {
    await using site = await startLoginSite('redirect home', [], 40)
    await using engine = createEngine(config)
    const urls = Array.from({ length: 30 }, (_, page) => `${new URL(site.url).origin}/members/${page}`)
    const login = { ...loginFor(site, 'redirect home'), loggedInWhen: { text: 'never on a page' } }
    const status = await engine.batchScrape({ urls, login }).finished()
    expect(status.completed).toBe(0)
    expect(site.logins()).toBeLessThanOrEqual(10)
  })
})

describe('a sitemap for members', () => {
  it.each(['form', 'token'] as const)('is requested as a page is: %s', async (kind) => {
    await using site = await startLoginSite(kind, [], 12, { hasSitemap: true })
    const { titles } = await crawlSite(site, loginFor(site, kind), config)
    expect(titles).toEqual(titlesOf(site))
  })
})

it('who waits for a login in memory stops waiting, and leaves the turn to others', async () => {
  const profiles = memoryProfiles()
  const { signal } = new AbortController()
  const unlock = await profiles.lock?.('team', signal)
  const waiting = new AbortController()
  const second = profiles.lock?.('team', waiting.signal)
  waiting.abort(new Error('closed'))
  await expect(second).rejects.toThrow('closed')
  const third = profiles.lock?.('team', signal)
  await unlock?.()
  await (
    await third
  )?.()
})
