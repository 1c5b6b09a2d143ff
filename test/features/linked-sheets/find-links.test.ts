import { expect, it } from 'vitest'
import { findSheetLinks } from '../../../src/features/linked-sheets/find-links.js'

const find = (source: string): readonly string[] =>
  findSheetLinks(Buffer.from(source), 'https://harbour.test/').map(({ url }) => url.pathname)

const SHEET = '<link rel="stylesheet" href="/site.css">'

it('a tag in an attribute is no link', () => {
  expect(find(`<link rel="icon" title='${SHEET}' href="/icon.png"><link rel=stylesheet href=/a.css>`)).toEqual([
    '/a.css',
  ])
})

it.each([
  ['one tag in another', '<link', []],
  ['styles that do not end', '<style</style', []],
  ['an address for each link', '<base href="/', []],
])('a head of %s is read in linear time', (_, part, found) => {
  expect(find(`${part.repeat(1_000_000 / part.length)}stylesheet`)).toEqual(found)
})

it('reads a hundred links, and none from a base or of an address that nobody requests', () => {
  const many = Array.from({ length: 20_000 }, (_, at) => `<link rel="stylesheet" href="${at}.css">`).join('')
  const long = 'a'.repeat(500_000)
  expect(find(`<base href="/${long}/"><link rel="stylesheet" href="/${long}">${many}`)).toEqual(
    Array.from({ length: 99 }, (_, at) => `/${at}.css`),
  )
})
