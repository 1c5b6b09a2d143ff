import { mkdir, readdir, readFile } from 'node:fs/promises'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openCsv, CsvColumns, printRecord } from '../../src/cli/output/csv-output.js'
import type { ListRow } from '../../src/index.js'
import { makeFolder } from './start-cli.js'

/** Parses records of RFC 4180. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [[]]
  for (const [, quoted, bare = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare)
    if (end === '\r\n') records.push([])
  }
  return records.slice(0, -1)
}

describe('a record of CSV', () => {
  it('is read as the texts that were written', () => {
    const unit = fc.constantFrom('"', ',', '\r', '\n', '\t', '=', '-', "'", ' ', '1', 'a', 'é', '😀')
    const texts = fc.array(fc.string({ unit }), { minLength: 1 })
    fc.assert(
      fc.property(texts, (values) => {
        const read = parseCsv(printRecord(values))
        expect(read).toHaveLength(1)
        // An apostrophe may have been added before a formula.
        expect(read[0]?.map((cell, at) => (cell === values[at] ? cell : cell.slice(1)))).toEqual(values)
      }),
    )
  })

  it('has numbers, switches, several texts and absent values', () => {
    expect(printRecord([-1.5, 1e-9, true, ['a', 'b, c'], undefined, '', 'plain'])).toBe(
      '-1.5,1e-9,true,"a | b, c",,,plain\r\n',
    )
  })

  it.each(['=1+1', '+1-cmd', '-1+1', '-', '@SUM(A1)', '＝1', '+SUM(A1)', '-1e5'])('has no formula: %s', (text) => {
    expect(printRecord([text, [text]])).toBe(`'${text},'${text}\r\n`)
  })

  it.each([
    '\u2212SUM(A1)',
    '\ufe66\u0031',
    '\ufe621',
    '\ufe63A1',
    '\ufe6bSUM(A1)',
    '\u200b=1',
    '\u2063\ufeff+A1',
    '\u00ad＝1',
  ])('has no formula in a form that few see: %j', (text) => expect(printRecord([text])).toBe(`'${text}\r\n`))

  it('has no formula behind a tab or a line break', () => {
    expect(printRecord(['\t=1', '\r=1', '\n=1'])).toBe(`'\t=1,"'\r=1","'\n=1"\r\n`)
  })

  it.each(['-5', '\u22125.2', '+49', '-1.234.567', '+1000.50', '5-1', 'a=b'])('leaves %s as it is', (text) => {
    expect(printRecord([text])).toBe(`${text}\r\n`)
  })
})

describe('the columns of a table', () => {
  it('are in the order of the fields, also of those that the first row does not have', () => {
    const columns = new CsvColumns()
    const rows: ListRow[] = [
      { title: 'a', url: 'b' },
      { title: 'a', price: 1, priceCurrency: 'EUR', url: 'b' },
      { rank: 1, url: 'b', note: 'c' },
    ]
    for (const row of rows) columns.add(row)
    expect(columns.names).toEqual(['rank', 'title', 'price', 'priceCurrency', 'url', 'note'])
  })

  it('are bounded', () => {
    const columns = new CsvColumns()
    for (let at = 0; at < 20_000; at += 100) {
      columns.add(Object.fromEntries(Array.from({ length: 100 }, (_, field) => [`f${at + field}`, at])))
    }
    expect(columns.names).toHaveLength(16_384)
    expect(columns.left).toBe(20_000 - 16_384)
  })

  it('are told with the number of values that have none', async () => {
    await using folder = await makeFolder()
    const csv = openCsv(folder.in('a.csv'))
    await csv.write(Object.fromEntries(Array.from({ length: 16_386 }, (_, at) => [`f${at}`, at])))
    expect(csv.complete?.(new Set(), [])).toEqual([expect.stringMatching(/^2 values are left out: /)])
    csv.close()
  })
})

describe('a file of CSV', () => {
  it('has each row, also of fields that are called as the properties of every object', async () => {
    await using folder = await makeFolder()
    const csv = openCsv(folder.in('a.csv'))
    const rows = Array.from({ length: 3000 }, (_, at) =>
      Object.fromEntries([
        ['title', `é${at}\n`.repeat(at % 50)],
        [at % 2 === 0 ? '__proto__' : 'constructor', 'x'],
      ]),
    )
    for (const row of rows) await csv.write(row)
    csv.close()
    csv.close()
    const [header, ...records] = parseCsv(await readFile(folder.in('a.csv'), 'utf8'))
    expect(header).toEqual(['title', 'constructor', '__proto__'])
    expect(records).toEqual(rows.map((row, at) => [row['title'], at % 2 === 0 ? '' : 'x', at % 2 === 0 ? 'x' : '']))
    expect(await readdir(folder.path)).toEqual(['a.csv'])
  })

  it.each([
    [['title', 'price'], 0],
    [['Name', 'Cost', 'Stock'], 1],
  ])('advises a schema where half of its cells are empty: a second page with %j', async (names, lines) => {
    await using folder = await makeFolder()
    const csv = openCsv(folder.in('a.csv'))
    await csv.write({ title: 'Lamp', price: 5 })
    await csv.write(Object.fromEntries(names.map((name) => [name, 'x'])))
    expect(csv.complete?.(new Set(), [])).toHaveLength(lines)
    csv.close()
  })

  it('keeps its rows when it cannot be written, and says where', async () => {
    await using folder = await makeFolder()
    const csv = openCsv(folder.in('a.csv'))
    await csv.write({ title: 'kept' })
    await mkdir(folder.in('a.csv'))
    expect(() => csv.close()).toThrow(/a\.csv cannot be written\. Its rows are in .*\.rows, one JSON object a line/)
    const [rows = ''] = (await readdir(folder.path)).filter((name) => name.endsWith('.rows'))
    expect(await readFile(folder.in(rows), 'utf8')).toBe('{"title":"kept"}\n')
    expect(await readdir(folder.path)).toHaveLength(2)
  })
})
