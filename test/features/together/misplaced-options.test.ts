import { z } from 'zod'
import { afterAll, describe, expect, it } from 'vitest'
import { builtIn } from '../../../src/features/create-engine.js'
import { createEngine } from '../../../src/index.js'
import { batchScrapeSchema } from '../../../src/kernel/options/batch-options.js'
import { crawlSchema } from '../../../src/kernel/options/crawl-options.js'
import { createMisplacedExplainer } from '../../../src/kernel/options/misplaced-option.js'
import { scrapeShape } from '../../../src/kernel/options/scrape-schema.js'
import { v1CrawlSchema } from '../../../src/kernel/options/v1-options.js'

const url = 'https://example.com/'
const engine = createEngine()
afterAll(() => engine.close())

const { options } = builtIn
const requests: [call: string, names: string[]][] = [
  ['scrape()', Object.keys(scrapeShape(z, options))],
  ['batchScrape()', Object.keys(batchScrapeSchema(z, options).shape)],
  ['crawl()', Object.keys(crawlSchema(z, options).shape)],
  ['v1.crawl()', Object.keys(v1CrawlSchema(z, options).shape)],
  ...options.requests.map(({ call, names }): [string, string[]] => [`${call} with ${names[0]}`, [...names]]),
]

describe('an option of one call in another', () => {
  const explain = createMisplacedExplainer(options)
  const all = new Set(requests.flatMap(([, names]) => names))

  it.each(requests)('is explained in %s, whichever option it is', (_, known) => {
    const unexplained = [...all].filter((name) => !known.includes(name) && explain(name, known) === undefined)
    expect(unexplained).toEqual([])
  })

  it.each<[string, () => Promise<unknown>, string]>([
    ['urls of a watch', () => engine.watch({ name: 'a', every: '1h', urls: [url] } as never), 'targets: [{ urls }]'],
    [
      'formats of a target',
      () => engine.watch({ name: 'a', every: '1h', targets: [{ url, formats: ['product'] } as never] }),
      'targets[0]: unknown option "formats", which is an option of the watch, beside `targets`',
    ],
    [
      'a limit of a watch',
      () => engine.watch({ name: 'a', every: '1h', targets: [{ url }], limit: 5 } as never),
      '"limit", which belongs in the crawl of a target: `targets: [{ crawl: { url, … } }]`',
    ],
    [
      'two kinds of pages in one target',
      () => engine.watch({ name: 'a', every: '1h', targets: [{ url, urls: [url] }] }),
      'one of `url`, `urls` and `crawl` is needed, and no second one',
    ],
    [
      'formats of a map',
      () => engine.map({ url, formats: ['markdown'] } as never),
      '"formats", which is an option of `engine.scrape()`, of `scrapeOptions` in `engine.crawl()`',
    ],
    [
      'maxDepth of a map',
      () => engine.map({ url, maxDepth: 2 } as never),
      'is an option of `engine.v1.crawl()`; in `engine.crawl()` `maxDiscoveryDepth` counts links',
    ],
    ['a query of a map', () => engine.map({ url, query: 'docs' } as never), '"query", which is `search` here'],
    ['a search in a page', async () => engine.scrape(url, { search: 'docs' } as never), 'an option of `engine.map()`'],
  ])('says what takes it: %s', async (_, call, message) => {
    await expect(Promise.resolve().then(call)).rejects.toThrow(message)
  })
})
