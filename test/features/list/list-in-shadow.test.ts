import { describe, expect, it } from 'vitest'
import { type Handler, htmlPage, sendPage } from '../../site/exchange.js'
import { useEngineSite } from '../../site/engine-site.js'
import { entriesOf, numbers, printRow } from './lamp-lists.js'

const on = useEngineSite()

const COUNT = 60

/** Serves a page with a component, whose shadow root the script fills. It shows lamps from the page's own memory. */
const shadowPage =
  (script: string): Handler =>
  (exchange) => {
    const setup = `
      const printRow = ${String(printRow)}
      const lamp = (id) => ({ id, name: 'Deck lamp ' + id, hours: id + 2 })
      const printRows = (from, to) => Array.from({ length: to - from }, (_, at) => printRow(lamp(from + at))).join('')
      const host = document.querySelector('lamp-app')
      const root = host.attachShadow({ mode: 'open' })
      const style = '<style>.scroller { height: 300px; overflow-y: auto } li { height: 80px; display: block }</style>'`
    const body = `<h1>Lamps</h1><lamp-app></lamp-app><script>${setup}\n${script}</script>`
    sendPage(exchange, htmlPage('Lamps', body))
  }

/** Adds ten lamps whenever the end of the list comes into view. */
const growOnScroll = `
  const list = root.querySelector('ul')
  let shown = 10
  list.innerHTML = printRows(0, shown)
  const grow = (isNearEnd) => {
    if (!isNearEnd || shown >= ${COUNT}) return
    list.insertAdjacentHTML('beforeend', printRows(shown, shown + 10))
    shown += 10
  }`

const inElement = shadowPage(`
  root.innerHTML = style + '<section><div class="scroller"><ul></ul></div></section>'
  ${growOnScroll}
  const scroller = root.querySelector('.scroller')
  scroller.addEventListener('scroll', () => grow(scroller.scrollTop + 300 > scroller.scrollHeight - 200))`)

const inWindow = shadowPage(`
  root.innerHTML = style + '<div><ul></ul></div>'
  ${growOnScroll}
  addEventListener('scroll', () => grow(scrollY + innerHeight > document.documentElement.scrollHeight - 300))`)

/** The list is in a slot of a component that scrolls. */
const inSlot = shadowPage(`
  root.innerHTML = style + '<div class="scroller"><slot></slot></div>'
  host.innerHTML = '<ul></ul>'
  ${growOnScroll.replace('root.', 'host.')}
  const scroller = root.querySelector('.scroller')
  scroller.addEventListener('scroll', () => grow(scroller.scrollTop + 300 > scroller.scrollHeight - 200))`)

/** The button that loads more is a component of its own. */
const byButton = shadowPage(`
  root.innerHTML = style + '<ul></ul><lamp-button>Load more lamps</lamp-button>'
  ${growOnScroll}
  const button = root.querySelector('lamp-button').attachShadow({ mode: 'open' })
  button.innerHTML = '<button type="button"><slot></slot></button>'
  button.querySelector('button').addEventListener('click', () => {
    grow(true)
    if (shown >= ${COUNT}) root.querySelector('lamp-button').remove()
  })`)

/** Only the rows in view are in the tree. */
const virtual = shadowPage(`
  root.innerHTML = style + '<div class="scroller"><ul style="margin: 0; padding: 0; position: relative"></ul></div>'
  const list = root.querySelector('ul')
  const scroller = root.querySelector('.scroller')
  list.style.height = ${COUNT * 80} + 'px'
  const draw = () => {
    const from = Math.max(0, Math.floor(scroller.scrollTop / 80) - 1)
    const to = Math.min(${COUNT}, from + 7)
    list.innerHTML = '<div style="height: ' + from * 80 + 'px"></div>' + printRows(from, to)
  }
  scroller.addEventListener('scroll', draw)
  draw()`)

/** Rows are components in the shadow root itself, and a virtual list. A copy of one that ran its script would be empty. */
const ofComponents = shadowPage(`
  customElements.define('lamp-row', class extends HTMLElement {
    connectedCallback() {
      if (!this.shadowRoot) this.attachShadow({ mode: 'open' })
      this.shadowRoot.innerHTML = this.lamp ? '<div>' + printRow(this.lamp).replace(/<\\/?li[^>]*>/g, '') + '</div>' : ''
    }
  })
  root.innerHTML = '<style>:host { display: block; height: 300px; overflow-y: auto } lamp-row { height: 80px; display: block }</style>'
  const before = document.createElement('i')
  const after = document.createElement('i')
  before.style.display = after.style.display = 'block'
  const draw = () => {
    const from = Math.max(0, Math.min(${COUNT - 7}, Math.floor(host.scrollTop / 80) - 1))
    before.style.height = from * 80 + 'px'
    after.style.height = (${COUNT - 7} - from) * 80 + 'px'
    const rows = Array.from({ length: 7 }, (_, at) => {
      const row = document.createElement('lamp-row')
      row.lamp = lamp(from + at)
      return row
    })
    for (const row of root.querySelectorAll('lamp-row')) row.remove()
    root.append(before, ...rows, after)
  }
  host.addEventListener('scroll', draw)
  draw()`)

/** Each lamp has light text, and a shadow root with styles and more text. Two lamps in the last part share a link. */
const ofMixedRows = shadowPage(`
  document.body.insertAdjacentHTML('beforeend', '<p id="after" style="color: rgb(0, 0, 255)">The end</p>')
  root.innerHTML = style + '<div class="scroller"><ul style="margin: 0; padding: 0; position: relative"></ul></div>'
  const list = root.querySelector('ul')
  const scroller = root.querySelector('.scroller')
  list.style.height = ${COUNT * 80} + 'px'
  const draw = () => {
    const from = Math.max(0, Math.floor(scroller.scrollTop / 80) - 1)
    const to = Math.min(${COUNT}, from + 7)
    list.innerHTML = '<div style="height: ' + from * 80 + 'px"></div>' + printRows(from, to)
    for (const link of list.querySelectorAll('a')) if (link.href.endsWith('/51')) link.setAttribute('href', '/lists/entry/50')
    for (const hours of list.querySelectorAll('.hours')) {
      hours.attachShadow({ mode: 'open' }).innerHTML = '<style>p { color: red }</style><link rel="stylesheet" href="/none.css"><b>Burns </b><slot></slot>'
    }
  }
  scroller.addEventListener('scroll', draw)
  draw()`)

/** Rows whose elements have names that only the parser takes. */
const ofParsedNames = (exchange: Parameters<Handler>[0]): void => {
  const rows = numbers(8).map(
    (id) =>
      `<div class="lamp"><h3><a href="/lists/entry/${id}">Deck lamp ${id}</a></h3><p>${id + 2} hours</p><fb:like-box data:x-y="1" @click="a">Like</fb:like-box></div>`,
  )
  const script = `document.querySelector('lamp-app').attachShadow({ mode: 'open' }).innerHTML = '<b>Lamps</b>'`
  sendPage(
    exchange,
    htmlPage('Lamps', `<h1>Lamps</h1><lamp-app></lamp-app><div>${rows.join('')}</div><script>${script}</script>`),
  )
}

describe('copies of rows in a page with open shadow roots', { timeout: 120_000 }, () => {
  const formats = [{ type: 'list', all: true }] as const

  it('have names that only the parser takes', async () => {
    await on.open({ '/lamps': ofParsedNames }, { fetcher: 'browser' })
    const { list } = await on.engine.scrape(on.site.url('/lamps'), { formats: [...formats], timeout: 60_000 })
    expect(entriesOf(list)).toEqual(numbers(8))
  })

  it('are known again when two rows have one link, and bring no styles', async () => {
    await on.open({ '/lamps': ofMixedRows }, { fetcher: 'browser' })
    const most = [{ type: 'list', all: true, most: COUNT }] as const
    const { list } = await on.engine.scrape(on.site.url('/lamps'), { formats: [...most], timeout: 60_000 })
    expect(list.items).toHaveLength(COUNT)
    expect(JSON.stringify(list.items)).not.toContain('color:')
  })
})

describe('a list in an open shadow root is read to its end', { timeout: 120_000 }, () => {
  it.each<[string, Handler]>([
    ['that grows as an element in it scrolls', inElement],
    ['that grows as the window scrolls', inWindow],
    ['that is in a slot of what scrolls', inSlot],
    ['that grows by a button that is a component', byButton],
    ['that has only the rows in view', virtual],
    ['whose rows are components, and only those in view', ofComponents],
  ])('%s', async (_what, page) => {
    await on.open({ '/lamps': page }, { fetcher: 'browser' })
    const formats = [{ type: 'list', all: true }] as const
    const { list } = await on.engine.scrape(on.site.url('/lamps'), { formats: [...formats], timeout: 60_000 })
    expect(entriesOf(list)).toEqual(numbers(COUNT))
  })
})
