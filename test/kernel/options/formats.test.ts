import { describe, expect, it } from 'vitest'
import { checkScrapeOptions } from '../../../src/kernel/options/check.js'
import { issuesOf } from './issues-of.js'

const issues = (formats: unknown) => issuesOf(() => checkScrapeOptions({ formats }))

describe('formats', () => {
  it.each(['Markdown', 'markdwon', 'mark-down', 'raw_html', 'link', 'image'])(
    'suggest a similar name for %s',
    (name) => {
      expect(issues([name])['formats.0']).toMatch(/did you mean `\w+`\?: one of /)
    },
  )

  it('list all names for one that is similar to none', () => {
    expect(issues(['powerpoint'])['formats.0']).toMatch(
      /^"powerpoint" is not known: one of attributes, .*markdown, rawHtml/,
    )
    expect(issues([{ type: 'powerpoint' }])['formats.0.type']).toMatch(/^"powerpoint" is not known: one of .*markdown/)
    expect(issues([{}])['formats.0.type']).toMatch(/^missing: one of /)
  })

  it('report wrong options of `markdown` and `chunks`', () => {
    const formats = [
      { type: 'markdown', links: 'references', frontMatter: 'yes', maxTokens: 50, chunks: true },
      { type: 'chunks', maxTokens: 512.5 },
    ]
    expect(issues(formats)).toEqual({
      'formats.0':
        'unknown option "chunks": allowed are type, preset, links, images, cleanUrls, frontMatter, maxTokens',
      'formats.0.links': '"references" is not known, did you mean `reference`?: one of inline, reference, text',
      'formats.0.frontMatter': '"yes" is not true or false',
      'formats.0.maxTokens': '50 is out of range: at least 100',
      'formats.1.maxTokens': '512.5 is not a whole number: at least 100',
    })
    expect(issues([{ type: 'markdown', links: 'reference', frontMatter: true, maxTokens: 100 }, 'chunks'])).toEqual({})
    expect(issues(['markdown', { type: 'markdown', links: 'reference' }])).toEqual({
      'formats.1': '`markdown` is given twice, and a document has only one',
    })
  })

  it('accept a plain name only for a format without required options', () => {
    expect(issues(['attributes'])['formats.0']).toBe("needs options: give an object, { type: 'attributes', … }")
    expect(issues([7, null])).toEqual({
      'formats.0': '7 is not a name or an object',
      'formats.1': 'null is not a name or an object',
    })
  })

  it('of type `attributes` are refused if a selector is invalid', () => {
    const selectors = ['a[href]', 'a[', 'p:blank'].map((selector) => ({ selector, attribute: 'href' }))
    expect(issues([{ type: 'attributes', selectors }])).toEqual({
      'formats.0.selectors.1.selector': '"a[" is not a CSS selector: Expected name, found',
      'formats.0.selectors.2.selector': '"p:blank" is not a CSS selector: Unknown pseudo-class :blank',
    })
  })

  it('may be an empty list, and may repeat a name without options', () => {
    expect(issues([])).toEqual({})
    expect(issues(['markdown', { type: 'markdown' }])).toEqual({})
  })
})
