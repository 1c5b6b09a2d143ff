import { expect, test } from 'vitest'
import type { PageList } from '../../../src/content/extract/list/page-list.js'
import { RowMerger } from '../../../src/features/list/whole/row-merger.js'

const fields = [
  { name: 'title', type: 'text' as const, source: 'role' as const, share: 1 },
  { name: 'size', type: 'number' as const, source: 'role' as const, share: 1 },
  { name: 'url', type: 'url' as const, source: 'role' as const, share: 1 },
]
const template = { container: 'ul', entry: 'li', columns: [], key: 'field url' }
const row = (id: number, title = `Lamp ${id}`, size = 1) => ({ title, size, url: `http://lamps.test/${id}` })
const listOf = (items: readonly ReturnType<typeof row>[], more: Partial<PageList> = {}): PageList => ({
  items,
  keys: items.map(({ url }) => url),
  fields,
  template,
  ...more,
})

test('a row whose size has changed on the next page is the same row', () => {
  const rows = new RowMerger(listOf([row(1), row(2), row(3)]), 100)
  expect(rows.addRows(listOf([row(3, 'Lamp 3', 9), row(4)]))).toBe(1)
  expect(rows.items).toHaveLength(4)
})

test('rows with one URL and different titles on two pages are two rows', () => {
  const rows = new RowMerger(listOf([row(1, 'Lamp, red'), row(2)]), 100)
  expect(rows.addRows(listOf([row(1, 'Lamp, blue'), row(3)]))).toBe(2)
})

test('rows with one URL and one title are compared as a whole once a page has two of them, also those of pages before', () => {
  const rows = new RowMerger(listOf([row(1, 'Lamp', 10), row(2)]), 100)
  expect(rows.addRows(listOf([row(1, 'Lamp', 20)]))).toBe(0)
  expect(rows.addRows(listOf([row(3, 'Lamp', 10), row(3, 'Lamp', 20)]))).toBe(3)
  expect(rows.items.map(({ title, size }) => [title, size])).toEqual([
    ['Lamp', 10],
    ['Lamp 2', 1],
    ['Lamp', 20],
    ['Lamp', 10],
    ['Lamp', 20],
  ])
})

test('rows of one page with one URL and different dates are different rows', () => {
  const date = { name: 'date', type: 'date' as const, source: 'role' as const, share: 1 }
  const shows = ['2024-02-13T14:30', '2024-02-13T18:45'].map((at) => ({ ...row(1), date: at }))
  const rows = new RowMerger(listOf(shows, { fields: [...fields, date] }), 100)
  expect(rows.items).toHaveLength(2)
  expect(rows.addRows(listOf(shows))).toBe(0)
})

test('variants with other dates on the next page are different rows, and those with another relative date are not', () => {
  const date = { name: 'date', type: 'date' as const, source: 'role' as const, share: 1 }
  const showsOn = (...dates: string[]) =>
    listOf(
      dates.map((at) => ({ ...row(1), date: at })),
      { fields: [...fields, date] },
    )
  const rows = new RowMerger(showsOn('2024-02-13', '2024-02-14', '2 hours ago'), 100)
  expect(rows.add(showsOn('2024-02-14', '2024-02-15', '3 hours ago'))).toBe(1)
  expect(rows.items.map((item) => item['date'])).toEqual(['2024-02-13', '2024-02-14', '2 hours ago', '2024-02-15'])
})

test('thousands of rows with one URL are kept once each', () => {
  const variants = Array.from({ length: 5000 }, (_, at) => row(1, `Lamp ${at}`))
  const rows = new RowMerger(listOf(variants), 10_000)
  expect(rows.addRows(listOf(variants))).toBe(0)
  expect(rows.items).toHaveLength(5000)
})

test('advertisements do not count for the total', () => {
  const rows = new RowMerger(listOf([row(1), row(2), row(3)], { total: 3, ads: [1] }), 100)
  expect([rows.items.length, rows.entries, rows.hasTotal]).toEqual([3, 2, false])
  rows.addRows(listOf([row(4)]))
  expect(rows.hasTotal).toBe(true)
})
