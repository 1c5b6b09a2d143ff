import { describe, expect, it } from 'vitest'
import {
  checkBatchScrape,
  checkCall,
  checkCrawl,
  checkEngineConfig,
  checkParseInput,
  checkScrape,
} from '../../../src/kernel/options/check.js'

const url = new URL('https://example.com/a?b=c')

describe('the URLs of a request', () => {
  it('may be `URL` objects', () => {
    expect(checkScrape(url).url).toBe(url.href)
    expect(checkCrawl({ url }).url).toBe(url.href)
    expect(checkParseInput({ body: 'x', url }).url).toBe(url.href)
    expect(checkBatchScrape({ urls: [url, 'https://example.com/b'] }).urls).toEqual([url.href, 'https://example.com/b'])
  })

  it('may be `URL` objects in `baseUrl`', () => {
    expect(checkEngineConfig({ baseUrl: url })).toEqual({ baseUrl: url.href })
    expect(checkEngineConfig({})).toEqual({})
    expect(() => checkEngineConfig({ baseUrl: {} })).toThrow('baseUrl')
  })

  it('may be listed in sets, generators and other iterables', () => {
    expect(checkBatchScrape({ urls: new Set([url]) }).urls).toEqual([url.href])
    const two = function* () {
      yield url
      yield 'https://example.com/b'
    }
    expect(checkBatchScrape({ urls: two() }).urls).toHaveLength(2)
    const endless = function* () {
      for (;;) yield url
    }
    expect(() => checkBatchScrape({ urls: endless() })).toThrow('urls: more than 1000000 items of an iterable')
    expect(() => checkBatchScrape({ urls: 'https://example.com/' })).toThrow(
      'urls: "https://example.com/" is not a list',
    )
    expect(() => checkBatchScrape({ urls: new Map([['a', 'b']]) })).toThrow('urls[0]')
  })

  it('are converted in a copy of the request', () => {
    const request = Object.freeze({ urls: Object.freeze([url]) })
    checkBatchScrape(request)
    expect(request.urls).toEqual([url])
  })
})

describe('the options of a request', () => {
  it('may be inherited, from an object of defaults', () => {
    const defaults = { limit: 5, scrapeOptions: Object.create({ formats: ['links'] }) as object }
    const request: object = Object.assign(Object.create(defaults), { url })
    expect(checkCrawl(request)).toEqual({ url: url.href, limit: 5, scrapeOptions: { formats: ['links'] } })
    expect(() => checkCrawl(Object.assign(Object.create({ limitt: 5 }), { url }))).toThrow('unknown option "limitt"')
  })

  it('may be those of an instance of a class, whose methods are no options', () => {
    function Options(this: { url: URL }): void {
      this.url = url
    }
    // As older compilers write classes: the method is enumerable.
    Options.prototype.describe = () => 'a request'
    const request: unknown = Reflect.construct(Options, [])
    expect(checkCrawl(request)).toEqual({ url: url.href })
    class Defaults {
      get [Symbol.toStringTag](): string {
        return 'Defaults'
      }
    }
    expect(checkScrape(url, new Defaults())).toMatchObject({ url: url.href })
    expect(checkCrawl({ url, scrapeOptions: new Defaults() })).toEqual({ url: url.href, scrapeOptions: {} })
  })

  it('are refused in an object that has none to read', () => {
    expect(() => checkScrape(url, new Error('a failure'))).toThrow('an Error is not an object of options')
    expect(() => checkScrape(url, Promise.resolve({}))).toThrow('a Promise is not an object of options: await it')
    expect(() => checkCrawl({ url, scrapeOptions: new Map() })).toThrow('scrapeOptions: a Map is not an object of')
    expect(() => checkBatchScrape({ urls: [url], location: new Date(0) })).toThrow('location: a Date is not an')
    expect(() => checkCall(Promise.resolve())).toThrow('a Promise is not an object of options')
    for (const none of [{}, Object.create(null), Object.create(Object.create(null) as object)])
      expect(checkCrawl({ url, scrapeOptions: none })).toEqual({ url: url.href, scrapeOptions: {} })
  })
})

describe('the patterns of a request', () => {
  it('may be `RegExp` objects, with the flags that RE2 has', () => {
    const { includePaths, excludePaths } = checkCrawl({
      url,
      includePaths: [/^\/docs\//, /blog/gi],
      excludePaths: new Set(['a', /b/s]),
    })
    expect(includePaths).toEqual(['^\\/docs\\/', '(?i)blog'])
    expect(excludePaths).toEqual(['a', '(?s)b'])
  })

  it('are refused with their source if they are not linear, or sticky', () => {
    expect(() => checkCrawl({ url, includePaths: [/a(?=b)/] })).toThrow('includePaths[0]: "a(?=b)" is not a pattern')
    expect(() => checkCrawl({ url, includePaths: [/a/y] })).toThrow('includePaths[0]: an object is not a string')
  })
})
