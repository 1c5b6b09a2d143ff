import { describe, expect, it } from 'vitest'
import { readData } from '../../../src/content/hydration/read-data.js'
import { markdownToHtml } from '../../../src/content/html/markdown-html.js'
import { unflatten } from '../../../src/content/embedded-data/unflatten.js'

const sentence = 'The ferry left an hour late, and nobody on the quay could say why it had waited.'
const other = 'On the other side they had lit a fire, so that the captain would find the bay.'
const html = (data: unknown): string => readData(data).html.replace(/\n+/g, '\n')

describe('reading data', () => {
  it('writes titles, then texts, in their order', () => {
    expect(html({ post: { body: sentence, title: 'The ferry' } })).toBe(`<h1>The ferry</h1>\n<p>${sentence}</p>`)
    expect(
      html({
        items: [
          { title: 'One', text: sentence },
          { title: 'Two', text: other },
        ],
      }),
    ).toBe(`<h2>One</h2>\n<p>${sentence}</p>\n<h2>Two</h2>\n<p>${other}</p>`)
  })

  it('keeps HTML, which cannot close the element around it', () => {
    expect(html({ content: `<p>${sentence}</p></main><script>alert(1)</script><!-- ${other}` })).toBe(
      `<div><p>${sentence}</p>   </div>`,
    )
  })

  it('writes an object that has only a label and a value as one line', () => {
    expect(html([{ label: 'Boats', value: 12 }])).toBe('<p>Boats: 12</p>')
    expect(html({ name: 'Boat', quantity: 3, parts: [{ text: sentence }] })).toBe(`<h1>Boat</h1>\n<p>${sentence}</p>`)
  })

  it('escapes text', () => {
    expect(html({ body: `${sentence} 1 < 2 & 3 > 2` })).toContain('1 &lt; 2 &amp; 3 &gt; 2')
  })

  it.each([
    [
      'Contentful',
      {
        nodeType: 'document',
        content: [
          { nodeType: 'heading-2', content: [{ nodeType: 'text', value: 'Late' }] },
          { nodeType: 'paragraph', content: [{ nodeType: 'text', value: sentence }] },
        ],
      },
    ],
    [
      'Sanity',
      [
        { _type: 'block', style: 'h2', children: [{ _type: 'span', text: 'Late' }] },
        { _type: 'block', style: 'normal', children: [{ _type: 'span', text: sentence }] },
      ],
    ],
    [
      'TipTap',
      {
        type: 'doc',
        content: [
          { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Late' }] },
          { type: 'paragraph', content: [{ type: 'text', text: sentence }] },
        ],
      },
    ],
    [
      'Slate',
      [
        { type: 'heading-2', children: [{ text: 'Late' }] },
        { type: 'paragraph', children: [{ text: sentence }] },
      ],
    ],
    [
      'Lexical',
      {
        type: 'root',
        children: [
          { type: 'heading', tag: 'h2', children: [{ type: 'text', text: 'Late' }] },
          { type: 'paragraph', children: [{ type: 'text', text: sentence }] },
        ],
      },
    ],
  ])('writes the blocks of rich text: %s', (_name, body) => {
    expect(html({ body })).toBe(`<div><h2>Late</h2><p>${sentence}</p></div>`)
  })

  it('omits properties that are not content, and strings that are not meant for readers', () => {
    const texts = { text: sentence }
    for (const name of [
      '_nextI18Next',
      'messages',
      'translations',
      'footer',
      'cookieConsent',
      'relatedPosts',
      'notFound',
      'meta',
    ]) {
      expect(html({ [name]: texts }), name).toBe('')
    }
    expect(
      html({ wording: Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`key${at}`, `${sentence} ${at}`])) }),
    ).toBe('')
    for (const text of [
      'https://site.test/a-b',
      'function (a) { return a + b + c + d }',
      '.a { color: red }',
      'enable_the_new_page_for_all',
      'M10 10L20 20H30V40Z',
    ]) {
      expect(html({ body: text }), text).toBe('')
    }
  })

  it('writes a repeated text once, and omits its excerpt', () => {
    const long = `${sentence} ${other} `.repeat(4).trim()
    expect(html({ excerpt: sentence, body: long, bodyHtml: `<p>${long}</p>` })).toBe(`<p>${long}</p>`)
  })

  it('reports a truncated text, and a main list that is still empty', () => {
    expect(readData({ body: `${sentence} …` }).isTruncated).toBe(true)
    expect(readData({ body: sentence, products: [] }).isTruncated).toBe(true)
    expect(readData({ body: sentence, tags: [] }).isTruncated).toBe(false)
  })

  it('stops at its limits, and reports that the text is truncated', () => {
    let deep: unknown = { body: sentence }
    for (let level = 0; level < 1000; level++) deep = { inner: deep }
    expect(readData(deep)).toMatchObject({ html: '', isTruncated: true })
    expect(readData(JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))).toMatchObject({
      html: '',
      isTruncated: true,
    })
    expect(readData(Array.from({ length: 100_000 }, (_, at) => ({ at }))).isTruncated).toBe(true)
  })
})

describe('a flat list of values that refer to each other', () => {
  it('is restored with its cycles, without exhausting the stack', () => {
    const chain = Array.from({ length: 100_000 }, (_, at) => ['Ref', at + 1])
    const readTagged = (_name: string, [place]: readonly unknown[], at: (place: unknown) => unknown) => at(place)
    expect(unflatten(chain, readTagged)).toBeUndefined()
    const nested = Array.from({ length: 100_000 }, (_, at) => [at + 1])
    expect(readData(unflatten(nested, readTagged)).isTruncated).toBe(true)
    const circle = unflatten([{ self: 0, body: 1 }, sentence], readTagged)
    expect(html(circle)).toBe(`<p>${sentence}</p>`)
  })
})

describe('Markdown among data', () => {
  it('becomes headings, lists, quotes, code and paragraphs', () => {
    expect(
      markdownToHtml(
        '# A\n\ntext *em* **strong** `code`\nmore [link](/b)\n\n- one\n- two\n\n1. first\n\n> quote\n\n```js\na < b\n```',
      ),
    ).toBe(
      '<h1>A</h1>\n<p>text <em>em</em> <strong>strong</strong> <code>code</code> more <a href="/b">link</a></p>\n<ul><li>one</li><li>two</li></ul>\n<ol><li>first</li></ol>\n<blockquote><p>quote</p></blockquote>\n<pre><code>a &lt; b</code></pre>',
    )
  })

  it('stays text if it is ambiguous', () => {
    expect(markdownToHtml('2 * 3 * 4 and snake_case_name [x](javascript:alert)')).toBe(
      '<p>2 * 3 * 4 and snake_case_name [x](javascript:alert)</p>',
    )
  })
})
