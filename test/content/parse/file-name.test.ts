import { expect, it } from 'vitest'
import { extensionOf, nameOfFile, readFileName } from '../../../src/content/parse/media-type/file-name.js'

it.each([
  ['attachment; filename="report 1.csv"', 'report 1.csv'],
  ['attachment; filename=report.csv; size=3', 'report.csv'],
  ['attachment;filename="a \\"b\\".csv"', 'a "b".csv'],
  ['attachment; filename="x.bin"; filename*=UTF-8\'\'na%C3%AFve%20%E4%B8%80.csv', 'naïve 一.csv'],
  ["inline; filename*=iso-8859-1'en'%A3.md", '£.md'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
  ['attachment; filename="C:\\\\temp\\\\a.txt"', 'a.txt'],
  ['attachment; filename=""', undefined],
  ['attachment', undefined],
  ['inline; xfilename=a.txt', undefined],
  [undefined, undefined],
])('reads the file name in the Content-Disposition header %j', (header, name) => {
  expect(readFileName(header)).toBe(name)
})

it('is read in no time, whatever it is', () => {
  for (const piece of ['filename="\\', '; filename=', ";filename*=a''", '"', '%e4'])
    expect(readFileName(piece.repeat(100_000))?.length ?? 0).toBeLessThanOrEqual(500)
})

it('takes the name of a file from its URL where it has no other', () => {
  expect(nameOfFile({ url: 'https://a.test/b/c.tar.gz?d=e.f' })).toBe('c.tar.gz')
  expect(nameOfFile({ url: 'https://a.test/b/', fileName: 'c.csv' })).toBe('c.csv')
  expect(nameOfFile({ url: 'nothing' })).toBe('')
  expect(extensionOf('C.TAR.GZ')).toBe('gz')
  expect(extensionOf('Makefile')).toBe('makefile')
})
