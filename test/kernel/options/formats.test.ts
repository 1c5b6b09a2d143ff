import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkScrapeOptions } from '../../../src/kernel/options/check.js'
import { formatsSchema } from '../../../src/kernel/options/fields/formats.js'
import { NO_FEATURE_OPTIONS } from '../../../src/kernel/options/option-definition.js'
import { issuesOf } from './issues-of.js'

const issues = (formats: unknown) => issuesOf(() => checkScrapeOptions({ formats }))

describe('formats', () => {
  it.each(['Markdown', 'markdwon', 'mark-down', 'raw_html', 'link', 'image', 'change tracking', 'JSON'])(
    'suggest a similar name for %s',
    (name) => {
      expect(issues([name])['formats.0']).toMatch(/did you mean `\w+`\?: one of /)
    },
  )

  it('list all names for one that is similar to none', () => {
    expect(issues(['powerpoint'])['formats.0']).toMatch(/^"powerpoint" is not known: one of .*markdown.*summary/)
    expect(issues([{ type: 'powerpoint' }])['formats.0.type']).toMatch(/^"powerpoint" is not known: one of .*markdown/)
    expect(issues([{}])['formats.0.type']).toMatch(/^missing: one of /)
  })

  it('report the wrong field of an item', () => {
    expect(
      issues([
        { type: 'json', prompt: 'x'.repeat(10_001), systemPrompt: 'x' },
        { type: 'screenshot', quality: 0, viewport: { width: 7681 } },
        { type: 'markdown', fast: true },
      ]),
    ).toEqual({
      'formats.0':
        'unknown option "systemPrompt": allowed are type, schema, prompt, mode, evidence, checkPromptInjection',
      'formats.0.prompt': '10001 characters are too many: at most 10000 characters',
      'formats.1.quality': '0 is out of range: 1 to 100',
      'formats.1.viewport.width': '7681 is out of range: 1 to 7680',
      'formats.1.viewport.height': 'missing: 1 to 4320',
      'formats.2': 'unknown option "fast": allowed are type, links, frontMatter, maxTokens',
    })
  })

  it('report wrong options of `markdown` and `chunks`', () => {
    const formats = [
      { type: 'markdown', links: 'references', frontMatter: 'yes', maxTokens: 50, chunks: true },
      { type: 'chunks', maxTokens: 512.5 },
    ]
    expect(issues(formats)).toEqual({
      'formats.0': 'unknown option "chunks": allowed are type, links, frontMatter, maxTokens',
      'formats.0.links': '"references" is not known, did you mean `reference`?: one of inline, reference',
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

  it('refuse a prompt, and the lack of a schema, in the mode of `json` without a model', () => {
    const structured = { type: 'json', mode: 'structured' }
    const schema = { type: 'object', properties: { name: { type: 'string' } } }
    expect(issues(['links', { ...structured, prompt: 'the lamp' }])).toEqual({
      'formats.1.schema': "missing: mode 'structured' fills the properties of a JSON Schema",
      'formats.1.prompt': expect.stringContaining("is for a model, which mode 'structured' does not ask"),
    })
    expect(issues([{ ...structured, schema, prompt: ' ' }])).toEqual({})
  })

  it('are refused if they exclude each other', () => {
    expect(issues(['json', { type: 'deterministicJson' }])).toEqual({
      'formats.1': 'cannot be combined with `json`: both fill the same field',
    })
    expect(issues(['changeTracking'])).toEqual({
      'formats.0': '`changeTracking` compares Markdown: ask for `markdown` as well',
    })
    expect(issues(['screenshot', 'markdown', { type: 'screenshot', fullPage: true }])).toEqual({
      'formats.2': '`screenshot` is given twice, and a document has only one',
    })
    expect(issues(['json', { type: 'json', prompt: 'x' }])).toEqual({
      'formats.1': '`json` is given twice, and a document has only one',
    })
  })
})

describe('the schema of json', () => {
  const read = (schema: unknown) => formatsSchema(z, NO_FEATURE_OPTIONS.formats).safeParse([{ type: 'json', schema }])

  it('is returned as the same object, as a Standard Schema or a JSON Schema', () => {
    for (const schema of [z.object({ a: z.string() }), { type: 'object', properties: { a: {} } }]) {
      const [item] = read(schema).data ?? []
      expect(typeof item === 'object' && 'schema' in item && item.schema).toBe(schema)
    }
  })

  it('may be a function that is a Standard Schema', () => {
    const schema = Object.assign(() => 1, { '~standard': { version: 1, vendor: 'x', validate: () => ({ value: 1 }) } })
    expect(read(schema).success).toBe(true)
  })

  it('is refused if it is no schema, or an empty one', () => {
    for (const schema of [5, 'x', [], null, () => 1, { type: 'object', additionalProperties: true }]) {
      expect(read(schema).success).toBe(false)
    }
  })
})
