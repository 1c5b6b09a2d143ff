import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import {
  checkBatchScrape,
  checkCrawl,
  checkJobCall,
  checkParseInput,
  checkScrape,
  checkScrapeOptions,
  checkV1Scrape,
  checkV1Crawl,
} from '../../../src/kernel/options/check.js'

const url = 'https://example.com/'

describe('an option in the wrong place', () => {
  it('is named with its request when it is given to the engine', () => {
    const make = (config: object) => () => createEngine(config)
    expect(make({ timeout: 5 })).toThrow('belongs in requests, as in `engine.scrape(url, { timeout })`')
    expect(make({ limit: 5 })).toThrow('belongs in requests, as in `engine.crawl({ url, limit })`')
    expect(make({ ledger: 'x.db' })).toThrow("such as `sqlite('crawl.db')`")
  })

  it.each<[string, () => unknown, string]>([
    [
      'a page option in a crawl',
      () => checkCrawl({ url, formats: ['markdown'] }),
      '"formats", which belongs in `scrapeOptions`',
    ],
    [
      'another page option in a crawl',
      () => checkCrawl({ url, onlyMainContent: false }),
      '"onlyMainContent", which belongs in `scrapeOptions`',
    ],
    [
      'scrapeOptions in a batch',
      () => checkBatchScrape({ urls: [url], scrapeOptions: {} }),
      '"scrapeOptions", which has no place here: its options stand at the top level',
    ],
    [
      'a crawl option in `scrapeOptions`',
      () => checkCrawl({ url, scrapeOptions: { sitemap: 'skip' } }),
      'is an option of `crawl()`',
    ],
    [
      'a batch option in a page',
      () => checkScrapeOptions({ ignoreInvalidURLs: true }),
      'is an option of `batchScrape()`',
    ],
    [
      'an option of version 1',
      () => checkCrawl({ url, maxDepth: 3 }),
      'is of version 1, `engine.v1.crawl()`: `maxDiscoveryDepth` counts links',
    ],
    ['an option of version 2', () => checkV1Crawl({ url, sitemap: 'skip' }), 'is of version 2, the calls without `v1`'],
    [
      'a page option in a crawl of version 1',
      () => checkV1Crawl({ url, parsePDF: true }),
      'belongs in `scrapeOptions`',
    ],
    [
      'a signal among page options',
      () => checkScrapeOptions({ signal: new AbortController().signal }),
      '"signal", which belongs in the last argument of the call',
    ],
    [
      'a setting of the engine in a page',
      () => checkScrapeOptions({ allowPrivateNetworks: true }),
      'is a setting of the engine: `createEngine({ allowPrivateNetworks })`',
    ],
    [
      'a setting of the engine in a crawl',
      () => checkCrawl({ url, snapshots: './s' }),
      '`createEngine({ snapshots })`',
    ],
    [
      'the selector of another action',
      () => checkScrapeOptions({ actions: [{ type: 'write', selector: '#user', text: 'me' }] }),
      '"selector", which belongs in an action before this one, which puts the focus there: `{ type: \'click\', selector }`',
    ],
    ['an option of other crawlers', () => checkCrawl({ url, maxPages: 5 }), '"maxPages", which is `limit`'],
    ...['retryHttpCodes', 'RETRY_HTTP_CODES', 'additionalHttpErrorStatusCodes', 'retryStatuses', 'statusCodes'].map(
      (name): [string, () => unknown, string] => [
        `${name} for the engine`,
        () => createEngine({ [name]: [403] }),
        `"${name}", which is \`retry: { statusCodes }\` of the engine`,
      ],
    ),
    [
      'one of its object `retry`',
      () => createEngine({ retry: { statuses: [403] } as object }),
      'retry: unknown option "statuses", which is `retry: { statusCodes }`',
    ],
    ['one in another case', () => checkCrawl({ url, max_depth: 5, Depth: 2 }), '"Depth", which is `maxDiscoveryDepth`'],
    ['one of a job in a page', () => checkScrapeOptions({ maxPages: 5 }), '"maxPages", which is `limit` of a job'],
    [
      'one with another meaning in a page',
      () => checkScrapeOptions({ exclude: ['nav'] }),
      '"exclude", which is `excludeTags`, or `excludePaths` of a crawl',
    ],
    [
      'cookies',
      () => checkScrapeOptions({ cookies: [] }),
      '"cookies", which is a header: `headers: { Cookie: \'name=value\' }`',
    ],
    [
      'the browser of other libraries',
      () => createEngine({ headless: true } as object),
      "`fetcher: 'browser'` of the engine",
    ],
    [
      'one proxy for the engine',
      () => createEngine({ proxy: 'http://a' } as object),
      "`proxies: { basic: ['http://…'] }`",
    ],
    [
      'an action of another library',
      () => checkScrapeOptions({ actions: [{ type: 'type', text: 'me' }] }),
      '"type" is not known, did you mean `write`?',
    ],
    ['a glob', () => checkCrawl({ url, includePaths: ['/docs/**'] }), 'patterns are regular expressions, not globs'],
    [
      'a format in a page',
      () => checkScrapeOptions({ html: true }),
      '"html", which is a format: `formats: [\'html\']`',
    ],
    ['a format in a page of version 1', () => checkV1Scrape(url, { html: true }), "is a format: `formats: ['html']`"],
    [
      'a format that version 1 does not have',
      () => checkV1Scrape(url, { chunks: true }),
      '"chunks", which is a format of version 2',
    ],
    ['the URL of a page among its options', () => checkScrape(url, { url }), 'the URL stands before the options'],
    ['the URL of a batch', () => checkBatchScrape({ url }), '"url", which is `urls` here, a list'],
    [
      'the options of a page',
      () => checkBatchScrape({ urls: [url], options: {} }),
      'those of a batch stand at the top level',
    ],
    ['a schema in a page', () => checkScrapeOptions({ schema: {} }), "`formats: [{ type: 'json', schema, prompt }]`"],
    ['a function for each page', () => checkCrawl({ url, onPage() {} }), '`for await (const page of job)`'],
    ['a level of logging', () => createEngine({ logLevel: 'debug' } as object), '"logLevel", which is `logger`'],
    ['a key of a model', () => createEngine({ apiKey: 'a' } as object), '`model: openAiCompatible({'],
    [
      'robots.txt for the engine',
      () => createEngine({ respectRobotsTxt: true } as object),
      '`ignoreRobotsTxt` of a crawl',
    ],
    [
      'a key among the options of a crawl',
      () => checkCrawl({ url, idempotencyKey: 'week 48' }),
      '"idempotencyKey", which belongs in the last argument of the call',
    ],
    [
      'a page option in the last argument',
      () => checkJobCall({ formats: ['markdown'] }),
      '"formats", which belongs in the request, the argument before',
    ],
    [
      'a page option beside the bytes of a page',
      () => checkParseInput({ body: '<p>', url, formats: ['html'] }),
      '"formats", which belongs in the options after it: `engine.parse({ body, url }, { formats })`',
    ],
    ['a misspelt option', () => checkCrawl({ url, limt: 1 }), '"limt", did you mean `limit`?'],
  ])('is refused with its right place: %s', (_, check, message) => expect(check).toThrow(message))
})
