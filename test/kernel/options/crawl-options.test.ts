import { describe, expect, it } from 'vitest'
import { checkCrawl } from '../../../src/kernel/options/check.js'
import { issuesOf } from './issues-of.js'

const url = 'https://example.com/docs/'
const issues = (request: object) => issuesOf(() => checkCrawl({ url, ...request }))

describe('a crawl request', () => {
  it('is returned unchanged', () => {
    const request = {
      url,
      includePaths: ['^/docs/'],
      excludePaths: ['/old/'],
      regexOnFullURL: true,
      maxDiscoveryDepth: 1.5,
      sitemap: 'skip',
      ignoreQueryParameters: true,
      deduplicateSimilarURLs: false,
      limit: 1,
      crawlEntireDomain: true,
      allowExternalLinks: false,
      allowSubdomains: false,
      ignoreRobotsTxt: true,
      delay: 0.5,
      maxConcurrency: 2,
      zeroDataRetention: false,
      scrapeOptions: { formats: ['html'], timeout: 5000 },
    }
    expect(checkCrawl(request)).toEqual(request)
  })

  it('is refused with every problem at once, including those of `scrapeOptions`', () => {
    expect(
      issues({
        url: 'nope',
        limit: 0,
        delay: 0,
        maxDiscoveryDepth: -1,
        sitemap: 'ignore',
        ignoreSitemap: true,
        scrapeOptions: { timeout: 500, waitFor: 60_001, zeroDataRetention: true },
      }),
    ).toEqual({
      url: '"nope" has no public host name such as example.com',
      limit: '0 is out of range: at least 1',
      delay: '0 is out of range: more than 0, at most 60 seconds',
      maxDiscoveryDepth: '-1 is out of range: at least 0',
      sitemap: '"ignore" is not known: one of include, skip, only',
      '': 'unknown option "ignoreSitemap", which is of version 1, `engine.v1.crawl()`: `sitemap: \'skip\'` does the same',
      'scrapeOptions.timeout': '500 is out of range: 1000 to 300000 milliseconds',
      'scrapeOptions.waitFor': '60001 is out of range: 0 to 60000 milliseconds',
      scrapeOptions:
        'unknown option "zeroDataRetention", which is an option of a job: it stands beside its `urls`, or `scrapeOptions`',
    })
    expect(issues({ delay: 60.5 })).toHaveProperty('delay')
    expect(issues({ budget: { seconds: 0 } })).toEqual({ 'budget.seconds': '0 is out of range: more than 0 seconds' })
    expect(issues({ limit: 1.5 })).toHaveProperty('limit')
    expect(issues({ maxDiscoveryDepth: 0 })).toEqual({})
  })

  it('names a wrong field of `scrapeOptions` by its path', () => {
    expect(() => checkCrawl({ url, scrapeOptions: { timeout: 500 } })).toThrow(
      'Bad Request: scrapeOptions.timeout: 500 is out of range: 1000 to 300000 milliseconds',
    )
  })
})

describe('the patterns of a crawl', () => {
  it('are refused by field and index if they do not compile', () => {
    expect(issues({ includePaths: ['^/a', '(?=b)'], excludePaths: ['[c', '(d)\\1'] })).toEqual({
      'includePaths.1':
        '"(?=b)" is not a pattern that can be used: look-around is not supported: patterns are matched in linear time',
      'excludePaths.0': '"[c" is not a pattern that can be used: missing closing ]: `[c`',
      'excludePaths.1':
        '"(d)\\\\1" is not a pattern that can be used: back-references are not supported: patterns are matched in linear time',
    })
  })

  it.each(['', '  ', '(?:)'])(
    'are refused where they match every URL, as the empty field of a form does: %j',
    (pattern) => {
      const message = `${JSON.stringify(pattern)} is not a pattern that can be used: it is empty, so that it matches every URL; leave it out`
      expect(issues({ includePaths: ['/a', pattern], excludePaths: [pattern] })).toEqual({
        'includePaths.1': message,
        'excludePaths.0': message,
      })
    },
  )

  it('are limited to 1000 in each field, and in both together', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `/${index}/`)
    expect(issues({ includePaths: many(1000) })).toEqual({})
    expect(issues({ includePaths: many(1001) })).toEqual({ includePaths: '1001 items are too many: at most 1000' })
    expect(issues({ includePaths: many(600), excludePaths: many(401) })).toEqual({
      includePaths: '1001 patterns are too many: `includePaths` and `excludePaths` may have 1000 together',
    })
  })

  it('are limited to 2000 characters each, and 100,000 together', () => {
    expect(issues({ excludePaths: ['a'.repeat(2000)] })).toEqual({})
    expect(issues({ excludePaths: ['a'.repeat(2001)] })['excludePaths.0']).toContain('2001 characters are too many')
    expect(issues({ excludePaths: Array.from({ length: 51 }, () => 'a'.repeat(2000)) })['excludePaths']).toMatch(
      /^102000 characters are too many/,
    )
  })

  it('are refused if compiling their repetitions would stall the host', () => {
    const excludePaths = Array.from({ length: 40 }, () => '(?:abcdefgh){500}')
    expect(issues({ excludePaths })['excludePaths']).toContain(
      'with repetitions written out, are too many: `includePaths` and `excludePaths` may have 200000 together',
    )
  })
})
