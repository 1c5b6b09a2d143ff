import { describe, expect, it } from 'vitest'
import type { List, ListRow } from '../../../src/index.js'
import { readItems } from '../../../src/features/list/read-items.js'

/** A list of these rows, whose fields have the types of their names. */
const listOf = (items: ListRow[]): List => ({
  items,
  fields: [...new Set(items.flatMap(Object.keys))].map((name) => ({
    name,
    type: /url/i.test(name) ? 'url' : /date/i.test(name) ? 'date' : 'text',
    source: 'role',
    share: 1,
  })),
  complete: false,
  pagesRead: 1,
  how: 'page',
})

async function readAll(...pages: ListRow[][]): Promise<ListRow[]> {
  const read: ListRow[] = []
  for await (const row of readItems(pages.map((items) => ({ list: listOf(items) })).values() as never)) read.push(row)
  return read
}

const rowsOf = (count: number, more: (at: number) => ListRow): ListRow[] =>
  Array.from({ length: count }, (_, at) => ({ title: `Row ${at}`, ...more(at) }))

describe('a row is known', () => {
  it('by its URL, whatever its other values are', async () => {
    const first = rowsOf(3, (at) => ({ url: `https://a.example/${at}`, stock: 'yes' }))
    const again = first.map((row) => ({ ...row, stock: 'no' }))
    expect(await readAll(first, again)).toEqual(first)
  })

  it('by its title as well, so that rows of two pages with one URL and different titles are two', async () => {
    const first = rowsOf(3, (at) => ({ url: `https://a.example/${at}` }))
    const other = { ...first[1], title: 'Another size' } as ListRow
    expect(await readAll(first, [other], [other, ...first])).toEqual([...first, other])
  })

  it('once, if it has moved to the next page in the meantime', async () => {
    const rows = rowsOf(4, (at) => ({ url: `https://a.example/${at}` }))
    const [one = {}, two = {}, three = {}, four = {}] = rows
    expect(await readAll([one, two], [{ ...two, stock: 'no' }, three], [three, four])).toEqual(rows)
  })

  it('by its texts, if one page has several with its URL and title', async () => {
    const others = rowsOf(40, (at) => ({ url: `https://a.example/${at}` }))
    const [red, blue, green] = ['red', 'blue', 'green'].map((color) => ({
      title: 'Lamp',
      url: 'https://a.example/lamp',
      color,
    })) as unknown as [ListRow, ListRow, ListRow]
    expect(await readAll([red, ...others], [blue, red, ...others], [green, blue, ...others], [red, ...others])).toEqual(
      [red, ...others, blue, green],
    )
  })

  it('by its date as well, if one page has several with its URL and title', async () => {
    const eventsOf = (names: string, dates: readonly string[]): ListRow[] => [
      ...Array.from(names).map((name) => ({
        title: `Event ${name}`,
        url: `https://a.example/${name}`,
        date: '2026-05-02',
      })),
      ...dates.map((date) => ({ title: 'Yoga', url: 'https://a.example/yoga', date })),
    ]
    const pages = [
      eventsOf('abcdefgh', ['2026-05-01', '2026-05-08']),
      eventsOf('ijklmnop', ['2026-06-05', '2026-06-12']),
    ]
    expect(await readAll(...pages, ...pages)).toEqual(pages.flat())
  })

  it('by no date that is relative, which another page prints in another way', async () => {
    const others = rowsOf(8, (at) => ({ url: `https://a.example/${at}`, date: '2 hours ago' }))
    const rowsAt = (date: string): ListRow[] => [
      ...others,
      ...['red', 'blue'].map((color) => ({ title: 'Lamp', url: 'https://a.example/lamp', color, date })),
    ]
    expect(await readAll(rowsAt('2 hours ago'), rowsAt('3 hours ago'))).toEqual(rowsAt('2 hours ago'))
  })

  it('by its URL, where another page has no titles', async () => {
    const titled = rowsOf(3, (at) => ({ url: `https://a.example/${at}` }))
    const untitled = [3, 2, 4].map((at) => ({ url: `https://a.example/${at}`, stock: 'yes' }))
    const later = rowsOf(5, (at) => ({ url: `https://a.example/${at}` }))
    expect(await readAll(titled, untitled, later)).toEqual([...titled, untitled[0], untitled[2]])
  })

  it('by the first URL that differs between the rows', async () => {
    const first = rowsOf(3, (at) => ({
      url: 'https://a.example/shop',
      'Name url': `https://a.example/${at}`,
      stock: 'yes',
    }))
    const again = first.map((row) => ({ ...row, stock: 'no' }))
    expect(await readAll(first, again)).toEqual(first)
  })

  it('by all of its values, in whatever order, if it shares the URL with the others', async () => {
    const first = rowsOf(3, () => ({ url: 'https://a.example/shop' }))
    const again = first.map(({ title = '', url = '' }) => ({ url, title }))
    const changed = first.map((row) => ({ ...row, stock: 'no' }))
    expect(await readAll(first, again, changed)).toEqual([...first, ...changed])
  })

  it('by URL and number, if few rows of its page have the same one', async () => {
    const first = rowsOf(40, (at) => ({ url: `https://a.example/${at % 39}` }))
    expect(await readAll(first, first)).toEqual(first)
  })

  it('by all of its values, if it has no URL', async () => {
    const [first = {}, ...others] = rowsOf(40, (at) => ({ url: `https://a.example/${at}` }))
    const bare = { title: String(first['title']) }
    expect(await readAll([bare, ...others], [bare, ...others, { title: 'Another' }])).toEqual([
      bare,
      ...others,
      { title: 'Another' },
    ])
  })

  it('with fields that are called as the properties of every object', async () => {
    const rows = ['a', 'b', 'a'].map((constructor) => ({ constructor }))
    expect(await readAll(rows as never)).toEqual(rows)
    expect(await readAll(rows as never, rows as never)).toEqual(rows)
  })
})
