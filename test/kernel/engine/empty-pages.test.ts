import { describe, expect, it } from 'vitest'
import { createEngine, type FormatItem, type ScrapeOptions } from '../../../src/index.js'
import { startSite } from '../../site/site.js'

const pages = {
  '/': '<title>T</title><main><p>Two words</p></main>',
  '/bare': '<!doctype html><title>T</title><body></body>',
  '/image': '<img src="/a.png">',
}

describe('the warning about a page without content', () => {
  it.each<[path: string, options: ScrapeOptions<FormatItem[]>, warning: string | undefined]>([
    ['/empty', {}, 'The page is empty.'],
    ['/empty', { formats: ['links'] }, 'The page is empty.'],
    ['/no-content', { formats: ['rawHtml'] }, 'The page is empty.'],
    ['/bare', {}, 'The page has no text.'],
    ['/bare', { formats: ['links'] }, undefined],
    ['/', { includeTags: ['.none'] }, "The content has none of the page's 2 visible words."],
    ['/', { excludeTags: ['main'], formats: ['html'] }, "The content has none of the page's 2 visible words."],
    ['/', {}, undefined],
    ['/image', {}, undefined],
    ['/status/404', { includeTags: ['.none'] }, undefined],
  ])('of %s with %j', async (path, options, warning) => {
    await using site = await startSite({ pages })
    await using engine = createEngine({ fetcher: 'http', allowPrivateNetworks: true })
    // The second one is from the cache.
    for (let i = 0; i < 2; i++) expect((await engine.scrape(site.url(path), options)).warning).toBe(warning)
  })
})
