import { expect, test } from 'vitest'
import { readStateProducts } from '../../../src/features/offers/state-product.js'
import type { StructuredItem } from '../../../src/content/extract/structured-data/structured-item.js'
import { readPageData } from '../../../src/content/hydration/page-data.js'

const read = (html: string): StructuredItem[] => {
  const page = {
    url: 'https://shop.test/p/red-lamp',
    redirects: [],
    statusCode: 200,
    headers: {},
    contentType: 'text/html',
    body: new TextEncoder().encode(`<title>Red lamp</title>${html}`),
    fetchedAtMs: 0,
    fetcher: 'http',
  }
  const state = readPageData(page)
  return state ? readStateProducts(state) : []
}

const nuxt = (list: unknown): string =>
  `<script id="__NUXT_DATA__" type="application/json">${JSON.stringify(list)}</script>`

const priceOf = ([item]: readonly StructuredItem[]): unknown => {
  const [offer] = (item?.properties['offers'] ?? []) as readonly StructuredItem[]
  return offer?.properties['price']?.[0]
}

test('readStateProducts compares objects with the same name by their price', () => {
  // Each level refers to the next one twice: a comparison of the whole data would take 2^60 steps.
  const levels = (from: number): unknown[] =>
    Array.from({ length: 60 }, (_, at) => ({ a: from + at + 1, b: from + at + 1 }))
  const things = [{ name: 3, price: 5 }, 'Red lamp', { name: 3, price: 66 }]
  const list = [{ data: 1 }, [2, 4], ...things.slice(0, 1), 'Red lamp', { name: 3, price: 66 }, ...levels(5), 1]
  expect(read(nuxt([...list, ...levels(list.length), 1]))).toHaveLength(1)
})

test('readStateProducts ignores cyclic lists and prices', () => {
  const variants = nuxt([{ data: 1 }, { name: 2, variants: 3, price: 4 }, 'Red lamp', { edges: 3 }, 19.5])
  expect(priceOf(read(variants))).toBe('19.5')
  const price = nuxt([{ data: 1 }, { name: 2, price: 3 }, 'Red lamp', { amount: 3 }])
  expect(priceOf(read(price))).toBeUndefined()
})

test('searchVisibleAmounts reads a page with unclosed scripts in linear time', () => {
  const state = '<script>window.__STATE__ = {"name":"Red lamp","price":1999}</script>'
  expect(priceOf(read(`<p>19.99</p>${state}${'<script'.repeat(300_000)}`))).toBe('19.99')
})

test('isSamePrice compares prices by amount, as strings and numbers', () => {
  const twice = (one: unknown, other: unknown): unknown =>
    priceOf(
      read(
        `<script>window.__STATE__ = ${JSON.stringify([
          { name: 'Red lamp', price: one },
          { name: 'Red lamp', price: other },
        ])}</script>`,
      ),
    )
  expect(twice(19.5, '19.50')).toBe('19.5')
  expect(twice({ amount: '19.50', currencyCode: 'EUR' }, 19.5)).toBe('19.50')
  expect(twice(19.5, 21.5)).toBeUndefined()
})
