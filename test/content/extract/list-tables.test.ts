import { describe, expect, it } from 'vitest'
import { extract } from '../../../src/content/extract/extract.js'
import type { PageList } from '../../../src/content/extract/list/page-list.js'
import { readCellGrid } from '../../../src/content/html/cell-grid.js'
import { type Element, findElement, isElement, isText, walk } from '../../../src/content/html/tree.js'
import { parseHtml } from '../parse/pages.js'
import { extractHtml } from './contents.js'

const readAll = (html: string): readonly PageList[] =>
  extractHtml(`<title>t</title>${html}`, { list: { all: true } }).lists ?? []
const repeat = (size: number, write: (at: number) => string): string =>
  Array.from({ length: size }, (_, at) => write(at)).join('')

const card = (at: number): string =>
  `<article class="card"><h3><a href="/p/${at}">Amber lamp ${at}</a></h3><span class="price">€${at + 1}.50</span></article>`

describe('elements that only look like a table of cells do not hide the list in them:', () => {
  it.each([
    [
      'titles before one part of the page',
      `<div><div class="page-header">Shop</div><div class="sub-header">12 lamps</div>
       <div class="products">${repeat(12, card)}</div><div class="foot">Imprint</div></div>`,
    ],
    [
      'titles before two parts of the page',
      `<div><div class="page-header">Shop</div><div class="sub-header">12 lamps</div>
       <div class="intro">Lamps</div><div class="text">All of them.</div>
       <div class="intro">Choose</div><div class="text">${repeat(12, card)}</div></div>`,
    ],
  ])('%s', (_what, html) => {
    expect(readAll(`<main>${html}</main>`)[0]?.items).toHaveLength(12)
  })

  it('but a table of one row is a table if its names have the classes of their columns', () => {
    const [list] = readAll(
      `<main><div><div class="table-header col-first">Class</div><div class="table-header col-last">Description</div>
       <div class="col-first"><a href="Lamp.html">Lamp</a></div><div class="col-last">Burns for two hours.</div></div></main>`,
    )
    expect(list?.items).toHaveLength(1)
  })
})

it('reads the names of columns no further than a few nodes, however deep they are nested', () => {
  const depth = 250
  const countReads = (texts: number): number => {
    const inner = '<b>lamp</b>'.repeat(texts)
    const { tree } = parseHtml(
      `${'<div><div class="th">'.repeat(depth)}${inner}${'</div><div class="th">b</div><div>c</div></div>'.repeat(depth)}`,
    )
    let reads = 0
    const elements: Element[] = []
    walk(tree.root, (node) => {
      if (isElement(node)) elements.push(node)
      if (!isText(node)) return
      const { data } = node
      Object.defineProperty(node, 'data', { get: () => ((reads += 1), data) })
    })
    for (const element of elements) readCellGrid(element)
    return reads
  }
  expect(countReads(4000)).toBe(countReads(400))
})

const head = '<tr><th>Name<th>Weight'
const rows = (from: number, to: number): string =>
  repeat(to - from, (at) => `<tr><td>Lamp ${from + at}<td>${at + 1} kg`)
const table = (from: number, to: number, attributes = ''): string =>
  `<table ${attributes}>${head}${rows(from, to)}</table>`

it('joins tables by adding their rows, not by copying those before', () => {
  const countPushes = (size: number): number => {
    const page = parseHtml(`<main>${repeat(size, (at) => table(at, at + 1))}</main>`)
    const body = findElement(page.tree.root, ({ name }) => name === 'main')
    let copies = 0
    const from = Array.prototype[Symbol.iterator]
    Reflect.set(Array.prototype, Symbol.iterator, function* (this: unknown[]) {
      if (isEntry(this[0], body)) copies += this.length
      yield* { [Symbol.iterator]: from.bind(this) }
    })
    try {
      extract(page, { onlyMainContent: false, includeTags: [], excludeTags: [], fidelity: false, list: {} })
    } finally {
      Reflect.set(Array.prototype, Symbol.iterator, from)
    }
    return copies
  }
  expect(countPushes(200) / countPushes(100)).toBeLessThan(2.5)
})

/** True for an entry of a list: an array with a row. */
const isEntry = (value: unknown, body: Element | undefined): boolean =>
  body !== undefined && Array.isArray(value) && (value[0] as Element | undefined)?.name === 'tr'

describe('a table', () => {
  const read = (html: string) => readAll(`<main><h1>Lamps</h1><table>${html}</table></main>`)[0]

  it.each([
    ['a thead', `<thead>${head}</thead>`],
    ['header cells', head],
    ['two rows of names', `<thead><tr><th colspan="2">Name<tr><th>Name<th>Weight</thead>`],
  ])('with headings over its rows and %s has the names of its columns', (_what, names) => {
    const group = (title: string): string => `<tr><th colspan="2">${title}`
    const list = read(`${names}<tbody>${group('Indoors')}${rows(0, 3)}${group('Outdoors')}${rows(3, 6)}</tbody>`)
    expect(list?.fields[0]?.name).toBe('Name')
    expect(list?.items.map(({ Name: name }) => name)).toEqual(Array.from({ length: 6 }, (_, at) => `Lamp ${at}`))
  })

  it('has names in a second row between names that reach down into it', () => {
    const list = read(`<tr><th rowspan="2">Name<th>Weight<tr><th>kg${rows(0, 3)}`)
    expect(list?.fields.map(({ name }) => name)).toEqual(['Name', 'Weight kg'])
    expect(list?.items).toHaveLength(3)
  })

  it('has the signs of its numbers, though only screen readers read them', () => {
    const change = (at: number): string => `<tr><td>Lamp ${at}<td><span class="sr-only">minus</span>${at}.5`
    expect(read(`<tr><th>Name<th>Change${repeat(4, change)}`)?.items[3]).toEqual({ Name: 'Lamp 3', Change: 'minus3.5' })
  })

  it('has neither commands nor texts for screen readers in its values, unless a cell has nothing else', () => {
    const cells = (at: number): string =>
      `<tr><td><a href="/${at}">Lamp ${at}</a><button>Copy</button>
       <td>$${at}.50<span class="sr-only">US dollars</span>
       <td><span class="sr-only">Yes</span><td><button>Order ${at}</button><button>Add to cart</button>`
    const list = read(`<tr><th>Name<button>Sort</button><th>Price<th>Dimmable<th>Last order${repeat(4, cells)}`)
    expect(list?.items[3]).toEqual({
      Name: 'Lamp 3',
      'Name url': 'https://site.test/3',
      Price: 3.5,
      Dimmable: true,
      'Last order': 'Order 3',
    })
  })

  it('has no rows of its foot, which sum up the others', () => {
    const list = read(`<thead>${head}</thead><tbody>${rows(0, 4)}</tbody><tfoot><tr><td>Total<td>10 kg</tfoot>`)
    expect(list?.items).toHaveLength(4)
    expect(list?.items[3]).toEqual({ Name: 'Lamp 3', Weight: 4 })
    expect(read(`<thead>${head}</thead><tfoot>${rows(0, 4)}</tfoot>`)?.items).toHaveLength(4)
  })

  it('has cents and notes apart from the digits before them', () => {
    const price = (at: number): string => `<tr><td>Lamp ${at}<td>$<b>${at + 1}</b><b>99</b><td>99${at}<sup>2</sup>`
    expect(read(`<tr><th>Name<th>Price<th>Sold${repeat(4, price)}`)?.items[3]).toEqual({
      Name: 'Lamp 3',
      Price: 4.99,
      Sold: '993 2',
    })
  })
})

it('reads a definition list whose terms are in pairs with their descriptions', () => {
  const term = (at: number): string => `<dt>Lamp ${at}</dt><dd>Burns for ${at} hours and more.</dd>`
  const [plain] = readAll(`<main><h1>Lamps</h1><dl>${repeat(4, term)}</dl></main>`)
  const [paired] = readAll(`<main><h1>Lamps</h1><dl>${repeat(4, (at) => `<div>${term(at)}</div>`)}</dl></main>`)
  expect(paired?.items).toHaveLength(4)
  expect(paired?.items).toEqual(plain?.items)
})

describe('tables with the same headers are lists of their own', () => {
  it.each([
    ['with labels of their own', table(0, 6, 'aria-label="Spring"'), table(6, 12, 'aria-label="Autumn"')],
    ['with a label for the second', table(0, 6), table(6, 12, 'aria-labelledby="autumn"')],
    ['with summaries of their own', table(0, 6, 'summary="Spring"'), table(6, 12, 'summary="Autumn"')],
    [
      'in parts with names',
      `<div aria-label="Spring">${table(0, 6)}</div>`,
      `<div aria-label="Autumn">${table(6, 12)}</div>`,
    ],
    ['in parts with ids', `<div id="spring">${table(0, 6)}</div>`, `<div id="autumn">${table(6, 12)}</div>`],
    ['with a rule between', `${table(0, 6)}<hr>`, table(6, 12)],
    ['with a drawing between', `${table(0, 6)}<div><svg><path d="M0 0"/></svg></div>`, table(6, 12)],
    ['with a film between', `${table(0, 6)}<video src="a.mp4"></video>`, table(6, 12)],
    ['with a canvas between', `${table(0, 6)}<canvas></canvas>`, table(6, 12)],
  ])('%s', (_what, one, other) => {
    expect(readAll(`<main><h1>Lamps</h1>${one}${other}</main>`).map(({ items }) => items.length)).toEqual([6, 6])
  })

  it.each([
    ['the same label', table(0, 6, 'summary="Lamps"'), table(6, 12, 'summary="Lamps"')],
    ['a label for the first alone', table(0, 6, 'aria-label="Lamps"'), table(6, 12)],
    ['numbered parts', `<div id="part-1">${table(0, 6)}</div>`, `<div id="part-2">${table(6, 12)}</div>`],
    ['a hidden drawing between', `${table(0, 6)}<svg hidden></svg>`, table(6, 12)],
  ])('but one list with %s', (_what, one, other) => {
    expect(readAll(`<main><h1>Lamps</h1>${one}${other}</main>`).map(({ items }) => items.length)).toEqual([12])
  })
})

it('adds up the rows that the parts of a table state, and drops a number below those shown', () => {
  const main = (stated: readonly [number, number]): PageList | undefined =>
    readAll(
      `<main><h1>Lamps</h1>${table(0, 2, `aria-rowcount="${stated[0]}"`)}${table(2, 4, `aria-rowcount="${stated[1]}"`)}</main>`,
    )[0]
  expect(main([3, 3])).toMatchObject({ total: 4, end: '4 rows are stated' })
  expect(main([3, 3])?.more).toBeUndefined()
  expect(main([3, 9])).toMatchObject({ total: 10, more: '10 rows are stated' })
  expect(main([2, 2])?.total).toBeUndefined()
})

it('lists the nodes of a page once, however many lists it has', () => {
  const countLists = (size: number): number => {
    const page = parseHtml(
      `<main>${repeat(size, (at) => `<h2>Part ${at}</h2><table>${head}${rows(0, 5)}</table>`)}</main>`,
    )
    const main = findElement(page.tree.root, ({ name }) => name === 'main')
    if (main === undefined) throw new Error('no main')
    let at: number | null = null
    let listed = 0
    Object.defineProperty(main, 'startIndex', {
      get: () => at,
      set: (index: number) => {
        at = index
        listed += 1
      },
    })
    const plan = { onlyMainContent: false, includeTags: [], excludeTags: [], fidelity: false, list: { all: true } }
    expect(extract(page, plan).lists).toHaveLength(size)
    return listed
  }
  expect(countLists(12)).toBe(countLists(3))
})

describe('rows are no advertisements for', () => {
  const entry = (at: number, attributes: string): string =>
    `<li class="card${attributes}"><h3><a href="/p/${at}">Amber lamp ${at}</a></h3><span class="price">€${at + 1}.50</span></li>`

  it.each([' no-ads', ' without-ads', ' ad-free', ' ads-free'])('the class%s', (name) => {
    const [list] = readAll(`<main><ul>${repeat(8, (at) => entry(at, at === 3 ? name : ''))}</ul></main>`)
    expect(list?.items).toHaveLength(8)
    expect(list?.ads).toBeUndefined()
  })

  it.each([' ad', ' card-ad', ' ads', ' sponsored'])('but for the class%s', (name) => {
    const [list] = readAll(`<main><ul>${repeat(8, (at) => entry(at, at === 3 ? name : ''))}</ul></main>`)
    expect(list?.ads).toEqual([3])
  })

  it('values and classes of a table of data', () => {
    const data = repeat(
      8,
      (at) => `<tr class="${at === 2 ? 'promoted' : ''}"><td>Lamp ${at}<td>${at === 3 ? 'Ad' : 'Shop'}`,
    )
    const [list] = readAll(`<main><table><tr><th>Name<th>Source${data}</table></main>`)
    expect(list?.items).toHaveLength(8)
    expect(list?.ads).toBeUndefined()
  })
})
