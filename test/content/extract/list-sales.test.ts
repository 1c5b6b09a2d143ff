import { describe, expect, it } from 'vitest'
import type { ListTemplate, PageList } from '../../../src/content/extract/list/page-list.js'
import { extractHtml } from './contents.js'

/** Writes the prices of an entry: the one to pay, and the old one of an entry in a sale. */
type WritePrice = (price: string, old: string | undefined) => string

const amountOfShop = (price: string): string =>
  `<span class="woocommerce-Price-amount amount"><bdi>${price}&nbsp;<span class="woocommerce-Price-currencySymbol">€</span></bdi></span>`

const MARKUPS: Readonly<Record<string, WritePrice>> = {
  'elements of a shop system, with texts for screen readers': (price, old) =>
    `<span class="price">${
      old === undefined
        ? amountOfShop(price)
        : `<del aria-hidden="true">${amountOfShop(old)}</del> <span class="screen-reader-text">Original price was: ${old} €.</span><ins aria-hidden="true">${amountOfShop(price)}</ins><span class="screen-reader-text">Current price is: ${price} €.</span>`
    }</span>`,
  'del and ins': (price, old) =>
    `<p class="price">${old === undefined ? `${price} €` : `<del>${old} €</del> <ins>${price} €</ins>`}</p>`,
  'del before an element': (price, old) =>
    `<p class="price">${old === undefined ? '' : `<del>${old} €</del>`}<span>${price} €</span></p>`,
  's before a text': (price, old) =>
    `<div class="price">${old === undefined ? '' : `<s>${old} €</s>`} ${price} €</div>`,
  's after a text': (price, old) => `<div class="price">${price} € ${old === undefined ? '' : `<s>${old} €</s>`}</div>`,
  'a part of the regular price and one of the sale': (price, old) =>
    `<div class="price ${old === undefined ? '' : 'price--on-sale'}"><div class="price__regular"><span class="visually-hidden">Regular price</span><span class="price-item price-item--regular">€${old ?? price}</span></div>${
      old === undefined
        ? ''
        : `<div class="price__sale"><span class="visually-hidden">Regular price</span><span><s class="price-item price-item--regular">€${old}</s></span><span class="visually-hidden">Sale price</span><span class="price-item price-item--sale">€${price}</span></div>`
    }</div>`,
  'either a regular price or a sale': (price, old) =>
    old === undefined
      ? `<div class="price"><div class="price__regular"><span class="price-item--regular">€${price}</span></div></div>`
      : `<div class="price"><div class="price__sale"><span class="price-item--sale">€${price}</span><s class="price-item--regular">€${old}</s></div></div>`,
  'visible labels with classes': (price, old) =>
    old === undefined
      ? `<div class="price-box"><span class="price-container"><span class="price">€${price}</span></span></div>`
      : `<div class="price-box"><span class="special-price"><span class="price-container"><span class="price-label">Special Price</span> <span class="price">€${price}</span></span></span> <span class="old-price"><span class="price-container"><span class="price-label">Regular Price</span> <span class="price">€${old}</span></span></span></div>`,
  'words in a text': (price, old) =>
    `<p class="price">${old === undefined ? `€${price}` : `was €${old} now €${price}`}</p>`,
  'words before each price': (price, old) =>
    `<p class="price">${old === undefined ? `Price: €${price}` : `Now €${price}, before: €${old}`}</p>`,
  'words in elements': (price, old) =>
    `<p class="price">${old === undefined ? `€${price}` : `<span class="a">Statt €${old}</span> <span class="b">jetzt nur €${price}</span>`}</p>`,
  'labels beside': (price, old) =>
    `<div>${old === undefined ? `<span class="l">Price:</span> <span class="v">€${price}</span>` : `<span class="l">Old price:</span> <span class="v">€${old}</span> <span class="l">New price:</span> <span class="v">€${price}</span>`}</div>`,
  'labels for screen readers alone': (price, old) =>
    `<div class="price">${old === undefined ? `<span class="a">€${price}</span>` : `<span class="sr-only">Was</span><span class="a">€${old}</span> <span class="sr-only">Now</span><span class="a">€${price}</span>`}</div>`,
  'a style of its own': (price, old) =>
    `<p class="price">${old === undefined ? '' : `<span style="color:#999;text-decoration: line-through">€${old}</span>`}<span>€${price}</span></p>`,
  'a utility class': (price, old) =>
    `<div class="flex"><span class="text-lg">€${price}</span>${old === undefined ? '' : `<span class="text-gray-400 line-through">€${old}</span>`}</div>`,
  'a price for a unit beside': (price, old) =>
    `<div class="price">${old === undefined ? '' : `<del>€${old}</del>`} €${price} <small class="unit-price">€3.20 / kg</small></div>`,
}

const SIZE = 6
const TITLES = ['Amber', 'Birch', 'Cedar', 'Dune', 'Ember', 'Fjord']

const read = (html: string, template?: ListTemplate): PageList | undefined =>
  extractHtml(`<title>t</title><main><h1>Lamps</h1>${html}</main>`, { list: template ? { template } : {} }).lists?.[0]

const writeCards = (write: WritePrice, sales: number, from = 0): string =>
  `<ul class="products">${TITLES.map(
    (title, at) =>
      `<li class="product"><a href="/p/${from + at}"><h2>${title} lamp ${from + at}</h2></a>${write(`${at + 15}.00`, at < sales ? `${at + 29}.00` : undefined)}</li>`,
  ).join('')}</ul>`

const prices = (sales: number): unknown[] =>
  TITLES.map((_, at) => [at + 15, 'EUR', at < sales ? at + 29 : undefined, at < sales ? 'EUR' : undefined])

const pricesOf = (list: PageList | undefined): unknown[] =>
  (list?.items ?? []).map((item) => [item['price'], item['priceCurrency'], item['oldPrice'], item['oldPriceCurrency']])

const cases = Object.entries(MARKUPS).flatMap(([markup, write]) =>
  [0, 1, 3, 5, SIZE].map((sales) => ({ markup, write, sales })),
)

describe('the price of a row is the one to pay, and the one before a sale a field of its own', () => {
  it.each(cases)('in $markup, $sales of 6 in a sale', ({ write, sales }) => {
    const list = read(writeCards(write, sales))
    expect(pricesOf(list)).toEqual(prices(sales))
    const names = list?.fields.map(({ name }) => name).filter((name) => /price|sale|symbol/iu.test(name)) ?? []
    const expected = ['price', 'priceCurrency', ...(sales > 0 ? ['oldPrice', 'oldPriceCurrency'] : [])]
    expect(names.filter((name) => !name.startsWith('unitPrice')).sort()).toEqual(expected.sort())
  })

  it.each(Object.entries(MARKUPS))('on a further page with another share of sales, in %s', (_markup, write) => {
    for (const [first, second] of [
      [1, SIZE],
      [SIZE, 2],
      [2, 0],
    ] as const) {
      const template = read(writeCards(write, first))?.template
      expect(pricesOf(read(writeCards(write, second, SIZE), template))).toEqual(prices(second))
    }
  })

  it.each([1, 3, SIZE])('in the cells of a table, %d of 6 in a sale', (sales) => {
    for (const write of [MARKUPS['s before a text'], MARKUPS['words in a text'], MARKUPS['words in elements']]) {
      const rows = TITLES.map(
        (title, at) =>
          `<tr><td>${title}</td><td>${write?.(`${at + 15}.00`, at < sales ? `${at + 29}.00` : undefined)}</td></tr>`,
      )
      const items = read(`<table><tr><th>Name</th><th>Price</th></tr>${rows.join('')}</table>`)?.items
      expect(items?.map((item) => [item['Price'], item['oldPrice']])).toEqual(
        TITLES.map((_, at) => [at + 15, at < sales ? at + 29 : undefined]),
      )
    }
  })
})

describe('no price is taken for one before a sale', () => {
  it('for example the regular price beside a reduced one', () => {
    const list = read(
      writeCards((price) => `<span class="regular">€3${price}</span> <span class="student">€${price}</span>`, 0),
    )
    expect(list?.items[1]).toMatchObject({ regular: 316, student: 16 })
  })

  it('for example one before tax, which is lower', () => {
    const list = read(
      writeCards((price) => `<span class="price-before-tax">€${price}</span> <span class="price">€9${price}</span>`, 0),
    )
    expect(Object.values(list?.items[1] ?? {})).toEqual(expect.arrayContaining([16, 916]))
    expect(list?.fields.map(({ name }) => name)).not.toContain('oldPrice')
  })

  it('where the price to pay is on request', () => {
    const items = read(
      writeCards(
        (price, old) =>
          `<span class="price">${old === undefined ? 'on request' : `€${price}`}</span> <span class="was">€99.00</span>`,
        5,
      ),
    )?.items
    expect(items?.map(({ price, oldPrice }) => [price, oldPrice])).toEqual(
      TITLES.map((_, at) => [at < 5 ? at + 15 : 'on request', 99]),
    )
  })
})

describe('the price to pay is none of the other amounts in an entry:', () => {
  it.each([
    [
      'what is saved',
      '<span class="old-price">€29.90</span><span class="save">-€10.00</span><span class="price">€19.90</span>',
    ],
    ['shipping', '<s>€29.90</s><span class="shipping">€4.99</span><span class="price">€19.90</span>'],
    ['shipping after it', '<span class="price">€19.90</span><s>€29.90</s><span class="shipping">€4.99</span>'],
    ['another currency', '<s>€29.90</s><div class="gb">£15.00</div><div class="price">€19.90</div>'],
    ['the price before tax', '<s>€29.90</s><span class="net">€15.00</span><span class="gross">€19.90</span>'],
    ['a deposit', '<del>€29.90</del><div class="pfand">€0.25</div><div class="pay">€19.90</div>'],
    ['the price of a unit', '<span class="price">€19.90</span><span class="unitprice">€19.90 / kg</span><s>€29.90</s>'],
  ])('%s', (_, html) => {
    const rows = read(writeCards(() => html, 6))?.items
    expect(rows).toMatchObject(TITLES.map(() => ({ price: 19.9, oldPrice: 29.9 })))
    // No other amount is lost.
    expect(rows?.every((row) => Object.values(row).filter((value) => typeof value === 'number').length >= 3)).toBe(true)
  })

  it('what stands in a layout that is called like a price', () => {
    const html = '<div class="list-item"><span>€19.90</span></div><div class="deal-badge"><span>€2.00</span></div>'
    expect(read(writeCards(() => html, 6))?.items[0]).toMatchObject({ price: 19.9, deal: 2 })
  })
})

it.each([
  ['$', '$'],
  ['US$', 'USD'],
  ['CHF', 'CHF'],
])('a row in another currency than the others says so: %s', (sign, currency) => {
  const items = read(
    writeCards((price) => `<span class="price">${price} ${price === '17.00' ? sign : '€'}</span>`, 0),
  )?.items
  const currencies = items?.map(({ priceCurrency }) => priceCurrency)
  expect(currencies).toEqual(['EUR', 'EUR', currency, 'EUR', 'EUR', 'EUR'])
  expect(items?.[2]?.['price']).toBe(17)
})
