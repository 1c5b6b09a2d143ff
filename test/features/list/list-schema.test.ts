import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { holdSchema } from '../../../src/base/json-schema/answer-schema.js'
import { shapeList } from '../../../src/features/list/shape-list.js'
import { extractHtml } from '../../content/extract/contents.js'

/** Shapes the main list of a page by a schema. */
async function shapeHtml(html: string, schema: object) {
  const [list] = extractHtml(html, { list: {} }).lists ?? []
  if (list === undefined) throw new Error('no list was found')
  const { warnings, ...shaped } = await shapeList(list, holdSchema(schema as never), undefined)
  return { ...shaped, warning: warnings.join(' ') }
}

const names = ['Amber lamp', 'Brass kettle', 'Copper pan', 'Damask throw', 'Elm table', 'Fern vase']

/** A shop with a card for each name. */
const shop = (write: (name: string, at: number) => string = card): string =>
  `<title>t</title><main><h1>Things</h1><div class="things">${names.map(write).join('\n')}</div></main>`

const card = (name: string, at: number): string =>
  `<div class="card"><a href="/p/${at}"><img src="/i/${at}.jpg" alt=""><h3>${name}</h3></a>
   <span class="card__price">€${at + 1}.50</span> <span class="card__was-price">€${at + 9}.00</span>
   <time datetime="2024-03-0${at + 1}">March ${at + 1}</time>
   <span class="card__stock">${at % 2 === 0 ? 'In stock' : 'Sold out'}</span></div>`

const table = (head: string, row: (at: number) => string): string =>
  `<title>t</title><main><h1>Table</h1><table><thead><tr>${head}</tr></thead><tbody>${names.map((_, at) => `<tr>${row(at)}</tr>`).join('')}</tbody></table></main>`

describe('the rows of a list with a schema', () => {
  it('have its names and types, whatever the page calls the columns', async () => {
    const { items, fields, warning } = await shapeHtml(shop(), {
      type: 'object',
      properties: {
        product_name: { type: 'string' },
        cost: { type: 'number' },
        originalPrice: { type: 'number' },
        currency: { type: 'string', enum: ['EUR', 'USD'] },
        'detail-url': { type: 'string', format: 'uri' },
        picture: { type: 'string', format: 'uri' },
        publishedAt: { type: 'string', format: 'date' },
        inStock: { type: 'boolean' },
      },
      required: ['product_name', 'cost'],
      additionalProperties: false,
    })
    expect(warning).toBe('')
    expect(items[1]).toEqual({
      product_name: 'Brass kettle',
      cost: 2.5,
      originalPrice: 10,
      currency: 'EUR',
      'detail-url': 'https://site.test/p/1',
      picture: 'https://site.test/i/1.jpg',
      publishedAt: '2024-03-02',
      inStock: false,
    })
    expect(fields.find(({ name }) => name === 'cost')).toMatchObject({
      column: 'price',
      type: 'number',
      share: 1,
      matchedBy: 'name',
    })
  })

  it('are the output of a Standard Schema, with its defaults and transformations', async () => {
    const schema = z.object({
      title: z.string().transform((text) => text.toUpperCase()),
      price: z.coerce.number(),
      shelf: z.string().default('unsorted'),
      note: z.string().nullable(),
    })
    const { items, warning } = await shapeHtml(shop(), schema)
    expect(items[0]).toEqual({ title: 'AMBER LAMP', price: 1.5, shelf: 'unsorted', note: null })
    expect(warning).toContain('No column of the list fits these properties of `schema`: `shelf`, `note`')
    expect(warning).toContain('columns without a property: `url`')
  })

  it('match the properties of a Standard Schema that cannot be written as JSON Schema', async () => {
    const { items } = await shapeHtml(
      shop(),
      z.object({ name: z.string(), on: z.date().optional(), price: z.number() }),
    )
    expect(items[2]).toEqual({ name: 'Copper pan', price: 3.5 })
  })

  it('match headers of tables in other languages, and in words', async () => {
    const html = table('<th>Bezeichnung</th><th>Preis</th><th>Anzahl Bewertungen</th><th>Lieferbar</th>', (at) =>
      `<td>Lampe ${at}a</td><td>${at + 1},50 €</td><td>${at * 3}</td><td>${at % 2 ? 'ja' : 'nein'}</td>`.replace(
        'a<',
        'a<',
      ),
    )
    const { items, warning } = await shapeHtml(html, {
      name: { type: 'string' },
      price: { type: 'number' },
      available: { type: 'boolean' },
      reviews: { type: 'integer', description: 'Anzahl der Bewertungen' },
    })
    expect(warning).toBe('')
    expect(items[1]).toEqual({ name: 'Lampe 1a', price: 2.5, available: true, reviews: 3 })
  })

  it('match a property by its options and by its pattern, if only one column has such values', async () => {
    const html = table(
      '<th>A</th><th>B</th><th>C</th>',
      (at) => `<td>${['north', 'south'][at % 2] ?? ''}</td><td>AB-${at}${at}1</td><td>word ${'x'.repeat(at + 1)}</td>`,
    )
    const { items, fields } = await shapeHtml(html, {
      type: 'object',
      properties: {
        direction: { enum: ['North', 'South', 'East'] },
        key: { type: 'string', pattern: '^[A-Z]{2}-\\d+$' },
      },
    })
    expect(items[1]).toEqual({ direction: 'South', key: 'AB-111' })
    expect(fields.map(({ matchedBy }) => matchedBy)).toEqual(['values', 'values'])
  })

  it('match the only number of the schema with the only number of the list', async () => {
    const html = table(
      '<th>Vessel</th><th>Berths</th>',
      (at) => `<td>Anna ${'x'.repeat(at + 1)}</td><td>${at + 4}</td>`,
    )
    const { items, fields } = await shapeHtml(html, {
      vessel: { type: 'string' },
      places_on_board: { type: 'integer' },
    })
    expect(items[0]).toEqual({ vessel: 'Anna x', places_on_board: 4 })
    expect(fields[1]).toMatchObject({ column: 'Berths', matchedBy: 'type' })
  })

  it('are not filled by a column of another type', async () => {
    const html = table(
      '<th>Name</th><th>Price</th>',
      (at) => `<td>Anna ${'x'.repeat(at + 1)}</td><td>on request ${at}a</td>`,
    )
    const { items, warning } = await shapeHtml(html, { name: { type: 'string' }, price: { type: 'number' } })
    expect(items[0]).toEqual({ name: 'Anna x' })
    expect(warning).toContain('`price`; columns without a property: `Price`')
  })

  it('lose a value that the schema does not allow, with a warning, and are kept apart if it is required', async () => {
    const html = shop((name, at) => card(name, at).replace('€3.50', 'price on request'))
    const optional = await shapeHtml(html, { title: { type: 'string' }, price: { type: 'number' } })
    expect(optional.items).toHaveLength(6)
    expect(optional.items[2]).toEqual({ title: 'Copper pan' })
    expect(optional.warning).toContain('left out of the rows of `list`: 1 of `price` ("price on request")')
    const required = await shapeHtml(html, z.object({ title: z.string(), price: z.number().max(6) }))
    expect(required.items.map((item) => (item as { title: string }).title)).toEqual([
      'Amber lamp',
      'Brass kettle',
      'Damask throw',
      'Elm table',
    ])
    expect(required.invalidItems.map(({ item }) => item)).toEqual([
      { title: 'Copper pan', price: 'price on request' },
      { title: 'Fern vase', price: 6.5 },
    ])
    expect(required.warning).toContain('2 of 6 rows do not conform to `schema` and are in `list.invalidItems`')
  })

  it('follow references and alternatives of a schema', async () => {
    const { items } = await shapeHtml(shop(), {
      allOf: [{ $ref: '#/$defs/named' }, { properties: { price: { anyOf: [{ type: 'number' }, { type: 'null' }] } } }],
      $defs: { named: { type: 'object', properties: { name: { $ref: '#/$defs/text' } } }, text: { type: 'string' } },
    })
    expect(items[0]).toEqual({ name: 'Amber lamp', price: 1.5 })
  })
})

describe('hostile names', () => {
  it('of properties and columns reach no prototype', async () => {
    const html = table(
      '<th>__proto__</th><th>constructor</th><th>Name</th>',
      (at) => `<td>p${at}</td><td>c${'x'.repeat(at + 1)}</td><td>n ${'y'.repeat(at + 1)}</td>`,
    )
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"},"name":{"type":"string"}}}',
    ) as object
    const { items } = await shapeHtml(html, schema)
    expect(Object.entries(items[0] as object)).toEqual([
      ['constructor', 'cx'],
      ['name', 'n y'],
    ])
    expect(({} as Record<string, unknown>)['p0']).toBeUndefined()
  })

  it('and schemas with thousands of properties give a warning and take little time', async () => {
    const properties = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`p${at}`, { type: 'string' }]))
    const { items, warning } = await shapeHtml(shop(), { type: 'object', properties: { ...properties } })
    expect(items).toEqual([])
    expect(warning).toContain('more')
  })

  it('and schemas that refer to themselves, or have very many alternatives, are read in bounded time', async () => {
    const branches = Array.from({ length: 40 }, () => ({ $ref: '#/$defs/any' }))
    const schema = {
      type: 'object',
      properties: { title: { type: 'string' }, parent: { $ref: '#' }, price: { $ref: '#/$defs/any' } },
      $defs: { any: { anyOf: [{ type: 'number' }, { type: 'array', items: { anyOf: branches } }] } },
    }
    const { items, warning } = await shapeHtml(shop(), schema)
    expect(items[0]).toMatchObject({ title: 'Amber lamp' })
    expect(warning).toContain('`parent`')
  })

  it('and a Standard Schema that throws gives invalid rows, and not a failed page', async () => {
    const schema = z.object({
      title: z.string().transform((): string => {
        throw new Error('no titles today')
      }),
    })
    const { items, invalidItems, warning } = await shapeHtml(shop(), schema)
    expect(items).toEqual([])
    expect(invalidItems).toHaveLength(6)
    expect(warning).toContain('no titles today')
  })

  it('and hundreds of columns are matched in bounded time', async () => {
    const head = Array.from({ length: 600 }, (_, at) => `<th>Column ${at}</th>`).join('')
    const cells = (at: number): string =>
      Array.from({ length: 600 }, (_, column) => `<td>${at * column}x</td>`).join('')
    const { items, warning } = await shapeHtml(table(head, cells), {
      nothing: { type: 'boolean' },
      other: { type: 'string', format: 'email' },
    })
    expect(items).toEqual([])
    expect(warning).toContain('`nothing`, `other`; columns without a property')
  })
})
