import { describe, expect, it } from 'vitest'
import { batchDefaults } from '../../../src/kernel/options/batch-options.js'
import { crawlDefaults } from '../../../src/kernel/options/crawl-options.js'
import { engineDefaults } from '../../../src/kernel/options/engine-config.js'
import { DEFAULT_COUNTRY } from '../../../src/kernel/options/fields/location.js'
import { jobDefaults } from '../../../src/kernel/options/job-options.js'
import { scrapeDefaults } from '../../../src/kernel/options/scrape-options.js'
import { v1CrawlDefaults, v1ScrapeDefaults } from '../../../src/kernel/options/v1-options.js'
import { findWrongDefaults } from './stated-defaults.js'

const { limits, modelOptions, retry, proxies, ...engine } = engineDefaults

describe('the default in a doc comment', () => {
  it.each<[string, object]>([
    ['ScrapeOptions', scrapeDefaults],
    ['Location', { country: DEFAULT_COUNTRY }],
    ['BatchScrapeRequest', { ...jobDefaults, ...batchDefaults }],
    ['CrawlRequest', { ...jobDefaults, ...crawlDefaults }],
    ['V1CrawlRequest', v1CrawlDefaults],
    ['V1ScrapeOptions', v1ScrapeDefaults],
    ['EngineConfig', engine],
    ['FetchLimits', limits],
    ['ModelSettings', modelOptions],
    ['RetrySettings', retry],
    ['ProxiesConfig', proxies],
  ])('of %s is the default that is used', (type, defaults) => {
    expect(findWrongDefaults(type, defaults)).toEqual([])
  })
})
