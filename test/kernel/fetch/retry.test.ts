import { describe, expect, it } from 'vitest'
import { calculateRetryDelay, defaultRetrySettings as settings } from '../../../src/kernel/fetch/retry.js'
import { parseRetryAfter } from '../../../src/base/http/header-values.js'

describe('calculateRetryDelay', () => {
  it.each([408, 425, 429, 500, 502, 503, 504, 522])('retries status %i', (statusCode) => {
    expect(calculateRetryDelay({ attempt: 1, statusCode }, 1, settings)).toBe(500)
  })

  it.each([200, 301, 400, 401, 403, 404, 410, 501, 505])('does not retry status %i', (statusCode) => {
    expect(calculateRetryDelay({ attempt: 1, statusCode }, 1, settings)).toBeUndefined()
  })

  it('retries the statuses of `statusCodes` in place of the default', () => {
    const own = { ...settings, statusCodes: [403] }
    expect(calculateRetryDelay({ attempt: 1, statusCode: 403 }, 1, own)).toBe(500)
    expect(calculateRetryDelay({ attempt: 1, statusCode: 503 }, 1, own)).toBeUndefined()
    expect(calculateRetryDelay({ attempt: 1, code: 'SCRAPE_SITE_ERROR' }, 1, own)).toBe(500)
  })

  it('retries the errors that the error table marks as transient', () => {
    expect(calculateRetryDelay({ attempt: 1, code: 'SCRAPE_SITE_ERROR' }, 1, settings)).toBe(500)
    expect(calculateRetryDelay({ attempt: 1, code: 'SCRAPE_TIMEOUT' }, 1, settings)).toBe(500)
    expect(calculateRetryDelay({ attempt: 1, code: 'SCRAPE_ADDRESS_REFUSED' }, 1, settings)).toBeUndefined()
    expect(calculateRetryDelay({ attempt: 1, code: 'SCRAPE_JOB_CANCELLED' }, 1, settings)).toBeUndefined()
  })

  it('gives up after `maxRetries`', () => {
    const delay = (attempt: number) => calculateRetryDelay({ attempt, statusCode: 503 }, 1, settings)
    expect([1, 2, 3, 4].map(delay)).toEqual([500, 1_000, undefined, undefined])
    expect(calculateRetryDelay({ attempt: 1, statusCode: 503 }, 1, { ...settings, maxRetries: 0 })).toBeUndefined()
  })

  it('doubles the delay up to `maxBackoffMs`, half of it random', () => {
    const many = { ...settings, maxRetries: 100 }
    const delay = (attempt: number, random: number) => calculateRetryDelay({ attempt, statusCode: 503 }, random, many)
    expect([1, 2, 3, 6, 7, 8, 99].map((attempt) => delay(attempt, 1))).toEqual([
      500, 1_000, 2_000, 16_000, 30_000, 30_000, 30_000,
    ])
    expect([0, 0.5, 1].map((random) => delay(2, random))).toEqual([500, 750, 1_000])
  })

  it('follows `Retry-After`, up to `maxBackoffMs`', () => {
    const delay = (retryAfterMs: number) =>
      calculateRetryDelay({ attempt: 1, statusCode: 429, retryAfterMs }, 1, settings)
    expect([0, 7_000, 3_600_000].map(delay)).toEqual([0, 7_000, 30_000])
  })

  it('does not retry a page for a `Retry-After` alone', () => {
    expect(calculateRetryDelay({ attempt: 1, statusCode: 404, retryAfterMs: 10 }, 1, settings)).toBeUndefined()
  })
})

describe('parseRetryAfter', () => {
  const nowMs = Date.parse('Wed, 21 Oct 2015 07:28:00 GMT')

  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 5 ', 5_000],
    ['1.5', 1_500],
    ['Wed, 21 Oct 2015 07:28:30 GMT', 30_000],
    ['Wednesday, 21-Oct-15 07:28:30 GMT', 30_000],
    ['Wed Oct 21 07:28:30 2015', 30_000],
    ['Wed, 21 Oct 2015 07:00:00 GMT', 0],
    ['', undefined],
    ['-5', undefined],
    ['soon', undefined],
    ['Wed, never', undefined],
    [undefined, undefined],
  ])('parses %j', (value, delayMs) => {
    expect(parseRetryAfter(value, nowMs)).toBe(delayMs)
  })
})
