import { describe, expect, it } from 'vitest'
import { plan } from '../plan-with-features.js'

describe('the plan of a page with formats of features', () => {
  it('plans the captures of the formats that need a browser', () => {
    const { fetch, digest, enrich, cache } = plan({ formats: ['screenshot', 'html'] })
    const captures = { screenshot: { fullPage: false } }
    expect(fetch.browser?.captures).toEqual(captures)
    expect(fetch.needsBrowser).toEqual(['formats (screenshot)'])
    expect(cache.rendered).toEqual({ waitForMs: 0, captures })
    expect(digest.convert.formats).toEqual([{ type: 'html' }])
    expect(enrich.formats).toEqual([{ type: 'screenshot' }])
    const same = plan({ formats: [{ type: 'screenshot', fullPage: false, quality: undefined }] })
    expect(same.cache.rendered?.captures).toEqual({ screenshot: { fullPage: false } })
  })

  it('compares the content with the page where one shows or reads the content', () => {
    const isCompared = (options: unknown): boolean => plan(options).digest.extract.fidelity !== false
    expect(isCompared({ formats: ['summary'] })).toBe(true)
    expect(isCompared({ formats: ['links', 'images', 'rawHtml', 'screenshot'] })).toBe(false)
  })

  it('reads nothing from the cache for formats that need a fresh page, or a screenshot with its own viewport', () => {
    expect(plan({ formats: ['markdown', 'changeTracking'] }).cache).toMatchObject({ read: false, write: true })
    for (const screenshot of [{ viewport: { width: 800, height: 600 } }, { quality: 50 }]) {
      const { cache } = plan({ formats: [{ type: 'screenshot', ...screenshot }] })
      expect(cache).toMatchObject({ read: false, write: false })
    }
    expect(plan({ formats: [{ type: 'screenshot', fullPage: true }] }).cache).toMatchObject({ read: true, write: true })
  })
})
