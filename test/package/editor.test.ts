import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LanguageServer, startLanguageServer } from './language-server.js'

/** Calls of an engine with `formats`, of which `…` stands for the items. */
const CALLS = [
  "engine.scrape('', { formats: […] })",
  "engine.parse({ body: '', url: '' }, { formats: […] })",
  'engine.batchScrape({ urls: [], formats: […] })',
  "engine.crawl({ url: '', limit: 5, scrapeOptions: { formats: […], timeout: 5000 } })",
]
const ALL = [
  'audio',
  'branding',
  'changeTracking',
  'chunks',
  'html',
  'images',
  'links',
  'list',
  'markdown',
  'menu',
  'product',
  'original',
  'rawBase64',
  'rawHtml',
  'screenshot',
  'summary',
  'video',
]

let server: LanguageServer
beforeAll(async () => {
  server = await startLanguageServer(
    "import { createEngine, type FormatItem, type ScrapeOptions } from 'trawl'\nconst engine = createEngine()",
  )
  await server.check('')
}, 120_000)
afterAll(() => server[Symbol.asyncDispose]())

describe.each(CALLS)('an editor with %s', (call) => {
  const inCall = (items: string): string => call.replace('…', items)

  it.each(["'|'", "'html', '|'", "{ type: 'list' }, '|'"])('offers every format for %s', async (items) => {
    expect(await server.complete(inCall(items))).toEqual(expect.arrayContaining(ALL))
  })

  it.each([
    ["{ type: 'screenshot', | }", ['fullPage', 'quality', 'viewport']],
    ["'html', { type: 'list', | }", ['all', 'schema']],
    ["{ type: '|' }", ['attributes', 'json', 'markdown', 'screenshot']],
  ])('offers for %s what it may have', async (items, names) => {
    expect(await server.complete(inCall(items))).toEqual(expect.arrayContaining(names))
  })

  it.each([
    ["{ type: 'screenshot', fullpage: true }", /'fullpage' does not exist.*|Did you mean.*'fullPage'/],
    ["'html', { type: 'list', al: true }", /'al'/],
    ["{ type: 'screenshot', all: true }", /'all'/],
    ["{ type: 'screenshot', viewport: { width: 1, height: 1, dept: 1 } }", /'dept'/],
    ["'markdwon'", /'"markdwon"'/],
    ["'attributes'", /'"attributes"'/],
  ])('marks %s', async (items, message) => {
    const said = (await server.check(inCall(items))).join('\n')
    expect(said).toMatch(message)
    // The compiler says first which two types differ, and what is wrong at the end.
    expect(said.length).toBeLessThan(500)
  })

  it.each([
    "'markdown', { type: 'screenshot', fullPage: true }",
    "{ type: 'attributes', selectors: [{ selector: 'a', attribute: 'rel' }] }",
    "{ type: 'json', schema: { type: 'object', properties: { a: { type: 'string' } } } }",
    "...(['html'] as FormatItem[])",
    '',
  ])('accepts %s', async (items) => {
    expect(await server.check(inCall(items))).toEqual([])
  })
})

describe('the compiler', () => {
  it.each([
    [
      "{ type: 'object', properties: { name: { type: 'string' }, price: { type: ['number', 'null'] } }, required: ['name'] }",
      '{ name: string; price?: number | null }',
    ],
    [
      "{ type: 'array', items: { type: 'object', properties: { state: { enum: ['in', 'out'] }, id: { const: 7 } } } }",
      "{ state?: 'in' | 'out'; id?: 7 }[]",
    ],
    ["{ anyOf: [{ type: 'boolean' }, { type: 'integer' }] }", 'boolean | number'],
    ["{ type: 'object' }", 'Record<string, unknown>'],
    ["{ type: 'object', properties: { a: { $ref: '#/x' }, b: {} } }", '{ a?: unknown; b?: unknown }'],
    ["{ type: 'array' }", 'unknown[]'],
    ["{ $ref: '#/x' }", 'unknown'],
    ["{ type: 'object' as string, properties: { a: { type: 'string' } } }", 'unknown'],
  ])('knows the data of the schema %s', async (schema, type) => {
    const code = `
const given = (await engine.scrape('', { formats: [{ type: 'json', schema: ${schema} }] })).json
const constant = ${schema} as const
const named = (await engine.scrape('', { formats: ['html', { type: 'json', schema: constant }] })).json
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
const same: Same<typeof given, ${type} | undefined> & Same<typeof named, ${type} | undefined> = true`
    expect(await server.check(code)).toEqual([])
  })

  it('offers the members of data, and marks those that the schema has not', async () => {
    const call = (use: string) =>
      `const { json } = await engine.scrape('', { formats: [{ type: 'json', schema: { type: 'object', properties: { price: { type: 'number' } } } }] })\n${use}`
    expect(await server.complete(call('json?.|'))).toEqual(['price'])
    expect((await server.check(call('json?.prize'))).join('\n')).toMatch(/'prize'/)
  })

  it.each([
    ["engine.scrape('')", 'string'],
    ["engine.scrape('', {})", 'string'],
    ["engine.scrape('', { formats: ['markdown', { type: 'screenshot' }] })", 'string'],
    ["engine.scrape('', { formats: ['html'] })", 'string | undefined'],
    ["engine.scrape('', { formats: ['html'] as FormatItem[] })", 'string | undefined'],
    ["engine.scrape('', { formats: ['html'] as readonly FormatItem[] })", 'string | undefined'],
    ["engine.scrape('', { formats: ['html'] as ScrapeOptions['formats'] })", 'string | undefined'],
    ["engine.scrape('', {} as ScrapeOptions)", 'string | undefined'],
  ])('knows the Markdown of %s', async (call, type) => {
    const code = `const markdown = (await ${call}).markdown\nconst same: [typeof markdown] extends [${type}] ? [${type}] extends [typeof markdown] ? true : false : false = true`
    expect(await server.check(code)).toEqual([])
  })
})

it.each(["engine.scrape('', { | })", "engine.crawl({ url: '', scrapeOptions: { | } })"])(
  'an editor offers for %s trials of the service behind all options',
  async (code) => {
    const names = await server.complete(code)
    const first = names.findIndex((name) => name.startsWith('__'))
    expect(names.slice(0, first)).toEqual(expect.arrayContaining(['formats', 'timeout', 'waitFor']))
    expect(names.slice(first).filter((name) => !name.startsWith('__'))).toEqual([])
  },
)
