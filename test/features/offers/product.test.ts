import { describe, expect, it } from 'vitest'
import { ld } from '../../content/extract/structured-page.js'
import { useEngineSite } from '../../site/engine-site.js'
import { article } from '../../site/model-site.js'

const on = useEngineSite()

const next = (pageProps: unknown): string =>
  `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { pageProps } })}</script>`
const words =
  '<p>It burns for thirty hours, and is made for decks of boats of every size, in any weather at sea.</p>'.repeat(9)

async function productOf(body: string, title = 'Deck Lamp') {
  await on.open({
    '/lamps/deck-lamp': article(`<h1>${title}</h1>${words}${body}`).replace('A page', `${title} | Lumen`),
  })
  const { product, warning } = await on.engine.scrape(on.site.url('/lamps/deck-lamp'), { formats: ['product'] })
  return { product, warning }
}

const lamp = {
  title: 'Deck Lamp',
  handle: 'deck-lamp',
  vendor: 'Lumen',
  productType: 'Lamps',
  variants: {
    edges: [
      ['S', '49.90', '59.90', true],
      ['L', '79.00', null, false],
    ].map(([size, amount, before, availableForSale]) => ({
      node: {
        sku: `DL-${size}`,
        title: size,
        availableForSale,
        selectedOptions: [{ name: 'Size', value: size }],
        price: { amount, currencyCode: 'EUR' },
        ...(before !== null && { compareAtPrice: { amount: before, currencyCode: 'EUR' } }),
      },
    })),
  },
}

describe('a product in the data that a page embeds for its scripts', () => {
  it('is read from the state of a framework, with its variants', async () => {
    const { product } = await productOf(next({ product: lamp, related: [{ title: 'Hand Lamp', price: 9.5 }] }))
    expect(product).toEqual({
      title: 'Deck Lamp',
      brand: 'Lumen',
      category: 'Lamps',
      variants: [
        {
          sku: 'DL-S',
          title: 'S',
          values: { size: 'S' },
          price: { amount: 49.9, currency: 'EUR' },
          sale: { originalPrice: 59.9 },
          availability: { inStock: true, text: 'InStock' },
        },
        {
          sku: 'DL-L',
          title: 'L',
          values: { size: 'L' },
          price: { amount: 79, currency: 'EUR' },
          availability: { inStock: false, text: 'OutOfStock' },
        },
      ],
    })
  })

  it.each<[string, string]>([
    [
      'Nuxt',
      `<script>window.__NUXT__={"data":[{"product":{"name":"Deck Lamp","sku":"DL","price":49.9,"currency":"EUR"}}]}</script>`,
    ],
    [
      'Apollo',
      `<script>window.__APOLLO_STATE__={"ROOT_QUERY":{"product({\\"id\\":1})":{"__ref":"P:1"}},"P:1":{"name":"Deck Lamp","sku":"DL","price":{"value":49.9,"currency":"EUR"}}}</script>`,
    ],
    [
      'what it tells its analytics, as it writes that',
      `<script>window.dataLayer = window.dataLayer || []; /* seen */ dataLayer.push({ event: 'view_item', ecommerce: {
        currency: 'EUR', items: [{ item_name: 'Deck Lamp', item_id: "DL", price: 49.9, /* one */ quantity: 1, }] } });</script>`,
    ],
    [
      'an event of gtag',
      `<script>gtag('event', 'view_item', {"currency":"EUR","items":[{"item_name":"Deck Lamp","item_id":"DL","price":"49.90"}]})</script>`,
    ],
  ])('is read from %s', async (_, script) => {
    const { product } = await productOf(script)
    expect(product).toMatchObject({
      title: 'Deck Lamp',
      variants: [{ sku: 'DL', price: { amount: 49.9, currency: 'EUR' } }],
    })
  })

  it('completes structured data, which take precedence', async () => {
    const told = ld({
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: 'Deck Lamp',
      description: 'For decks.',
    })
    const { product } = await productOf(`${told}${next({ product: { ...lamp, vendor: 'Someone' } })}`)
    expect(product).toMatchObject({ description: 'For decks.', brand: 'Someone' })
    expect(product?.variants.length).toBe(2)
    await on.engine.close()
    await on.site.close()
    const priced = ld({
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: 'Deck Lamp',
      offers: { '@type': 'Offer', price: '45.00', priceCurrency: 'EUR' },
    })
    const other = await productOf(`${priced}${next({ product: { name: 'Deck Lamp', price: 99.5, inStock: true } })}`)
    expect(other.product?.variants).toEqual([
      { price: { amount: 45, currency: 'EUR' }, availability: { inStock: true, text: 'InStock' } },
    ])
  })

  it.each<[string, string, object | undefined]>([
    ['cents that the page shows as money', '<b>49,90 €</b>', { amount: 49.9, currency: 'EUR', formatted: '49,90 €' }],
    ['units that the page shows', '<b>4,990 €</b>', { amount: 4990, currency: 'EUR', formatted: '4,990 €' }],
    ['a number that the page does not show', '', undefined],
    ['a number that the page shows in both ways', '<b>49.90 €, formerly 4990 €</b>', undefined],
  ])('reads a whole number only as the page shows it: %s', async (_, shown, price) => {
    const { product } = await productOf(`${shown}${next({ product: { name: 'Deck Lamp', sku: 'DL', price: 4990 } })}`)
    expect(product?.variants).toEqual([{ sku: 'DL', ...(price && { price }) }])
  })

  it.each<[string, string]>([
    ['is another’s', next({ product: { name: 'Hand Lamp', sku: 'HL', price: 9.5 } })],
    [
      'is one of a list',
      next({
        products: [
          { name: 'Deck Lamp', price: 9.5 },
          { name: 'Deck Lamp', price: 19.5 },
        ],
      }),
    ],
    [
      'would have to be worked out',
      `<script>dataLayer.push({ event: 'view_item', ecommerce: { items: [{ item_name: 'Deck Lamp', price: price() }] } })</script>`,
    ],
    [
      'is in a basket',
      `<script>dataLayer.push({ event: 'add_to_cart', ecommerce: { items: [{ item_name: 'Deck Lamp', price: 9.5 }] } })</script>`,
    ],
  ])('is ignored if it %s', async (_, script) => {
    const { product, warning } = await productOf(script)
    expect(product).toBeUndefined()
    expect(warning).toMatch(/no `product`/)
  })

  it('is absent if the data is nested without end', async () => {
    const { product } = await productOf(`<script>dataLayer.push(${'/'.repeat(50_000)}(${'['.repeat(50_000)}</script>`)
    expect(product).toBeUndefined()
  })
})
