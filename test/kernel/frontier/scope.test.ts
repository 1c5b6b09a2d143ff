import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePathPattern } from '../../../src/base/text/path-pattern.js'
import { refuse, type ScopePlan, type ScopeQuestion } from '../../../src/kernel/frontier/scope/scope.js'
import { scopePlan } from './scope-plan.js'

const patterns = (...sources: string[]) => sources.map(compilePathPattern)

const ask = (url: string, scope: Partial<ScopePlan> = {}, question: Partial<ScopeQuestion> = {}) =>
  refuse({ url: new URL(url, 'https://example.com/docs/'), via: 'link', depth: 1, ...question }, scopePlan(scope))

const reason = (...question: Parameters<typeof ask>): string | undefined => ask(...question)?.reason

describe('the scope', () => {
  it('admits child paths of the start URL, on its host with or without www.', () => {
    expect(reason('a')).toBeUndefined()
    expect(reason('/docs/a/b?x=1')).toBeUndefined()
    expect(reason('http://www.example.com/docs/a')).toBeUndefined()
  })

  it('refuses protocols other than http and https', () => {
    expect(ask('mailto:a@example.com')).toEqual({
      reason: 'NON_WEB_PROTOCOL',
      message: '`mailto:` is neither http nor https',
    })
    expect(reason('tel:+49123')).toBe('NON_WEB_PROTOCOL')
    expect(reason('javascript:void(0)')).toBe('NON_WEB_PROTOCOL')
  })

  it('refuses another host, and another port', () => {
    expect(ask('https://other.org/docs/a')).toEqual({
      reason: 'EXTERNAL_LINK',
      message: 'other.org is not the host of the crawl, example.com',
    })
    expect(reason('https://sub.example.com/docs/a')).toBe('EXTERNAL_LINK')
    expect(reason('https://example.com:8443/docs/a')).toBe('EXTERNAL_LINK')
  })

  it('admits other hosts of the domain with allowSubdomains, whatever their path, and not of a shared suffix', () => {
    const scope = { allowSubdomains: true }
    expect(reason('https://sub.example.com/anywhere', scope)).toBeUndefined()
    expect(reason('https://example.com/anywhere', scope)).toBe('BACKWARD_CRAWLING')
    expect(reason('https://example.org/docs/a', scope)).toBe('EXTERNAL_LINK')
    expect(reason('https://b.github.io/', { ...scope, start: 'https://a.github.io/' })).toBe('EXTERNAL_LINK')
    expect(reason('https://b.co.uk/', { ...scope, start: 'https://a.co.uk/' })).toBe('EXTERNAL_LINK')
    expect(reason('http://127.0.0.2/', { ...scope, start: 'http://127.0.0.1/' })).toBe('EXTERNAL_LINK')
    expect(ask('https://sub.example.com/')?.message).toContain('`allowSubdomains`')
  })

  it('admits other sites one step away with allowExternalLinks, home pages too, by the same patterns', () => {
    const scope = { allowExternalLinks: true }
    const from = new URL('https://example.com/docs/a')
    const elsewhere = new URL('https://other.org/a')
    expect(reason('https://other.org/a', scope, { from })).toBeUndefined()
    expect(reason('https://other.org/', scope, { from })).toBeUndefined()
    expect(reason('https://other.org/?page=2', scope, { from })).toBeUndefined()
    expect(reason('https://third.org/', scope, { from, via: 'redirect' })).toBeUndefined()
    expect(reason('https://other.org/', scope, { from: elsewhere })).toBe('EXTERNAL_LINK')
    expect(reason('https://other.org/b', scope, { from: elsewhere })).toBe('EXTERNAL_LINK')
    expect(reason('https://third.org/b', scope, { from: elsewhere, via: 'redirect' })).toBe('EXTERNAL_LINK')
    expect(reason('https://www2.other.org/', scope, { from: elsewhere, via: 'redirect' })).toBeUndefined()
    expect(reason('https://other.org/a', { ...scope, excludePaths: patterns('^/a') }, { from })).toBe('EXCLUDE_PATTERN')
    expect(reason('https://other.org/a', { ...scope, includePaths: patterns('^/b') }, { from })).toBe('INCLUDE_PATTERN')
  })

  it.each(['a.png', 'a.PNG', 'a.tar.gz', 'a.css?v=3', 'b/font.woff2', 'a.Mp4', 'a.HEIC', 'a.apk'])(
    'refuses the file %s',
    (path) => {
      expect(reason(path)).toBe('FILE_TYPE')
    },
  )

  it.each([
    'a.pdf',
    'a.DOCX',
    'a.xlsx',
    'a.pptx',
    'a.xml',
    'a.json',
    'a.txt',
    'a.csv',
    'a.epub',
    'a.odt',
    'a.RTF',
    'a.tsv',
    'a.py',
    'a.yaml',
    'a.html',
    'a.png/',
    'v1.2',
    '?f=a.png',
  ])('admits %s, which a parser may read', (path) => {
    expect(reason(path)).toBeUndefined()
  })

  it('admits images if an image parser is configured', () => {
    expect(reason('a.PNG', { readsImages: true })).toBeUndefined()
    expect(reason('a.svg', { readsImages: true })).toBe('FILE_TYPE')
  })

  it('refuses a path with more segments than allowed', () => {
    expect(ask('/docs/a/b', { maxPathDepth: 2 })).toEqual({
      reason: 'DEPTH_LIMIT',
      message: 'the path has 3 segments; `maxDepth` is 2',
    })
    expect(reason('/docs/a/index.html', { maxPathDepth: 2 })).toBeUndefined()
  })

  it('refuses a page further from the start than allowed, and admits one at the maximum', () => {
    expect(reason('a', { maxDiscoveryDepth: 0 })).toBe('DISCOVERY_DEPTH')
    expect(reason('a', { maxDiscoveryDepth: 1 })).toBeUndefined()
    expect(reason('a', { maxDiscoveryDepth: 1.5 }, { depth: 2 })).toBe('DISCOVERY_DEPTH')
    expect(reason('a', { maxDiscoveryDepth: 0 }, { via: 'sitemap', depth: 0 })).toBeUndefined()
  })

  it('refuses paths outside the start URL’s folder, unless crawlEntireDomain is set', () => {
    expect(ask('/blog/')).toEqual({
      reason: 'BACKWARD_CRAWLING',
      message: 'not below /docs/; `crawlEntireDomain` follows every link of the host',
    })
    expect(reason('/docsearch')).toBe('BACKWARD_CRAWLING')
    expect(reason('/', { crawlEntireDomain: true })).toBeUndefined()
    expect(reason('https://other.org/', { crawlEntireDomain: true })).toBe('EXTERNAL_LINK')
  })

  it('refuses URLs that an exclude pattern matches, and names the pattern', () => {
    expect(ask('a/old/b', { excludePaths: patterns('/new/', '/old/') })).toEqual({
      reason: 'EXCLUDE_PATTERN',
      message: '`excludePaths` has /old/',
    })
    expect(reason('a/older', { excludePaths: patterns('/old/') })).toBeUndefined()
  })

  it('refuses URLs that no include pattern matches', () => {
    expect(ask('b', { includePaths: patterns('/a', '/c') })).toEqual({
      reason: 'INCLUDE_PATTERN',
      message: 'no pattern of `includePaths` is found in /docs/b',
    })
    expect(reason('c', { includePaths: patterns('/a', '/c') })).toBeUndefined()
  })

  it('checks exclude patterns before include patterns', () => {
    expect(reason('a', { includePaths: patterns('a'), excludePaths: patterns('a') })).toBe('EXCLUDE_PATTERN')
  })

  it('matches patterns against the path, or the full URL with regexOnFullURL', () => {
    const excludePaths = patterns('lang=de')
    expect(reason('a?lang=de', { excludePaths })).toBeUndefined()
    expect(reason('a?lang=de', { excludePaths, regexOnFullURL: true })).toBe('EXCLUDE_PATTERN')
    expect(reason('a', { includePaths: patterns('^https://example\\.com/'), regexOnFullURL: true })).toBeUndefined()
  })

  it('checks the start URL against the patterns only', () => {
    const seed = { via: 'seed', depth: 0 } as const
    expect(reason('/archive.zip', { maxDiscoveryDepth: 0, maxPathDepth: 0 }, seed)).toBeUndefined()
    expect(reason('/docs/', { includePaths: patterns('/api/') }, seed)).toBe('INCLUDE_PATTERN')
    expect(reason('/docs/', { excludePaths: patterns('/docs/$') }, seed)).toBe('EXCLUDE_PATTERN')
  })

  it('checks the target of a redirect for the host and the exclude patterns', () => {
    const redirect = { via: 'redirect', depth: 9 } as const
    expect(reason('/login', { maxDiscoveryDepth: 1, includePaths: patterns('/docs/') }, redirect)).toBeUndefined()
    expect(reason('https://other.org/', {}, redirect)).toBe('EXTERNAL_LINK')
    expect(reason('/login', { excludePaths: patterns('/login') }, redirect)).toBe('EXCLUDE_PATTERN')
  })
})

describe('refuse', () => {
  const question = fc.record({
    url: fc.oneof(fc.webUrl(), fc.constantFrom('mailto:a@b.c', 'data:,x', 'blob:x', 'https://example.com/docs/a')),
    via: fc.constantFrom('seed', 'link', 'redirect', 'sitemap'),
    depth: fc.nat({ max: 9 }),
  } as const)
  const scope = fc.record({
    start: fc.webUrl(),
    regexOnFullURL: fc.boolean(),
    crawlEntireDomain: fc.boolean(),
    maxDiscoveryDepth: fc.constantFrom(0, 0.5, 3, Infinity),
    maxPathDepth: fc.constantFrom(0, 2, Infinity),
    includePaths: fc.constantFrom([], ['a'], ['[^/]+$']).map((sources) => patterns(...sources)),
    excludePaths: fc.constantFrom([], ['b'], ['\\d']).map((sources) => patterns(...sources)),
  })

  it('is pure, and every refusal has a message', () => {
    fc.assert(
      fc.property(question, scope, ({ url, via, depth }, changes) => {
        const answer = refuse({ url: new URL(url), via, depth }, scopePlan(changes))
        expect(refuse({ url: new URL(url), via, depth }, scopePlan(changes))).toEqual(answer)
        if (answer) expect(answer.message).not.toBe('')
      }),
    )
  })

  it('never refuses the start URL without patterns, nor admits another host', () => {
    fc.assert(
      fc.property(scope, (changes) => {
        const free = scopePlan({ ...changes, includePaths: [], excludePaths: [] })
        expect(refuse({ url: new URL(free.start), via: 'seed', depth: 0 }, free)).toBeUndefined()
        const elsewhere = new URL('https://elsewhere.invalid/')
        expect(refuse({ url: elsewhere, via: 'link', depth: 0 }, free)?.reason).toBe('EXTERNAL_LINK')
      }),
    )
  })
})
