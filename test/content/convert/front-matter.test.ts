import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../../src/content/convert/split/estimate-tokens.js'
import { markdown } from '../../../src/content/convert/formats/markdown.js'
import { writeFrontMatter } from '../../../src/content/convert/write/front-matter.js'
import type { ExtractedPage } from '../../../src/content/extract/extracted-page.js'
import { extractHtml } from '../extract/contents.js'

const settings = { removeBase64Images: true }
const withFront = (content: ExtractedPage): string =>
  markdown.convert(content, { type: 'markdown', frontMatter: true }, settings).markdown

/** Parses front matter whose lines are names with double-quoted strings, or lists of them. */
function read(front: string): Record<string, unknown> {
  const [first, ...lines] = front.split('\n')
  expect([first, lines.pop()]).toEqual(['---', '---'])
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([A-Za-z]+): (.*)$/.exec(line) ?? []
      return [name, JSON.parse(value)]
    }),
  )
}

const content = extractHtml('<p>text')
const contentWith = (metadata: ExtractedPage['metadata'], file?: string): ExtractedPage => ({
  ...content,
  metadata,
  page: { ...content.page, ...(file !== undefined && { markdown: file }) },
})

describe('front matter', () => {
  it('contains the page’s metadata under the names of the fields', () => {
    const page = extractHtml(`<html lang="en-GB"><title>A title</title><meta name="description" content="What it is">
      <meta name="author" content="Ann"><meta property="article:published_time" content="2024-05-06T07:08:09Z">
      <meta property="article:modified_time" content="2024-06-07"><p>text`)
    expect(withFront(page)).toBe(
      [
        '---',
        'title: "A title"',
        'url: "https://site.test/dir/page.html"',
        'description: "What it is"',
        'author: "Ann"',
        'publishedTime: "2024-05-06T07:08:09Z"',
        'modifiedTime: "2024-06-07"',
        'language: "en-GB"',
        '---',
        '',
        'text',
      ].join('\n'),
    )
  })

  it('omits fields that the page does not state', () => {
    expect(withFront(extractHtml('<p>text'))).toBe('---\nurl: "https://site.test/dir/page.html"\n---\n\ntext')
  })

  it('is parsed back to the same values, whatever they contain', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'a: b',
        '---',
        '\n---\n',
        '"',
        "it's",
        '# x',
        '- x',
        '{a}',
        'yes',
        'null',
        '1',
        '\u0085\u2028\ufeff\u0000',
      ),
    )
    const values = fc.record({ title: value, description: value, author: value, language: value })
    fc.assert(
      fc.property(values, (metadata) => {
        const { front } = writeFrontMatter('', contentWith(metadata))
        expect(read(front)).toEqual({ ...metadata, url: 'https://site.test/dir/page.html' })
        // The `c-printable` set of YAML 1.2, without the line breaks of YAML 1.1.
        expect(front).toMatch(
          /^[\t\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u,
        )
      }),
    )
  })

  it('has a list for a repeated meta tag', () => {
    const { metadata } = extractHtml('<meta name=language content=en><meta name=language content=de>')
    const { front } = writeFrontMatter('', contentWith(metadata))
    expect(read(front)).toMatchObject({ language: ['en', 'de'] })
  })

  it('is added to a file’s own front matter, whose values stay', () => {
    const file = '---\ntitle: Its own\ntags:\n  - a\n---\n\n# Text'
    expect(withFront(contentWith({ title: 'Another', language: 'en' }, file))).toBe(
      '---\nurl: "https://site.test/dir/page.html"\nlanguage: "en"\ntitle: Its own\ntags:\n  - a\n---\n\n# Text',
    )
  })

  it('is not merged with text that only looks like front matter', () => {
    const { front, body } = writeFrontMatter('---\n\na\n\n---\n', contentWith({ title: 't' }))
    expect(read(front)).toMatchObject({ title: 't' })
    expect(body).toBe('---\n\na\n\n---\n')
  })

  it('stays within its share of a budget', () => {
    const long = contentWith({ title: 'A title', description: 'word '.repeat(5000), language: 'en' })
    const { front } = writeFrontMatter('', long, 50)
    expect(estimateTokens(front)).toBeLessThanOrEqual(50)
    expect(Object.keys(read(front))).toEqual(['title', 'url', 'language'])
  })
})
