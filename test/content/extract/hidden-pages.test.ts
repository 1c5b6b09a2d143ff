import { describe, expect, it } from 'vitest'
import { digest, type Digest } from '../../../src/content/digest/digest.js'
import { makeHiddenPages, REACHED } from './hidden-pages.js'

const pages = makeHiddenPages()

const read = (html: string): Digest =>
  digest(
    { url: 'https://harbour.test/', body: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8' },
    {
      parse: { maxHtmlBytes: 10_000_000, maxDepth: 256, maxNodes: 1_000_000 },
      extract: { onlyMainContent: true, includeTags: [], excludeTags: [], list: {} },
      convert: { formats: [{ type: 'markdown' }, { type: 'html' }, { type: 'chunks' }], removeBase64Images: true },
      material: { text: true, facts: false, media: false, maxTokens: 4000 },
    },
  )

describe('288 pages that hide a sentence', () => {
  it('at most 1 % let it reach an output over HTTP', () => {
    expect(pages).toHaveLength(288)
    const reached = pages.filter(({ html }) => {
      const { fields, material, lists } = read(html)
      return REACHED.test(JSON.stringify([fields.markdown, fields.html, fields.chunks, material, lists]))
    })
    // Without a layout, what covers a text or cuts it off is not known.
    expect(reached.flatMap(({ needsLayout, name }) => (needsLayout ? [] : name))).toEqual([])
  })
})
