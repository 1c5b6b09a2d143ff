import { describe, expect, it } from 'vitest'
import { freshen, validatorsOf } from '../../../src/kernel/cache/revalidate.js'
import { mayStandIn } from '../../../src/kernel/cache/recall.js'
import type { CachePlan } from '../../../src/kernel/cache/cache.js'
import { fetchedPage } from '../../contracts/cache.contract.js'

const DATE = 'Tue, 15 Nov 1994 12:45:26 GMT'
const stored = (headers: Record<string, string>) =>
  fetchedPage({ headers: { 'content-type': 'text/html', ...headers } })
const notModified = (headers: Record<string, string>) =>
  fetchedPage({ statusCode: 304, error: 'Not Modified', body: new Uint8Array(), fetchedAtMs: 5000, headers })

describe('validatorsOf', () => {
  it('returns the ETag and the date of a stored page, with its URL', () => {
    expect(validatorsOf(fetchedPage({ url: 'http://site.test/#a', headers: { etag: 'W/"1"' } }))).toEqual({
      url: 'http://site.test/',
      etag: 'W/"1"',
    })
    expect(validatorsOf(stored({ etag: '"a"', 'last-modified': DATE }))).toMatchObject({
      etag: '"a"',
      lastModified: DATE,
    })
  })

  it.each(['abc', 'W/abc', '5f-61a', '"abc', '"a"b"'])('returns an ETag without its quotes as it came: %s', (etag) => {
    expect(validatorsOf(stored({ etag }))?.etag).toBe(etag.includes('"') ? undefined : etag)
  })

  it('returns undefined for a page without valid validators, and for a page from a browser', () => {
    expect(validatorsOf(stored({}))).toBeUndefined()
    expect(validatorsOf(stored({ etag: '"a", "b"' }))).toBeUndefined()
    expect(validatorsOf(stored({ etag: 'a b', 'last-modified': 'yesterday' }))).toBeUndefined()
    expect(validatorsOf(stored({ etag: 'a, b' }))).toBeUndefined()
    expect(validatorsOf({ ...stored({ etag: '"a"' }), browserWaitMs: 0 })).toBeUndefined()
  })
})

describe('freshen', () => {
  it('takes a tag with and without its quotes for the same', () => {
    expect(freshen(stored({ etag: 'a' }), notModified({ etag: '"a"' }))).toBeDefined()
    expect(freshen(stored({ etag: 'a' }), notModified({ etag: 'b' }))).toBeUndefined()
  })

  it('keeps the stored body and updates the headers, except those that describe the 304 itself', () => {
    const before = stored({ etag: '"a"', 'x-old': '1', 'cache-control': 'no-cache' })
    const answer = notModified({
      etag: '"a"',
      'cache-control': 'max-age=60',
      'content-length': '0',
      'content-type': 'text/plain',
      connection: 'close',
    })
    expect(freshen(before, answer)).toMatchObject({
      statusCode: 200,
      body: before.body,
      fetchedAtMs: 5000,
      headers: { 'content-type': 'text/html', etag: '"a"', 'x-old': '1', 'cache-control': 'max-age=60' },
    })
    expect(freshen(before, answer)).not.toHaveProperty('error')
    expect(freshen(before, answer)?.headers).not.toHaveProperty('content-length')
  })

  it('compares ETags weakly, and accepts a 304 without validators', () => {
    expect(freshen(stored({ etag: 'W/"a"' }), notModified({ etag: '"a"' }))).toBeDefined()
    expect(freshen(stored({ etag: '"a"' }), notModified({}))).toBeDefined()
    expect(freshen(stored({ 'last-modified': DATE }), notModified({ 'last-modified': DATE }))).toBeDefined()
  })

  it('returns undefined for a 304 about another version or URL', () => {
    expect(freshen(stored({ etag: '"a"' }), notModified({ etag: '"b"' }))).toBeUndefined()
    const later = 'Tue, 15 Nov 1994 13:00:00 GMT'
    expect(freshen(stored({ 'last-modified': DATE }), notModified({ 'last-modified': later }))).toBeUndefined()
    const elsewhere = { ...notModified({}), url: 'http://site.test/other' }
    expect(freshen(stored({ etag: '"a"' }), elsewhere)).toBeUndefined()
  })
})

describe('mayStandIn', () => {
  const plan: CachePlan = { read: true, write: true, maxAgeMs: 100, staleIfErrorMs: 50, variant: '' }

  it('accepts a page that exceeds the maximum age by less than `staleIfErrorMs`', () => {
    const page = fetchedPage({ fetchedAtMs: 0 })
    expect(mayStandIn(page, plan, 149)).toBe(true)
    expect(mayStandIn(page, plan, 150)).toBe(false)
    expect(mayStandIn(page, { ...plan, staleIfErrorMs: 0 }, 100)).toBe(false)
  })

  it.each(['must-revalidate', 'public, no-cache', 'max-age=1,MUST-REVALIDATE'])(
    'refuses a stale page with `Cache-Control: %s`',
    (control) => {
      expect(mayStandIn({ ...stored({ 'cache-control': control }), fetchedAtMs: 0 }, plan, 120)).toBe(false)
    },
  )

  it('accepts a stale page whose `no-cache` names only some headers', () => {
    const page = { ...stored({ 'cache-control': 'no-cache="set-cookie", max-age=9' }), fetchedAtMs: 0 }
    expect(mayStandIn(page, plan, 120)).toBe(true)
  })
})
