import { describe, expect, it } from 'vitest'
import { extractHtml } from './contents.js'

const readAll = (html: string, head = '') =>
  extractHtml(`<head><title>t</title>${head}</head><nav><ul><li><a href="/m1">One menu entry</a></ul></nav>${html}`, {
    list: {},
  }).lists ?? []

const card = `<h3><a href="/p/1">Amber lamp</a></h3><span class="price">€4.50</span>`
const row = { title: 'Amber lamp', url: 'https://site.test/p/1', price: 4.5 }
const itemList = (count: number): string =>
  `<script type="application/ld+json">${JSON.stringify({
    '@type': 'ItemList',
    itemListElement: Array.from({ length: count }, (_, at) => ({ '@type': 'ListItem', url: `/p/${at + 1}` })),
  })}</script>`

describe('a list of one entry is found', () => {
  it.each([
    ['by the role `list`', `<div role="list"><div role="listitem">${card}</div></div>`, ''],
    ['by the role `feed`', `<div role="feed"><article>${card}</article></div>`, ''],
    [
      'by an `ItemList` in microdata',
      `<div itemscope itemtype="https://schema.org/ItemList"><div itemprop="itemListElement">${card}</div></div>`,
      '',
    ],
    ['by an `ItemList` of one in JSON-LD', `<div class="product-grid"><div>${card}</div></div>`, itemList(1)],
    ['by a text that states one result', `<p>1 result found</p><ul><li>${card}</li></ul>`, ''],
    ['by a text in parts', `<p>Showing <b>1</b> of 1 products</p><div class="results"><div>${card}</div></div>`, ''],
    ['by a text in German', `<p>1 Ergebnis</p><div id="hits"><div class="hit">${card}</div></div>`, ''],
  ])('%s', (_, list, head) => {
    const [found, ...others] = readAll(`<main><h1>Lamps</h1>${list}</main>`, head)
    expect(others).toEqual([])
    expect(found?.items).toHaveLength(1)
    expect(found?.items[0]).toMatchObject(row)
  })

  it('in a table with a header', () => {
    const [found] = readAll(
      '<main><h1>Lamps</h1><table><tr><th>Lamp</th><th>Hours</th></tr><tr><td>Amber</td><td>20</td></tr></table></main>',
    )
    expect(found?.items).toEqual([{ Lamp: 'Amber', Hours: 20 }])
  })

  it('and ends there if the page states it', () => {
    const [found] = readAll(`<main><h1>Lamps</h1><p>1 result</p><ul class="results"><li>${card}</li></ul></main>`)
    expect(found).toMatchObject({ total: 1, end: '1 result' })
  })
})

describe('no list of one entry is found', () => {
  it.each([
    ['without evidence', `<ul class="results"><li>${card}</li></ul>`, ''],
    ['by the number of things in a cart', `<div class="cart"><p>1 product</p></div><ul><li>${card}</li></ul>`, ''],
    ['if the data list several', `<div class="product-grid"><div>${card}</div></div>`, itemList(3)],
    [
      'if the data list another one',
      `<div class="product-grid"><div>${card.replace('/p/1', '/p/7')}</div></div>`,
      itemList(1),
    ],
    ['in a menu', `<nav role="navigation"><div role="list"><div role="listitem">${card}</div></div></nav>`, ''],
    ['without a link', '<div role="list"><div role="listitem">Some words about a lamp</div></div>', ''],
  ])('%s', (_, list, head) => expect(readAll(`<main><h1>Lamps</h1>${list}</main>`, head)).toEqual([]))
})

describe('lists of components and frames', () => {
  const names = ['Amber lamp', 'Brass kettle', 'Copper pan', 'Damask throw']
  const cards = names.map(
    (name, at) => `<div class="card"><h3><a href="/p/${at}">${name}</a></h3><span class="price">€${at}.50</span></div>`,
  )

  it('are read in declarative shadow roots', () => {
    const [found] = readAll(
      `<main><h1>L</h1><x-list><template shadowrootmode="open">${cards.join('')}</template></x-list></main>`,
    )
    expect(found?.items.map(({ title }) => title)).toEqual(names)
  })

  it('are read where each entry is a component with a shadow root', () => {
    const hosts = cards.map((one) => `<x-card><template shadowrootmode="open">${one}</template></x-card>`)
    expect(readAll(`<main><h1>L</h1><div>${hosts.join('')}</div></main>`)[0]?.items.map(({ title }) => title)).toEqual(
      names,
    )
  })

  it('are read in frames, as the browser delivers them', () => {
    const [found] = readAll(`<main><h1>L</h1><div data-original-tag="iframe" src="/f">${cards.join('')}</div></main>`)
    expect(found?.items.map(({ title }) => title)).toEqual(names)
  })

  it('are read in the panels of tabs and accordions that are closed', () => {
    const panel = (at: number, hidden: string): string =>
      `<div role="tabpanel" id="p${at}" ${hidden}><ul>${names.map((name, entry) => `<li class="e"><a href="/p/${at}-${entry}">${name} ${at}</a></li>`).join('')}</ul></div>`
    const tabs = `<div role="tablist"><button role="tab" aria-controls="p1">A</button><button role="tab" aria-controls="p2">B</button></div>`
    const [found] = readAll(`<main><h1>L</h1>${tabs}${panel(1, '')}${panel(2, 'hidden')}</main>`)
    expect(found?.items).toHaveLength(8)
  })
})
