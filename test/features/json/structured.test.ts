import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { ld } from '../../content/extract/structured-page.js'
import { article, useModelSite } from '../../site/model-site.js'

const on = useModelSite()

const lamp = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Deck Lamp',
  sku: 'DL-1',
  brand: { '@type': 'Brand', name: 'Lumen' },
  image: '/lamp.jpg',
  offers: { '@type': 'Offer', price: '49.90', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
}
const page = article('<h1>Deck Lamp</h1><p>It costs 49.90 euros and burns for 30 hours.</p>', ld(lamp))
const known = {
  type: 'object',
  properties: { title: { type: 'string' }, price: { type: 'number' } },
  required: ['title', 'price'],
}
const more = {
  ...known,
  properties: { ...known.properties, hours: { type: 'integer' } },
  required: ['title', 'price', 'hours'],
}

describe('json of a page with structured data', () => {
  it('costs no tokens if the structured data has everything', async () => {
    await on.open({ '/': page }, () => ({ says: {} }))
    const document = await on.engine.scrape(on.site.url('/'), {
      formats: [{ type: 'json', schema: known, evidence: true }],
    })
    expect(document.json).toEqual({ title: 'Deck Lamp', price: 49.9 })
    expect(document.evidence).toEqual([
      { path: '/title', support: 'structured', quote: 'Deck Lamp', place: ['json-ld'] },
      { path: '/price', support: 'structured', quote: '49.90', place: ['json-ld'] },
    ])
    expect(document).not.toHaveProperty('warning')
    expect(document.metadata).not.toHaveProperty('modelRequests')
    expect(on.server.calls).toHaveLength(0)
  })

  it('asks the model only for the missing values', async () => {
    await on.open({ '/': page }, () => ({ says: { hours: 30 } }))
    const document = await on.engine.scrape(on.site.url('/'), { formats: [{ type: 'json', schema: more }] })
    expect(document.json).toEqual({ title: 'Deck Lamp', price: 49.9, hours: 30 })
    expect(document).not.toHaveProperty('warning')
    expect(on.server.calls).toHaveLength(1)
    expect(on.server.calls[0]?.prompt).toContain('"properties":{"hours":{"type":"integer"}}')
  })

  it('keeps the structured values if the model fails', async () => {
    await on.open({ '/': page }, () => ({ status: 401, raw: '' }))
    const document = await on.engine.scrape(on.site.url('/'), { formats: [{ type: 'json', schema: more }] })
    expect(document).not.toHaveProperty('json')
    expect(document.partialJson).toEqual({ title: 'Deck Lamp', price: 49.9 })
    expect(document.warning).toContain('answered 401')
  })

  it('comes from the model only, with a prompt or in mode `model`', async () => {
    await on.open({ '/': page }, () => ({ says: { title: 'Lamp', price: 1 } }))
    for (const options of [{ prompt: 'the price without tax' }, { mode: 'model' as const }]) {
      const { json } = await on.engine.scrape(on.site.url('/'), {
        formats: [{ type: 'json', schema: known, ...options }],
      })
      expect(json).toEqual({ title: 'Lamp', price: 1 })
    }
  })

  it('needs no model in mode `structured`, and reports what is missing', async () => {
    await using engine = createEngine({ threads: 0 })
    const parse = (body: string) =>
      engine.parse(
        { body, url: 'https://harbour.test/' },
        { formats: [{ type: 'json', schema: more, mode: 'structured' }] },
      )
    const part = await parse(page)
    expect(part).not.toHaveProperty('json')
    expect(part.partialJson).toEqual({ title: 'Deck Lamp', price: 49.9 })
    expect(part.warning).toContain('/hours: missing')
    const none = await parse(article('<h1>Deck Lamp</h1>'))
    expect(none).not.toHaveProperty('json')
    expect(none.warning).toContain('no structured data')
  })
})

describe('product', () => {
  const read = async (head: string, body = '<h1>A</h1>') => {
    await using engine = createEngine({ threads: 0 })
    return await engine.parse({ body: article(body, head), url: 'https://harbour.test/lamp' }, { formats: ['product'] })
  }

  it('is the product that the page sells', async () => {
    const document = await read(ld(lamp))
    expect(document.product).toEqual({
      title: 'Deck Lamp',
      brand: 'Lumen',
      variants: [
        {
          sku: 'DL-1',
          price: { amount: 49.9, currency: 'EUR' },
          availability: { inStock: true, text: 'InStock' },
          images: ['https://harbour.test/lamp.jpg'],
        },
      ],
    })
    expect(document.metadata.creditsUsed).toBe(1)
  })

  it('has its variants, with the attributes that distinguish them', async () => {
    const variant = (size: string, price: number) => ({
      '@type': 'Product',
      name: `Shirt ${size}`,
      sku: `S-${size}`,
      size,
      offers: {
        '@type': 'Offer',
        price,
        priceCurrency: 'EUR',
        availability: 'https://schema.org/OutOfStock',
        priceSpecification: {
          '@type': 'UnitPriceSpecification',
          priceType: 'https://schema.org/ListPrice',
          price: 40,
          priceCurrency: 'EUR',
        },
      },
    })
    const { product } = await read(
      ld({
        '@context': 'https://schema.org',
        '@type': 'ProductGroup',
        name: 'Shirt',
        hasVariant: [variant('M', 30), variant('L', 34)],
      }),
    )
    expect(product).toEqual({
      title: 'Shirt',
      variants: [
        {
          sku: 'S-M',
          title: 'Shirt M',
          values: { size: 'M' },
          price: { amount: 30, currency: 'EUR' },
          sale: { originalPrice: 40 },
          availability: { inStock: false, text: 'OutOfStock' },
        },
        {
          sku: 'S-L',
          title: 'Shirt L',
          values: { size: 'L' },
          price: { amount: 34, currency: 'EUR' },
          sale: { originalPrice: 40 },
          availability: { inStock: false, text: 'OutOfStock' },
        },
      ],
    })
  })

  it('takes from meta tags what JSON-LD leaves out', async () => {
    const meta =
      '<meta property="og:type" content="product"><meta property="og:title" content="Deck Lamp"><meta property="product:price:amount" content="49.90"><meta property="product:price:currency" content="EUR"><meta property="og:description" content="For decks.">'
    const { product } = await read(`${ld({ ...lamp, offers: undefined })}${meta}`)
    expect(product).toMatchObject({
      title: 'Deck Lamp',
      description: 'For decks.',
      variants: [{ sku: 'DL-1', price: { amount: 49.9, currency: 'EUR' } }],
    })
  })

  it.each([
    ['a list of products', ld(lamp, { ...lamp, name: 'Other', sku: 'O' })],
    ['an article', ld({ '@type': 'Article', headline: 'On lamps' })],
    ['nothing', ''],
    ['a product that is not sold', ld({ '@type': 'Product', name: 'Lamp' })],
  ])('is absent, with a warning, of %s', async (_, head) => {
    const document = await read(head)
    expect(document).not.toHaveProperty('product')
    expect(document.warning).toContain('There is no `product`')
  })
})
