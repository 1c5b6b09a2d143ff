import { describe, expect, it } from 'vitest'
import type { Document, WatchResult } from '../../../src/index.js'
import { writeWatched } from '../../../src/features/watch/write-data.js'
import { DAY, nextCheck, WatchSite } from './watch-site.js'

const shop = (offer: object | undefined, text = 'A lamp for the desk.'): string => {
  const product = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: 'Lamp',
    offers: { '@type': 'Offer', ...offer },
  }
  const data = offer && `<script type="application/ld+json">${JSON.stringify(product)}</script>`
  return `<title>Lamp</title>${data ?? ''}<main><h1>Lamp</h1><p>${text}</p><p>This paragraph is the same in each version of the page.</p></main>`
}
const STOCK = 'https://schema.org/'
const offer = (price: number, state: string) => ({ price, priceCurrency: 'EUR', availability: `${STOCK}${state}` })

/** Watches a page with these versions, and options that may be those of a feature. @returns the results */
async function watchPage(versions: readonly string[], request: object): Promise<WatchResult[]> {
  await using world = await WatchSite.start()
  world.pages.set('/a', versions[0] ?? '')
  const watch = await world.open().watch({ name: 'shop', every: '1d', targets: world.urls('/a'), ...request })
  await nextCheck(watch)
  for (const version of versions.slice(1)) {
    world.pages.set('/a', version)
    await world.pass(watch, DAY)
  }
  return [...(await watch.results())]
}

describe('a watch that asks for data', () => {
  const fields = ['price', 'availability'] as const

  it('tells of a stock and a price that change in JSON-LD alone', async () => {
    const versions = [shop(offer(12, 'InStock')), shop(offer(12, 'OutOfStock')), shop(offer(9.5, 'OutOfStock'))]
    const [, stock, price] = await watchPage(versions, { formats: ['product'], fields })
    expect(stock).toMatchObject({
      status: 'changed',
      meaningful: true,
      reasons: [{ field: 'availability', message: 'availability: in stock → out of stock (Lamp)' }],
    })
    expect(price).toMatchObject({
      status: 'changed',
      meaningful: true,
      reasons: [{ field: 'price', message: expect.stringMatching(/12.*9\.5/) }],
    })
    expect(price?.document).toMatchObject({ product: { title: 'Lamp' } })
  })

  it('tells once what the page and its data say', async () => {
    const told = (price: number, state: string) => shop(offer(price, state), `€${price.toFixed(2)}`)
    const versions = [told(12, 'InStock'), told(9, 'InStock'), told(8, 'OutOfStock')]
    const [, price, both] = await watchPage(versions, { formats: ['product'], fields })
    expect(price?.reasons).toEqual([
      { field: 'price', message: 'price: 12 EUR → 9 EUR (Lamp)', previous: '12 EUR', current: '9 EUR' },
    ])
    expect(both?.reasons.map(({ field, previous, current }) => [field, previous, current]).toSorted()).toEqual([
      ['availability', 'in stock', 'out of stock'],
      ['price', '9 EUR', '8 EUR'],
    ])
  })

  it('compares the Markdown alone without these formats', async () => {
    const [, second] = await watchPage([shop(offer(12, 'InStock')), shop(offer(9, 'InStock'))], { fields })
    expect(second).toMatchObject({ status: 'same' })
    expect(second).not.toHaveProperty('document')
  })

  it('takes data that is not there as unchanged, with a warning', async () => {
    const versions = [shop(offer(12, 'InStock')), shop(undefined), shop(offer(12, 'InStock'))]
    const [, without, back] = await watchPage(versions, { formats: ['product'] })
    expect(without).toMatchObject({
      status: 'same',
      warning: expect.stringMatching(/^Not compared, because the page gave none: product\..*no `product`/),
    })
    expect(back).toMatchObject({ status: 'same' })
    expect(back?.warning).toBeUndefined()
  })

  it('gives each result its document with `documents`', async () => {
    const [, second] = await watchPage([shop(offer(12, 'InStock')), shop(offer(12, 'InStock'))], {
      formats: ['product'],
      documents: 'all',
    })
    expect(second).toMatchObject({ status: 'same', document: { product: { title: 'Lamp' } } })
  })
})

describe('the text of data', () => {
  /** Writes a document with data of formats, which may not be there. */
  const write = (fields: object, ...more: [data: readonly string[], previous?: string]) =>
    writeWatched({ metadata: {}, ...fields } as Document, ...more)

  it('has scalars as items, arrays of objects as tables, in an order of its own', () => {
    const json = {
      b: 2,
      a: { text: 'x\ny', list: [1, 2] },
      rows: [
        { n: 'one', p: { amount: 3, currency: 'EUR' } },
        { n: 'a|b', q: true },
      ],
      none: null,
    }
    expect(write({ markdown: 'M', json }, ['json']).text).toBe(
      [
        'M',
        '## Data of json',
        '- json a list: 1, 2',
        '- json a text: x y',
        '- json b: 2',
        '| n | p | q |\n| --- | --- | --- |\n| one | 3 EUR |  |\n| a\\|b |  | true |',
      ].join('\n\n'),
    )
  })

  it('has the rows of a list, and keeps what is missing', () => {
    const list = {
      items: [{ name: 'A' }],
      fields: [{ name: 'name' }],
      complete: true,
      pagesRead: 1,
      how: 'page',
    } as never
    const whole = write({ markdown: 'M', list, json: { a: 1 } }, ['list', 'json'])
    expect(whole.text).toBe('M\n\n## Data of list\n\n| name |\n| --- |\n| A |\n\n## Data of json\n\n- json a: 1')
    expect(write({ markdown: 'N', list }, ['list', 'json'], whole.text)).toMatchObject({
      text: whole.text.replace('M', 'N'),
      missing: ['json'],
    })
    expect(write({ markdown: 'M', json: { a: 1 } }, ['list', 'json'], whole.text).text).toBe(whole.text)
  })

  it('has the units of a list, what names a row first, and a stock once', () => {
    const list = {
      items: [
        { price: 19, title: 'Lamp', stock: { inStock: true, text: 'InStock' } },
        { price: '20 to 30', title: 'Rope', stock: { inStock: false, text: 'PreOrder' } },
      ],
      fields: [{ name: 'price', type: 'number', unit: '$' }, { name: 'title' }],
    } as never
    expect(write({ list }, ['list']).text).toBe(
      [
        '## Data of list\n',
        '| title | price | stock | stock inStock | stock text |',
        '| --- | --- | --- | --- | --- |',
        '| Lamp | $19 | in stock |  |  |',
        '| Rope | 20 to 30 |  | out of stock | PreOrder |',
      ].join('\n'),
    )
  })

  it('ends for data of any depth', () => {
    let deep: object = { end: 1 }
    for (let at = 0; at < 1000; at++) deep = { deep }
    expect(write({ json: deep }, ['json']).text).toContain('"end":1')
  })
})
