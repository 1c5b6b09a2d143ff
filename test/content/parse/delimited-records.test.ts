import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findDelimiter, readRecords } from '../../../src/content/parse/text/delimited-records.js'

const limits = { records: 1000, cells: 1000 }
const read = (text: string, delimiter = ','): readonly (readonly string[])[] =>
  readRecords(text, delimiter, limits).records

describe('records', () => {
  it.each([
    [
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\rc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,,\n,b',
      [
        ['a', '', ''],
        ['', 'b'],
      ],
    ],
    ['"a,1","b\n2"', [['a,1', 'b\n2']]],
    ['"he said ""no""",x', [['he said "no"', 'x']]],
    ['"a" b,c', [['a b', 'c']]],
    ['5" pipe,x', [['5" pipe', 'x']]],
    [
      'a,"never closed\nb,c',
      [
        ['a', '"never closed'],
        ['b', 'c'],
      ],
    ],
    ['\n\na\n\n', [['a']]],
    ['""', []],
    ['', []],
  ])('are read from %j', (text, records) => {
    expect(read(text)).toEqual(records)
  })

  it('are equal to those that were written', () => {
    const cell = fc.string({ maxLength: 8 }).map((text) => text.replace(/\r/g, ''))
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(table, fc.constantFrom(',', ';', '\t', '|'), (records, delimiter) => {
        const write = (text: string): string => `"${text.replaceAll('"', '""')}"`
        expect(read(records.map((row) => row.map(write).join(delimiter)).join('\r\n'), delimiter)).toEqual(records)
      }),
    )
  })

  it('are counted even if there are too many to be returned', () => {
    const { records, total, widest } = readRecords('a,b,c\n1,2\n\n3,4,5,6\n', ',', { records: 2, cells: 2 })
    expect(records).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
    expect({ total, widest }).toEqual({ total: 3, widest: 4 })
  })

  it('are parsed in linear time, whatever the text', () => {
    for (const text of ['"', '"a', '""', '","', '"\n', ',', '\r']) {
      expect(readRecords(text.repeat(300_000), ',', limits).records.length).toBeLessThanOrEqual(1000)
    }
  })
})

describe('the delimiter', () => {
  it.each([
    ['a,b\n1,2', ','],
    ['a;b\n1,5;2,5\n3,5;4,5', ';'],
    ['a\tb\n1, 2\t3', '\t'],
    ['a|b|c\n1|2|3', '|'],
    ['one column\nof words, with a comma', ','],
    ['"a;b",c\n"d;e",f', ','],
    ['', ','],
  ])('of %j is %j', (text, delimiter) => {
    expect(findDelimiter(text)).toBe(delimiter)
  })
})
