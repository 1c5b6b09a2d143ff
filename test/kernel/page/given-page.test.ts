import { afterAll, describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import type { FetchedPage } from '../../../src/kernel/fetch/fetched-page.js'
import type { FetchPlan } from '../../../src/kernel/fetch/fetcher.js'
import { fetchWithEscalation } from '../../../src/kernel/fetch/fetch-with-escalation.js'

const engine = createEngine({ threads: 0 })
afterAll(() => engine.close())

const url = 'https://site.test/blog/old-boats'
const body = Array.from({ length: 12 }, (_, at) => `Sentence ${at} on boats says what nobody else has said.`).join(' ')
const post = { slug: 'old-boats', title: 'Old boats of the north', body }
const rendered = { title: { rendered: 'Old boats' }, content: { rendered: `<p>${body}</p>` } }
const page = (props: unknown, shell = '<div id="__next"></div>', code = ''): string =>
  `<!doctype html><html><head><title>Site</title></head><body>${shell}<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { pageProps: props } })}</script>${code}</body></html>`

describe('a page that the caller supplied', () => {
  it.each([
    ['an item with its address', page({ post }), undefined],
    [
      'an item beside others',
      page({ posts: [post, { ...post, slug: 'b', body: body.replaceAll('boats', 'piers') }] }),
      'may be incomplete',
    ],
    ['an item without its address', page({ post: rendered }), 'may be incomplete'],
    ['an item, and a script that would show it', page({ post }, undefined, '<script src="/a.js"></script>'), undefined],
  ])('has the text of its data: %s', async (_, html, warning) => {
    const made = await engine.parse({ url, body: html })
    expect(made.markdown).toContain('Sentence 11 on boats')
    expect(made.metadata.hydratedFrom).toBe('__NEXT_DATA__')
    if (warning === undefined) expect(made.warning).toBeUndefined()
    else expect(made.warning).toContain(warning)
  })

  it('keeps its own text', async () => {
    const own = `<main><h1>Boats</h1><p>${body.replaceAll('boats', 'lamps')}</p></main>`
    const { markdown, metadata } = await engine.parse({ url, body: page({ post }, own) })
    expect(markdown).toContain('Sentence 11 on lamps')
    expect(markdown).not.toContain('on boats')
    expect(metadata.hydratedFrom).toBeUndefined()
  })
})

describe('a page whose data may be incomplete', () => {
  const fetched = (html: string, fetcher: 'http' | 'browser'): FetchedPage => ({
    url,
    redirects: [],
    statusCode: 200,
    headers: {},
    contentType: 'text/html',
    body: Buffer.from(html),
    fetcher,
    fetchedAtMs: 0,
  })
  const others = ['a', 'b'].map((slug) => ({ slug, title: `On ${slug} and others`, body }))
  const plain = page({ posts: [...others, post] }, undefined, '<script src="/a.js"></script>')
  const fetchBoth = async (shown: string): Promise<FetchedPage> =>
    await fetchWithEscalation(
      { url, sourceURL: url },
      { timeoutMs: 10_000 } as FetchPlan,
      {
        http: { fetch: async () => fetched(plain, 'http') },
        renderer: { stopWarnings: [], fetch: async () => fetched(shown, 'browser') },
      } as unknown as Parameters<typeof fetchWithEscalation>[2],
      new AbortController().signal,
    )

  it.each([
    ['nothing', plain],
    ['an error', plain.replace('<div id="__next">', '<div id="__next">Application error: a client-side exception')],
  ])('has the text of it where the browser shows %s', async (_, shown) => {
    const made = await fetchBoth(shown)
    expect(Buffer.from(made.body).toString()).toContain('data-hydrated-from="__NEXT_DATA__"')
    expect(made).toMatchObject({
      hydratedFrom: '__NEXT_DATA__',
      warnings: ['Its text was read from its `__NEXT_DATA__` and may be incomplete.'],
    })
  })

  it('is what the browser shows where that has more text', async () => {
    const shown = plain.replace('<div id="__next">', `<div id="__next"><p>${body.repeat(5)}</p>`)
    const made = await fetchBoth(shown)
    expect(made.fetcher).toBe('browser')
    expect(made.hydratedFrom).toBeUndefined()
  })
})
