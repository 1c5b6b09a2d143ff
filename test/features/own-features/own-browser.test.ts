import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineFeature, memoryCache } from '../../../src/index.js'
import { builtIn } from '../../../src/features/create-engine.js'
import type { FeatureSet } from '../../../src/kernel/engine/feature-set.js'
import { checkCrawl } from '../../../src/kernel/options/check.js'
import { planCrawl } from '../../../src/kernel/plan/crawl/plan-crawl.js'
import { defaults } from '../../kernel/plan/plans.js'
import { type Site, startSite } from '../../site/site.js'
import { fakeSite, openWith, readAll } from './fake-site.js'

/** The document of the page, for functions that run there. */
declare const document: {
  readonly body: { append(text: string): void }
  querySelectorAll(selector: string): Iterable<{ click(): void }>
}

let site: Site

beforeAll(async () => {
  site = await startSite({
    pages: {
      '/': '<h1>Shop</h1><button onclick="this.outerHTML = \'<p>Lamps for all</p>\'">More</button><script>var stock = 12</script>',
      '/held': '<h1>Held</h1><script>for (;;);</script>',
      '/file': ({ response }) => {
        response.writeHead(200, { 'content-type': 'text/plain' })
        response.end('A file.')
      },
    },
  })
})

afterAll(() => site.close())

const config = { allowPrivateNetworks: true } as const

/** A feature that shows what a page hides. */
const opening = defineFeature({
  name: 'opening',
  browser() {
    for (const button of document.querySelectorAll('button')) button.click()
  },
})

describe('a function of a feature in the browser', () => {
  it('runs before the content is taken, also as a method', async () => {
    await using engine = openWith([opening], config)
    const { markdown, metadata } = await engine.scrape(site.url('/'))
    expect(markdown).toBe('# Shop\n\nLamps for all')
    expect(metadata.statusCode).toBe(200)
  })

  it('is awaited, sees what scripts of the page have set, and adds no results of actions', async () => {
    const writing = {
      name: 'writing',
      browser: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        document.body.append(`In stock: ${(globalThis as unknown as { stock: number }).stock}`)
        return 'x'
      },
    }
    await using engine = openWith([writing], config)
    const made = await engine.scrape(site.url('/'))
    expect(made.markdown).toContain('In stock: 12')
    expect(made).not.toHaveProperty('actions')
  })

  it('keeps its pages out of the cache', async () => {
    const cache = memoryCache()
    await using without = openWith([], { ...config, cache })
    await without.scrape(site.url('/'), { maxAge: 60_000 })
    await using engine = openWith([opening], { ...config, cache })
    expect((await engine.scrape(site.url('/'), { maxAge: 60_000 })).markdown).toContain('Lamps for all')
    const { markdown, metadata } = await without.scrape(site.url('/'), { maxAge: 60_000 })
    expect([markdown?.includes('Lamps'), metadata.cacheState]).toEqual([false, 'hit'])
  })

  it('has pages read again that a crawl without it knew', () => {
    const planWith = (features: FeatureSet) =>
      planCrawl(checkCrawl({ url: site.url('/') }, undefined, features.options), {
        ...defaults,
        keepsSnapshots: true,
        features,
      }).features?.['since']
    const [without, withIt] = [planWith(builtIn), planWith(builtIn.adopt([opening]))]
    expect(without).toMatchObject({ askedAs: expect.stringMatching(/^[\da-f]{64}$/) })
    expect(withIt).not.toEqual(without)
    expect(planWith(builtIn.adopt([opening]))).toEqual(withIt)
  })

  it('does not run on files, nor on pages of a fetcher', async () => {
    await using engine = openWith([opening], config)
    expect((await engine.scrape(site.url('/file'))).markdown).toContain('A file.')
    const fake = fakeSite({ '/': '<p>Fake' })
    await using other = openWith([fake.feature, { ...opening, optional: true }], config)
    expect((await other.scrape('https://shop.test/')).markdown).toBe('Fake')
    await using needy = openWith([fake.feature, opening], config)
    await expect(needy.scrape('https://shop.test/')).rejects.toMatchObject({
      code: 'SCRAPE_NO_BROWSER',
      message: expect.stringContaining('`features (opening)` needs a browser') as string,
    })
  })
})

describe('a function in the browser that fails', () => {
  const outside = 1
  const faults: readonly (readonly [string, () => unknown, string])[] = [
    [
      'throws',
      () => {
        throw new Error('no button')
      },
      'no button',
    ],
    ['rejects', () => Promise.reject(new Error('no button')), 'no button'],
    ['uses what is around it', () => outside, 'outside is not defined'],
  ]

  it.each(faults)('as it %s ends its page, by its name, and not the job', async (_, browser, message) => {
    await using engine = openWith([{ name: 'broken', browser }], config)
    const job = engine.batchScrape({ urls: [site.url('/')] })
    await readAll(job)
    expect(await job.status()).toMatchObject({ status: 'completed', failed: 1 })
    const { errors } = await job.errors()
    expect(errors).toMatchObject([
      { code: 'FEATURE_FAILED', error: expect.stringMatching(/^feature `broken` failed: /) as string },
    ])
    expect(errors[0]?.error).toContain(message)
  })

  it('is a warning if the page can do without it', async () => {
    await using engine = openWith([{ name: 'broken', optional: true, browser: faults[0]?.[1] }], config)
    const { markdown, warning } = await engine.scrape(site.url('/'))
    expect(markdown).toContain('Shop')
    expect(warning).toContain('Feature `broken` failed: ')
  })

  it('as it hangs ends its page at its time', async () => {
    await using engine = openWith([{ name: 'stuck', browser: () => new Promise(() => undefined) }], config)
    await expect(engine.scrape(site.url('/'), { timeout: 5000 })).rejects.toMatchObject({
      code: 'SCRAPE_TIMEOUT',
      message: 'The page took longer than its `timeout` of 5000 ms: feature `stuck` had not ended',
    })
  })

  it.each([true, false])('as it holds the page is stopped, optional: %s', async (optional) => {
    const browser = () => {
      for (;;);
    }
    await using engine = openWith([{ name: 'stuck', optional, browser }], config)
    const job = engine.batchScrape({ urls: [site.url('/')] })
    const [made] = await readAll(job)
    expect(made?.warning).toEqual(optional ? expect.stringContaining('did not end and was stopped') : undefined)
    const message = 'feature `stuck` failed: its script did not end, and was stopped'
    expect((await job.errors()).errors).toMatchObject(optional ? [] : [{ code: 'FEATURE_FAILED', error: message }])
  })

  it.each([true, false])(
    'on a page that scripts of its own hold ends it, or is left out, optional: %s',
    async (optional) => {
      await using engine = openWith([{ ...opening, optional }], config)
      const page = engine.scrape(site.url('/held'), { timeout: 8000 })
      if (optional) expect((await page).markdown).toContain('Held')
      else
        await expect(page).rejects.toMatchObject({
          code: 'FEATURE_FAILED',
          message: expect.stringMatching(/^feature `opening` failed: scripts of its page did not end/) as string,
        })
    },
  )

  it('as it returns a value without end, or a circle, has it left in the page', async () => {
    const vast = { name: 'vast', browser: () => 'a'.repeat(1e8) }
    const circle = { name: 'circle', browser: () => globalThis }
    await using engine = openWith([vast, circle], config)
    expect((await engine.scrape(site.url('/'))).markdown).toContain('Shop')
  })
})
