import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageKey, samePageParts } from '../../../src/kernel/frontier/duplicates/same-page.js'

const key = (url: string, options: Partial<Parameters<typeof pageKey>[1]> = {}): string =>
  pageKey(new URL(url, 'https://example.com'), {
    ignoreQueryParameters: false,
    deduplicateSimilarURLs: true,
    ...options,
  })

const same = (...urls: string[]): void => {
  for (const url of urls) expect(key(url), url).toBe(key(urls[0] ?? ''))
}
const different = (...urls: string[]): void => {
  expect(new Set(urls.map((url) => key(url))).size, urls.join(' ')).toBe(urls.length)
}

const noise = [
  'utm_source=news',
  'utm_campaign=a%26b',
  'UTM_Medium=mail',
  'gclid=Cj0KCQ',
  'fbclid=IwAR0',
  'msclkid=1',
  'srsltid=AfmBOo',
  'mc_eid=1',
  '_ga=2.1.1',
  'ref_src=twsrc%5Etfw',
  'amp;utm_source=news',
  'gclid',
  'PHPSESSID=0a1b2c3d4e5f',
  'ASPSESSIONIDQQABCDEF=ABCDEFGHIJKLMNOPQRSTUVWX',
  'jsessionid=0123456789abcdef',
  'sid=0123456789abcdef0123456789ABCDEF',
  '',
]
const content = [
  'id=1',
  'id=2',
  'page=2',
  'lang=en',
  'ref=home',
  'source=rss',
  'cid=7',
  's=query',
  'sid=12',
  'sid=0123456789abcdef',
  'session=autumn',
  'q=utm_source',
  'a',
  'a=',
  'utm=1',
  'x=gclid=1',
  'cfid=3',
  'utm_source=x;page=2',
  'utm_source=x;page=3',
]

describe('pageKey', () => {
  it('ignores tracking parameters and session ids at any position', () => {
    const parameters = fc.subarray(content, { minLength: 0 })
    const places = fc.array(fc.tuple(fc.nat(20), fc.constantFrom(...noise)), { maxLength: 6 })
    fc.assert(
      fc.property(parameters, places, (kept, added) => {
        const query = [...kept]
        for (const [place, parameter] of added) query.splice(place % (query.length + 1), 0, parameter)
        expect(key(`/a?${query.join('&')}`)).toBe(key(kept.length === 0 ? '/a' : `/a?${kept.join('&')}`))
      }),
    )
  })

  it('distinguishes parameters that may select content', () => {
    const query = fc.shuffledSubarray(content)
    fc.assert(
      fc.property(query, query, (one, other) => {
        fc.pre(one.join('&') !== other.join('&'))
        expect(key(`/a?${one.join('&')}`)).not.toBe(key(`/a?${other.join('&')}`))
      }),
    )
  })

  it('normalises what is left after removing parameters', () => {
    const part = fc.oneof(
      fc.constantFrom(
        ...noise,
        ...content,
        '%7e',
        '%2f',
        '%%37e',
        '%4%31',
        '%25%37e',
        '(S(lit3py55t21z5v55vlm25s55))',
        ';jsessionid=1',
      ),
      fc.stringMatching(/^[%0-9a-f~;=&/()]{0,12}$/),
    )
    fc.assert(
      fc.property(fc.array(part), fc.array(part), (segments, parameters) => {
        const url = new URL(`https://example.com/${segments.join('/')}?${parameters.join('&')}`)
        const parts = samePageParts(url)
        expect(samePageParts(new URL(`https://${parts.hostname}${parts.pathname}${parts.search}`))).toEqual(parts)
      }),
    )
  })

  it('ignores an empty query', () => {
    same('/a', '/a?', '/a?&', '/a?&&utm_source=x&')
    different('/a', '/a?a', '/a?a=', '/a?a=1')
  })

  it('respects the order of the query', () => {
    different('/a?x=1&y=2', '/a?y=2&x=1')
    same('/a?x=1&y=2', '/a?x=1&utm_source=z&y=2')
  })

  it('ignores session ids in paths', () => {
    same('/shop/cart', '/shop/cart;jsessionid=0A1B2C', '/shop/cart;JSESSIONID=0A1B2C.node1')
    same('/a/b?x=1', '/a;jsessionid=1/b?x=1', '/a/b;jsessionid=1?x=1')
    same('/shop/default.aspx', '/(S(lit3py55t21z5v55vlm25s55))/shop/default.aspx')
    same('/shop/default.aspx', '/(X(1)S(lit3py55t21z5v55vlm25s55))/shop/default.aspx')
    same('/a', '/a;sid=0123456789abcdef0123456789abcdef')
    different('/a', '/a;sid=12', '/a;v=1', '/(S)/a', '/a(b)', '/(S(short))/a')
  })

  it('ignores the session pair of ColdFusion, but not `cfid` alone', () => {
    same('/a.cfm?id=3', '/a.cfm?CFID=17&id=3&CFTOKEN=99', '/a.cfm?id=3&cfid=18&cftoken=5')
    different('/a.cfm?cfid=17', '/a.cfm?cfid=18')
  })

  it('normalises percent-encoding, but keeps encoded delimiters distinct', () => {
    same('/~user', '/%7euser', '/%7Euser')
    same('/a?q=%c3%a9', '/a?q=%C3%A9', '/a?q=é')
    same('/caf%c3%a9', '/café')
    different('/a%2fb', '/a/b')
    different('/a?q=1%262', '/a?q=1&2')
    different('/a?q=a%2Bb', '/a?q=a+b')
    same('/a%2fb', '/a%2Fb')
  })

  it('ignores a trailing dot of the host, and the default port', () => {
    same('https://example.com/a', 'https://example.com./a', 'https://www.example.com./a', 'http://example.com:80/a')
    different('https://example.com/a', 'https://example.com:8443/a', 'https://www2.example.com/a')
  })

  it('recognises an index file before a session id', () => {
    same('/docs', '/docs/index.html;jsessionid=1?utm_source=a', '/docs/')
  })

  it('is the exact URL without deduplicateSimilarURLs', () => {
    const exact = (url: string): string => key(url, { deduplicateSimilarURLs: false })
    expect(exact('/a/?utm_source=x&b=%7e#top')).toBe('https://example.com/a/?utm_source=x&b=%7e')
    expect(key('/a?x=1', { ignoreQueryParameters: true })).toBe(key('/a'))
    expect(key('/a?x=1', { ignoreQueryParameters: true, deduplicateSimilarURLs: false })).toBe('https://example.com/a')
  })
  it('takes time linear in the length of the URL', () => {
    // Quadratic time in the groups of each path: thousands of these would take minutes.
    const session = `(S(${'a'.repeat(24)})${`S(${'a'.repeat(24)})`.repeat(270)}`
    const keys = new Set<string>()
    for (let n = 0; n < 20_000; n++) keys.add(key(`/${session}/${n}`))
    expect(keys.size).toBe(20_000)
  }, 30_000)

  it('shortens a URL that is too long to follow, and keeps it distinct', () => {
    const long = (end: string): string => `/${`S(${'a'.repeat(24)})`.repeat(20_000)}/(${end}`
    different(long('a'), long('b'))
    same(long('a'), long('a'))
    expect(key(long('a')).length).toBeLessThan(300)
  })
})
