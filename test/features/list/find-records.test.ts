import { expect, test } from 'vitest'
import { findRecordLists } from '../../../src/features/list/data/find-records.js'
import { learnMapping } from '../../../src/features/list/data/learn-mapping.js'

test('arrays of objects are found in data that contains itself, the longest first', () => {
  const data: Record<string, unknown> = { few: [{ a: 1 }, { a: 2 }, { a: 3 }] }
  data['self'] = { data, many: Array.from({ length: 9 }, (_, a) => ({ a, data })) }
  expect(findRecordLists(data, 3).map(({ path }) => path.join('.'))).toEqual(['self.many', 'few'])
})

test('elements of a flight stream are records by their properties', () => {
  const rows = [1, 2, 3].map((id) => ['$', '$L5', null, { id }])
  const [found] = findRecordLists({ children: rows }, 3)
  expect(found?.records).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
})

test('deep data is searched in linear time, and not to its end', () => {
  let deep: unknown = [{ a: 1 }, { a: 2 }, { a: 3 }]
  for (let level = 0; level < 50_000; level += 1) deep = { deep }
  expect(findRecordLists(deep, 3)).toEqual([])
  const wide = Array.from({ length: 300_000 }, (_, at) => [{ at }, { at }, { at }])
  expect(findRecordLists(wide, 3).length).toBeLessThanOrEqual(50)
})

test('links with a part that only the first rows share are not learnt, whatever digits are in the host', () => {
  const records = Array.from({ length: 20 }, (_, id) => ({ id, name: `Lamp ${id}`, kind: id < 10 ? 'deck' : 'cabin' }))
  for (const port of [50_000, 58_070, 59_001]) {
    const items = records
      .slice(0, 8)
      .map(({ id, name }) => ({ title: name, url: `http://127.0.0.1:${port}/deck/${id}` }))
    const fields = [
      { name: 'title', type: 'text' as const, source: 'role' as const, share: 1 },
      { name: 'url', type: 'url' as const, source: 'role' as const, share: 1 },
    ]
    const template = { container: 'ul', entry: 'li', columns: [], key: 'field url' }
    const list = { items, keys: items.map(({ url }) => url), fields, template }
    expect(learnMapping(list, records, `http://127.0.0.1:${port}/`)).toBeUndefined()
    const alike = records.map((record) => ({ ...record, kind: 'deck' }))
    expect(learnMapping(list, alike, `http://127.0.0.1:${port}/`)?.aligned.size).toBe(8)
  }
})

test('a column is not learnt from a value that only the first rows share', () => {
  const records = Array.from({ length: 20 }, (_, id) => ({ id, name: `Lamp ${id}`, kind: id < 10 ? 'deck' : 'cabin' }))
  const items = records.slice(0, 5).map(({ name, kind }) => ({ title: name, text: kind }))
  const fields = [
    { name: 'title', type: 'text' as const, source: 'role' as const, share: 1 },
    { name: 'text', type: 'text' as const, source: 'role' as const, share: 1 },
  ]
  const template = { container: 'ul', entry: 'li', columns: [], key: 'field title' }
  const list = { items, keys: items.map(({ title }) => title), fields, template }
  expect(learnMapping(list, records, 'http://lamps.test/')).toBeUndefined()
  const named = { ...list, fields: [...fields.slice(0, 1), { ...fields[1], name: 'kind' }] }
  const kinds = items.map(({ title, text }) => ({ title, kind: text }))
  expect(
    learnMapping({ ...named, items: kinds } as never, records, 'http://lamps.test/')?.mapping.columns,
  ).toHaveLength(2)
})
