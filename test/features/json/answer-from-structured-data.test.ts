import { describe, expect, it } from 'vitest'
import { openForm } from '../../../src/base/json-schema/answer-form.js'
import { answerFromStructuredData } from '../../../src/features/json/answer-from-structured-data.js'
import { digestHtml } from '../../content/extract/digest-html.js'
import { articles, articleSchema } from './structured/articles.js'
import { events, eventSchema, jobs, jobSchema } from './structured/events-and-jobs.js'
import { products, productSchema } from './structured/products.js'
import { recipes, recipeSchema } from './structured/recipes.js'

const kinds = [
  { kind: 'product', pages: products, schema: productSchema },
  { kind: 'article', pages: articles, schema: articleSchema },
  { kind: 'recipe', pages: recipes, schema: recipeSchema },
  { kind: 'event', pages: events, schema: eventSchema },
  { kind: 'job', pages: jobs, schema: jobSchema },
]

const all = kinds.flatMap(({ kind, pages, schema }) => pages.map((page) => ({ kind, page, schema })))

const climb = (html: string, schema: object, url = 'https://harbour.test/') =>
  answerFromStructuredData(openForm(schema as Record<string, unknown>), digestHtml(html, url).items, url)

const fieldsOf = (value: unknown): [string, unknown][] =>
  Object.entries(Object(value) as Record<string, unknown>).filter(([, field]) => field !== undefined)

describe('answers from structured data on forty pages', () => {
  it('has forty pages', () => expect(all).toHaveLength(40))

  it.each(all.map(({ kind, page, schema }) => [`${kind}: ${page.name}`, page, schema] as const))(
    'gives only values that the page states: %s',
    async (_, { html, url, says }, schema) => {
      const { value } = await climb(html, schema, url)
      for (const [name, field] of fieldsOf(value)) expect({ [name]: field }).toEqual({ [name]: says[name] })
    },
  )

  it('answers at least four fifths of the stated properties, for each kind', async () => {
    for (const { kind, pages, schema } of kinds) {
      let [filled, said] = [0, 0]
      for (const { html, url, says } of pages) {
        const { value } = await climb(html, schema, url)
        said += fieldsOf(says).length
        filled += fieldsOf(value).length
      }
      expect(filled / said, `${kind}: ${filled} of ${said}`).toBeGreaterThanOrEqual(0.8)
    }
  })
})

describe('answerFromStructuredData', () => {
  const ld = (...things: object[]): string =>
    `<html><head>${things.map((thing) => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`).join('')}</head><body><p>Text.</p></body></html>`
  const offer = (price: unknown) => ({ '@type': 'Offer', price, priceCurrency: 'EUR' })
  const wanted = {
    type: 'object',
    properties: { title: { type: 'string' }, price: { type: 'number' } },
    required: ['title'],
  }

  it('answers nothing from a list of items of which none is the subject of the page', async () => {
    const html = ld(
      { '@type': 'Product', name: 'A', offers: offer(1) },
      { '@type': 'Product', name: 'B', offers: offer(2) },
    )
    expect((await climb(html, wanted)).value).toBeUndefined()
  })

  it('takes the more complete of two descriptions of one item', async () => {
    const rated = { '@type': 'Product', name: 'A', aggregateRating: { '@type': 'AggregateRating', ratingValue: 4 } }
    const { value } = await climb(ld(rated, { '@type': 'Product', name: 'A', offers: offer(1) }), wanted)
    expect(value).toEqual({ title: 'A', price: 1 })
  })

  it('answers nothing from the site’s owner or from breadcrumbs', async () => {
    const html = ld(
      { '@type': 'Organization', name: 'Harbour' },
      { '@type': 'WebSite', name: 'Harbour' },
      { '@type': 'WebPage', name: 'Page' },
    )
    expect((await climb(html, wanted)).value).toBeUndefined()
  })

  it('leaves ambiguous properties open, and reports them', async () => {
    const { value, isWhole, rest } = await climb(
      ld({ '@type': 'Product', name: 'A', offers: offer('from 10 to 12') }),
      wanted,
    )
    expect({ value, isWhole }).toEqual({ value: { title: 'A' }, isWhole: false })
    expect(rest?.schema).toMatchObject({ properties: { price: { type: 'number' } }, required: [] })
    expect(rest?.schema?.['properties']).not.toHaveProperty('title')
  })

  it('drops values that break the schema', async () => {
    const strict = {
      type: 'object',
      properties: { title: { type: 'string', maxLength: 3 }, price: { type: 'number', maximum: 5 } },
    }
    const { value } = await climb(ld({ '@type': 'Product', name: 'A', offers: offer(10) }), strict)
    expect(value).toEqual({ title: 'A' })
    expect((await climb(ld({ '@type': 'Product', name: 'Anchor', offers: offer(10) }), strict)).value).toBeUndefined()
  })

  it('reads a table of labels when other structured data is silent', async () => {
    const html = `${ld({ '@type': 'Product', name: 'Rope', offers: offer(10) })}<main><h1>Rope</h1><table><tr><th>Length:</th><td>10 m</td></tr><tr><th>Strands</th><td>3</td></tr><tr><th>Price</th><td>99</td></tr></table></main>`
    const schema = {
      type: 'object',
      properties: {
        title: { type: 'string' },
        price: { type: 'number' },
        length: { type: 'string' },
        strands: { type: 'integer' },
      },
    }
    const { value, isWhole, sources } = await climb(html, schema)
    expect({ value, isWhole }).toEqual({
      value: { title: 'Rope', price: 10, length: '10 m', strands: 3 },
      isWhole: true,
    })
    expect(sources.map(({ path, source }) => [path, source])).toEqual([
      ['/title', 'json-ld'],
      ['/price', 'json-ld'],
      ['/length', 'table'],
      ['/strands', 'table'],
    ])
  })

  it('reads hostile structured data in bounded time', async () => {
    const deep = (levels: number): string =>
      '{"@type":"Product","isRelatedTo":'.repeat(levels) + '1' + '}'.repeat(levels)
    const circle = {
      '@graph': [{ '@type': 'Product', '@id': 'a', name: 'A', isVariantOf: { '@id': 'a' }, offers: offer(1) }],
    }
    const script = (text: string): string => `<script type="application/ld+json">${text}</script>`
    const html = `<html><head>${script(deep(5000))}${script('{"@type":')}${script('null')}${script('[[[]]]')}</head><body>${'<div itemscope itemprop="x">'.repeat(3000)}</body></html>`
    expect((await climb(html, wanted)).value).toBeUndefined()
    expect((await climb(ld(circle), wanted)).value).toEqual({ title: 'A', price: 1 })
    expect(
      (
        await climb(
          ld({ '@type': 'Product', name: { '@value': 'A' }, offers: null, __proto__: null, constructor: 1 }),
          wanted,
        )
      ).value,
    ).toEqual({ title: 'A' })
  })
})
