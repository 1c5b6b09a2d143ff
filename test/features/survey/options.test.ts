import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { promptTypes } from '../../../src/content/convert/convert.js'
import { createCrawlPrompt } from '../../../src/features/survey/crawl-prompt.js'
import { OPTIONS_SYSTEM_PROMPT } from '../../../src/features/survey/crawl-prompt-text.js'
import { mapDefaults, mapSchema } from '../../../src/features/survey/map-options.js'
import { planMap } from '../../../src/features/survey/plan-map.js'
import { createEngine } from '../../../src/index.js'
import { checkCrawl, checkV1Crawl } from '../../../src/kernel/options/check.js'
import { ignored } from '../../kernel/options/ignored-options.js'
import { issuesOf } from '../../kernel/options/issues-of.js'
import { crawl, page } from '../../kernel/options/option-samples.js'
import { findWrongDefaults } from '../../kernel/options/stated-defaults.js'
import { defaults } from '../../kernel/plan/plans.js'
import { startSite } from '../../site/site.js'
import { engine } from '../plan-with-features.js'

const url = 'https://example.com/docs/'

describe('options of a map', () => {
  it('are all read', () => {
    const shape = Object.keys(mapSchema(z).shape)
    const other = new URL('https://example.org/')
    const samples = {
      ...Object.fromEntries(Object.entries({ ...page, ...crawl }).filter(([name]) => shape.includes(name))),
      url: other.href,
      search: 'words',
      timeout: 5000,
      includeSubdomains: true,
      filterByPath: false,
      ignoreSitemap: true,
      sitemapOnly: true,
      ignoreCache: true,
      useIndex: false,
    }
    expect(Object.keys(samples).sort()).toEqual(shape.sort())
    const unread = ignored(samples, (change) => planMap({ url, ...change }, defaults))
    expect(unread).toEqual(['ignoreCache', 'useIndex'])
  })

  it('have the defaults that their doc comments state', () => {
    expect(findWrongDefaults('MapRequest', mapDefaults)).toEqual([])
  })

  it('may have a `URL` object', async () => {
    await using site = await startSite({ pages: { '/': '<title>T</title>' } })
    await using own = createEngine({ allowPrivateNetworks: true, fetcher: 'http' })
    const { links } = await own.map({ url: new URL(site.url('/')), sitemap: 'skip' })
    expect(links).toEqual([{ url: site.url('/') }])
  })
})

describe('option `prompt` of a crawl', () => {
  const check = (request: object) => checkCrawl({ url, ...request }, engine)

  it('is returned unchanged, and refused where it is too long, and in version 1', () => {
    expect(check({ prompt: '' })).toEqual({ url, prompt: '' })
    expect(issuesOf(() => check({ prompt: 'x'.repeat(10_001) }))).toEqual({
      prompt: '10001 characters are too many: at most 10000 characters',
    })
    expect(issuesOf(() => checkV1Crawl({ url, prompt: 'x' }, engine))).toEqual({
      '': 'unknown option "prompt", which is of version 2, the calls without `v1`',
    })
  })

  it('is read, unless it says nothing', () => {
    expect(createCrawlPrompt({ url, prompt: 'the manual' }, defaults)).toBeDefined()
    expect(createCrawlPrompt({ url, prompt: ' ' }, defaults)).toBeUndefined()
  })

  it('may ask for every format that needs no model', () => {
    expect(OPTIONS_SYSTEM_PROMPT).toContain(`formats, a list of ${promptTypes.join(', ')};`)
  })
})
