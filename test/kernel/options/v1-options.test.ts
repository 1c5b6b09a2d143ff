import { describe, expect, it } from 'vitest'
import { checkCrawl, checkV1BatchScrape, checkV1Crawl, checkV1Scrape } from '../../../src/kernel/options/check.js'
import { issuesOf } from './issues-of.js'

const url = 'https://example.com/a/b/c'
const issues = (request: object) => issuesOf(() => checkV1Crawl({ url, ...request }))

describe('a crawl request of version 1', () => {
  it('is returned unchanged', () => {
    const request = {
      url,
      maxDepth: 3,
      ignoreSitemap: true,
      allowBackwardLinks: true,
      delay: 1,
      scrapeOptions: { formats: ['markdown', 'rawHtml'], maxAge: 0, proxy: 'basic' },
    }
    expect(checkV1Crawl(request)).toEqual(request)
  })

  it('is refused if it is a list', () => {
    expect(issuesOf(() => checkV1Crawl([url]))).toEqual({ '': 'a list of 1 is not an object with `url`' })
  })

  it('is refused if the start URL is deeper than `maxDepth`', () => {
    expect(issues({ maxDepth: 2 })).toEqual({ url: 'URL depth exceeds the specified maxDepth' })
    expect(issues({ url: 'https://example.com/1/2/3/4/5/6/7/8/9/10/11' })).toHaveProperty('url')
    expect(issues({ url: 'https://example.com/1/2/3/4/5/6/7/8/9/10/index.html' })).toEqual({})
  })

  it('is refused with options of version 2', () => {
    expect(issues({ urls: [], sitemap: 'skip' })).toEqual({
      '': 'unknown option "urls", which is of version 2, the calls without `v1`; unknown option "sitemap", which is of version 2, the calls without `v1`',
    })
    expect(issues({ scrapeOptions: { parsers: [], minAge: 1 } })).toEqual({
      scrapeOptions:
        'unknown option "parsers", which is of version 2, the calls without `v1`; unknown option "minAge", which is of version 2, the calls without `v1`',
    })
    expect(issues({ scrapeOptions: { formats: [{ type: 'markdown', links: 'reference' }, 'chunks'] } })).toEqual({
      'scrapeOptions.formats.0': expect.stringMatching(
        /^an object is not a name: one of html, links, markdown, rawHtml/,
      ),
      'scrapeOptions.formats.1': expect.stringMatching(/^"chunks" is not known: one of html, links, markdown, rawHtml/),
    })
  })
})

describe('page options of version 1', () => {
  it('may wait for an element and a time', () => {
    const actions = [{ type: 'wait', milliseconds: 10, selector: 'p' }]
    expect(checkV1Crawl({ url, scrapeOptions: { actions } }).scrapeOptions?.actions).toEqual(actions)
    expect(() => checkCrawl({ url, scrapeOptions: { actions } })).toThrow('exactly one of')
    expect(() => checkV1Crawl({ url, scrapeOptions: { actions: [{ type: 'wait' }] } })).toThrow('at least one of')
  })
})

describe('a batch and a page of version 1', () => {
  const urls = ['https://example.com/']

  it('take page options of version 1 at the top level', () => {
    const options = {
      parsePDF: false,
      actions: [{ type: 'wait', milliseconds: 10, selector: 'p' }],
      zeroDataRetention: true,
    }
    expect(checkV1BatchScrape({ urls, ...options, maxConcurrency: 2 })).toEqual({ urls, ...options, maxConcurrency: 2 })
    expect(checkV1Scrape(urls[0], options)).toEqual({ url: urls[0], options })
  })

  it('refuse what version 1 does not have, and what contradicts', () => {
    const refused = issuesOf(() => checkV1BatchScrape({ urls: [], minAge: 5, formats: ['chunks'] }))
    expect(refused).toMatchObject({
      urls: 'an empty list: at least 1',
      'formats.0': expect.stringMatching(/"chunks" is not known/),
    })
    expect(refused['']).toBe('unknown option "minAge", which is of version 2, the calls without `v1`')
    expect(issuesOf(() => checkV1Scrape('', { waitFor: 900, timeout: 1000 }))).toHaveProperty('waitFor')
    expect(issuesOf(() => checkV1Scrape(urls[0], { profile: { name: 'a' } }))).toHaveProperty([''])
  })
})
