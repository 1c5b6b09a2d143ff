import { afterAll, describe, expect, it } from 'vitest'
import { createEngine, type Document } from '../../../src/index.js'

const engine = createEngine({ threads: 0, model: async () => ({ text: 'A summary.' }) })
const small = createEngine({ threads: 0, maxDocumentLength: 65_536, model: async () => ({ text: 'A summary.' }) })
afterAll(() => Promise.all([engine.close(), small.close()]))

const url = `https://docs.example.com/${'a-folder-of-the-manual/'.repeat(2)}index.html`
const parse = (html: string, options: object = {}, by = engine): Promise<Document> =>
  by.parse(
    { body: html, contentType: 'text/html', url },
    { onlyMainContent: false, formats: ['markdown', 'html', 'links'], ...options },
  )
const repeat = (count: number, write: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => write(at)).join('')
const page = (body: string): string => `<!doctype html><title>Large</title><main><h1>Large</h1>${body}</main>`
const countOf = (text: string | undefined, pattern: RegExp): number => text?.match(pattern)?.length ?? 0

describe('an ordinary large page is whole', () => {
  it('of thousands of short links', async () => {
    const { markdown, html, links, warning } = await parse(
      page(`<ul>${repeat(30_000, (at) => `<li><a href="i${at}">i${at}</a></li>`)}</ul>`),
    )
    expect(warning).toBeUndefined()
    expect(links).toHaveLength(30_000)
    expect(countOf(markdown, /\]\(https:\/\/docs\.example\.com\//g)).toBe(30_000)
    expect(countOf(html, /href="https:\/\/docs\.example\.com\//g)).toBe(30_000)
  })

  it('of links that are closed inside of their blocks', async () => {
    const item = (at: number): string =>
      `<a href="https://shop.example.com/catalogue/products/item-number-${at}/details-and-specifications"><div><h3>Item ${at}</h3>Text of ${at}</a></div>`
    const { markdown, warning } = await parse(page(repeat(15_000, item)))
    expect(warning).toBeUndefined()
    expect(countOf(markdown, /\]\(https:\/\/shop/g)).toBeGreaterThanOrEqual(15_000)
  })
})

describe('what is beyond the limit', () => {
  it.each([
    ['one text', `<pre>${'lorem ipsum dolor\n'.repeat(8000)}</pre>`],
    ['text with signs that become entities', `<p>${'a < b & c > d '.repeat(9000)}</p>`],
    [
      'attributes with signs of tags',
      repeat(2000, (at) => `<p title="x < y zzzzzzzzzzzzzzz">Text of the paragraph ${at}.</p>`),
    ],
    ['pairs of surrogates', `<p>x${'😀'.repeat(40_000)}</p>`],
  ])('is cut at its end, and HTML stays well formed: %s', async (_name, body) => {
    const { markdown = '', html = '', warning } = await parse(page(body), {}, small)
    expect(warning).toContain('`maxDocumentLength`')
    for (const text of [markdown, html]) {
      expect(text.length).toBeLessThanOrEqual(65_536)
      expect(text.length).toBeGreaterThan(65_536 / 4)
      expect(text.isWellFormed()).toBe(true)
    }
    expect(html).toMatch(/<\/\w+>$/)
    const tags = html.replace(/"[^"]*"/g, '')
    expect(countOf(tags, /<(?!\/)/g)).toBe(countOf(tags, /<\//g))
  })

  it('keeps the columns of a table whose cells span rows', async () => {
    const group = (at: number): string =>
      repeat(
        400,
        (row) =>
          `<tr>${row === 0 ? `<td rowspan="400">${`group ${at} `.repeat(100)}</td>` : ''}<td>name${at}-${row}</td><td>${row}</td></tr>`,
      )
    const { markdown = '' } = await parse(
      page(`<table><tr><th>Group<th>Name<th>Price</tr>${repeat(10, group)}</table>`),
    )
    const rows = markdown.split('\n').filter((line) => line.includes('| name'))
    expect(rows).toHaveLength(4000)
    expect(rows.filter((row) => /^\|[^|]*\| name\d+-(\d+) \| \1 \|$/.test(row))).toHaveLength(4000)
  })

  it('leaves no number without its target', async () => {
    const body = repeat(
      1200,
      (at) => `<p>Some words <a href="/path/of/the/page/${at}">link ${at}</a> and more of them.</p>`,
    )
    const { markdown = '' } = await parse(page(body), { formats: [{ type: 'markdown', links: 'reference' }] }, small)
    const cited = new Set([...markdown.matchAll(/\]\[(\d+)\]/g)].map(([, number]) => number))
    const listed = new Set([...markdown.matchAll(/^\[(\d+)\]: /gm)].map(([, number]) => number))
    expect([...cited].filter((number) => !listed.has(number))).toEqual([])
    expect(markdown.length).toBeLessThanOrEqual(65_536)
  })

  it('is named where a language model does not get it', async () => {
    const { warning } = await parse(
      page(repeat(3000, (at) => `<p>The words of the paragraph ${at}, which are its own.</p>`)),
      { formats: ['summary'] },
      small,
    )
    expect(warning).toMatch(/at the end/)
  })

  it.each([
    ['text/plain', 'word word\n'.repeat(20_000), ''],
    ['text/markdown', 'word word\n'.repeat(20_000), ''],
    ['application/json', JSON.stringify(Array(20_000).fill('word word')), '```json\n'],
  ])('is kept in the Markdown of files that are given as received: %s', async (contentType, body, fence) => {
    const { markdown, html, warning } = await small.parse({ body, contentType, url }, { formats: ['markdown', 'html'] })
    expect(markdown.startsWith(fence + body)).toBe(true)
    expect(html.length).toBeLessThanOrEqual(65_536)
    expect(warning).toMatch(/characters at the end of `html` were left out/)
    expect(warning).not.toMatch(/Markdown/)
  })
})
