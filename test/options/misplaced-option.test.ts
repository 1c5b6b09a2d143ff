import { describe, expect, it } from 'vitest'
import {
  checkBatchScrape,
  checkCrawl,
  checkParseInput,
  checkScrapeOptions,
  checkV1Crawl,
} from '../../src/options/check.js'

const url = 'https://example.com/'

describe('an option that is known, and stands in the wrong place', () => {
  it.each<[string, () => unknown, string]>([
    [
      'a page’s in a crawl',
      () => checkCrawl({ url, formats: ['markdown'] }),
      '"formats", which belongs in `scrapeOptions`',
    ],
    [
      'one more',
      () => checkCrawl({ url, onlyMainContent: false }),
      '"onlyMainContent", which belongs in `scrapeOptions`',
    ],
    [
      'scrapeOptions in a batch',
      () => checkBatchScrape({ urls: [url], scrapeOptions: {} }),
      '"scrapeOptions", which has no place here: its options stand at the top level',
    ],
    [
      'a crawl’s in its pages',
      () => checkCrawl({ url, scrapeOptions: { sitemap: 'skip' } }),
      'is an option of `crawl()`',
    ],
    ['a batch’s in a page', () => checkScrapeOptions({ ignoreInvalidURLs: true }), 'is an option of `batchScrape()`'],
    [
      'one of version 1',
      () => checkCrawl({ url, maxDepth: 3 }),
      'is of version 1, `engine.v1.crawl()`: `maxDiscoveryDepth` counts links',
    ],
    ['one of version 2', () => checkV1Crawl({ url, sitemap: 'skip' }), 'is of version 2: `engine.crawl()`'],
    ['a page’s in version 1', () => checkV1Crawl({ url, parsePDF: true }), 'belongs in `scrapeOptions`'],
    ['a slip of the pen', () => checkCrawl({ url, limt: 1 }), '"limt", did you mean `limit`?'],
  ])('is told where it belongs: %s', (_, check, message) => expect(check).toThrow(message))
})

describe('bytes in place of an object', () => {
  it.each([[Buffer.alloc(31_836)], [new Uint8Array(3)], [new ArrayBuffer(3)], ['<p>text</p>']])(
    'are answered with what is wanted: %#',
    (input) => expect(() => checkParseInput(input)).toThrow(/alone: give an object, `\{ body, url, contentType \}`/),
  )
})

describe('languages', () => {
  it('are language tags', () => {
    expect(
      checkScrapeOptions({ location: { languages: ['de', 'pt-BR', 'zh-Hant-TW'] } }).location?.languages,
    ).toHaveLength(3)
    for (const language of ['', 'de_DE', 'en\r\nX-A: b', 'ü', 'x'.repeat(200)])
      expect(() => checkScrapeOptions({ location: { languages: [language] } })).toThrow(
        /^Bad Request: location\.languages\[0\]: ".*" is not a language/,
      )
  })
})

describe('fastMode', () => {
  it('is refused beside what needs a browser', () => {
    expect(() => checkScrapeOptions({ fastMode: true, actions: [{ type: 'scrape' }] })).toThrow(
      'fastMode: leaves the browser out, which `actions` needs: they cannot be combined',
    )
    expect(() => checkScrapeOptions({ fastMode: true, formats: ['screenshot'], waitFor: 5 })).toThrow(
      '`waitFor`, format `screenshot` need',
    )
    expect(checkScrapeOptions({ fastMode: true, formats: ['markdown'] }).fastMode).toBe(true)
  })
})

describe('version 1', () => {
  it('waits for an element and a time, and takes `jsonOptions` without its format', () => {
    const actions = [{ type: 'wait', milliseconds: 10, selector: 'p' }]
    expect(
      checkV1Crawl({ url, scrapeOptions: { actions, jsonOptions: { prompt: 'x' } } }).scrapeOptions?.actions,
    ).toEqual(actions)
    expect(() => checkCrawl({ url, scrapeOptions: { actions } })).toThrow('exactly one of')
    expect(() => checkV1Crawl({ url, scrapeOptions: { actions: [{ type: 'wait' }] } })).toThrow('at least one of')
  })
})
