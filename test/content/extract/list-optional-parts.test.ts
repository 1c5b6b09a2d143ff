import { describe, expect, it } from 'vitest'
import type { PageList } from '../../../src/content/extract/list/page-list.js'
import { extractHtml } from './contents.js'

const readMain = (html: string): PageList | undefined => extractHtml(`<title>t</title>${html}`, { list: {} }).lists?.[0]

const COUNT = 24

/** Tests for a part that a share of the entries has: those with the lowest remainders, other ones for each part. */
const has = (at: number, part: number, share: number): boolean => ((at * (7 + 2 * part) + 5 * part) % 20) / 20 < share

type MakeName = (name: string) => string

const product = (at: number, name: MakeName): (string | false)[] => [
  `<a ${name('thumb')} href="/p/${at}"><img src="/i/${at}.jpg" alt=""></a>`,
  has(at, 1, 0.4) && `<span ${name('badge')}>Sale</span>`,
  `<h3 ${name('title')}><a href="/p/${at}">Amber lamp ${at}</a></h3>`,
  has(at, 2, 0.5) && `<div ${name('rating')}>4.${at % 10} (${at * 3})</div>`,
  has(at, 3, 0.4) && `<del ${name('old')}>€${at + 40}.00</del>`,
  `<span ${name('price')}>€${at + 20}.50</span>`,
  has(at, 4, 0.3) && `<p ${name('stock')}>Only ${(at % 5) + 1} left</p>`,
]

const job = (at: number, name: MakeName): (string | false)[] => [
  `<h2 ${name('job')}><a href="/p/${at}">Keeper of the light ${at}</a></h2>`,
  `<p ${name('firm')}>Elm Harbour ${at % 7} Ltd</p>`,
  has(at, 1, 0.5) && `<p ${name('salary')}>$${at + 30},000 a year</p>`,
  has(at, 2, 0.4) && `<span ${name('remote')}>Remote</span>`,
  has(at, 3, 0.5) && `<ul ${name('tags')}><li>night</li><li>sea</li></ul>`,
]

const event = (at: number, name: MakeName): (string | false)[] => [
  `<time ${name('when')}>2026-12-${10 + (at % 18)}</time>`,
  `<h4 ${name('what')}><a href="/p/${at}">Lantern night ${at}</a></h4>`,
  has(at, 1, 0.5) && `<p ${name('venue')}>Hall ${at % 9}</p>`,
  has(at, 2, 0.5) && `<p ${name('fee')}>$${at + 5}</p>`,
  has(at, 3, 0.3) && `<strong ${name('sold')}>Sold out</strong>`,
]

const NAMES: readonly (readonly [how: string, make: MakeName])[] = [
  ['without classes', () => ''],
  ['with classes', (name) => `class="${name}"`],
  ['with generated classes', (name) => `class="x_${name}__a9Zk"`],
]

const inRows = (cards: readonly string[]): string =>
  Array.from(
    { length: COUNT / 3 },
    (_, at) => `<div class="row">${cards.slice(at * 3, at * 3 + 3).join('')}</div>`,
  ).join('')

const LAYOUTS: readonly (readonly [layout: string, write: (parts: readonly string[]) => string])[] = [
  ['items', (parts) => `<ul>${parts.map((part) => `<li class="item">${part}</li>`).join('')}</ul>`],
  ['cards', (parts) => `<div class="grid">${parts.map((part) => `<div class="card">${part}</div>`).join('')}</div>`],
  ['unnamed cards', (parts) => `<div class="grid">${parts.map((part) => `<div>${part}</div>`).join('')}</div>`],
  ['articles', (parts) => `<div>${parts.map((part) => `<article>${part}</article>`).join('')}</div>`],
  ['rows of three', (parts) => `<div class="grid">${inRows(parts.map((part) => `<div>${part}</div>`))}</div>`],
]

const cases = [['products', product] as const, ['jobs', job] as const, ['events', event] as const].flatMap(
  ([what, make]) =>
    NAMES.flatMap(([how, name]) => LAYOUTS.map(([layout, write]) => ({ what, how, layout, make, name, write }))),
)

describe('a list whose entries have optional parts', () => {
  it.each(cases)('is found with all of its entries: $what in $layout, $how', ({ make, name, write }) => {
    const parts = Array.from({ length: COUNT }, (_, at) =>
      make(at + 1, name)
        .filter((part) => part !== false)
        .join(''),
    )
    const items = readMain(`<main><h1>All of them</h1>${write(parts)}</main>`)?.items ?? []
    expect(items.map((item) => item['url'])).toEqual(parts.map((_, at) => `https://site.test/p/${at + 1}`))
  })

  it('has each value in its column', () => {
    const cards = Array.from({ length: COUNT }, (_, at) => {
      const parts = product(at + 1, (name) => `class="${name}"`).filter((part) => part !== false)
      return `<div class="card">${parts.join('')}</div>`
    })
    const items = readMain(`<main><h1>All of them</h1><div>${cards.join('')}</div></main>`)?.items ?? []
    for (const [index, item] of items.entries()) {
      const at = index + 1
      expect(item).toMatchObject({ title: `Amber lamp ${at}`, price: at + 20.5, priceCurrency: 'EUR' })
      expect(item['oldPrice']).toBe(has(at, 3, 0.4) ? at + 40 : undefined)
      expect(item['stock']).toBe(has(at, 4, 0.3) ? `Only ${(at % 5) + 1} left` : undefined)
      expect(Object.values(item).includes('Sale')).toBe(has(at, 1, 0.4))
    }
  })
})

describe('parts of a text are no list, however much they have in common', () => {
  it('for example sections with optional tables and listings', () => {
    const section = (at: number): string =>
      `<div class="section"><h2>Option ${at}</h2><p>Sets how often the lamp turns, ${at} times a minute at most. See <a href="/o/${at}">more</a> about it.</p>
       ${has(at, 1, 0.5) ? '<pre>lamp --turn</pre>' : ''}${has(at, 2, 0.4) ? '<ul><li>one</li><li>two</li></ul>' : ''}${has(at, 3, 0.3) ? '<p>It is off by default.</p>' : ''}</div>`
    expect(
      readMain(`<main><h1>Manual</h1>${Array.from({ length: 12 }, (_, at) => section(at + 1)).join('')}</main>`),
    ).toBeUndefined()
  })
})
