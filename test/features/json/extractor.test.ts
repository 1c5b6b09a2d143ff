import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Document } from '../../../src/index.js'
import type { Behaviour } from '../../site/model-server.js'
import { article, useModelSite } from '../../site/model-site.js'

const on = useModelSite()

const boat = (name: string, price: string, more = ''): string =>
  article(`<h1 class="name">${name}</h1><p class="price">${price}</p>${more}<p>Words about it.</p>`)

const pages = {
  '/': article('<h1>Boats</h1><a href="/boat/1">1</a> <a href="/boat/2">2</a> <a href="/boat/3">3</a>'),
  '/boat/1': boat('Seagull', '1,200.50 €'),
  '/boat/2': boat('Heron', '900 €'),
  '/boat/3': boat('Tern', '75 €'),
}

const schema = z.object({ name: z.string(), price: z.number().optional() })
const extractor = { fields: { name: { select: 'h1.name' }, price: { select: '.price', as: 'number' } } }
const format = { type: 'deterministicJson', schema } as const
const formats = [format] as const

const says =
  (...answers: unknown[]): Behaviour =>
  ({ number }) => ({ says: answers[Math.min(number, answers.length) - 1] })

const urlsOf = (...numbers: number[]): string[] => numbers.map((number) => on.site.url(`/boat/${number}`))
const jsonOf = (data: readonly Document[]): unknown[] => data.map(({ json }) => json)

describe('format deterministicJson', () => {
  it('lets the model write an extractor once, and uses it for all pages of the template', async () => {
    await on.open(pages, says(extractor))
    const { data, creditsUsed } = await on.engine.batchScrape({ urls: urlsOf(1, 2, 3), formats }).finished()
    expect(jsonOf(data)).toEqual([
      { name: 'Seagull', price: 1200.5 },
      { name: 'Heron', price: 900 },
      { name: 'Tern', price: 75 },
    ])
    expect(on.server.calls.length).toBe(1)
    expect(data.filter(({ metadata }) => metadata.creditsUsed === 10).length).toBe(1)
    expect(creditsUsed).toBe(10 + 3 + 3)
    expect(data.every(({ warning }) => warning === undefined)).toBe(true)
  })

  it('reuses an extractor across jobs, and gives the same data for the same page without a token', async () => {
    await on.open(pages, says(extractor))
    const first = await on.engine.scrape(on.site.url('/boat/1'), { formats })
    expect(first.metadata).toMatchObject({ creditsUsed: 10, modelRequests: 1 })
    const again = await on.engine.scrape(on.site.url('/boat/1'), { formats, maxAge: 0 })
    expect(again.json).toEqual(first.json)
    expect(again.metadata.creditsUsed).toBe(3)
    expect(again.metadata).not.toHaveProperty('modelRequests')
    const other = await on.engine.scrape(on.site.url('/boat/2'), { formats })
    expect(other.json).toEqual({ name: 'Heron', price: 900 })
    expect(on.server.calls.length).toBe(1)
  })

  it('uses one extractor for a job if nothing is remembered beyond the job', async () => {
    await on.open(pages, says(extractor))
    const job = on.engine.batchScrape({ urls: urlsOf(1, 2, 3), formats, zeroDataRetention: true })
    const read: Document[] = []
    for await (const document of job) read.push(document)
    expect(read.length).toBe(3)
    expect(on.server.calls.length).toBe(1)
    await on.engine.scrape(on.site.url('/boat/1'), { formats })
    expect(on.server.calls.length).toBe(2)
  })

  it('encloses the markup of the page in delimiters, and shows the model the errors of its last answer', async () => {
    await on.open(pages, says('no JSON at all', { fields: { name: { select: 'h9' } } }, extractor))
    const { json, metadata, warning } = await on.engine.scrape(on.site.url('/boat/1'), { formats })
    expect(json).toEqual({ name: 'Seagull', price: 1200.5 })
    expect(metadata).toMatchObject({ creditsUsed: 10, modelRequests: 3 })
    expect(warning).toBeUndefined()
    const [first, second, third] = on.server.calls
    expect(first?.prompt).toContain('<h1 class="name">')
    expect(first?.prompt).toMatch(/<markup-[\da-f]{12}>/)
    expect(second?.prompt).toContain('no JSON that could be read')
    expect(third?.prompt).toContain('nothing was found on the page')
  })

  it('lets the model write a few more extractors if pages of one template differ in kind', async () => {
    const other = article('<h2 class="title">Notice</h2><p>Words of a notice.</p>')
    await on.open({ ...pages, '/boat/4': other, '/boat/5': other }, ({ prompt }) => ({
      says: prompt.includes('<h2 class="title">') ? { fields: { name: { select: 'h2.title' } } } : extractor,
    }))
    const job = on.engine.batchScrape({ urls: urlsOf(1, 4, 2, 5, 3), formats, maxConcurrency: 1 })
    const { data } = await job.finished()
    expect(jsonOf(data)).toEqual([
      { name: 'Seagull', price: 1200.5 },
      { name: 'Notice' },
      { name: 'Heron', price: 900 },
      { name: 'Notice' },
      { name: 'Tern', price: 75 },
    ])
    expect(on.server.calls.length).toBe(2)
  })

  it('returns the data that satisfies the schema, with a warning, if no extractor finds all of it, and stops trying', async () => {
    const strict = {
      type: 'deterministicJson',
      schema: { ...z.toJSONSchema(schema), required: ['name', 'price'] },
    } as const
    const bare = (name: string) => article(`<h1 class="name">${name}</h1><p>No price here.</p>`)
    await on.open({ '/boat/1': bare('A'), '/boat/2': bare('B'), '/boat/3': bare('C') }, says(extractor))
    const job = on.engine.batchScrape({ urls: urlsOf(1, 2, 3), formats: [strict], maxConcurrency: 1 })
    const { data } = await job.finished()
    expect(jsonOf(data)).toEqual([undefined, undefined, undefined])
    expect(data.map(({ partialJson }) => partialJson)).toEqual([{ name: 'A' }, { name: 'B' }, undefined])
    expect(data[0]?.warning).toMatch(/There is no `json`, but `partialJson`: .*: \/price: missing/)
    expect(data[2]?.warning).toMatch(/no extractor could be written/)
    expect(data[2]?.metadata.creditsUsed).toBe(1)
    // The same question is not asked twice, so each of two pages took two answers.
    expect(on.server.calls.length).toBe(4)
  })

  it.each<[string, Behaviour, RegExp]>([
    ['writes code', says('document.querySelector("h1").innerText'), /no JSON/],
    ['writes code into JSON', says({ script: 'process.exit(1)' }), /`script` is not known/],
    ['makes values up', says({ fields: { name: { value: 'Seagull' } } }), /`value` is not known/],
    ['will not answer', () => ({ refusal: 'No.' }), /refused to answer/],
    ['fails', () => ({ status: 500 }), /500/],
    ['breaks off', () => ({ says: '{"fields": {"na', finish: 'length' }), /no JSON/],
  ])('leaves `json` out, with a warning and without credits, if the model %s', async (_, behaviour, warning) => {
    await on.open(pages, behaviour, { modelOptions: { maxRetries: 0 } })
    const page = await on.engine.scrape(on.site.url('/boat/1'), { formats: ['markdown', format] })
    expect(page).not.toHaveProperty('json')
    expect(page.markdown).toContain('Seagull')
    expect(page.warning).toMatch(warning)
    expect(page.metadata.creditsUsed).toBe(1)
  })

  it('lets no extractor be written for an error page', async () => {
    const gone = ({ response }: { response: { writeHead(status: number): { end(body: string): void } } }) =>
      response.writeHead(404).end(article('<h1>Gone</h1><p>Nothing is here.</p>'))
    await on.open({ '/boat/1': gone }, says(extractor))
    const page = await on.engine.scrape(on.site.url('/boat/1'), { formats })
    expect(page.warning).toMatch(/error page/)
    expect(page).not.toHaveProperty('json')
    expect(on.server.calls).toEqual([])
  })

  it('reads lists, and data of any shape that the model chooses without a schema', async () => {
    const list = { each: 'main a', item: { fields: { url: { attribute: 'href' }, name: {} } } }
    await on.open(pages, says(list))
    const schemaOfList = z.array(z.object({ url: z.string(), name: z.string() }))
    const typed = await on.engine.scrape(on.site.url('/'), {
      formats: [{ type: 'deterministicJson', schema: schemaOfList }],
    })
    expect(typed.json?.[2]).toEqual({ url: on.site.url('/boat/3'), name: '3' })
    const free = await on.engine.scrape(on.site.url('/'), { formats: [{ type: 'deterministicJson', prompt: 'links' }] })
    expect(free.json).toEqual(typed.json)
  })

  it('stays within the budget of the job, also in threads', async () => {
    await on.open(pages, says(extractor), { threads: 1 })
    const request = { urls: urlsOf(1, 2), formats, maxConcurrency: 1, budget: { modelTokens: 50 } }
    const job = on.engine.batchScrape(request)
    const { data, stoppedBy, used } = await job.finished()
    expect(on.server.calls).toEqual([])
    expect(stoppedBy).toBe('modelTokens')
    expect(used.modelTokens).toBe(0)
    expect(data.every(({ warning }) => /budget/.test(warning ?? ''))).toBe(true)
    const { json } = await on.engine.scrape(on.site.url('/boat/3'), { formats })
    expect(json).toEqual({ name: 'Tern', price: 75 })
  })

  it('is refused without a model, and beside `json`', async () => {
    await on.open(pages, says({}))
    const scrape = on.engine.scrape(on.site.url('/'), { formats: [format, { type: 'json', schema }] })
    await expect(scrape).rejects.toThrow(/cannot be combined with `json`/)
    await expect(on.engine.scrape(on.site.url('/'), { formats, lockdown: true })).rejects.toThrow(/lockdown/)
  })

  it('is no longer written for a template after failures in several calls of scrape()', async () => {
    const nameless = article('<h1>Berths</h1><p>A berth is 12 euros a night.</p>')
    const urls = Array.from({ length: 8 }, (_, index) => `/boat/${index}`)
    await on.open(Object.fromEntries(urls.map((path) => [path, nameless])), () => ({
      says: { select: 'nothing-there' },
    }))
    const wanted = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
    for (const path of urls)
      await on.engine.scrape(on.site.url(path), { formats: [{ type: 'deterministicJson', schema: wanted }] })
    expect(on.server.calls.length).toBeLessThanOrEqual(6)
  })
})
