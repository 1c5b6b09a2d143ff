import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { TrawlError } from '../../../src/base/errors.js'
import { createRobots, robotsLimits } from '../../../src/kernel/frontier/robots/robots.js'
import type { GetSiteFile } from '../../../src/base/http/site-file.js'

describe('waiting for a robots.txt', () => {
  /** A `get` that responds on demand. */
  function holdBack() {
    const asked: { url: string; signal: AbortSignal; answer: (text: string) => void }[] = []
    const get: GetSiteFile = (url, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        asked.push({ url, signal, answer: (text) => resolve({ url, statusCode: 200, body: Buffer.from(text) }) })
      })
    return { asked, robots: createRobots({ get, now: () => 0 }) }
  }
  const url = new URL('https://example.com/a')

  it('ends with the signal of one caller, without affecting the others', async () => {
    const { asked, robots } = holdBack()
    const leaving = new AbortController()
    const first = robots.judge(url, 'trawl', leaving.signal)
    const second = robots.judge(url, 'trawl')
    leaving.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    asked[0]?.answer('User-agent: *\nDisallow: /')
    expect((await second).allowed).toBe(false)
    expect(asked).toHaveLength(1)
  })

  it('aborts the fetch when the last caller leaves, and starts a new one for the next caller', async () => {
    const { asked, robots } = holdBack()
    const leaving = new AbortController()
    const waits = [robots.judge(url, 'a', leaving.signal), robots.sitemapsOf(url.origin, leaving.signal)]
    leaving.abort(new Error('enough'))
    for (const wait of waits) await expect(wait).rejects.toThrow('enough')
    expect(asked[0]?.signal.aborted).toBe(true)
    const next = robots.judge(url, 'trawl')
    asked[1]?.answer('')
    expect((await next).allowed).toBe(true)
  })

  it('starts a new fetch even if an abandoned one is slow to stop', async () => {
    let asked = 0
    const get: GetSiteFile = async (asking) => {
      if (++asked === 1) await sleep(200)
      return { url: asking, statusCode: 200, body: Buffer.from(asked === 1 ? 'User-agent: *\nDisallow: /' : '') }
    }
    const robots = createRobots({ get, now: () => 0 })
    const leaving = new AbortController()
    const first = robots.judge(url, 'trawl', leaving.signal)
    leaving.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    expect((await robots.judge(url, 'trawl')).allowed).toBe(true)
    expect(asked).toBe(2)
  })

  it('does not start with an aborted signal', async () => {
    const { asked, robots } = holdBack()
    await expect(robots.judge(url, 'trawl', AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
    expect(asked).toHaveLength(0)
  })

  it.each(['SCRAPE_JOB_CANCELLED', 'ENGINE_CLOSED'] as const)('ends with %s, which is not cached', async (code) => {
    let isClosed = true
    const get: GetSiteFile = async (asked) => {
      if (isClosed) throw new TrawlError(code, 'no')
      return { url: asked, statusCode: 404, body: new Uint8Array() }
    }
    const robots = createRobots({ get, now: () => 0 })
    await expect(robots.judge(url, 'trawl')).rejects.toMatchObject({ code })
    isClosed = false
    expect((await robots.judge(url, 'trawl')).allowed).toBe(true)
  })
})

describe('the cache of robots.txt files', () => {
  it('is limited in origins, and drops the least recently used one first', async () => {
    const asked: string[] = []
    const get: GetSiteFile = async (url) => {
      asked.push(new URL(url).hostname)
      return { url, statusCode: 404, body: new Uint8Array() }
    }
    const robots = createRobots({ get, now: () => 0 })
    const judge = (n: number) => robots.judge(new URL(`https://host${n}.example/`), 'trawl')
    for (let n = 0; n < robotsLimits.origins; n++) await judge(n)
    await judge(0)
    await judge(robotsLimits.origins)
    asked.length = 0
    await judge(0)
    await judge(2)
    await judge(1)
    expect(asked).toEqual(['host1.example'])
  })

  it('is limited in bytes', async () => {
    let asked = 0
    const get: GetSiteFile = async (url) => {
      asked++
      return { url, statusCode: 200, body: Buffer.alloc(600_000, '#\n') }
    }
    const robots = createRobots({ get, now: () => 0 })
    const judge = (n: number) => robots.judge(new URL(`https://host${n}.example/`), 'trawl')
    const fitting = Math.floor(robotsLimits.totalBytes / 512_000)
    for (let n = 0; n <= fitting; n++) await judge(n)
    await judge(fitting)
    expect(asked).toBe(fitting + 1)
    await judge(0)
    expect(asked).toBe(fitting + 2)
  })
})
