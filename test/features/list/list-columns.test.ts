import { describe, expect, it } from 'vitest'
import type { Behaviour } from '../../site/model-server.js'
import { article, useModelSite } from '../../site/model-site.js'

const on = useModelSite()

const tides = ['Low', 'High', 'Spring', 'Neap', 'Slack', 'Ebb', 'Flood', 'Storm']

/** A page with rows whose column names say nothing about the properties. */
const shipPage = (page: number): string =>
  article(
    `<h1>Ships</h1><table><tr><th>Vessel</th><th>K7</th><th>LOA</th></tr>${tides
      .map((tide, at) => `<tr><td>Ship ${tide} ${page}</td><td>${at + page}</td><td>${at * 3 + 11.5} m</td></tr>`)
      .join('')}</table>`,
  )

const schema = {
  type: 'object',
  properties: {
    vessel: { type: 'string' },
    crew: { type: 'integer', description: 'Number of people on board' },
    length: { type: 'number' },
  },
  required: ['vessel'],
} as const

const formats = [{ type: 'list', schema }] as const
const pages = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`/${at}`, shipPage(at)]))

/** Reads the lists of twelve pages of one template in a batch. */
async function readShips(behaviour: Behaviour, config = {}) {
  await on.open(pages, behaviour, config)
  const urls = Object.keys(pages).map((path) => on.site.url(path))
  const job = on.engine.batchScrape({ urls, formats, maxConcurrency: 6, maxAge: 0 })
  const documents = []
  for await (const document of job) documents.push(document)
  return documents
}

describe('the model of an engine', () => {
  it('is asked once for the columns of all pages with one template, and never for rows', async () => {
    const documents = await readShips(() => ({ says: { p1: 'c1', p2: 'c2' } }))
    expect(documents).toHaveLength(12)
    expect(on.server.calls).toHaveLength(1)
    for (const { list, warning } of documents) {
      expect(list.items).toHaveLength(8)
      expect(list.items[1]).toMatchObject({ vessel: expect.stringMatching(/^Ship High/) as string, length: 14.5 })
      expect(typeof list.items[1]?.['crew']).toBe('number')
      expect(list.fields.map(({ name, matchedBy }) => `${name} ${matchedBy}`)).toEqual([
        'vessel name',
        'crew model',
        'length model',
      ])
      expect(warning).toBeUndefined()
    }
    const prompt = on.server.calls[0]?.prompt ?? ''
    expect(prompt).toContain('"name":"K7"')
    expect(prompt).toContain('Number of people on board')
    // Neither a column that the rules have matched, nor more than a few values of the others.
    expect(prompt).not.toContain('Vessel')
    expect(prompt).not.toContain(`${7 * 3 + 11.5}`)
    const requests = documents.map(({ metadata }) => metadata.modelRequests ?? 0)
    expect(requests.reduce((sum, count) => sum + count)).toBe(1)
  })

  it('is not asked where the rules match all columns, and not again by a later job', async () => {
    await on.open(pages, () => ({ says: { p1: 'c1', p2: 'c2' } }))
    const { list } = await on.engine.scrape(on.site.url('/0'), {
      formats: [{ type: 'list', schema: { vessel: { type: 'string' }, loa: { type: 'number' } } }],
    })
    expect(list.items[0]).toEqual({ vessel: 'Ship Low 0', loa: 11.5 })
    expect(on.server.calls).toHaveLength(0)
    for (const path of ['/1', '/2', '/3']) {
      const { list: ships } = await on.engine.scrape(on.site.url(path), { formats })
      expect(ships.items[0]?.['length']).toBe(11.5)
    }
    expect(on.server.calls).toHaveLength(1)
  })

  it('is asked once if it fails, and the rules apply', async () => {
    const documents = await readShips(() => ({ status: 400 }))
    expect(on.server.calls).toHaveLength(1)
    for (const { list } of documents) expect(list.items[0]?.['vessel']).toMatch(/^Ship Low/)
    expect(documents.filter(({ warning = '' }) => warning.includes('by rules alone'))).toHaveLength(1)
  })

  it.each<[string, object | string]>([
    ['no JSON', 'I would take the second one.'],
    ['columns that do not exist', { p1: 'c99', p2: '__proto__', p3: 7 }],
    ['one column for two properties', { p1: 'c1', p2: 'c1' }],
    ['a column of another type', { p1: 'c0', p2: null }],
  ])('gives no row a wrong value by an answer with %s', async (_, says) => {
    const documents = await readShips(() => ({ says }))
    expect(on.server.calls).toHaveLength(1)
    for (const { list } of documents) {
      expect(list.items).toHaveLength(8)
      for (const item of list.items) expect(item['vessel']).toMatch(/^Ship/)
    }
  })

  it('is not asked beyond the budget', async () => {
    await on.open(pages, () => ({ says: { p1: 'c1', p2: 'c2' } }), { budget: { modelTokens: 10 } })
    const { list, warning } = await on.engine.scrape(on.site.url('/0'), { formats })
    expect(on.server.calls).toHaveLength(0)
    expect(list.items).toHaveLength(8)
    expect(warning).toContain('by rules alone')
  })

  it('is asked at most 20 times about a site that names its elements anew on each page', async () => {
    const letters = 'abcdefghijklmnopqrstuvwx'.split('')
    const names = (letter: string): string =>
      tides
        .map(
          (tide, at) =>
            `<li class="${letter}x"><a href="/s/${letter}${at}">Ship ${tide}</a> <b class="${letter}y">${at}</b></li>`,
        )
        .join('')
    const changing = Object.fromEntries(
      letters.map((letter) => [`/${letter}`, article(`<h1>Ships</h1><ul class="${letter}z">${names(letter)}</ul>`)]),
    )
    await on.open(changing, () => ({ says: { p1: null } }))
    const urls = Object.keys(changing).map((path) => on.site.url(path))
    const named = { name: { type: 'string' }, crew: { type: 'integer' }, length: { type: 'number' } }
    const job = on.engine.batchScrape({ urls, formats: [{ type: 'list', schema: named }], maxAge: 0 })
    let rows = 0
    for await (const { list } of job) rows += list.items.length
    expect(rows).toBe(letters.length * tides.length)
    expect(on.server.calls).toHaveLength(20)
  })

  it('is not asked without a schema', async () => {
    await on.open(pages, () => ({ says: {} }))
    const { list } = await on.engine.scrape(on.site.url('/0'), { formats: ['list'] })
    expect(list.items[0]).toEqual({ Vessel: 'Ship Low 0', K7: 0, LOA: 11.5 })
    expect(on.server.calls).toHaveLength(0)
  })
})

describe('a schema of rows', () => {
  it('that describes an array or a text is refused, with advice', async () => {
    await on.open(pages, () => ({ says: {} }))
    const scrape = on.engine.scrape(on.site.url('/0'), {
      formats: [{ type: 'list', schema: { type: 'array', items: schema } }],
    })
    await expect(scrape).rejects.toThrow('describes array, and a row is an object: give the schema of its items')
  })
})
