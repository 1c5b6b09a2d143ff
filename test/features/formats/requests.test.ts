import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkScrapeOptions, checkV1Crawl } from '../../../src/kernel/options/check.js'
import { formatsSchema } from '../../../src/kernel/options/fields/formats.js'
import { issuesOf } from '../../kernel/options/issues-of.js'
import { builtIn } from '../../../src/features/create-engine.js'
import { engine } from '../plan-with-features.js'

const issues = (formats: unknown) => issuesOf(() => checkScrapeOptions({ formats }, engine))

describe('formats of features', () => {
  it.each(['change tracking', 'JSON'])('have a name that is suggested for %s', (name) => {
    expect(issues([name])['formats.0']).toMatch(/did you mean `\w+`\?: one of /)
  })

  it('are among the names that a wrong one is not of', () => {
    expect(issues(['powerpoint'])['formats.0']).toMatch(/^"powerpoint" is not known: one of .*markdown.*summary/)
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
      'formats.2': 'unknown option "fast": allowed are type, preset, links, images, cleanUrls, frontMatter, maxTokens',
    })
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

  it('that need a browser are refused with `fastMode`', () => {
    expect(() => checkScrapeOptions({ fastMode: true, formats: ['screenshot'], waitFor: 5 }, engine)).toThrow(
      '`waitFor`, format `screenshot` need',
    )
  })
})

describe('the schema of json', () => {
  const read = (schema: unknown) => formatsSchema(z, builtIn.formats).safeParse([{ type: 'json', schema }])

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

describe('a crawl request of version 1', () => {
  const url = 'https://example.com/a/b/c'
  const v1Issues = (request: object) => issuesOf(() => checkV1Crawl({ url, ...request }, engine))

  it('needs `jsonOptions` and `extract` for these formats, and accepts them without', () => {
    expect(v1Issues({ scrapeOptions: { formats: ['json', 'extract'] } })).toEqual({
      'scrapeOptions.jsonOptions': 'missing: format `json` needs it',
      'scrapeOptions.extract': 'missing: format `extract` needs it',
    })
    expect(v1Issues({ scrapeOptions: { jsonOptions: { prompt: 'x' }, extract: { prompt: 'x' } } })).toEqual({})
    expect(v1Issues({ scrapeOptions: { formats: ['json'], jsonOptions: { mode: 'fast', schema: 5 } } })).toEqual({
      'scrapeOptions.jsonOptions.mode': '"fast" is not known: llm',
      'scrapeOptions.jsonOptions.schema': expect.stringContaining('not a schema'),
    })
  })

  it('is refused with two screenshots, or with `changeTracking` and no `markdown`', () => {
    expect(
      v1Issues({ scrapeOptions: { formats: ['screenshot', 'screenshot@fullPage'] } })['scrapeOptions.formats'],
    ).toBe('`screenshot` and `screenshot@fullPage` cannot be combined')
    expect(v1Issues({ scrapeOptions: { formats: ['changeTracking'] } })['scrapeOptions.formats']).toMatch(
      /ask for `markdown`/,
    )
  })

  it('may have options of `json` without the format', () => {
    const actions = [{ type: 'wait', milliseconds: 10, selector: 'p' }]
    const scrapeOptions = { actions, jsonOptions: { prompt: 'x' } }
    expect(checkV1Crawl({ url, scrapeOptions }, engine).scrapeOptions?.actions).toEqual(actions)
  })
})
