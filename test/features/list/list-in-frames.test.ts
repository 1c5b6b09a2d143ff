import { describe, expect, it } from 'vitest'
import type { List } from '../../../src/index.js'
import { type Handler, htmlPage, sendPage } from '../../site/exchange.js'
import { useEngineSite } from '../../site/engine-site.js'
import { entriesOf, listLamps, numbers, printRow } from './lamp-lists.js'

const on = useEngineSite()

const rows = listLamps(0, 12).map(printRow).join('')
const list = `<ul>${rows}</ul>`

/** Serves a page whose script puts the list into an open shadow root. */
const shadowPage: Handler = (exchange) => {
  const script = `const root = document.querySelector('lamp-list').attachShadow({ mode: 'open' })
    root.innerHTML = ${JSON.stringify(list)}`
  sendPage(exchange, htmlPage('Lamps', `<h1>Lamps</h1><lamp-list></lamp-list><script>${script}</script>`))
}

/** Serves a page whose entries are components, each with a shadow root of its own. */
const componentPage: Handler = (exchange) => {
  const script = `for (const host of document.querySelectorAll('lamp-card')) {
      const root = host.attachShadow({ mode: 'open' })
      root.innerHTML = host.dataset.html
      delete host.dataset.html
    }`
  const cards = listLamps(0, 12).map((lamp) => {
    const html = printRow(lamp).replace('<li class="lamp">', '<div class="lamp">').replace('</li>', '</div>')
    return `<lamp-card data-html="${html.replaceAll('"', '&quot;')}"></lamp-card>`
  })
  sendPage(
    exchange,
    htmlPage('Lamps', `<h1>Lamps</h1><div class="lamps">${cards.join('')}</div><script>${script}</script>`),
  )
}

const framePage: Handler = (exchange) =>
  sendPage(exchange, htmlPage('Lamps', '<h1>Lamps</h1><iframe src="/inner" width="600" height="400"></iframe>'))
const innerPage: Handler = (exchange) => sendPage(exchange, htmlPage('Inner', list))

async function read(path: string, all: boolean): Promise<List> {
  const formats = [{ type: 'list', all }] as const
  const { list: found } = await on.engine.scrape(on.site.url(path), { formats: [...formats], timeout: 60_000 })
  return found
}

describe('the browser brings the list', { timeout: 120_000 }, () => {
  it.each<[string, string]>([
    ['in an open shadow root', '/shadow'],
    ['of components with shadow roots', '/components'],
    ['in a frame', '/frame'],
  ])('%s, with and without `all`', async (_what, path) => {
    const pages = { '/shadow': shadowPage, '/components': componentPage, '/frame': framePage, '/inner': innerPage }
    await on.open(pages, { fetcher: 'browser' })
    expect(entriesOf(await read(path, false))).toEqual(numbers(12))
    expect(entriesOf(await read(path, true))).toEqual(numbers(12))
  })
})
