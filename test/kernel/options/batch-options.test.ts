import { describe, expect, it } from 'vitest'
import { checkBatchScrape } from '../../../src/kernel/options/check.js'
import { issuesOf } from './issues-of.js'

const issues = (request: unknown) => issuesOf(() => checkBatchScrape(request))

describe('a batch request', () => {
  it('keeps valid and invalid URLs in their order, and repeated ones twice', () => {
    const urls = ['https://a.example', 'nope', 'https://b.example', 'https://a.example']
    expect(checkBatchScrape({ urls }).urls).toEqual(urls)
    expect(checkBatchScrape({ urls, ignoreInvalidURLs: true }).urls).toEqual(urls)
  })

  it('is refused with each invalid URL if `ignoreInvalidURLs` is false', () => {
    expect(issues({ urls: ['https://a.example', 'nope', 'ftp://b.example'], ignoreInvalidURLs: false })).toEqual({
      'urls.1': '"nope" has no public host name such as example.com',
      'urls.2': '"ftp://b.example" has the protocol ftp:, and only http and https can be scraped',
    })
  })

  it('is refused if no URL is valid', () => {
    expect(issues({ urls: ['nope', 'neither'] })['urls']).toMatch(/^no valid URLs: "nope" has no public host name/)
  })

  it('is refused if `urls` is empty, missing or has items other than strings', () => {
    expect(issues({ urls: [] })).toEqual({ urls: 'an empty list: at least 1' })
    expect(issues({})).toEqual({ urls: 'missing: at least 1' })
    expect(issues(undefined)).toEqual({ '': 'nothing was given' })
    expect(issues(['https://a.example'])).toEqual({ '': 'a list of 1 is not an object with `urls`' })
    for (const ignoreInvalidURLs of [true, false]) {
      expect(issues({ urls: ['https://a.example', 5, null], ignoreInvalidURLs })).toEqual({
        'urls.1': '5 is not a string',
        'urls.2': 'null is not a string',
      })
    }
  })

  it('has page options at the top level', () => {
    expect(
      issues({ urls: ['a.example'], timeout: 1, maxConcurrency: 0, waitFor: 9000, appendToId: '7', scrapeOptions: {} }),
    ).toEqual({
      timeout: '1 is out of range: 1000 to 300000 milliseconds',
      maxConcurrency: '0 is out of range: at least 1',
      appendToId: '"7" is not the id of a job',
      '': 'unknown option "scrapeOptions", which has no place here: its options stand at the top level',
    })
    expect(issues({ urls: ['a.example'], waitFor: 9000, timeout: 9000 })).toHaveProperty('waitFor')
  })

  it('accepts `origin` and `integration`', () => {
    expect(issues({ urls: ['a.example'], origin: 'api', integration: null })).toEqual({})
  })
})
