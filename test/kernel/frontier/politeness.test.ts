import { describe, expect, it } from 'vitest'
import { Politeness, type RequestOutcome } from '../../../src/kernel/frontier/politeness.js'

const visit = (more: Partial<RequestOutcome> = {}): RequestOutcome => ({
  latencyMs: 10,
  statusCode: 200,
  retryAfterMs: undefined,
  delayMs: 0,
  ...more,
})

describe('politeness', () => {
  it('limits concurrent requests to one site, across jobs, without affecting other sites', () => {
    const politeness = new Politeness(2)
    expect([1, 2, 3].map(() => politeness.tryBegin('a.test', 0))).toEqual([true, true, false])
    expect(politeness.heldSites(0)).toEqual(new Set(['a.test']))
    expect(politeness.tryBegin('b.test', 0)).toBe(true)
    politeness.end('a.test', 0, visit())
    expect(politeness.heldSites(0)).toEqual(new Set())
  })

  it('pauses after each request as long as the job or robots.txt requires, whichever is longer', () => {
    const politeness = new Politeness(5)
    politeness.tryBegin('a.test', 0)
    politeness.setCrawlDelay('a.test', 300)
    expect(politeness.tryBegin('a.test', 0)).toBe(false)
    politeness.end('a.test', 100, visit({ delayMs: 200 }))
    expect(politeness.nextAvailableMs(100)).toBe(400)
    expect(politeness.tryBegin('a.test', 399)).toBe(false)
    expect(politeness.tryBegin('a.test', 400)).toBe(true)
  })

  it.each([
    ['429', visit({ statusCode: 429 })],
    ['`Retry-After`', visit({ statusCode: 503, retryAfterMs: 30_000 })],
  ])('pauses after %s for its maximum at most, and not at all with 0', (_, outcome) => {
    for (const maxPauseMs of [0, 300]) {
      const politeness = new Politeness(1, 0, maxPauseMs)
      politeness.tryBegin('a.test', 0)
      politeness.end('a.test', 100, outcome)
      expect(politeness.tryBegin('a.test', 100)).toBe(maxPauseMs === 0)
      expect(politeness.tryBegin('b.test', 100)).toBe(true)
      if (maxPauseMs > 0) expect(politeness.nextAvailableMs(100)).toBe(400)
    }
  })

  it('does not pause after a page from the cache', () => {
    const politeness = new Politeness(1)
    politeness.tryBegin('a.test', 0)
    politeness.end('a.test', 1, visit({ latencyMs: undefined, delayMs: 1000 }))
    expect(politeness.tryBegin('a.test', 1)).toBe(true)
  })

  it('spaces requests to a slow site, and a failure never reduces the spacing', () => {
    const politeness = new Politeness(2)
    politeness.tryBegin('a.test', 0)
    politeness.end('a.test', 400, visit({ latencyMs: 400 }))
    expect(politeness.tryBegin('a.test', 400)).toBe(true)
    expect(politeness.tryBegin('a.test', 499)).toBe(false)
    politeness.end('a.test', 450, visit({ latencyMs: 1, statusCode: 500 }))
    expect(politeness.tryBegin('a.test', 500)).toBe(true)
    expect(politeness.nextAvailableMs(500)).toBe(600)
    politeness.end('a.test', 550, visit({ latencyMs: 4000, statusCode: undefined }))
    expect(politeness.tryBegin('a.test', 600)).toBe(true)
    expect(politeness.nextAvailableMs(600)).toBe(600 + 1300 / 4)
  })

  it('does not space requests after a page for which nothing was sent', () => {
    const politeness = new Politeness(2)
    politeness.tryBegin('a.test', 0)
    politeness.end('a.test', 400, visit({ latencyMs: 400 }))
    politeness.tryBegin('a.test', 400)
    expect(politeness.heldSites(400)).toEqual(new Set(['a.test']))
    politeness.end('a.test', 400, visit({ latencyMs: undefined }))
    expect(politeness.tryBegin('a.test', 400)).toBe(true)
  })

  it('pauses a site for as long as Retry-After says, up to one minute', () => {
    const politeness = new Politeness(2)
    politeness.tryBegin('a.test', 0)
    politeness.end('a.test', 0, visit({ statusCode: 503, retryAfterMs: 7000 }))
    expect(politeness.nextAvailableMs(0)).toBe(7000)
    politeness.tryBegin('a.test', 7000)
    politeness.end('a.test', 7000, visit({ statusCode: 429, retryAfterMs: 3_600_000 }))
    expect(politeness.nextAvailableMs(7000)).toBe(67_000)
  })

  it('doubles the pause with each 429, and reduces it as the site recovers', () => {
    const politeness = new Politeness(1)
    const holds = [429, 429, 429, 200, 429].map((statusCode) => {
      const nowMs = politeness.nextAvailableMs(0) ?? 0
      politeness.tryBegin('a.test', nowMs)
      politeness.end('a.test', nowMs, visit({ statusCode, latencyMs: 0 }))
      return (politeness.nextAvailableMs(0) ?? nowMs) - nowMs
    })
    expect(holds).toEqual([1000, 2000, 4000, 0, 4000])
  })

  it('does not pause a site for a single 503', () => {
    const politeness = new Politeness(1)
    politeness.tryBegin('a.test', 0)
    politeness.end('a.test', 0, visit({ statusCode: 503 }))
    expect(politeness.tryBegin('a.test', 0)).toBe(true)
    politeness.end('a.test', 0, visit({ statusCode: 503 }))
    expect(politeness.tryBegin('a.test', 0)).toBe(false)
  })

  it('wakes a waiting job once when a request ends, unless it has unsubscribed', () => {
    const politeness = new Politeness(1)
    let told = 0
    const tell = () => void (told += 1)
    const gone = () => expect.unreachable()
    politeness.tryBegin('a.test', 0)
    politeness.subscribe(tell)
    politeness.subscribe(gone)
    politeness.unsubscribe(gone)
    politeness.end('a.test', 0, visit())
    politeness.tryBegin('a.test', 0)
    politeness.end('a.test', 0, visit())
    expect(told).toBe(1)
  })

  it('lets jobs with a delay send one request at a time, beside those of other jobs', () => {
    const politeness = new Politeness(5, 1)
    expect(politeness.tryBegin('a.test', 0)).toBe(true)
    expect(politeness.tryBegin('a.test', 0, 50)).toBe(true)
    // A slow request is still under way when it no longer counts.
    expect(politeness.stopCounting('a.test')).toBe(true)
    politeness.end('a.test', 0, visit())
    expect(politeness.heldSites(0)).toEqual(new Set())
    expect(politeness.heldSites(0, 50)).toEqual(new Set(['a.test']))
    expect(politeness.tryBegin('a.test', 0, 50)).toBe(false)
    politeness.end('a.test', 0, visit({ delayMs: 50 }), true)
    expect(politeness.tryBegin('a.test', 49, 50)).toBe(false)
    expect(politeness.tryBegin('a.test', 50, 50)).toBe(true)
  })

  it('stops counting slow requests towards the limit: up to a maximum, and never with a crawl delay', () => {
    const politeness = new Politeness(1, 1)
    politeness.tryBegin('a.test', 0)
    expect(politeness.stopCounting('a.test')).toBe(true)
    expect([...politeness.slowSites]).toEqual(['a.test'])
    expect(politeness.tryBegin('a.test', 0)).toBe(true)
    expect(politeness.stopCounting('a.test')).toBe(false)
    expect(politeness.tryBegin('a.test', 0)).toBe(false)
    politeness.end('a.test', 0, visit(), true)
    expect([...politeness.slowSites]).toEqual([])
    expect(politeness.tryBegin('a.test', 0)).toBe(false)
    politeness.end('a.test', 0, visit())
    politeness.setCrawlDelay('a.test', 10)
    expect(politeness.tryBegin('a.test', 5000)).toBe(true)
    expect(politeness.stopCounting('a.test')).toBe(false)
  })

  it('adapts the threshold of slow requests to the response time of successful ones', () => {
    const politeness = new Politeness(1)
    const visitFor = (latencyMs: number, statusCode: number | undefined) => {
      politeness.tryBegin('a.test', 0)
      politeness.end('a.test', 0, visit({ latencyMs, statusCode }))
    }
    expect(politeness.slowAfterMs('a.test')).toBe(0)
    visitFor(3000, 200)
    visitFor(30_000, undefined)
    expect(politeness.slowAfterMs('a.test')).toBe(9000)
  })

  it('suspends a site that asks twice in a row for more than the maximum pause, for as long as it asks', () => {
    const politeness = new Politeness(2)
    const answer = (nowMs: number, statusCode: number, retryAfterMs?: number) => {
      politeness.tryBegin('a.test', nowMs)
      politeness.end('a.test', nowMs, visit({ statusCode, retryAfterMs }))
    }
    answer(0, 429, 600_000)
    expect(politeness.suspendedSite('a.test', 0)).toBeUndefined()
    answer(60_000, 200)
    answer(60_000, 429, 600_000)
    expect(politeness.suspendedSite('a.test', 60_000)).toBeUndefined()
    answer(120_000, 429, 600_000)
    expect(politeness.suspendedSite('a.test', 120_000)).toEqual({ statusCode: 429, untilMs: 720_000 })
    // A request to a suspended site ends at once, without waiting for others.
    expect(politeness.heldSites(120_000)).toEqual(new Set())
    expect(politeness.suspendedSite('a.test', 720_000)).toBeUndefined()
  })

  it('suspends a site that is overloaded for two minutes, counting concurrent responses once', () => {
    const politeness = new Politeness(100)
    const answer = (nowMs: number) => {
      politeness.tryBegin('a.test', nowMs)
      politeness.end('a.test', nowMs, visit({ statusCode: 503, latencyMs: 1 }))
    }
    for (let page = 0; page < 50; page++) answer(0)
    // Concurrent responses count once.
    expect(politeness.nextAvailableMs(0)).toBe(undefined)
    let nowMs = 0
    let rounds = 0
    for (; !politeness.suspendedSite('a.test', nowMs); rounds++) {
      nowMs = Math.max(nowMs + 1, politeness.nextAvailableMs(nowMs) ?? 0)
      answer(nowMs)
    }
    expect(nowMs).toBeGreaterThanOrEqual(120_000)
    expect(rounds).toBeGreaterThanOrEqual(6)
    expect(rounds).toBeLessThan(12)
  })
})
