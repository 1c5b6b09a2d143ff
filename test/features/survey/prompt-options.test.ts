import { describe, expect, it } from 'vitest'
import { createConcurrencyCounter, page, pathOf } from '../../kernel/job/crawl-site.js'
import { htmlPage } from '../../site/exchange.js'
import { useModelSite } from '../../site/model-site.js'

const on = useModelSite()

const says = (options: unknown) => () => ({ says: options })

describe('a crawl that is described in words', () => {
  it('searches for patterns in the whole URL where the model sets `regexOnFullURL`', async () => {
    const paths = ['/list?sort=new', '/list?sort=old', '/about']
    const pages = {
      '/': page(...paths),
      ...Object.fromEntries(paths.map((path) => [pathOf(`http://x${path}`), page()])),
    }
    await on.open({ ...pages, '/list': page() }, says({ includePaths: ['[?]sort=new$'], regexOnFullURL: true }))
    const job = on.engine.crawl({ url: on.site.url('/'), prompt: 'lists sorted by date', sitemap: 'skip' })
    const { data } = await job.finished()
    expect(data.map(({ metadata }) => pathOf(metadata.url))).toEqual(['/list?sort=new'])
    expect(job.promptGeneratedOptions).toEqual({ includePaths: ['[?]sort=new$'], regexOnFullURL: true })
  })

  it('fetches as many pages at once as the model sets with `maxConcurrency`, and not more than the engine allows', async () => {
    const paths = Array.from({ length: 12 }, (_, index) => `/p${index}`)
    const crawl = async (given: { maxConcurrency?: number }, generated: number): Promise<number> => {
      const { slow, most } = createConcurrencyCounter()
      await on.open(
        { '/': page(...paths), ...Object.fromEntries(paths.map((path) => [path, slow])) },
        says({ maxConcurrency: generated }),
      )
      const job = on.engine.crawl({ url: on.site.url('/'), prompt: 'gently', ...given })
      expect(await job.finished()).toMatchObject({ status: 'completed', completed: 13 })
      return most()
    }
    expect(await crawl({}, 1)).toBe(1)
    expect(await crawl({ maxConcurrency: 1 }, 8)).toBe(1)
    expect(await crawl({}, 8)).toBeGreaterThan(1)
  })

  it('scrapes its pages with `formats`, `onlyMainContent`, `waitFor` and `location` of the model’s', async () => {
    const late = "<script>setTimeout(() => document.querySelector('main').append('Came late.'), 1500)</script>"
    const body = `<nav><a href="/x">All berths of the harbour</a></nav><main><h1>Berths</h1><p>A berth is 12 euros a night.</p></main>${late}`
    const scrapeOptions = {
      formats: ['html', 'links'],
      onlyMainContent: false,
      waitFor: 3000,
      location: { country: 'CH', languages: ['de-CH'] },
    }
    await on.open({ '/': htmlPage('Berths', body) }, says({ limit: 1, scrapeOptions }))
    const job = on.engine.crawl({ url: on.site.url('/'), prompt: 'whole pages in German' })
    const { data, warning } = await job.finished()
    expect(job.promptGeneratedOptions).toEqual({ limit: 1, scrapeOptions })
    expect(warning).toBeUndefined()
    expect(data).toHaveLength(1)
    expect(data[0]).not.toHaveProperty('markdown')
    expect(data[0]?.html).toContain('All berths of the harbour')
    expect(data[0]?.html).toContain('Came late.')
    expect(data[0]?.links).toEqual([on.site.url('/x')])
    expect(on.site.requests.at(-1)?.headers['accept-language']).toMatch(/^de-CH/)
  })

  it('keeps the page options of the request, and ignores those that a description may not set', async () => {
    const generated = {
      formats: ['html', { type: 'json', prompt: 'x' }],
      onlyMainContent: false,
      waitFor: 90_000,
      headers: { Authorization: 'x' },
    }
    await on.open({ '/': htmlPage('A', '<main><p>Words.</p></main>') }, says({ scrapeOptions: generated }))
    const job = on.engine.crawl({
      url: on.site.url('/'),
      prompt: 'all of it',
      scrapeOptions: { onlyMainContent: true },
    })
    const { data, warning } = await job.finished()
    expect(data[0]).toHaveProperty('markdown')
    expect(job.promptGeneratedOptions).toEqual({})
    expect(job.finalCrawlerOptions).toEqual({ url: on.site.url('/') })
    expect(warning).toContain(
      '`scrapeOptions.formats`: a description may ask for html, images, links, markdown, rawHtml',
    )
    expect(warning).toContain('`scrapeOptions.waitFor`: 90000 is out of range')
    expect(warning).toContain('`scrapeOptions.headers` is no option that a description may set')
  })
})
