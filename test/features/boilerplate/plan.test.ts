import { describe, expect, it } from 'vitest'
import { checkBatchScrape, checkCrawl, checkV1Crawl } from '../../../src/kernel/options/check.js'
import { planCrawl } from '../../../src/kernel/plan/crawl/plan-crawl.js'
import { planV1Crawl } from '../../../src/kernel/plan/crawl/plan-v1-crawl.js'
import { planBatch } from '../../../src/kernel/plan/plan-batch.js'
import { engine, featured } from '../plan-with-features.js'

const batch = (request: object) =>
  planBatch(checkBatchScrape({ urls: ['example.com'], ...request }, engine), featured).features?.['boilerplate']
const crawl = (request: object) =>
  planCrawl(checkCrawl({ url: 'example.com/docs', ...request }, engine), featured).features?.['boilerplate']
const v1 = (request: object) =>
  planV1Crawl(checkV1Crawl({ url: 'example.com/docs', ...request }, engine), featured).features?.['boilerplate']

describe('a job that learns boilerplate', () => {
  it.each([
    ['not by default', {}, {}, false],
    ['not with `learnBoilerplate: false`', { learnBoilerplate: false }, {}, false],
    ['with `learnBoilerplate`', { learnBoilerplate: true }, {}, true],
    ['not for whole pages', { learnBoilerplate: true }, { onlyMainContent: false }, false],
    ['not with `includeTags`', { learnBoilerplate: true }, { includeTags: ['main'] }, false],
    ['not without a format of the content', { learnBoilerplate: true }, { formats: ['links', 'rawHtml'] }, false],
    ['for every format of the content', { learnBoilerplate: true }, { formats: ['links', 'html'] }, true],
  ] as const)('is planned %s', (_, options, scrapeOptions, learnt) => {
    expect(crawl({ ...options, scrapeOptions }) !== undefined).toBe(learnt)
    expect(batch({ ...options, ...scrapeOptions }) !== undefined).toBe(learnt)
    if (!('formats' in scrapeOptions)) expect(v1({ ...options, scrapeOptions }) !== undefined).toBe(learnt)
  })

  it('is not planned for fewer pages than it learns from', () => {
    expect(crawl({ learnBoilerplate: true, limit: 3 })).toBeUndefined()
    expect(crawl({ learnBoilerplate: true, limit: 4 })).toBeDefined()
  })
})
