import { expect, it } from 'vitest'
import { judgeData } from '../../../src/content/compare/judge-data.js'
import type { DataTable } from '../../../src/content/compare/key-rows.js'
import { toldBy } from '../../../src/content/compare/told-by-data.js'

const table = (columns: string[], ...rows: string[][]): DataTable => ({
  heading: 'Data of list',
  kind: 'row',
  columns,
  rows,
})

const judge = (previous: DataTable, current: DataTable) =>
  judgeData({ previous: [previous], current: [current], uncertain: [] }, { previousAtMs: 0, atMs: 1 }).map(
    ({ judgement, context }) => [judgement.field, judgement.message, context],
  )

it.each([
  ['goldPrice', 'price'],
  ['listing price', 'price'],
  ['price before tax', 'price'],
  ['list_price', 'price'],
  ['oldPrice', 'price'],
])('takes %s alone for the price', (column, field) => {
  const names = ['name', column]
  const change = judge(table(names, ['Lamp', '€5'], ['Vase', '€6']), table(names, ['Lamp', '€7'], ['Vase', '€6']))
  expect(change).toEqual([[field, '€5 → €7', 'Lamp']])
})

it.each(['oldPrice', 'list_price', 'was price'])('takes %s beside a price for none', (column) => {
  const names = ['name', 'price', column]
  const change = judge(table(names, ['Lamp', '€5', '€8']), table(names, ['Lamp', '€5', '€9']))
  expect(change).toEqual([['row', `${column}: €8 → €9`, 'Lamp']])
})

it.each([
  ['11.5 € EUR', '€11.50'],
  ['7 $ USD', '$7'],
  ['€12', '12.00 €'],
])('takes %s and %s for one price', (before, now) => {
  const names = ['name', 'price']
  expect(judge(table(names, ['Lamp', before]), table(names, ['Lamp', now]))).toEqual([])
})

it.each([
  ['$7 USD', '$7 CAD'],
  ['€7', '$7'],
  ['€7 (incl. VAT)', '€7 (plus VAT)'],
])('tells %s from %s', (before, now) => {
  const names = ['name', 'price']
  expect(judge(table(names, ['Lamp', before]), table(names, ['Lamp', now]))).toHaveLength(1)
})

it('knows a row by its name though other names are numbers or states', () => {
  const names = ['name', 'price']
  const rows = [['7 Up', '€1'], ...['Lamp', 'Vase', 'Bowl', 'Desk'].map((name) => [name, '€2'])]
  const now = rows.map(([name = '', price = '']) => [name, name === 'Vase' ? '€3' : price])
  expect(judge(table(names, ...rows), table(names, ...now, ['Tray', '€9']))).toEqual([
    ['price', '€2 → €3', 'Vase'],
    ['row', 'added: Tray €9', ''],
  ])
})

it('knows a column that has another name now by its values', () => {
  const rows = ['Lamp', 'Vase', 'Bowl', 'Desk'].map((name, at) => [name, `€${at + 1}`])
  const now = rows.map(([name = '', price = '']) => [name, name === 'Vase' ? '€9' : price])
  expect(judge(table(['name', 'price'], ...rows), table(['name', 'cost'], ...now))).toEqual([
    ['price', '€2 → €9', 'Vase'],
  ])
})

it('tells a state of an entry that its data do not have', () => {
  const data = [table(['name', 'stock'], ['Lamp', 'in stock'], ['Vase', 'sold out'])]
  const isTold = toldBy({ previous: data, current: data }, [], [])
  const added = (heading: string): boolean =>
    isTold({ change: 'added', kind: 'text', headings: [heading], text: 'Sold out' })
  expect(added('Lamp')).toBe(false)
  expect(added('Vase')).toBe(true)
})
