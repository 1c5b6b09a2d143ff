import { describe, expect, it } from 'vitest'
import { countCredits, countFailure, estimateCredits, type PricedPage } from '../../../src/base/accounting/credits.js'
import { type ErrorCode, errorTable } from '../../../src/base/errors.js'

const plain: PricedPage = { enhanced: 4, isEnhanced: false, pdfPages: 1, work: new Set() }

describe('the price of a page', () => {
  it.each<[string, Partial<PricedPage>, number]>([
    ['a page, from its site or the cache, whatever its status', {}, 1],
    ['json, or changeTracking with mode json, or both', { work: new Set(['data']) }, 5],
    ['question', { work: new Set(['question']) }, 5],
    ['query', { work: new Set(['query']) }, 5],
    ['highlights', { work: new Set(['highlights']) }, 5],
    ['audio', { work: new Set(['audio']) }, 5],
    ['video', { work: new Set(['video']) }, 5],
    ['audio', { work: new Set(['audio']) }, 5],
    ['video', { work: new Set(['video']) }, 5],
    ['json, question and highlights', { work: new Set(['data', 'question', 'highlights']) }, 13],
    ['deterministicJson by an extractor that was written', { work: new Set(['writtenRules']) }, 10],
    ['deterministicJson by an extractor that was there', { work: new Set(['reusedRules']) }, 3],
    ['a PDF file of one page', { pdfPages: 1 }, 1],
    ['a PDF file of twelve pages', { pdfPages: 12 }, 12],
    ['a PDF file of which no page could be read', { pdfPages: 0 }, 1],
    ['what came by an enhanced proxy', { isEnhanced: true }, 5],
    ['a PDF file of three pages by an enhanced proxy', { isEnhanced: true, pdfPages: 3 }, 7],
    ['the same at a price of its own', { isEnhanced: true, enhanced: 0 }, 1],
    ['a price of its own, and no enhanced proxy', { enhanced: 100 }, 1],
    ['lockdown', { lockdown: true }, 5],
    ['zero data retention', { zeroDataRetention: true }, 2],
    [
      'all of it',
      { isEnhanced: true, pdfPages: 2, work: new Set(['data']), lockdown: true, zeroDataRetention: true },
      15,
    ],
  ])('%s', (_, page, credits) => expect(countCredits({ ...plain, ...page })).toBe(credits))

  it('is 0 for a page that failed, except for an unresolved host name and a cache miss with `lockdown`', () => {
    const paid = (Object.keys(errorTable) as ErrorCode[]).filter((code) => countFailure(code) > 0)
    expect(paid).toEqual(['SCRAPE_DNS_RESOLUTION_ERROR', 'SCRAPE_LOCKDOWN_CACHE_MISS'])
    expect(paid.map(countFailure)).toEqual([1, 1])
  })
})

describe('the estimated price of a page', () => {
  const work = new Set<never>()

  it.each([
    ['basic', { likely: 1, most: 1 }],
    ['auto', { likely: 1, most: 5 }],
    ['enhanced', { likely: 5, most: 5 }],
  ] as const)('includes the surcharge of `proxy: %s`', (proxy, estimate) =>
    expect(estimateCredits({ enhanced: 4, proxy, work })).toEqual(estimate),
  )

  it('includes the surcharges of its formats', () => {
    expect(estimateCredits({ enhanced: 4, proxy: 'auto', work: new Set(['data']), zeroDataRetention: true })).toEqual({
      likely: 6,
      most: 10,
    })
  })
})
