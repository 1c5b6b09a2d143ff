import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { extract } from '../../../src/content/extract/extract.js'
import type { PageList } from '../../../src/content/extract/list/page-list.js'
import { parseHtml } from '../parse/pages.js'
import { extractHtml } from './contents.js'

const readMain = (html: string): PageList | undefined => extractHtml(`<title>t</title>${html}`, { list: {} }).lists?.[0]

const card = (at: number, name = 'li'): string =>
  `<${name} class="card"><h3><a href="/p/${at}">Amber lamp ${at}</a></h3><span class="price">€${at + 1}.50</span></${name}>`
const cards = (from: number, to: number, name?: string): string =>
  Array.from({ length: to - from }, (_, at) => card(from + at, name)).join('')
const tableRows = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `<tr><td>Lamp ${from + at}</td><td>${from + at + 1} kg</td></tr>`).join(
    '',
  )
const head = '<thead><tr><th>Name</th><th>Weight</th></tr></thead>'

describe('a list that is spread over several containers of one kind is one list:', () => {
  it.each([
    ['chunks of `ul`', `<div><ul>${cards(0, 5)}</ul><ul>${cards(5, 10)}</ul><ul>${cards(10, 12)}</ul></div>`],
    [
      'chunks around a banner',
      `<div><ul>${cards(0, 6)}</ul><div class="banner">Sale!</div><ul>${cards(6, 12)}</ul></div>`,
    ],
    [
      'columns',
      `<div class="columns">${[0, 4, 8].map((from) => `<div class="column">${cards(from, from + 4, 'div')}</div>`).join('')}</div>`,
    ],
    [
      'columns with a last one of one entry',
      `<div class="columns"><div class="column">${cards(0, 11, 'div')}</div><div class="column">${card(11, 'div')}</div></div>`,
    ],
    ['sections of a page', `<section><ul>${cards(0, 6)}</ul></section><section><ul>${cards(6, 12)}</ul></section>`],
    [
      'tables with the same header',
      `<div><table>${head}${tableRows(0, 6)}</table><table>${head}${tableRows(6, 12)}</table></div>`,
    ],
  ])('%s', (_what, list) => {
    expect(readMain(`<main><h1>Lamps</h1>${list}</main>`)?.items).toHaveLength(12)
  })

  it('but tables under headings of their own are lists of their own', () => {
    const tables = [0, 6].map((from) => `<h2>Part ${from}</h2><table>${head}${tableRows(from, from + 6)}</table>`)
    expect(readMain(`<main>${tables.join('')}</main>`)?.items).toHaveLength(6)
  })
})

describe('a table that is made of cells in one element', () => {
  const grid = (cells: string): string =>
    `<main><h1>Classes</h1><div class="summary-table two-column-summary"><div class="table-header col-first">Class</div>
     <div class="table-header col-last">Description</div>${cells}</div></main>`
  const cell = (at: number): string =>
    `<div class="col-first row-${at % 2}"><a href="Lamp${at}.html">Lamp${at}</a></div><div class="col-last row-${at % 2}"><div class="block">Burns for ${at + 2} hours.</div></div>`

  it('is a list with the names of its columns', () => {
    const list = readMain(grid([0, 1, 2, 3].map(cell).join('')))
    expect(list?.items).toHaveLength(4)
    expect(list?.items[1]).toEqual({
      Class: 'Lamp1',
      'Class url': 'https://site.test/dir/Lamp1.html',
      Description: 'Burns for 3 hours.',
    })
    expect(list?.fields.map(({ source }) => source)).toEqual(['header', 'header', 'header'])
  })

  it('is none if a cell is missing, or if columns have no classes of their own', () => {
    expect(readMain(grid(`${cell(0)}<div class="col-first">Lamp</div>`))?.fields[0]?.name).not.toBe('Class')
    const alike = [0, 1, 2, 3].map((at) => `<div class="cell">Lamp ${at}</div><div class="cell">${at} hours</div>`)
    expect(readMain(grid(alike.join('')))?.fields[0]?.name).not.toBe('Class')
  })
})

const summary = '/usr/share/doc/rust-doc/html/std/collections/index.html'
const reason = existsSync(summary) ? '' : ' (skipped: rust-doc is not installed)'

test.skipIf(reason !== '')(`each item of the summaries of a Rust module is a row${reason}`, () => {
  const page = parseHtml(readFileSync(summary, 'utf8'))
  const { $ } = page.tree
  const bare = (text: string): string => text.replace(/\s/gu, '')
  const rows = $('.item-row')
    .toArray()
    .map((row) => [$('.item-left a', row).first(), $('.item-right', row)].map((cell) => bare(cell.text())))
  const plan = { onlyMainContent: false, includeTags: [], excludeTags: [], list: { all: true } }
  const { lists = [] } = extract(page, plan)
  const items = lists.flatMap((list) =>
    list.items.map((item) => Object.values(item).map((value) => bare(String(value)))),
  )
  const missed = rows.filter((cells) => !items.some((values) => cells.every((cell) => values.includes(cell))))
  expect(rows.length).toBeGreaterThan(10)
  expect(missed).toEqual([])
})
