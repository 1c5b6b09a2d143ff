import { describe, expect, it } from 'vitest'
import type { ListPlan, PageList } from '../../../src/content/extract/list/page-list.js'
import { extractHtml } from './contents.js'

const readAll = (html: string, list: ListPlan = {}): readonly PageList[] => extractHtml(html, { list }).lists ?? []

function readMain(html: string, list: ListPlan = {}): PageList {
  const [main] = readAll(html, list)
  if (main === undefined) throw new Error('no list was found')
  return main
}

/** Writes a page with entries between a menu and a footer, as pages have them. */
const page = (entries: string, after = ''): string =>
  `<title>t</title><nav><ul><li><a href="/m1">One</a><li><a href="/m2">Two</a><li><a href="/m3">Three</a></ul></nav>
   <main><h1>Things</h1><div class="things">${entries}</div>${after}</main>
   <footer><ul><li><a href="/f1">Imprint</a><li><a href="/f2">Terms</a><li><a href="/f3">Jobs</a></ul></footer>`

const names = ['Amber lamp', 'Brass kettle', 'Copper pan', 'Damask throw', 'Elm table']

const each = (write: (name: string, at: number) => string): string => names.map(write).join('\n')

describe('the main list of a page', () => {
  it('has a row for each card, with title, absolute URL, image, price with currency, and date', () => {
    const { items, fields } = readMain(
      page(
        each(
          (name, at) => `<div class="card"><a href="/p/${at}?a=1"><img src="/i/${at}.jpg" alt=""><h3>${name}</h3></a>
            <span class="card__price">€${at + 1},${at}0</span> <time datetime="2024-03-0${at + 1}">March ${at + 1}</time>
            <button>Add to cart</button></div>`,
        ),
      ),
    )
    expect(items).toHaveLength(5)
    expect(items[1]).toEqual({
      url: 'https://site.test/p/1?a=1',
      image: 'https://site.test/i/1.jpg',
      title: 'Brass kettle',
      price: 2.1,
      priceCurrency: 'EUR',
      date: '2024-03-02',
    })
    expect(fields.map(({ name, type, source }) => `${name} ${type} ${source}`)).toEqual([
      'url url role',
      'image url role',
      'title text role',
      'price number class',
      'priceCurrency text class',
      'date date role',
    ])
    expect(fields.every(({ share }) => share === 1)).toBe(true)
  })

  it('is neither the menu nor the footer, and a page of text has none', () => {
    const words = 'Some words that are the content of this page, and no list of anything at all. '.repeat(8)
    expect(readAll(page(`<p>${words}</p><p>${words}</p><p>${words}</p>`))).toEqual([])
  })

  it('has the entries of a grid whose rows are elements of their own', () => {
    const card = (at: number): string =>
      `<div class="card"><a href="/p/${at}"><b>Thing ${at}</b></a><p>$${at}.50</p></div>`
    const rows = [1, 4, 7].map((at) => `<div class="row">${[at, at + 1, at + 2].map(card).join('')}</div>`).join('')
    const { items, fields } = readMain(page(rows))
    expect(items.map(({ title }) => title)).toEqual(Array.from({ length: 9 }, (_, at) => `Thing ${at + 1}`))
    expect(fields.find(({ type }) => type === 'number')?.unit).toBe('$')
  })

  it('has entries that take several elements: a heading with a link, and what follows it', () => {
    const { items } = readMain(
      page(
        each(
          (name, at) => `<h2><a href="/${at}">${name}</a></h2><p class="summary">A ${name} of the year 20${at}0.</p>`,
        ),
      ),
    )
    expect(items[4]).toEqual({
      title: 'Elm table',
      url: 'https://site.test/4',
      description: 'A Elm table of the year 2040.',
    })
  })

  it('leaves a field out of the rows that have no value for it, and says how many have it', () => {
    const { items, fields } = readMain(
      page(
        each(
          (name, at) =>
            `<li><a href="/${at}">${name}</a>${at % 2 === 0 ? `<span class="brand-name">Brand ${at}</span>` : ''}</li>`,
        ),
      ),
    )
    expect(items.map((item) => item['brandName'])).toEqual(['Brand 0', undefined, 'Brand 2', undefined, 'Brand 4'])
    expect(fields.find(({ name }) => name === 'brandName')?.share).toBe(0.6)
  })

  it('has a repeated entry once, and different entries with the same link each', () => {
    const entry = (name: string, text: string): string =>
      `<li><a href="/same">${name}</a> <i class="note">${text}</i></li>`
    const { items, keys } = readMain(
      page(
        `<li><a href="/a">Apple</a> <i class="note">red</i></li>${entry('Pear', 'green').repeat(2)}${entry('Pear', 'ripe')}`,
      ),
    )
    expect(items).toHaveLength(3)
    expect(new Set(keys).size).toBe(3)
  })
})

describe('rows that differ in what the page writes are rows of their own', () => {
  it.each([
    ['the hour of a date', 'date', ['13/02/2024 14:30', '13/02/2024 18:45'], ['2024-02-13T14:30', '2024-02-13T18:45']],
    [
      'the second of a date',
      'date',
      ['5 May 2024 14:30:01', '5 May 2024 14:30:02'],
      ['2024-05-05T14:30:01', '2024-05-05T14:30:02'],
    ],
    ['a sign before an amount', 'value', ['-$5.00', '$5.00'], [-5, 5]],
    ['a sign after an amount', 'value', ['1,234.50-', '1,234.50'], [-1234.5, 1234.5]],
    ['the word after a number', 'value', ['5 kg', '5 KG'], [5, 5]],
  ])('although the difference is %s', (_what, name, values, read) => {
    const rows = [...values, ...values].map((value) => `<tr><td>Ferry</td><td>${value}</td></tr>`).join('')
    const { items, keys } = readMain(page(`<table><tr><th>What</th><th>${name}</th></tr>${rows}</table>`))
    expect(items.map((item) => item[name])).toEqual(read)
    expect(new Set(keys).size).toBe(2)
  })
})

describe('the numbers of a column', () => {
  it.each([
    ['of thousands, by the page in German', 'de', ['1.234', '999', '2.500'], [1234, 999, 2500]],
    ['of thousands, by one with two points', 'en', ['3.755.251', '331.885', '1.500'], [3_755_251, 331_885, 1500]],
    ['of a page in English have decimals', 'en', ['1.234', '999', '2.500'], [1.234, 999, 2.5]],
    [
      'have decimals if one of them has two, although the page is in German',
      'de',
      ['1.234', '9.99', '2.500'],
      [1.234, 9.99, 2.5],
    ],
  ])('%s', (_what, language, values, read) => {
    const rows = values.map((value, at) => `<tr><td>Thing ${at}</td><td>${value}</td></tr>`).join('')
    const table = `<table><tr><th>Name</th><th>Amount</th></tr>${rows}</table>`
    expect(readMain(`<html lang="${language}">${page(table)}`).items.map(({ Amount }) => Amount)).toEqual(read)
  })
})

describe('the names of fields', () => {
  it('are those of the markup: properties, labels, attributes and parts of class names', () => {
    const { fields, items } = readMain(
      page(
        each(
          (name, at) => `<article itemscope itemtype="https://schema.org/Book" data-sku="S-${at}">
            <a itemprop="url" href="/b/${at}"><span itemprop="name">${name}</span></a>
            <meta itemprop="isbn" content="978-${at}">
            <dl><dt>Pages:</dt><dd>${at + 1}00</dd><dt>Cover</dt><dd>Cover ${at}</dd></dl>
            <span class="book__shelf-mark">QA ${at}</span></article>`,
        ),
      ),
    )
    const sources = Object.fromEntries(fields.map(({ name, source }) => [name, source]))
    expect(sources).toEqual({
      sku: 'attribute',
      url: 'microdata',
      name: 'microdata',
      isbn: 'microdata',
      Pages: 'label',
      Cover: 'label',
      shelfMark: 'class',
    })
    expect(items[2]).toMatchObject({ Pages: 300, Cover: 'Cover 2', sku: 'S-2', isbn: '978-2', shelfMark: 'QA 2' })
  })

  it('are no classes of the entries, which tell what a row is', () => {
    const { items } = readMain(
      page(
        each(
          (name, at) => `<div class="product"><a href="/p/${at}"><img src="/i/${at}.jpg" alt=""><h3>${name}</h3></a>
            <span class="cost">€${at + 1},${at}0</span> <time datetime="2024-03-0${at + 1}">March ${at + 1}</time>
            <button>Add to cart</button></div>`,
        ),
      ),
    )
    expect(items[1]).toMatchObject({ title: 'Brass kettle', date: '2024-03-02' })
  })

  it('are own properties of a row, whatever the page calls them', () => {
    const long = 'a text that is long enough to be most of this page, menu and footer included'
    const table = `<table><tr><th>__proto__<th>constructor</tr><tr><td>${long}<td>b</tr><tr><td>c<td>d</tr></table>`
    const [item] = readMain(page(table)).items
    expect(Object.entries(item ?? {})).toEqual([
      ['__proto__', long],
      ['constructor', 'b'],
    ])
    expect(Object.getPrototypeOf(item)).toBe(Object.prototype)
  })
})

describe('a table', () => {
  const table = `<table><caption>Ships</caption>
    <thead><tr><th rowspan="2">Name</th><th colspan="2">Size</th></tr><tr><th>Length</th><th>Crew</th></tr></thead>
    <tbody><tr><td rowspan="2"><a href="/ships/1">Vasa</a></td><td>69 m</td><td>145</td></tr>
    <tr><td>47 m</td><td>12</td></tr><tr><td><a href="/ships/2">Fram</a></td><td>39 m</td><td>16</td></tr></tbody></table>`

  it('is a list whose fields are its headers, with spans resolved', () => {
    const { items, fields, heading } = readMain(page(table))
    expect(heading).toBe('Ships')
    expect(items).toEqual([
      { Name: 'Vasa', 'Name url': 'https://site.test/ships/1', 'Size Length': 69, 'Size Crew': 145 },
      { Name: 'Vasa', 'Name url': 'https://site.test/ships/1', 'Size Length': 47, 'Size Crew': 12 },
      { Name: 'Fram', 'Name url': 'https://site.test/ships/2', 'Size Length': 39, 'Size Crew': 16 },
    ])
    expect(fields.find(({ name }) => name === 'Size Length')).toEqual({
      name: 'Size Length',
      type: 'number',
      source: 'header',
      share: 1,
      unit: 'm',
    })
  })

  it('may be made of ARIA roles', () => {
    const row = (cells: readonly string[], role: string): string =>
      `<div role="row">${cells.map((cell) => `<span role="${role}">${cell}</span>`).join('')}</div>`
    const grid = `<div role="grid">${row(['City', 'People'], 'columnheader')}${row(['Oslo', '709,000'], 'gridcell')}${row(['Bergen', '291,000'], 'gridcell')}</div>`
    expect(readMain(page(grid)).items).toEqual([
      { City: 'Oslo', People: 709_000 },
      { City: 'Bergen', People: 291_000 },
    ])
  })

  it('is one of several lists with `all`, each with its heading', () => {
    const cards = each(
      (name, at) => `<div class="card"><a href="/p/${at}">${name}</a><p>A long text about ${name}.</p></div>`,
    )
    const lists = readAll(page(cards, `<h2>Fleet</h2>${table}`), { all: true })
    expect(lists.map(({ heading, items }) => [heading, items.length])).toEqual([
      ['Things', 5],
      ['Ships', 3],
    ])
  })
})

describe('the end of a list', () => {
  const cards = each((name, at) => `<li><a href="/${at}">${name}</a></li>`)

  it('is known by a total that agrees, and open without one', () => {
    expect(readMain(page(cards, '<p>Showing 1-5 of 5</p>'))).toMatchObject({ total: 5, end: 'Showing 1-5 of 5' })
    expect(readMain(page(cards)).end).toBeUndefined()
  })

  it('is not there if the total is larger, or a next page or a button for more follows', () => {
    expect(readMain(page(cards, '<p>1–5 of 1,234</p>'))).toMatchObject({ total: 1234, more: '1–5 of 1,234' })
    expect(readMain(page(cards, '<a href="?page=2">Next</a>')).more).toBe('?page=2')
    expect(readMain(page(cards, '<button>Load more</button>')).more).toBe('Load more')
  })
})

describe('the template of a list', () => {
  const card = (at: number, price: string): string =>
    `<div class="card"><a href="/p/${at}"><h3>Thing ${at}</h3></a><span class="price">${price}</span></div>`

  it('gives the rows of another page the same names and types, however few they are', () => {
    const first = readMain(page([1, 2, 3, 4].map((at) => card(at, `${at},50 €`)).join('')))
    const last = readMain(page(card(5, '1.234,50 €')), { template: structuredClone(first.template) })
    expect(last.items).toEqual([
      { url: 'https://site.test/p/5', title: 'Thing 5', price: 1234.5, priceCurrency: 'EUR' },
    ])
    expect(last.keys).toEqual(['https://site.test/p/5'])
  })

  it('finds nothing on a page that does not have the list', () => {
    const first = readMain(page([1, 2, 3].map((at) => card(at, '1 €')).join('')))
    expect(readAll(page('<p>No more.</p>'), { template: first.template })).toEqual([])
  })
})
