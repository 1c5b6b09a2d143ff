import { describe, expect, it, test } from 'vitest'
import type { PageList } from '../../../src/content/extract/list/page-list.js'
import { extractHtml } from './contents.js'

const card = (at: number, kind = 'card'): string =>
  `<article class="${kind}"><h3><a href="/p/${at}">Lamp ${at}</a></h3><span class="price">€${at}.50</span></article>`
const cards = (from: number, to: number, kind?: string): string =>
  Array.from({ length: to - from }, (_, at) => card(from + at, kind)).join('')

const read = (html: string, all = false): readonly PageList[] =>
  extractHtml(`<head><title>t</title></head><main><h1>Lamps</h1>${html}</main>`, { list: { all } }).lists ?? []
const titlesOf = (list: PageList | undefined): unknown[] => (list?.items ?? []).map(({ title }) => title)
const lamps = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, at) => `Lamp ${from + at}`)

describe('one list in several containers of different classes is one, in document order:', () => {
  it.each([
    ['columns', `<div><div class="col-left">${cards(0, 4)}</div><div class="col-right">${cards(4, 8)}</div></div>`],
    [
      'rows of which the first has a class of its own',
      `<div><div class="first row">${cards(0, 3)}</div><div class="row">${cards(3, 6)}</div><div class="last row">${cards(6, 8)}</div></div>`,
    ],
    [
      'columns of a masonry',
      `<div><div class="one"><div class="in">${cards(0, 3)}</div></div><div class="two"><div class="in">${cards(3, 5)}</div></div>
       <div class="three"><div class="in">${cards(5, 8)}</div></div></div>`,
    ],
    [
      'lists beside each other',
      `<div><ul class="left">${cards(0, 4).replaceAll('article', 'li')}</ul><ul class="right">${cards(4, 8).replaceAll('article', 'li')}</ul></div>`,
    ],
    [
      'columns of different length, the last with one',
      `<div><div class="a">${cards(0, 7)}</div><div class="b">${cards(7, 8)}</div></div>`,
    ],
  ])('%s', (_, html) => {
    const lists = read(html, true)
    expect(titlesOf(lists[0])).toEqual(lamps(0, 8))
    expect(lists).toHaveLength(1)
  })

  it.each([
    ['of one class', 'row'],
    ['of different classes', 'row-kind'],
  ])('many rows %s, whose entries have the same links and texts', (_, kind) => {
    const rows = Array.from({ length: 12 }, (__, at) => {
      const name = kind === 'row' ? kind : `${'abcdefghijkl'.charAt(at)}-row`
      return `<div class="${name}">${cards(3 * at, 3 * at + 3)}</div>`
    })
    const lists = read(`<div>${rows.join('')}</div>`, true)
    expect(lists.map(titlesOf)).toEqual([lamps(0, 36)])
  })

  it('and is found again on a page where one of them is empty', () => {
    const grid = (left: string, right: string): string =>
      `<div class="grid"><div class="col-left">${left}</div><div class="col-right">${right}</div></div>`
    const [first] = read(grid(cards(0, 4), cards(4, 8)))
    const html = `<head><title>t</title></head><main><h1>Lamps</h1>${grid(card(8), '')}</main>`
    const again = extractHtml(html, { list: first ? { template: first.template } : {} }).lists ?? []
    expect(titlesOf(again[0])).toEqual(['Lamp 8'])
  })
})

describe('distinct lists stay apart:', () => {
  it.each([
    [
      'with headings in them',
      `<div><div class="new"><h2>New</h2>${cards(0, 4)}</div><div class="used"><h2>Used</h2>${cards(4, 8)}</div></div>`,
    ],
    [
      'with headings between them',
      `<div><h2>New</h2><div class="new">${cards(0, 4)}</div><h2>Used</h2><div class="used">${cards(4, 8)}</div></div>`,
    ],
    [
      'with names of their own',
      `<div><div class="new" aria-label="New">${cards(0, 4)}</div><div class="used" aria-label="Used">${cards(4, 8)}</div></div>`,
    ],
    [
      'of entries that are made in another way',
      `<div><div class="new">${cards(0, 4)}</div><div class="used">${cards(4, 8).replaceAll('<span class="price">', '<em class="was">').replaceAll('</span>', '</em><p>Used</p>')}</div></div>`,
    ],
    [
      'in a wrapper beside another one',
      `<div><div class="all"><div class="new" aria-label="New">${cards(0, 4)}</div></div>
       <div class="rest"><div class="used" aria-label="Used">${cards(4, 8)}</div></div></div>`,
    ],
  ])('%s', (_, html) => {
    expect(
      read(html, true)
        .map(titlesOf)
        .toSorted((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1)),
    ).toEqual([lamps(0, 4), lamps(4, 8)])
  })
})

test('a link with a class that only its own row has is in the column of the others', () => {
  const rows = lamps(0, 60).map(
    (name, at) =>
      `<li class="row"><a class="${at === 7 ? 'old' : 'new'}" href="/p/${at}">${name}</a><p>Burns for ${at} hours</p></li>`,
  )
  const [list] = read(`<ul>${rows.join('')}</ul>`)
  expect(titlesOf(list)).toEqual(lamps(0, 60))
  expect(list?.items[7]).toMatchObject({ url: 'https://site.test/p/7' })
})

test('of a page with thousands of single entries, a few are compared with other pages', () => {
  const deep = `${'<div class="box">'.repeat(2000)}${card(1)}${'</div>'.repeat(2000)}`
  const { lists, fewEntries = [] } = extractHtml(`<head><title>t</title></head><main><h1>Lamps</h1>${deep}</main>`, {
    list: { learns: true },
  })
  expect(lists).toEqual([])
  expect(fewEntries.length).toBeGreaterThan(0)
  expect(fewEntries.length).toBeLessThanOrEqual(6)
})

describe('a column of amounts', () => {
  const readAmounts = (texts: readonly string[], language = 'en') => {
    const rows = texts.map((text, at) => `<li><a href="/p/${at}">Lamp ${at}</a><span>${text}</span></li>`)
    const html = `<html lang="${language}"><head><title>t</title></head><main><h1>Lamps</h1><ul>${rows.join('')}</ul></main>`
    const [list] = extractHtml(html, { list: {} }).lists ?? []
    const withoutLinks = (item: object) =>
      Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'title' && name !== 'url'))
    return { rows: list?.items.map(withoutLinks), fields: list?.fields.slice(2) }
  }

  it('has the scales of its numbers multiplied', () => {
    const { rows } = readAmounts(['$1.2M', '$950k', '$12', '$3.4bn'])
    expect(rows).toEqual([{ price: 1_200_000 }, { price: 950_000 }, { price: 12 }, { price: 3_400_000_000 }])
  })

  it('of things that are counted has their scales multiplied', () => {
    const { rows, fields } = readAmounts(['2k views', '5k views', '1.2M views'])
    expect(rows?.map((values) => Object.values(values))).toEqual([[2000], [5000], [1_200_000]])
    expect(fields).toMatchObject([{ type: 'number', unit: 'views' }])
  })

  it.each([
    [['1,2 M', '12 k', '900', '850'], 'fr'],
    [['12 k', '3,1 k', '900'], 'fr'],
    [['1.2M', '12 K', '900'], 'en'],
    [['12 mil', '3 mil', '900'], 'es'],
    [['$12 m', '$5 m', '$300 k'], 'en'],
  ])('is text where a scale of some numbers is unknown: %j', (texts, language) => {
    const { rows } = readAmounts(texts, language)
    expect(rows?.map((values) => Object.values(values))).toEqual(texts.map((text) => [text]))
  })

  it.each([
    [['$19<sup>99</sup>', '$1,208<sup>00</sup>', '$8.50'], 'en', [19.99, 1208, 8.5]],
    [['19<sup>99</sup> €', '1.209<sup>50</sup> €', '8<sup>05</sup> €'], 'de', [19.99, 1209.5, 8.05]],
    [['<b>€</b>19 <sup><i>99</i></sup>', '<b>€</b>9<small>50</small>', '<b>€</b>8'], 'nl', [19.99, 9.5, 8]],
    [['£19<b>99</b>', '£9<b>50</b>', '£100<b>05</b>'], 'en', [19.99, 9.5, 100.05]],
    [['998<sup>2</sup>', '1,204<sup>1</sup>', '1,100'], 'en', ['998 2', '1,204 1', '1,100']],
    [['$19.99<sup>10</sup>', '$100<sup>1</sup>', '10<sup>12</sup>'], 'en', ['$19.99 10', '$100 1', '10 12']],
    [['$1<b>999</b>', '$<b>1</b><b>2</b>', '$7'], 'en', [1999, 12, 7]],
    [['9<sup>30</sup> UTC', '10<sup>45</sup> UTC', '8<sup>15</sup> UTC'], 'en', ['9 30 UTC', '10 45 UTC', '8 15 UTC']],
    [['ISO 90<b>01</b>', 'ISO 14<b>00</b>', 'ISO 27<b>01</b>'], 'en', ['ISO 9001', 'ISO 1400', 'ISO 2701']],
  ])('has cents, notes and powers apart from the digits before them: %j', (texts, language, values) => {
    expect(readAmounts(texts, language).rows?.map((row) => Object.values(row)[0])).toEqual(values)
  })

  it('in digits of another script is one of numbers, and dates in them stay text', () => {
    expect(readAmounts(['۱٬۲۳۴', '۹۹', '۱۲٫۵'], 'fa').rows).toEqual([
      { number: 1234 },
      { number: 99 },
      { number: 12.5 },
    ])
    expect(readAmounts(['۱۴۰۲/۱۲/۱۵', '۱۴۰۲/۱۲/۱۶', '۱۴۰۲/۱۲/۱۷'], 'fa').fields?.[0]?.type).toBe('text')
    expect(readAmounts(['۰۲۱۸۸', '۰۲۱۷۷', '۰۲۱۶۶'], 'fa').fields?.[0]?.type).toBe('text')
  })

  it('is no year with a separator or a currency', () => {
    expect(readAmounts(['1,980円', '2,030円', '1,999円'], 'ja').rows?.[0]).toEqual({
      price: 1980,
      priceCurrency: 'JPY',
    })
    expect(readAmounts(['1,980 views', '2,030 views', '1,999 views']).rows?.[0]).toEqual({ views: 1980 })
    expect(readAmounts(['1980 autumn', '2030 autumn', '1999 autumn']).rows?.[0]).toEqual({ text: '1980 autumn' })
  })

  it('has a currency only if its three letters are one', () => {
    expect(readAmounts(['RFC 2616', 'RFC 793', 'RFC 9110']).rows?.[0]).toEqual({ text: 'RFC 2616' })
    expect(readAmounts(['1200 RPM', '800 RPM', '950 RPM']).rows?.[0]).toEqual({ rpm: 1200 })
    expect(readAmounts(['Rs. 1,25,000', 'Rs. 5 lakh', 'Rs. 999'], 'en-IN').rows?.map(({ price }) => price)).toEqual([
      125_000, 500_000, 999,
    ])
  })

  it('of lengths is one of numbers beside a bare one', () => {
    const { rows } = readAmounts(['0', '5 m', '10 m'])
    expect(rows?.map((values) => Object.values(values))).toEqual([[0], [5], [10]])
  })

  it('is text where `B` is a byte', () => {
    const { rows } = readAmounts(['512B', '1.5KB', '3KB', '7KB'])
    expect(rows?.map((values) => Object.values(values))).toEqual([['512B'], ['1.5KB'], ['3KB'], ['7KB']])
  })

  it('is a price by its first number, with the decimal sign of the column', () => {
    expect(readAmounts(['ausverkauft', '1,5 €', '2,25 €', '3,75 €', '4,5 €'], 'de').fields?.[0]).toMatchObject({
      name: 'price',
      type: 'number',
    })
  })

  it('of dates has one order of day and month, and is not guessed where two dates contradict each other', () => {
    const dates = (texts: readonly string[]) => readAmounts(texts, 'fr').rows?.map((values) => Object.values(values)[0])
    expect(dates(['03/04/2024', '05/04/2024', '13/04/2024'])).toEqual(['2024-04-03', '2024-04-05', '2024-04-13'])
    expect(dates(['03/04/2024', '04/13/2024', '13/04/2024'])).toEqual(['03/04/2024', '04/13/2024', '13/04/2024'])
    expect(dates(['11.24.2025', '11.04.2025', '10.28.2025'])).toEqual(['2025-11-24', '2025-11-04', '2025-10-28'])
  })
})
