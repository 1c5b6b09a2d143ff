import { describe, expect, it } from 'vitest'
import type { PageList } from '../../../src/content/extract/list/page-list.js'
import { extractHtml } from './contents.js'

const readMain = (html: string): PageList | undefined =>
  extractHtml(`<title>t</title><main><h1>All of them</h1>${html}</main>`, { list: {} }).lists?.[0]
const repeat = (size: number, write: (at: number) => string): string =>
  Array.from({ length: size }, (_, at) => write(at)).join('')
const names = ['Amber', 'Birch', 'Cedar', 'Dune', 'Ember', 'Fjord', 'Grove', 'Haven', 'Iris', 'Juniper']
const nameOf = (at: number): string => names[at] ?? ''

const readCards = (part: (at: number) => string): PageList | undefined =>
  readMain(
    `<ul>${repeat(8, (at) => `<li class="card"><h3><a href="/p/${at}">${nameOf(at)} lamp</a></h3>${part(at)}</li>`)}</ul>`,
  )

describe('a price in several elements is one value:', () => {
  it.each([
    [
      'units, cents and currency',
      (at: number) =>
        `<span class="price"><span class="int">${at + 1}</span><span class="dec">,50</span> <span class="cur">€</span></span>`,
    ],
    [
      'cents without a point',
      (at: number) =>
        `<span class="price"><span class="cur">€</span><span class="int">${at + 1}</span><span class="dec">50</span></span>`,
    ],
    [
      'a text for screen readers, and the parts that are shown',
      (at: number) =>
        `<span class="price"><span class="offscreen">€${at + 1}.50</span><span aria-hidden="true"><span class="sign">€</span><span class="whole">${at + 1}</span><span class="cents">50</span></span></span>`,
    ],
    ['cents after the sign', (at: number) => `<span class="price">${at + 1}<sup>€50</sup></span>`],
  ])('%s', (_what, part) => {
    const items = readCards(part)?.items ?? []
    expect(items.map(({ price, priceCurrency }) => [price, priceCurrency])).toEqual(
      names.slice(0, 8).map((_, at) => [at + 1.5, 'EUR']),
    )
    expect(Object.keys(items[0] ?? {})).toHaveLength(4)
  })

  it('but a number beside a price is none of its parts', () => {
    const items = readCards(
      (at) => `<div class="buy"><span class="stock">${at + 1}</span><span class="price">€20</span></div>`,
    )?.items
    expect(items?.[4]).toMatchObject({ stock: 5, price: 20 })
  })

  it.each([
    ['rooms', (at: number) => [at + 2, 120 + at]],
    ['nights', (at: number) => [at + 2, 10 + at]],
    ['old', (at: number) => [30 + at, 120 + at]],
  ])('but a number before the number of a price is none of its parts: %s', (name, read) => {
    const items = readCards((at) => {
      const [other, price] = read(at)
      return `<div class="buy"><span class="${name}">${other}</span> <span class="price"><span class="units">${price}</span> <span class="cur">€</span></span></div>`
    })?.items
    expect(items?.map(({ price }) => price)).toEqual(names.slice(0, 8).map((_, at) => read(at)[1]))
  })

  it('but two numbers before a currency are no units and cents without a sign of them', () => {
    const items = readCards(
      (at) =>
        `<div class="buy"><span class="rooms">${at + 2}</span><span class="units">${at + 10}</span><span class="cur">€</span></div>`,
    )?.items
    expect(items?.[4]?.['rooms']).toBe(6)
  })
})

it('entries with names and prices are a list though they lead nowhere', () => {
  const dish = (at: number): string =>
    `<li class="dish"><span class="name">${nameOf(at)} alla griglia</span><span class="price">${at + 8},50</span>${at % 2 ? '<p class="with">con pomodoro</p>' : ''}</li>`
  const course = (from: number): string =>
    `<section class="course"><h2>${nameOf(from)}</h2><ul class="dishes">${repeat(5, (at) => dish(from + at))}</ul></section>`
  const { items = [] } = readMain(course(0) + course(5)) ?? {}
  expect(items.map(({ title, price }) => [title, price])).toEqual(
    names.map((name, at) => [`${name} alla griglia`, at + 8.5]),
  )
})

describe('names of values', () => {
  it('are the terms after their descriptions, where a list begins with a description', () => {
    const items = readCards(
      (at) =>
        `<dl class="fact"><dd>${at + 600} €</dd><dt>Rent</dt></dl><dl class="fact"><dd>${at + 50} m²</dd><dt>Area</dt></dl><dl class="fact"><dd>${at + 1}</dd><dt>Rooms</dt></dl>`,
    )?.items
    expect(items?.[3]).toMatchObject({ Rent: 603, Area: 53, Rooms: 4 })
  })

  it('are the terms before their descriptions, where a list ends with a description', () => {
    const items = readCards(
      (at) =>
        `<dl class="fact"><dd>Seen by ${nameOf(at)}</dd><dt>Rent</dt><dd>${at + 600} €</dd><dt>Area</dt><dd>${at + 50} m²</dd></dl>`,
    )?.items
    expect(items?.[3]).toMatchObject({ Rent: 603, Area: 53 })
  })

  it('are no text of another element at the same place', () => {
    const { items = [], fields = [] } =
      readCards(
        (at) =>
          `<div><div><div>${at + 8}.5</div><div><div>Good</div><div>${at + 100} reviews</div></div></div></div><div><div><div>€ ${at + 50}</div><div>+€ 12 taxes and charges</div></div></div>`,
      ) ?? {}
    expect(fields.map(({ name }) => name)).not.toContain('12 taxes and charges')
    expect(Object.values(items[2] ?? {})).toEqual(expect.arrayContaining([102, 52]))
  })
})

it('a badge is set apart from the title that follows it', () => {
  const html = repeat(
    8,
    (at) =>
      `<li class="card"><h3><a href="/p/${at}">${at % 2 ? '<span class="badge">NEW</span>' : at % 4 ? '<span class="hint">New listing</span>' : ''}${nameOf(at)} lamp</a></h3><p>Burns for ${at + 2} hours.</p></li>`,
  )
  const titles = readMain(`<ul>${html}</ul>`)?.items.map(({ title }) => title)
  expect(titles?.slice(0, 4)).toEqual(['Amber lamp', 'NEW Birch lamp', 'New listing Cedar lamp', 'NEW Dune lamp'])
})

it.each([
  ['a found word', '<span class="hl">Java</span>Script of all lamps'],
  ['a found phrase', '<span class="search-hit">say Java</span>Script of all lamps'],
  ['a link', '<a class="person" href="/who">Mac</a>Donald of all lamps'],
])('a part of a word in an element of its own is not set apart: %s', (_what, text) => {
  const items = readCards((at) => `<p class="about">${nameOf(at)} ${text}</p>`)?.items ?? []
  const written = JSON.stringify(items[2])
  expect(written).toMatch(/JavaScript|MacDonald/u)
})

it.each([
  ['with a fraction', (at: number) => (at % 3 ? `${at}.5A` : `${at + 2}`), 1.5],
  ['of thousands', (at: number) => (at === 1 ? '1,201E' : `1,20${at}`), 1201],
  ['apart from their unit', (at: number) => (at % 3 ? `2${at} C` : `${at + 2}`), 21],
])('quantities with a capital letter are numbers: %s', (_what, write, value) => {
  const rows = repeat(8, (at) => `<tr><td>${nameOf(at)}</td><td>${write(at)}</td></tr>`)
  const { items = [] } = readMain(`<table><tr><th>Name</th><th>Amount</th></tr>${rows}</table>`) ?? {}
  expect(items[1]?.['Amount']).toBe(value)
})

it('platforms with letters are texts, and no numbers with a unit', () => {
  const rows = repeat(
    8,
    (at) => `<tr><td>1${at}:05</td><td>${nameOf(at)}</td><td>${at % 3 ? `${at}A-D` : at + 1}</td></tr>`,
  )
  const { items = [] } = readMain(`<table><tr><th>Time</th><th>To</th><th>Platform</th></tr>${rows}</table>`) ?? {}
  expect(items.slice(0, 3).map((item) => item['Platform'])).toEqual(['1', '1A-D', '2A-D'])
})

it('the first row of a table of pictures names no columns', () => {
  const cell = (at: number): string =>
    `<td><a href="/b/${at}"><img src="/b/${at}.jpg"></a><br><b>${nameOf(at)}</b><br>£${at + 5},500</td>`
  const rows = repeat(3, (row) => `<tr>${repeat(3, (column) => cell(row * 3 + column))}</tr>`)
  const fields = readMain(`<table>${rows}</table>`)?.fields ?? []
  expect(fields.filter(({ source }) => source === 'header')).toEqual([])
})

it('a header with pictures that the markup states names the columns', () => {
  const rows = repeat(
    8,
    (at) => `<tr><td><img src="/${at}.png">${nameOf(at)}</td><td><img src="/ok.png">${at}</td></tr>`,
  )
  const { items = [] } =
    readMain(`<table><tr><th>Name<img src="/s.png"></th><th>Lamps<img src="/s.png"></th></tr>${rows}</table>`) ?? {}
  expect(items).toHaveLength(8)
  expect(items[3]).toMatchObject({ Name: 'Dune', Lamps: 3 })
})

it('an entry of two rows is one, also with a rank before a short title', () => {
  const rows = repeat(
    8,
    (at) =>
      `<tr class="entry"><td class="title"><span class="rank">${at + 1}.</span></td><td class="vote"><a href="/vote/${at}"></a></td><td class="title"><span class="line"><a href="https://s${at}.test/">${nameOf(at)}</a> <span class="site">(<a href="/from/${at}">a rather long name of site ${at}</a>)</span></span></td></tr>
       <tr><td colspan="2"><span class="score">${at + 40} points</span> by <a href="/u/${at}">user ${at}</a> <a href="/i/${at}">${at + 1} hours ago</a> | <a href="/c/${at}">${at + 7} comments</a></td></tr><tr class="spacer"></tr>`,
  )
  const items = readMain(`<table>${rows}</table>`)?.items ?? []
  expect(items.map(({ title }) => title)).toEqual(names.slice(0, 8))
})
