import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageKey } from '../../../src/kernel/frontier/duplicates/same-page.js'
import {
  childScope,
  isBelow,
  isRouteFragment,
  isSameHost,
  isWebUrl,
  parseUrl,
  pathDepth,
  resolveUrl,
  withoutFragment,
} from '../../../src/base/url.js'

const key = (url: string, options: Partial<Parameters<typeof pageKey>[1]> = {}): string =>
  pageKey(new URL(url), { ignoreQueryParameters: false, deduplicateSimilarURLs: true, ...options })

const segment = fc.stringMatching(/^[a-z0-9_-]{1,8}$/).filter((name) => name !== 'index')
const site = fc.record({
  host: fc.constantFrom('example.com', 'docs.example.co.uk', 'a.b'),
  port: fc.constantFrom('', ':8080'),
  path: fc.array(segment, { maxLength: 4 }).map((parts) => parts.map((part) => `/${part}`).join('')),
  query: fc.constantFrom('', '?a=1', '?a=1&b=2'),
})

describe('parseUrl', () => {
  it('parses a host name with an umlaut each time, also when V8 has compiled the call', () => {
    // Parts of a page's text, as links are: strings that are joined in code take another way.
    const urls = JSON.parse('["https://müller.example/a","https://example.com/straße"]') as string[]
    let refused = 0
    for (let round = 0; round < 50_000; round += 1)
      for (const url of urls)
        if (parseUrl(url) === undefined || resolveUrl(url, 'https://a.example/') === undefined) refused += 1
    expect(refused).toBe(0)
  })

  it('is undefined for what is no URL', () => {
    for (const text of ['', 'a', 'http://', 'http://[', 'https://a b/']) expect(parseUrl(text)).toBeUndefined()
    expect(parseUrl('a', 'http://b.example/c/')?.href).toBe('http://b.example/c/a')
  })
})

describe('pageKey', () => {
  it('gives the sixteen spellings of a page one key', () => {
    fc.assert(
      fc.property(site, ({ host, port, path, query }) => {
        const spellings = ['http', 'https'].flatMap((protocol) =>
          ['', 'www.'].flatMap((www) =>
            ['', '/', '/index.html', '/index.php'].map(
              (end) => `${protocol}://${www}${host}${port}${path}${end}${query}`,
            ),
          ),
        )
        expect(spellings).toHaveLength(16)
        expect(new Set(spellings.map((spelling) => key(spelling)))).toHaveProperty('size', 1)
      }),
    )
  })

  it('keeps pages apart that differ in path, case, port, query or the order of the query', () => {
    const urls = ['/a', '/A', '/a/b', '/a?x=1&y=2', '/a?y=2&x=1'].map((path) => `https://example.com${path}`)
    urls.push('https://example.com:8443/a', 'https://docs.example.com/a', 'https://example.org/a')
    expect(new Set(urls.map((url) => key(url)))).toHaveProperty('size', urls.length)
  })

  it('drops the query when asked to, and the fragment always, unless a client-side router reads it', () => {
    expect(key('https://example.com/a?x=1', { ignoreQueryParameters: true })).toBe(key('https://example.com/a'))
    expect(key('https://example.com/a#top')).toBe(key('https://example.com/a'))
    expect(key('https://example.com/a#/inbox')).not.toBe(key('https://example.com/a'))
    expect(key('https://example.com/a#!/inbox')).not.toBe(key('https://example.com/a#!/sent'))
  })

  it('is the exact URL without its fragment when similar URLs are not taken as one', () => {
    const exact = (url: string) => key(url, { deduplicateSimilarURLs: false })
    expect(exact('https://www.example.com/a/index.html?x=1#top')).toBe('https://www.example.com/a/index.html?x=1')
    expect(exact('https://example.com/a/')).not.toBe(exact('https://example.com/a'))
    expect(exact('http://example.com/a')).not.toBe(exact('https://example.com/a'))
  })
})

describe('resolveUrl', () => {
  it('makes a link absolute against its page', () => {
    const base = 'https://example.com/docs/guide.html?x=1#top'
    expect(resolveUrl('../a', base)?.href).toBe('https://example.com/a')
    expect(resolveUrl('//other.org/b', base)?.href).toBe('https://other.org/b')
    expect(resolveUrl('?y=2', base)?.href).toBe('https://example.com/docs/guide.html?y=2')
    expect(resolveUrl('  https://other.org/c \n', base)?.href).toBe('https://other.org/c')
    expect(resolveUrl('mailto:a@b.c', base)?.protocol).toBe('mailto:')
  })

  it('repairs a protocol with one slash', () => {
    expect(resolveUrl('http:/other.org/x', 'http://example.com/')?.href).toBe('http://other.org/x')
    expect(resolveUrl('https:/other.org/x', 'https://example.com/')?.href).toBe('https://other.org/x')
  })

  it('gives nothing for what is no URL, and never throws', () => {
    expect(resolveUrl('http://', 'https://example.com')).toBeUndefined()
    expect(resolveUrl('a/b')).toBeUndefined()
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const url = resolveUrl(text, 'https://example.com/a')
        expect(url === undefined || url instanceof URL).toBe(true)
      }),
    )
  })
})

describe('withoutFragment', () => {
  it('drops the fragment, also an empty one, and keeps a route', () => {
    const bare = (url: string) => withoutFragment(new URL(url)).href
    expect(bare('https://example.com/a?x=1#top')).toBe('https://example.com/a?x=1')
    expect(bare('https://example.com/a#')).toBe('https://example.com/a')
    expect(bare('https://example.com/a#/')).toBe('https://example.com/a')
    expect(bare('https://example.com/a#/inbox')).toBe('https://example.com/a#/inbox')
    expect(isRouteFragment('#!/x')).toBe(true)
    expect(isRouteFragment('#!/')).toBe(false)
  })

  it('leaves the URL that it is given as it is', () => {
    const url = new URL('https://example.com/a#top')
    withoutFragment(url)
    expect(url.hash).toBe('#top')
  })
})

describe('isSameHost', () => {
  it('takes www. and the protocol as nothing, and a port or another name as another host', () => {
    const same = (a: string, b: string) => isSameHost(new URL(a), new URL(b))
    expect(same('http://www.example.com/', 'https://example.com/a')).toBe(true)
    expect(same('http://example.com:80/', 'https://example.com:443/')).toBe(true)
    expect(same('https://example.com:8443/', 'https://example.com/')).toBe(false)
    expect(same('https://docs.example.com/', 'https://example.com/')).toBe(false)
    expect(same('https://wwwexample.com/', 'https://example.com/')).toBe(false)
  })
})

describe('isWebUrl', () => {
  it('is true for http and https alone', () => {
    const kinds = ['http://a.b', 'https://a.b', 'ftp://a.b', 'mailto:a@b.c', 'javascript:1', 'data:,x', 'file:///a']
    expect(kinds.map((url) => isWebUrl(new URL(url)))).toEqual([true, true, false, false, false, false, false])
  })
})

describe('pathDepth', () => {
  it('counts segments, but neither empty ones nor an index file', () => {
    const depth = (path: string) => pathDepth(new URL(path, 'https://example.com'))
    expect(['/', '/a', '/a/', '/a//b', '/a/b/index.html', '/index.php', '/a/index.htm'].map(depth)).toEqual([
      0, 1, 1, 2, 2, 0, 2,
    ])
  })
})

describe('the child scope', () => {
  const admits = (start: string, path: string): boolean =>
    isBelow(childScope(new URL(start, 'https://example.com')), new URL(path, 'https://example.com'))

  it('is the path and what lies below it', () => {
    expect(admits('/docs', '/docs')).toBe(true)
    expect(admits('/docs', '/docs/a')).toBe(true)
    expect(admits('/docs', '/docsearch')).toBe(false)
    expect(admits('/docs', '/')).toBe(false)
  })

  it('is a folder when the path ends in a slash or names a document', () => {
    expect(admits('/docs/', '/docs/a/b')).toBe(true)
    expect(admits('/docs/', '/docs')).toBe(false)
    expect(admits('/docs/guide.html', '/docs/other.html')).toBe(true)
    expect(admits('/docs/guide.html', '/docs/')).toBe(true)
    expect(admits('/docs/guide.html', '/blog/')).toBe(false)
    expect(admits('/', '/anything')).toBe(true)
  })

  it('holds its own start, whatever that is', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (start) =>
        isBelow(childScope(new URL(start)), new URL(start)),
      ),
    )
  })
})
