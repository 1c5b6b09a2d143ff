import { describe, expect, it } from 'vitest'
import { freshen, validatorsOf } from '../../src/cache/revalidate.js'
import { mayStandIn } from '../../src/cache/recall.js'
import type { CachePlan } from '../../src/cache/cache.js'
import { fetchedPage } from '../contracts/cache.contract.js'

const DATE = 'Tue, 15 Nov 1994 12:45:26 GMT'
const stored = (headers: Record<string, string>) =>
  fetchedPage({ headers: { 'content-type': 'text/html', ...headers } })
const notModified = (headers: Record<string, string>) =>
  fetchedPage({ statusCode: 304, error: 'Not Modified', body: new Uint8Array(), fetchedAtMs: 5000, headers })

describe('validatorsOf', () => {
  it('gives what the site gave, for the URL that gave it', () => {
    expect(validatorsOf(fetchedPage({ url: 'http://site.test/#a', headers: { etag: 'W/"1"' } }))).toEqual({
      url: 'http://site.test/',
      etag: 'W/"1"',
    })
    expect(validatorsOf(stored({ etag: '"a"', 'last-modified': DATE }))).toMatchObject({
      etag: '"a"',
      lastModified: DATE,
    })
  })

  it('gives nothing where there is nothing to go by', () => {
    expect(validatorsOf(stored({}))).toBeUndefined()
    expect(validatorsOf(stored({ etag: '"a", "b"' }))).toBeUndefined()
    expect(validatorsOf(stored({ etag: 'a', 'last-modified': 'yesterday' }))).toBeUndefined()
    expect(validatorsOf({ ...stored({ etag: '"a"' }), browserWaitMs: 0 })).toBeUndefined()
  })
})

describe('freshen', () => {
  it('keeps the body and takes over the headers, but for those that are about the 304 itself', () => {
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

  it('compares weakly, and takes a 304 without validators for an answer to its own question', () => {
    expect(freshen(stored({ etag: 'W/"a"' }), notModified({ etag: '"a"' }))).toBeDefined()
    expect(freshen(stored({ etag: '"a"' }), notModified({}))).toBeDefined()
    expect(freshen(stored({ 'last-modified': DATE }), notModified({ 'last-modified': DATE }))).toBeDefined()
  })

  it('does not take a 304 about another page', () => {
    expect(freshen(stored({ etag: '"a"' }), notModified({ etag: '"b"' }))).toBeUndefined()
    const later = 'Tue, 15 Nov 1994 13:00:00 GMT'
    expect(freshen(stored({ 'last-modified': DATE }), notModified({ 'last-modified': later }))).toBeUndefined()
    const elsewhere = { ...notModified({}), url: 'http://site.test/other' }
    expect(freshen(stored({ etag: '"a"' }), elsewhere)).toBeUndefined()
  })
})

describe('mayStandIn', () => {
  const plan: CachePlan = { read: true, write: true, maxAgeMs: 100, staleIfErrorMs: 50, variant: '' }

  it('allows so much more age, and none without it', () => {
    const page = fetchedPage({ fetchedAtMs: 0 })
    expect(mayStandIn(page, plan, 149)).toBe(true)
    expect(mayStandIn(page, plan, 150)).toBe(false)
    expect(mayStandIn(page, { ...plan, staleIfErrorMs: 0 }, 100)).toBe(false)
  })

  it.each(['must-revalidate', 'public, no-cache', 'max-age=1,MUST-REVALIDATE'])('keeps to %s', (control) => {
    expect(mayStandIn({ ...stored({ 'cache-control': control }), fetchedAtMs: 0 }, plan, 120)).toBe(false)
  })

  it('reads directives as a whole', () => {
    const page = { ...stored({ 'cache-control': 'no-cache="set-cookie", max-age=9' }), fetchedAtMs: 0 }
    expect(mayStandIn(page, plan, 120)).toBe(true)
  })
})
