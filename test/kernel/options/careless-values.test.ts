import { describe, expect, it } from 'vitest'
import { batchDefinitions } from '../../../src/kernel/options/batch-options.js'
import {
  checkBatchScrape,
  checkCrawl,
  checkEngineConfig,
  checkScrape,
  checkV1Scrape,
} from '../../../src/kernel/options/check.js'
import { crawlOptionDefinitions, crawlRequestDefinitions } from '../../../src/kernel/options/crawl-options.js'
import { engineDefinitions } from '../../../src/kernel/options/engine-config.js'
import { jobDefinitions } from '../../../src/kernel/options/job-options.js'
import { scrapeDefinitions } from '../../../src/kernel/options/scrape-options.js'
import { v1ScrapeDefaults } from '../../../src/kernel/options/v1-options.js'
import { issuesOf } from './issues-of.js'

const url = 'https://example.com/'
const values: readonly unknown[] = [
  null,
  5,
  -1,
  Number.NaN,
  Infinity,
  10n,
  '',
  'zzz',
  true,
  [],
  [null],
  {},
  { zzz: 1 },
  new Map(),
  Symbol('s'),
  () => 0,
]

const calls: readonly [string, readonly string[], (options: object) => unknown][] = [
  ['an engine', Object.keys(engineDefinitions), (options) => checkEngineConfig(options)],
  ['a page', Object.keys(scrapeDefinitions), (options) => checkScrape(url, options)],
  ['a batch', Object.keys({ ...jobDefinitions, ...batchDefinitions }), (o) => checkBatchScrape({ urls: [url], ...o })],
  [
    'a crawl',
    Object.keys({ ...jobDefinitions, ...crawlOptionDefinitions, ...crawlRequestDefinitions }),
    (options) => checkCrawl({ url, ...options }),
  ],
  ['a page of version 1', Object.keys(v1ScrapeDefaults), (options) => checkV1Scrape(url, options)],
]

describe('a careless value', () => {
  it.each(calls)(
    'of an option of %s is taken, or refused with its name, and with what is allowed',
    (_, names, check) => {
      expect(names.length).toBeGreaterThan(3)
      for (const name of names) {
        for (const value of values) {
          const issues = Object.entries(issuesOf(() => check({ [name]: value })))
          for (const [path, message] of issues) {
            expect(`${path} ${message}`).toContain(name)
            expect(`${path}: ${message}`).not.toMatch(/is not allowed$|is not right$|: $|Invalid input|undefined/)
          }
        }
      }
    },
  )

  it('of a URL has a reason: also a host name that no DNS has', () => {
    for (const host of [`${'a'.repeat(64)}.com`, `${'ab.'.repeat(90)}com`])
      expect(issuesOf(() => checkScrape(`http://${host}/`, {})).url).toContain('host name that is too long')
    expect(issuesOf(() => checkScrape(`http://${'a'.repeat(63)}.com/`, {}))).toEqual({})
  })
})
