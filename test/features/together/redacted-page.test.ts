import { describe, expect, it } from 'vitest'
import { createEngine, createToolkit, type RedactFunction, TrawlError } from '../../../src/index.js'
import { type Pages, useEngineSite } from '../../site/engine-site.js'

const on = useEngineSite()

const pages: Pages = {
  '/': '<title>Anna Berg</title><main><h1>Team</h1><p>Anna Berg leads the team, and her deputy is Jo Tan, jo@example.com. This text is long enough to be content.</p><p>Call Anna Berg: 030 1234567 is her number.</p></main>',
}

/** Finds two names, as a model of the host would. */
const names: RedactFunction = (text, kinds) =>
  kinds.includes('PERSON')
    ? Array.from(text.matchAll(/Anna Berg|Jo Tan/g), ({ 0: name, index }) => ({
        start: index,
        end: index + name.length,
        entity: 'PERSON' as const,
      }))
    : []

const fast = { mode: 'fast' } as const
const codeOf = (act: Promise<unknown>): Promise<unknown> =>
  act.then(
    () => undefined,
    (error: unknown) => (error instanceof TrawlError ? [error.code, error.message] : error),
  )

describe('redactPII', () => {
  it('asks the function of the host for names, and redacts them in every field', async () => {
    const texts: string[] = []
    await on.open(pages, {
      redact: (text, kinds, page) => {
        texts.push(text)
        expect(page.url).toBe(on.site.url('/'))
        return names(text, kinds, page)
      },
    })
    const document = await on.engine.scrape(on.site.url('/'), { redactPII: true, formats: ['markdown', 'rawHtml'] })
    expect(document.markdown).toContain('[PERSON_1] leads the team, and her deputy is [PERSON_2], [EMAIL_1].')
    expect(document.metadata.title).toBe('[PERSON_1]')
    expect(JSON.stringify(document)).not.toMatch(/Anna|Jo Tan/)
    expect(document.redaction).toEqual({ mode: 'accurate', counts: { PERSON: 2, EMAIL: 1, PHONE: 1 }, names: true })
    // What the rules have found stays in the process.
    expect(texts.join('\n')).not.toContain('jo@example.com')
  })

  it('compares pages without the names, so that a placeholder is no change', async () => {
    await on.open(pages, { redact: names })
    const scrape = () =>
      on.engine.scrape(on.site.url('/'), { redactPII: true, formats: ['markdown', 'changeTracking'], maxAge: 0 })
    await scrape()
    expect((await scrape()).changeTracking?.changeStatus).toBe('same')
  })

  it.each<[string, unknown]>([
    ['throws', () => Promise.reject(new Error('no answer'))],
    ['returns a place outside the text', () => [{ start: 0, end: 1e9, entity: 'PERSON' }]],
    ['returns no list', () => 'Anna'],
  ])('fails the page if the function %s: nothing is handed out', async (_, redact) => {
    await on.open(pages, { redact: redact as RedactFunction, retry: { maxRetries: 0 } })
    expect(await codeOf(on.engine.scrape(on.site.url('/'), { redactPII: true }))).toEqual([
      'FEATURE_FAILED',
      expect.stringContaining('redact'),
    ])
  })

  it('is not available in a mode that the engine has no function for, nor for names by rules', async () => {
    await on.open(pages)
    const url = on.site.url('/')
    for (const redactPII of [true, { mode: 'aggressive' as const }, { ...fast, entities: ['PERSON' as const] }])
      expect(await codeOf(on.engine.scrape(url, { redactPII }))).toEqual([
        'NOT_AVAILABLE',
        expect.stringMatching(/mode `(?:accurate|aggressive|fast)`/),
      ])
    expect(() => on.engine.batchScrape({ urls: [url], redactPII: true })).toThrow(/needs a function/)
    expect(() => on.engine.crawl({ url, scrapeOptions: { redactPII: true } })).toThrow(/needs a function/)
  })

  it('is refused with formats and actions that give files', async () => {
    await on.open(pages)
    const url = on.site.url('/')
    for (const options of [
      { formats: ['screenshot' as const] },
      { formats: [{ type: 'rawBase64' as const }] },
      { actions: [{ type: 'screenshot' as const }] },
    ])
      expect(await codeOf(on.engine.scrape(url, { ...options, redactPII: fast }))).toEqual([
        'BAD_REQUEST',
        expect.stringContaining('in which `redactPII` can redact nothing'),
      ])
  })

  it('redacts a page that the caller supplies, by any style, and costs four credits', async () => {
    await using engine = createEngine({ threads: 0 })
    const body = '<main><p>Write to jo@example.com or to li@example.com, and again to jo@example.com.</p></main>'
    const parse = (replaceStyle: 'tag' | 'mask' | 'remove') =>
      engine.parse(
        { body, contentType: 'text/html', url: 'https://example.com/' },
        { redactPII: { ...fast, replaceStyle } },
      )
    expect((await parse('mask')).markdown).toBe('Write to **** or to ****, and again to ****.')
    expect((await parse('remove')).markdown).toBe('Write to  or to , and again to .')
    const { markdown, metadata } = await parse('tag')
    expect(markdown).toBe('Write to [EMAIL_1] or to [EMAIL_2], and again to [EMAIL_1].')
    expect(metadata.creditsUsed).toBe(5)
  })

  it('redacts in worker threads as in the thread of the host', async () => {
    await on.open(pages, { threads: 1 })
    const scrape = () => on.engine.scrape(on.site.url('/'), { redactPII: fast, formats: ['markdown', 'html'] })
    await scrape()
    const { markdown, html } = await scrape()
    expect(markdown).toContain('[EMAIL_1]')
    expect(html).toContain('[EMAIL_1]')
  })

  it('keeps the URL that was asked for, and redacts that of a redirect, in errors as well', async () => {
    const moved: Pages = {
      '/u': ({ response, url }) =>
        response.writeHead(302, { location: new URL('/x?m=li@example.com', url).href }).end(),
      '/x': ({ response }) => response.destroy(),
    }
    await on.open(moved, { retry: { maxRetries: 0 } })
    const failure = await codeOf(on.engine.scrape(on.site.url('/u?m=jo@example.com'), { redactPII: fast }))
    expect(JSON.stringify(failure)).not.toContain('li@example.com')
  })

  it('holds for what tools of agents and watches give', async () => {
    await on.open(pages)
    await using toolkit = createToolkit(on.engine, { scrapeOptions: { redactPII: fast } })
    const tool = toolkit.tools.find(({ name }) => name === 'scrape')
    const answer = await tool?.run({ url: on.site.url('/') })
    expect(JSON.stringify(answer)).toContain('[EMAIL_1]')
    expect(JSON.stringify(answer)).not.toContain('jo@example.com')
    const watch = await on.engine.watch({
      name: 'team',
      every: '1h',
      targets: [{ url: on.site.url('/') }],
      scrapeOptions: { redactPII: fast },
      documents: 'all',
    })
    for await (const result of watch) {
      expect(JSON.stringify(result)).not.toContain('jo@example.com')
      break
    }
  })
})
