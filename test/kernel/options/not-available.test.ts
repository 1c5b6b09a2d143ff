import { describe, expect, it } from 'vitest'
import { TrawlError } from '../../../src/base/errors.js'
import { checkBatchScrape, checkCrawl, checkScrapeOptions } from '../../../src/kernel/options/check.js'

const url = 'https://example.com/'
const urls = [url]

/** Returns the fields that the `NOT_AVAILABLE` error of `act` names. */
function refused(act: () => unknown): string[] {
  try {
    act()
  } catch (error) {
    if (!(error instanceof TrawlError) || error.code !== 'NOT_AVAILABLE') throw error
    return [...error.message.matchAll(/`([^`]+)`/g)].map(([, field]) => field ?? '')
  }
  return []
}

describe('an option that this version does not implement', () => {
  it('is refused by name, in one error for all of them', () => {
    const options = { onlyCleanContent: true }
    expect(refused(() => checkScrapeOptions(options)).sort()).toEqual(Object.keys(options).sort())
  })

  it('is refused in a batch and in a crawl', () => {
    const batch = { urls, onlyCleanContent: true }
    expect(refused(() => checkBatchScrape(batch))).toEqual(['onlyCleanContent'])
    const crawl = {
      url,
      scrapeOptions: { onlyCleanContent: true },
    }
    expect(refused(() => checkCrawl(crawl))).toEqual(['scrapeOptions.onlyCleanContent'])
  })

  it('is accepted with a value that needs no implementation', () => {
    const options = {
      proxy: 'basic',
      onlyCleanContent: false,
      lockdown: false,
      fastMode: true,
    }
    expect(refused(() => checkBatchScrape({ urls, zeroDataRetention: false, ...options }))).toEqual([])
    const crawl = {
      url,
      sitemap: 'skip',
      ignoreRobotsTxt: true,
      allowSubdomains: false,
      scrapeOptions: options,
    }
    expect(refused(() => checkCrawl(crawl))).toEqual([])
  })

  it('is reported only for a valid request', () => {
    expect(() => checkScrapeOptions({ lockdown: true, timeout: 1 })).toThrow(/^Bad Request/)
  })
})
