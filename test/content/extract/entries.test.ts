import { afterAll, describe, expect, it } from 'vitest'
import { readBlocks } from '../../../src/content/extract/blocks/read-blocks.js'
import { findEntries } from '../../../src/content/extract/selection/entries.js'
import { createEngine } from '../../../src/index.js'
import { pageUrl, parseHtml } from '../parse/pages.js'

const engine = createEngine({ threads: 0 })
afterAll(() => engine.close())

const TEXT = [
  'Find pieces for every room and every kind of house. We try each of them at home before it goes on the shelf, and we list only what we would keep ourselves.',
  'Good things last for years when they are cared for. Look at the notes of each piece, keep wood dry, and let wool air out before you pack it away for summer.',
  'Not sure about a size? Measure what you own and compare it with our chart, or write to us with your room and its width, and we answer within a working day.',
]
const text = (parts: number): string =>
  TEXT.slice(0, parts)
    .map((part) => `<p>${part}</p>`)
    .join('')
const page = (content: string): string =>
  `<!doctype html><title>Home and living | Elm</title><header><a href="/">Elm</a><nav><ul><li><a href="/new">New</a></li><li><a href="/sale">Sale</a></li></ul></nav></header>
  <main><h1>Home and living</h1>${content}</main><footer><ul><li><a href="/ship">Shipping</a></li></ul><p>© Elm</p></footer>`
const read = async (content: string, path = '/things'): Promise<string> =>
  (await engine.parse({ url: `https://elm.test${path}`, body: page(content) })).markdown

const NAMES = [
  'Oak Side Table',
  'Linen Throw Cover',
  'Brass Wall Hook',
  'Ceramic Salt Pot',
  'Cork Desk Mat',
  'Wool Floor Rug',
]

interface Shop {
  readonly card: (name: string, at: number, price: string) => string
  readonly price?: (at: number) => string
  readonly around?: readonly [string, string]
}

const shops: Readonly<Record<string, Shop>> = {
  'that are sections with a brand above the name': {
    card: (name, at, price) =>
      `<section class="teaser"><img src="/${at}.jpg" alt=""><span class="brand">Elm</span><h5>${name}</h5><div><span>${price}</span> <s>$80.00</s></div><a href="/p/${at}">Details</a></section>`,
  },
  'with a button before the name': {
    card: (name, at, price) =>
      `<article class="mini"><div><a href="/${at}.html"><img src="/${at}.jpg" alt=""></a><a class="quick" href="#">Vorschau</a></div><h2 class="title"><a href="/${at}.html">${name}</a></h2><span class="price">${price}</span></article>`,
    price: (at) => `${20 + at},90 €`,
  },
  'without class names': {
    card: (name, at, price) =>
      `<div><img src="/${at}.jpg" alt=""><div><a href="/p/${at}">${name}</a></div><div>${price}</div></div>`,
  },
  'with prices in a currency after the amount': {
    card: (name, at, price) =>
      `<div class="item"><div class="pic"><img src="/${at}.jpg" alt=""></div><div class="t"><a href="/c/${at}/"><span>${name}</span></a></div><div class="stock">Есть в наличии</div><div class="cost">${price}</div></div>`,
    price: (at) => `${2000 + at} ₽`,
  },
  'that is a menu without currencies': {
    card: (name, _, price) =>
      `<div class="dish"><div class="dish-title">${name}</div><div class="dish-text">With herbs of the house</div><div class="dish-sum">${price}</div></div>`,
    price: (at) => `${20 + at}.50`,
  },
  'that are terms and definitions': {
    card: (name, at, price) => `<dt><a href="/g/${at}">${name}</a></dt><dd>${price}</dd>`,
    around: ['<dl class="goods">', '</dl>'],
  },
  'that are lines of a caption': {
    card: (name, at, price) =>
      `<figure><a href="/a/${at}"><img src="/${at}.jpg" alt=""></a><figcaption><strong>${name}</strong><br>${price}</figcaption></figure>`,
  },
}

describe.each(Object.entries(shops))(
  'a list of things with prices %s',
  (_, { card, price = (at) => `$${20 + at}.00`, around = ['<div class="grid">', '</div>'] }) => {
    it.each([
      [3, 'after an introduction', text(1), ''],
      [4, 'before a text', '', `<div class="about"><h2>About our things</h2>${text(3)}</div>`],
      [6, 'between texts', text(1), `<div class="about"><h2>About our things</h2>${text(2)}</div>`],
    ])('has all names and prices of %i members %s', async (count, _place, before, after) => {
      const names = NAMES.slice(0, count)
      const list = names.map((name, at) => card(name, at, price(at))).join('')
      const markdown = await read(`${before}${around[0]}${list}${around[1]}${after}`)
      expect(
        { missing: [...names, ...names.map((_name, at) => price(at))].filter((part) => !markdown.includes(part)) },
        markdown,
      ).toEqual({ missing: [] })
    })
  },
)

describe('a list of things without prices below the title', () => {
  const people = ['Ines Roth', 'Tom Vale', 'Mia Lund', 'Jo Park', 'Ada Finn', 'Leo Sand']
  const lists: Readonly<Record<string, (name: string, at: number, by: string) => string>> = {
    'cards of posts with bylines': (name, at, by) =>
      `<div class="card"><a href="/p/${at}"><img src="/${at}.jpg" alt=""></a><div><h2><a href="/p/${at}">${name}</a></h2><span class="byline">${by}</span></div></div>`,
    'lines of a link and its author': (name, at, by) =>
      `<div class="row"><a href="/jobs/${at}"><span>${name}</span></a><span class="firm">${by}</span></div>`,
    'links around titles without headings': (name, at, by) =>
      `<div class="css-1x"><a href="/s/${at}"><div class="css-7">${name}</div></a><div class="css-9">${by}</div></div>`,
  }
  it.each(Object.entries(lists))('has all names and second texts: %s', async (_, card) => {
    for (const count of [3, 4, 6]) {
      const list = NAMES.slice(0, count)
        .map((name, at) => card(name, at, people[at] ?? ''))
        .join('')
      const markdown = await read(
        `<div class="items">${list}</div><div class="about"><h2>About this list</h2>${text(2)}</div>`,
      )
      const wanted = [...NAMES.slice(0, count), ...people.slice(0, count)]
      expect({ missing: wanted.filter((part) => !markdown.includes(part)) }, `${count}\n${markdown}`).toEqual({
        missing: [],
      })
    }
  })
})

describe('what is beside the content stays out', () => {
  const goods = NAMES.slice(0, 4)
    .map(
      (name, at) =>
        `<div class="tile"><a href="/p/${at}"><img src="/${at}.jpg" alt=""></a><div><a href="/p/${at}">${name}</a></div><div>$${20 + at}.00</div></div>`,
    )
    .join('')
  it('things with prices below a product with its own', async () => {
    const markdown = await read(
      `<div class="price">$95.00</div><button>Add to cart</button>${text(3)}<div class="more"><h2>Others bought</h2>${goods}</div>`,
      '/products/oak-chair',
    )
    expect(markdown).toContain('$95.00')
    expect(markdown).not.toContain(NAMES[1])
  })
  it('things with prices below an article', async () => {
    const markdown = await read(
      `${text(3)}${text(3)}${text(3)}<div class="shop"><h2>Shop the story</h2>${goods}</div>`,
      '/2026/11/how-we-furnish-a-house.html',
    )
    expect(markdown).not.toContain(NAMES[1])
  })
  it('filters with numbers of results', async () => {
    const filters = ['Black', 'Blue', 'Green', 'Red']
      .map((name, at) => `<li><a href="?c=${name}">${name}</a> (${at})</li>`)
      .join('')
    const markdown = await read(`<ul class="filter-options">${filters}</ul><div class="grid">${goods}</div>${text(3)}`)
    expect(markdown).toContain(NAMES[1])
    expect(markdown).not.toContain('Green')
  })
  it.each(['<h1>Chairs</h1>', ''])('filters by price after "%s"', async (title) => {
    const ranges = ['Under $25', '$25 to $50', '$50 to $75', '$75 to $100', 'Over $100']
      .map((name, at) => `<li><a href="?p=${at}">${name}</a></li>`)
      .join('')
    const chairs = ['Chair', 'Stool']
      .flatMap((kind) => NAMES.map((name) => `${name.split(' ')[0]} ${kind}`))
      .map((name, at) => `<div class="tile"><a href="/p/${at}">${name}</a><div>$${20 + at}.00</div></div>`)
      .join('')
    const body = `<title>Chairs</title><body>${title}<ul>${ranges}</ul>${chairs}`
    const { markdown } = await engine.parse({ url: 'https://elm.test/chairs', body })
    expect(markdown).toContain('Cork Stool')
    expect(markdown).not.toContain('$25 to $50')
  })
})

describe('the half of a list that the model misses', () => {
  const card = (name: string, at: number): string =>
    `<div class="card"><img src="/${at}.jpg" alt=""><div class="body"><a href="/p/${at}">${name}</a><div class="price">$${20 + at}.00</div><div class="stars">4.${at} (${10 + at} reviews)</div></div></div>`
  const cards = (names: readonly string[]): string => names.map(card).join('')
  const inRows = (names: readonly string[], between: string): string =>
    [names.slice(0, 3), names.slice(3)]
      .map((row, nth) => `<div class="row">${row.map((name, at) => card(name, 3 * nth + at)).join('')}</div>`)
      .join(between)
  const wrap = (inner: string, at: number): string =>
    [
      `<div class="fade">${inner}</div>`,
      `<section class="wide">${inner}</section>`,
      `<div class="late"><div>${inner}</div></div>`,
    ][at % 3] ?? inner
  const layouts: Readonly<Record<string, (names: readonly string[]) => string>> = {
    'cards in wrappers that differ': (names) => names.map((name, at) => wrap(card(name, at), at)).join(''),
    'rows with a banner between them': (names) =>
      inRows(names, '<div class="promo"><p>Free delivery this week only</p><a href="/promo">See terms</a></div>'),
    'columns with names of their own': (names) =>
      `<div class="left">${cards(names.slice(0, 2))}</div><div class="right">${names
        .slice(2)
        .map((name, at) => card(name, 2 + at))
        .join('')}</div>`,
    'cards without class names': (names) =>
      names
        .map(
          (name, at) =>
            `<div><img src="/${at}.jpg" alt=""><div><a href="/p/${at}">${name}</a></div><div>$${20 + at}.00</div><div>4.${at} (${10 + at} reviews)</div></div>`,
        )
        .join(''),
    'cards with a number in their class names': (names) =>
      names.map((name, at) => card(name, at).replace('"card"', `"sku-9${at}31 tile"`)).join(''),
  }
  it.each(Object.entries(layouts))('is kept: %s', async (_, layout) => {
    for (const count of [4, 6])
      for (const [before, after] of [
        ['', ''],
        ['', `<div class="about"><h2>About our things</h2>${text(3)}</div>`],
        [text(1), ''],
      ]) {
        const names = NAMES.slice(0, count)
        const markdown = await read(`${before}<div class="list">${layout(names)}</div>${after}`)
        const wanted = names.flatMap((name, at) => [name, `$${20 + at}.00`])
        expect({ count, missing: wanted.filter((part) => !markdown.includes(part)) }, markdown).toEqual({
          count,
          missing: [],
        })
      }
  })

  it('is kept of posts: the byline of all or of none', async () => {
    const post = (name: string, at: number): string =>
      `<div class="card"><img src="/${at}.jpg" alt=""><div class="body"><a href="/b/${at}">${name}</a><div class="byline">By Ines Roth ${at}</div><div class="date">March ${at + 3}, 2026</div><p>It took three summers, a borrowed crane and the patience of ${at + 2} neighbours.</p></div></div>`
    const rows = [NAMES.slice(0, 3), NAMES.slice(3)].map(
      (row, nth) => `<div class="row">${row.map((name, at) => post(name, 3 * nth + at)).join('')}</div>`,
    )
    const markdown = await read(`<div class="list">${rows.join('')}</div>`, '/blog')
    const missing = NAMES.flatMap((name, at) => [name, `By Ines Roth ${at}`, `March ${at + 3}, 2026`]).filter(
      (part) => !markdown.includes(part),
    )
    expect({ missing }, markdown).toEqual({ missing: [] })
  })

  it.each(['', text(3)])('is kept of posts whose title and byline are one line, before "%s"', async (after) => {
    const list = NAMES.map(
      (name, at) =>
        `<div class="tile"><a href="/b/${at}"><img src="/${at}.jpg" alt=""></a><a href="/b/${at}">${name}</a><span>By Ines Roth ${at}</span><div>March ${at + 3}, 2026</div></div>`,
    )
    const markdown = await read(`<div class="list">${list.join('')}</div>${after}`, '/blog')
    const missing = NAMES.flatMap((name, at) => [name, `By Ines Roth ${at}`, `March ${at + 3}, 2026`]).filter(
      (part) => !markdown.includes(part),
    )
    expect({ missing }, markdown).toEqual({ missing: [] })
  })

  const leads: Readonly<Record<string, (name: string, rest: string) => string>> = {
    'in the list': (name, rest) =>
      `<div class="list"><div class="hero"><a href="/p/0"><img src="/0.jpg" alt=""></a><div><span>Featured</span><h2><a href="/p/0">${name}</a></h2><div class="m"><span>$20.00</span></div></div></div>${rest}</div>`,
    'beside the list': (name, rest) =>
      `<section><article class="lead"><h2><a href="/p/0">${name}</a></h2><p>$20.00</p></article><div class="list">${rest}</div></section>`,
  }
  it.each(Object.entries(leads))('is kept of a first entry with other markup, %s', async (_, lead) => {
    for (const count of [4, 6])
      for (const after of ['', `<div class="about"><h2>About our things</h2>${text(3)}</div>`]) {
        const names = NAMES.slice(0, count)
        const [first = '', ...others] = names
        const markdown = await read(lead(first, others.map((name, at) => card(name, at + 1)).join('')) + after)
        const missing = names.flatMap((name, at) => [name, `$${20 + at}.00`]).filter((part) => !markdown.includes(part))
        expect({ count, missing }, markdown).toEqual({ count, missing: [] })
      }
  })

  it('is not completed where the content names the price within another text', async () => {
    const list = NAMES.map(
      (name, at) =>
        `<article><a href="/p/${at}">${name}. On sale for $${20 + at}.00, with free delivery</a><div>$${20 + at}.00</div></article>`,
    )
    const markdown = await read(`<div class="list">${list.join('')}</div>${text(3)}`)
    expect(markdown.split('$21.00').length - 1, markdown).toBeLessThanOrEqual(2)
    expect(markdown).toContain('Linen Throw Cover')
  })
})

describe('what is added to a list of which the model has a part', () => {
  const goods = Array.from({ length: 12 }, (_, at) => `${NAMES[at % 6]} ${'ABCDEFGHIJKL'[at]}`)
  const prices = goods.map((_, at) => `$${20 + at}.00`)
  const list = goods.map(
    (name, at) => `<li><div><a href="/p/${at}">${name}</a></div><div class="price">${prices[at]}</div></li>`,
  )
  const body = parseHtml(page(`<ol>${list.join('')}</ol>`)).tree.$('body')[0]
  if (body === undefined) throw new Error('the page has no body')
  const texts = readBlocks(body, new Set())
  const source = { read: texts, url: pageUrl, kind: 'other', probabilityOf: () => 0.5, verdictOf: () => 1 } as const
  const added = (kept: readonly string[]): string[] =>
    findEntries(source, new Set(texts.blocks.filter((block) => kept.includes(block.text)))).map((block) => block.text)

  it.each([1, 3, 5])('the names of %i entries of twelve whose prices are there', (count) => {
    expect(added([...goods.slice(count), ...prices])).toEqual(goods.slice(0, count))
  })
  it.each([1, 3, 5])('the prices of %i entries of twelve whose names are there', (count) => {
    expect(added([...goods, ...prices.slice(count)])).toEqual(prices.slice(0, count))
  })
  it('no entry that was left out whole while most others were not', () => {
    expect(added([...goods.slice(2), ...prices.slice(2)])).toEqual([])
    expect(added([...goods.slice(2), ...prices.slice(1)])).toEqual([goods[1]])
  })
  it('all prices, and the names left out with them, where only names are there', () => {
    expect(added(goods.slice(2)).sort()).toEqual([...goods.slice(0, 2), ...prices].sort())
  })

  describe('and of what is before it', () => {
    const addedTo = (lead: string): string[] => {
      const root = parseHtml(page(`${lead}<ol>${list.join('')}</ol>`)).tree.$('body')[0]
      if (root === undefined) throw new Error('the page has no body')
      const before = readBlocks(root, new Set())
      const wanted = new Set([...goods, ...prices, 'Blown by hand'])
      const kept = new Set(before.blocks.filter((block) => wanted.has(block.text)))
      return findEntries({ ...source, read: before }, kept).map((block) => block.text)
    }
    it('the name or the price of a first entry with other markup', () => {
      const title = '<h2><a href="/p/x">Glass Vase</a></h2>'
      expect(addedTo(`<div>${title}<p>Blown by hand</p><p>$9.00</p></div>`)).toEqual(['Glass Vase', '$9.00'])
    })
    it.each([
      ['an introduction', '<div><h2>Glass Vase</h2><p>Blown by hand</p><p>$9.00</p></div>'],
      [
        'several things',
        '<div><h2><a href="/a">Glass Vase</a></h2><p>Blown by hand</p><h2><a href="/b">Jar</a></h2><p>$9.00</p></div>',
      ],
      ['one without a price', '<div><h2><a href="/p/x">Glass Vase</a></h2><p>Blown by hand</p></div>'],
    ])('nothing of %s', (_, before) => {
      expect(addedTo(before)).toEqual([])
    })
  })
})
