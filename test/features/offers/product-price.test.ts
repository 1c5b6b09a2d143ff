import { expect, it } from 'vitest'
import { useEngineSite } from '../../site/engine-site.js'

const on = useEngineSite()

/** Reads the product of a page whose data are written so, and which shows this. */
async function productOf(offers: string, shown = '') {
  const data = `{"@context":"https://schema.org","@type":"Product","name":"Deck Lamp","offers":${offers}}`
  const words =
    '<p>It burns for thirty hours, and is made for decks of boats of every size, in any weather.</p>'.repeat(5)
  const html = `<title>Deck Lamp</title><main><h1>Deck Lamp</h1>${shown}${words}</main>`
  await on.open({ '/lamp': `${html}<script type="application/ld+json">${data}</script>` })
  const { product, warning } = await on.engine.scrape(on.site.url('/lamp'), { formats: ['product'] })
  return { price: product?.variants[0]?.price, warning }
}

it.each<[string, string, object]>([
  ['a comma too many', '{"price":"49.90","priceCurrency":"EUR",}', { amount: 49.9, currency: 'EUR' }],
  ['a comment', '{"price":49.9 /* gross */,"priceCurrency":"EUR"}', { amount: 49.9, currency: 'EUR' }],
  ['a sign in the price', '{"price":"€49.90"}', { amount: 49.9, currency: 'EUR', formatted: '€49.90' }],
  ['a code in the price', '{"price":"49,90 EUR"}', { amount: 49.9, currency: 'EUR', formatted: '49,90 EUR' }],
  ['thousands for people', '{"price":"1.299 €"}', { amount: 1299, currency: 'EUR', formatted: '1.299 €' }],
  ['three decimals for programs', '{"price":"1.299","priceCurrency":"EUR"}', { amount: 1.299, currency: 'EUR' }],
  ['a sign of several currencies', '{"price":"$1,299"}', { amount: 1299, formatted: '$1,299' }],
  ['words in the price', '{"price":"from $49"}', { amount: 49, formatted: 'from $49' }],
  ['a sign as the currency', '{"price":"5","priceCurrency":"£"}', { amount: 5, currency: 'GBP' }],
  ['an unknown currency', '{"price":"5","priceCurrency":"Shells"}', { amount: 5, currency: 'Shells' }],
  [
    'the lowest price of many offers',
    '{"@type":"AggregateOffer","lowPrice":"9.50","highPrice":"20","priceCurrency":"EUR"}',
    { amount: 9.5, currency: 'EUR' },
  ],
  [
    'the lowest price beside offers without one',
    '{"@type":"AggregateOffer","lowPrice":9.5,"priceCurrency":"EUR","offers":[{"@type":"Offer","url":"/a"},{"@type":"Offer","url":"/b"}]}',
    { amount: 9.5, currency: 'EUR' },
  ],
  [
    'the offers in one, whose prices are more exact',
    '{"@type":"AggregateOffer","lowPrice":9,"priceCurrency":"EUR","offers":[{"@type":"Offer","price":12,"priceCurrency":"EUR"}]}',
    { amount: 12, currency: 'EUR' },
  ],
])('the price of a product is read from data with %s', async (_, offers, price) => {
  expect((await productOf(offers)).price).toEqual(price)
})

const offer = '{"price":"49.90","priceCurrency":"EUR"}'

it.each<[string, string]>([
  ['another price', '<p class="price">39,90 €</p>'],
  ['another one beside a struck one', '<p class="price"><del>59,90 €</del> <ins>39,90 €</ins></p>'],
])('a product has the price of its data with a warning where the page shows %s', async (_, shown) => {
  const { price, warning } = await productOf(offer, shown)
  expect(price).toEqual({ amount: 49.9, currency: 'EUR' })
  expect(warning).toBe(
    'The page shows another price than its data state (39,90 €, and 49.9 EUR): `product` has that of the data.',
  )
})

it.each<[string, string, string?]>([
  ['the same price', '<p class="price">49,90 €</p>'],
  ['the same price and a former one', '<p class="price"><del>59,90 €</del> <ins>49,90 €</ins></p>'],
  ['another one before it', '<p class="price">Shown for members: 45,00 €</p><p class="price">49,90 €</p>'],
  ['no price', ''],
  ['the price of shipping alone', '<p class="shipping">4,90 €</p>'],
  ['a former price alone', '<p class="old-price">59,90 €</p>'],
  ['related products alone', '<div class="related"><p class="price">5,00 €</p></div>'],
  ['thousands', '<p class="price">1.299,00 €</p>', '{"price":"1299","priceCurrency":"EUR"}'],
  ['no cents', '<p class="price">$1,299</p>', '{"price":"1299.00","priceCurrency":"USD"}'],
])('a product has no warning where the page shows %s', async (_, shown, data = offer) => {
  const { price, warning } = await productOf(data, shown)
  expect(price).toBeDefined()
  expect(warning).toBeUndefined()
})

/** Reads the price of a product whose data lack its currency, of a page at this address that shows this. */
async function shownPriceOf(
  url: string,
  shown: string,
  { language = '', offers = '{"price":"49.90"}', head = '' } = {},
) {
  const data = `{"@context":"https://schema.org","@type":"Product","name":"Deck Lamp","offers":${offers}}`
  const words =
    '<p>It burns for thirty hours, and is made for decks of boats of every size, in any weather.</p>'.repeat(5)
  const body = `<html${language && ` lang="${language}"`}><head><title>Deck Lamp</title>${head}<script type="application/ld+json">${data}</script></head>
    <body><main><h1>Deck Lamp</h1>${shown}${words}</main></body></html>`
  await on.open({})
  const { product } = await on.engine.parse({ body, url, contentType: 'text/html' }, { formats: ['product'] })
  return product?.variants[0]?.price
}

it.each<[string, string, object]>([
  ['https://lamps.com.au/a', '', { currency: 'AUD' }],
  ['https://lamps.ca/a', 'en-US', { currency: 'CAD' }],
  ['https://lamps.com/a', 'en-CA', { currency: 'CAD' }],
  ['https://lamps.com/a', 'es_MX', { currency: 'MXN' }],
  ['https://lamps.com/a', 'zh-Hant-TW', { currency: 'TWD' }],
  ['https://lamps.io/a', 'en-NZ', { currency: 'NZD' }],
  ['https://lamps.com/a', 'en-US', {}],
  ['https://lamps.com/a', 'en', {}],
  ['https://lamps.de/a', 'de', {}],
])(
  'a price of $ has the currency of the country of its site, if that is clear: %s %s',
  async (url, language, known) => {
    const shown = '<p class="price">$49.90</p>'
    expect(await shownPriceOf(url, shown, { language })).toEqual({ amount: 49.9, formatted: '$49.90', ...known })
    const offers = '{"price":"$49.90"}'
    expect(await shownPriceOf(url, shown, { language, offers })).toMatchObject({ formatted: '$49.90', ...known })
  },
)

it.each<[string, object]>([
  ['<p class="price">US$49.90</p>', { amount: 49.9, formatted: 'US$49.90', currency: 'USD' }],
  ['<p class="price">€49.90</p>', { amount: 49.9, formatted: '€49.90', currency: 'EUR' }],
  ['<p class="price">$39.90</p>', { amount: 49.9 }],
  ['<p class="price">$49.90</p><p class="price">€49.90</p>', { amount: 49.9 }],
])('a price without a currency takes what the page shows for the same amount: %s', async (shown, price) => {
  expect(await shownPriceOf('https://lamps.com/a', shown)).toEqual(price)
})

it('a price of kr is that of its country, and a sign in the place of a code is, too', async () => {
  expect(await shownPriceOf('https://lampor.se/a', '<p class="price">49,90 kr</p>')).toMatchObject({ currency: 'SEK' })
  const offers = '{"price":"49.90","priceCurrency":"$"}'
  expect(await shownPriceOf('https://lamps.ca/a', '', { offers })).toEqual({ amount: 49.9, currency: 'CAD' })
  expect(await shownPriceOf('https://lamps.com/a', '', { offers })).toEqual({ amount: 49.9, currency: '$' })
})

it('a price whose data lack the currency takes that of Open Graph', async () => {
  const meta = (name: string, text: string) => `<meta property="${name}" content="${text}">`
  const head = `${meta('og:type', 'product')}${meta('og:title', 'Deck Lamp')}${meta('product:price:amount', '49.90')}${meta('product:price:currency', 'CAD')}`
  expect(await shownPriceOf('https://lamps.com/a', '', { head })).toEqual({ amount: 49.9, currency: 'CAD' })
})
