import { describe, expect, it } from 'vitest'
import type { PageList } from '../../../src/content/extract/list/page-list.js'
import { extractHtml } from './contents.js'

const towns = ['Arvika', 'Boden', 'Falun', 'Lund', 'Mora', 'Umeå']
const read = (entry: (town: string, at: number) => string): PageList | undefined =>
  extractHtml(`<head><title>t</title></head><main><h1>Lists</h1><div>${towns.map(entry).join('')}</div></main>`, {
    list: { all: false },
  }).lists?.[0]

const fixture = (town: string, at: number, link: string): string =>
  `<div class="match"><span class="date">2025-03-0${at + 1}</span> <span class="home">${town} IF</span>
    <span class="score"><b>${at}</b>–<b>1</b></span> <span class="away">FC ${towns.at(-1 - at)}</span> ${link}</div>`

describe('matches with a date', () => {
  it('are a list if each leads to a page of its own, by a link with the same text', () => {
    const list = read((town, at) => fixture(town, at, `<a href="/match/${at}">Report</a>`))
    expect(list?.items).toHaveLength(6)
    expect(list?.items[1]).toMatchObject({ date: '2025-03-02', score: '1–1', url: 'https://site.test/match/1' })
    expect(Object.values(list?.items[1] ?? {})).toEqual(expect.arrayContaining(['Boden IF', 'FC Mora']))
  })

  it('are none if all lead to one page', () => {
    expect(read((town, at) => fixture(town, at, '<a href="/matches">Report</a>'))).toBeUndefined()
  })
})

describe('a column has', () => {
  it('no labels that are elements of their own in its text', () => {
    const list = read(
      (town, at) => `<div class="record"><h3><a href="/record/${at}">The book of ${town}</a></h3>
        <div><span class="label">Author:</span> Anna ${town}</div><div><span class="label">Call number:</span> QA${at}</div></div>`,
    )
    expect(list?.fields.map(({ name }) => name)).toEqual(['url', 'title', 'Author', 'Call number'])
    expect(list?.items[2]).toMatchObject({ Author: 'Anna Falun', 'Call number': 'QA2' })
  })

  it('a price and that of a unit, which are two fields', () => {
    const list = read(
      (town, at) => `<div class="fruit"><h3><a href="/fruit/${at}">${town} apple</a></h3>
        <span class="price">€ ${at + 1}.20<small>€ 3.${at}0 / kg</small></span></div>`,
    )
    expect(list?.items[0]).toMatchObject({ price: 1.2, unitPrice: 3 })
  })

  it('no dots that lead from a text to its price', () => {
    const list = read(
      (
        town,
        at,
      ) => `<div class="dish"><span class="dish-name">${town} soup</span><span class="dots">${'.'.repeat(at + 5)}</span>
        <span class="dish-price">${at + 4}.50</span></div>`,
    )
    expect(list?.fields.map(({ name }) => name)).toEqual(['title', 'dishPrice'])
    expect(list?.items[0]).toEqual({ title: 'Arvika soup', dishPrice: 4.5 })
  })
})
