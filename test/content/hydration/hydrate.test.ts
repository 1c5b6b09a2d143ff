import { describe, expect, it } from 'vitest'
import type { FetchedPage } from '../../../src/kernel/fetch/fetched-page.js'
import { hydrate } from '../../../src/content/hydration/hydrate.js'

const sentences = (count: number, of: string): string =>
  Array.from(
    { length: count },
    (_, at) => `Sentence ${at} on ${of} says what nobody else has said about it so far.`,
  ).join(' ')
const body = sentences(8, 'boats')
const post = { slug: 'old-boats', title: 'Old boats of the north', body }

function pageOf(
  pageProps: unknown,
  { title = 'Site', url = 'https://site.test/blog/old-boats', shell = '<div id="__next"></div>' } = {},
): FetchedPage {
  const data = JSON.stringify({ props: { pageProps } })
  const html = `<!doctype html><head><title>${title}</title></head><body>${shell}<script id="__NEXT_DATA__" type="application/json">${data}</script></body>`
  return {
    url,
    redirects: [],
    statusCode: 200,
    headers: {},
    body: new TextEncoder().encode(html),
    fetcher: 'http',
    fetchedAtMs: 0,
  }
}
const isSure = (...args: Parameters<typeof pageOf>): boolean | undefined => hydrate(pageOf(...args))?.isSure
const textOf = (page: FetchedPage): string => new TextDecoder().decode(hydrate(page)?.page.body)

describe('hydrating a page from its embedded data', () => {
  it('writes the text into the mount point', () => {
    const found = hydrate(pageOf({ post }))
    expect(found).toMatchObject({ source: '__NEXT_DATA__', isSure: true, page: { hydratedFrom: '__NEXT_DATA__' } })
    expect(textOf(pageOf({ post }))).toContain(
      `<div id="__next"><main data-hydrated-from="__NEXT_DATA__">\n<h1>${post.title}</h1>\n<p>${body}</p>\n</main></div>`,
    )
    expect(textOf(pageOf({ post }, { shell: '<main id="x"></main>' }))).toContain(
      '<main id="x"><article data-hydrated-from',
    )
    expect(textOf(pageOf({ post }, { shell: '<nav>Home</nav>' }))).toMatch(
      /<\/script><main data-hydrated-from[^]*<\/main><\/body>$/,
    )
  })

  it('chooses the item with the page’s address or title among several', () => {
    const others = ['a', 'b'].map((slug) => ({ slug, title: `On ${slug} and others`, body: sentences(9, slug) }))
    expect(isSure({ posts: [...others, post] })).toBe(false)
    const long = { ...post, body: sentences(30, 'boats') }
    expect(isSure({ posts: [...others, long] })).toBe(true)
    const text = textOf(pageOf({ posts: [...others, long] })).replace(/<script[^]*?<\/script>/g, '')
    expect(text).toContain('on boats')
    expect(text).not.toContain('on a says')
    expect(isSure({ posts: others })).toBe(false)
    const named = { title: 'Old boats of the north | Site', url: 'https://site.test/12' }
    expect(isSure({ posts: [...others, { ...long, slug: undefined }] }, named)).toBe(true)
  })

  it.each([
    ['a body of a few words', { post: { ...post, body: sentences(2, 'boats') } }],
    ['a body that is cut', { post: { ...post, body: `${body} …` } }],
    ['a taste of it', { post: { ...post, body: null, excerpt: sentences(3, 'boats') } }],
    ['a list that is still empty', { category: { title: 'Boats', description: body }, products: [] }],
    ['another page', { post: { ...post, slug: 'new-boats', title: 'New boats' } }],
    ['texts without a title', { a: body }],
    ['a short text among much else', { post, wording: { hint: sentences(20, 'hints') } }],
  ])('is not sure of %s', (_what, props) => expect(isSure(props)).toBe(false))

  it('is sure of a list that is most of the data', () => {
    const posts = [1, 2, 3, 4].map((id) => ({ id, title: `Part ${id}`, excerpt: sentences(2, `part ${id}`) }))
    expect(isSure({ posts }, { url: 'https://site.test/blog' })).toBe(true)
  })

  it('is not sure of a page with a route in the fragment', () => {
    expect(isSure({ post }, { url: 'https://site.test/blog/old-boats#/other' })).toBe(false)
    expect(isSure({ post }, { url: 'https://site.test/blog/old-boats#part' })).toBe(true)
  })

  it('returns undefined for a page with as much text of its own, in another charset, or without data', () => {
    expect(hydrate(pageOf({ post }, { shell: `<p>${body} ${body}</p>` }))).toBeUndefined()
    expect(hydrate({ ...pageOf({ post }), body: Buffer.from('<p>caf\xe9</p>', 'latin1') })).toBeUndefined()
    expect(hydrate(pageOf({}))).toBeUndefined()
  })
})
