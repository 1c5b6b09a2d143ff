import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEntries } from '../../site/lists/read-entries.js'
import { listPages } from '../../site/lists/list-sites.js'
import { htmlPage } from '../../site/exchange.js'
import { type Site, startSite } from '../../site/site.js'
import { openBrowser, type OpenBrowser } from './open-browser.js'

let site: Site
let browser: OpenBrowser

const cards = (from: number, to: number): string =>
  Array.from(
    { length: to - from },
    (_, at) => `<li><a href="/lists/entry/${from + at}">Lamp ${from + at}</a></li>`,
  ).join('')

/** A list with a button that has loaded everything after the second click, and stays. */
const stuck = htmlPage(
  'Lamps',
  `<ul id="l">${cards(0, 10)}</ul><button id="b">Zobrazit další</button><script>
    const parts = ${JSON.stringify([cards(10, 20), cards(20, 25)])}
    b.onclick = () => l.insertAdjacentHTML('beforeend', parts.shift() ?? '')</script>`,
)
/** A list that never ends. */
const endless = htmlPage(
  'Lamps',
  `<ul id="l">${cards(0, 30)}</ul><button id="b">Load more</button><script>let at = 30
    b.onclick = () => { for (let i = 0; i < 30; i++) l.insertAdjacentHTML('beforeend', '<li><a href="/lists/entry/' + at + '">Lamp ' + at++ + '</a></li>') }</script>`,
)
/** A list that never ends, on a machine that takes its time for each part. */
const slow = endless
  .replace('b.onclick = () => {', 'b.onclick = () => { for (const at = Date.now(); Date.now() - at < 600; );')
  .replace('Lamps', 'Slow lamps')
/** A list beside a form with fields that are named like properties of elements. */
const hotels = htmlPage(
  'Hotels',
  `<div><form><input name="adults"><input name="children"><input name="matches"><input name="classList"></form>
    <ul id="l">${cards(0, 10)}</ul><button id="b">Load more</button></div><b id="listGrowth"></b><img name="body" alt=""><script>
    b.onclick = () => { l.insertAdjacentHTML('beforeend', '${cards(10, 20)}'); b.remove() }</script>`,
)
/** A list beside a button that tries something else again, which is clicked nowhere. */
const asking = (label: string, isLate: boolean): string =>
  htmlPage(
    'Lamps',
    `<ul id="l">${cards(0, 10)}</ul><button id="b">Load more</button><script>
      const offer = () => {
        (document.querySelector('#b') ?? l).insertAdjacentHTML('afterend', '<button id="r">${label}</button>')
        r.onclick = () => l.insertAdjacentHTML('beforeend', '${cards(20, 25)}')
      }
      if (${!isLate}) offer()
      b.onclick = () => { l.insertAdjacentHTML('beforeend', '${cards(10, 20)}'); b.remove(); if (${isLate}) offer() }</script>`,
  )
/** A list whose button leads to another document. */
const leaving = htmlPage(
  'Lamps',
  `<ul>${cards(0, 10)}</ul><button onclick="location.href = '/stuck'">Show more</button>`,
)

/**
 * A virtual list without classes, as those of libraries: its elements are used again in any order, stand at their places by
 * their style, are hidden until they are measured, and have no row at first.
 */
const recycled = htmlPage(
  'Lamps',
  `<div><div><div id="view" style="height:400px;overflow:auto"><div id="all" style="height:6000px;position:relative"></div></div></div></div><script>
    const pool = Array.from({ length: 6 }, () => all.appendChild(document.createElement('div')))
    const draw = () => {
      const first = Math.floor(view.scrollTop / 100)
      for (let at = first; at < first + 6; at++) {
        const row = pool[at % 6]
        const text = at < 60 ? '<h3><a href="/lists/entry/' + at + '">Lamp ' + at + '</a></h3><p>It burns long.</p>' : ''
        if (row.dataset.at === String(at)) continue
        row.dataset.at = at
        row.innerHTML = 'Loading…'
        row.style.cssText = 'position:absolute;height:100px;top:' + at * 100 + 'px;visibility:hidden;' + (text ? '' : 'display:none')
        setTimeout(() => { row.innerHTML = text; requestAnimationFrame(() => { row.style.visibility = '' }) }, 30)
      }
    }
    view.onscroll = () => requestAnimationFrame(draw)
    draw()</script>`,
)
/** A list with a request that fails, and then an offer to try again or none. */
const failing = (offer: string): string =>
  htmlPage(
    'Lamps',
    `<ul id="l">${cards(0, 10)}</ul><button id="b">+ Load more</button><script>
      let requests = 0
      b.onclick = async () => {
        const { ok } = await fetch(requests++ === 1 ? '/status/500' : '/stuck')
        if (ok) l.insertAdjacentHTML('beforeend', [${JSON.stringify(cards(10, 20))}, '', ${JSON.stringify(cards(20, 25))}][requests - 1])
        if (requests === 3) b.remove()
        else if (ok) b.textContent = '+ Load more'
        else ${offer}
      }</script>`,
  )

beforeAll(async () => {
  const own = {
    '/stuck': stuck,
    '/endless': endless,
    '/slow': slow,
    '/leaving': leaving,
    '/hotels': hotels,
    '/recycled': recycled,
  }
  const failed = { '/retry': failing("b.textContent = 'Try again'"), '/failing': failing('b.remove()') }
  const asked = { '/payment': asking('Retry payment', true), '/game': asking('Try again', false) }
  site = await startSite({ pages: { ...listPages, ...own, ...failed, ...asked } })
  browser = openBrowser()
})
afterAll(async () => {
  await browser.close()
  await site.close()
})

const expand = async (path: string, maxRows = 10_000) => {
  const { body, growth, warnings = [] } = await browser.render(site.url(path), { expand: { maxRows } })
  const html = new TextDecoder().decode(body)
  return { ids: readEntries(html.slice(0, html.indexOf('<script'))), growth, warnings }
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

describe('a page that is expanded has all entries of its list, each once:', () => {
  it.each([
    ['one that grows when the window is scrolled', 'window/plain', 45],
    ['one in an element that is scrolled', 'inner/hydrated', 100],
    ['one with only the rows in view', 'virtual/reactive', 100],
    ['one with only the rows in view of the window', 'virtual/plain', 30],
    ['one with a button', 'more/hydrated', 45],
    ['one in tabs', 'tabs/hydrated', 45],
    ['one in an accordion', 'tabs/plain', 7],
    ['one with few entries', 'window/reactive', 7],
    ['one with one entry', 'inner/plain', 1],
    ['one without entries', 'more/reactive', 0],
  ])('%s', async (_what, path, count) => {
    const { ids, growth, warnings } = await expand(`/lists/${path}?n=${count}`)
    expect(ids.toSorted((a, b) => a - b)).toEqual(numbers(count))
    expect(growth?.stoppedBy ?? 'end').toMatch(/^(?:idle|end)$/)
    expect(warnings).toEqual([])
  })

  it('one whose elements are used again in any order', async () => {
    const { body, growth } = await browser.render(site.url('/recycled'), { expand: { maxRows: 10_000 } })
    const html = new TextDecoder().decode(body).replaceAll(/<div[^>]*display: none.*?<\/div>/g, '')
    expect(readEntries(html.slice(0, html.indexOf('<script')))).toEqual(numbers(60))
    expect(growth).toMatchObject({ rows: 60, end: 'the last row of a virtual list' })
  })

  it('one with a button that tries again', async () => {
    const { ids, growth } = await expand('/retry')
    expect(ids).toEqual(numbers(25))
    expect(growth?.end).toBe('the button that loads more is gone')
  })

  it('one beside a form whose fields have the names of properties', async () => {
    const { ids, growth } = await expand('/hotels')
    expect(ids).toEqual(numbers(20))
    expect(growth?.end).toBe('the button that loads more is gone')
  })
})

describe('a list is not asked for more', () => {
  it('after two clicks that brought nothing', async () => {
    const { ids, growth } = await expand('/stuck')
    expect(ids).toEqual(numbers(25))
    expect(growth).toEqual({ rows: 25, rounds: 4, stoppedBy: 'idle' })
  })

  it('after the maximum of rows, with a warning', async () => {
    const { ids, growth, warnings } = await expand('/endless', 100)
    expect(ids).toEqual(numbers(120))
    expect(growth?.stoppedBy).toBe('most')
    expect(warnings.join(' ')).toContain('longer than the maximum of rows')
  })

  it('has what was collected when its time is nearly up, however long each part takes', async () => {
    const plan = { browser: { waitForMs: 0, actions: [], captures: {}, blockAds: false, expand: { maxRows: 10_000 } } }
    const page = await browser.get(site.url('/slow'), { ...plan, timeoutMs: 9_000 }, AbortSignal.timeout(9_000))
    expect(page.growth).toMatchObject({ stoppedBy: 'timeout' })
    expect(page.growth?.rows).toBeGreaterThan(30)
    expect(readEntries(new TextDecoder().decode(page.body)).length).toBeGreaterThan(30)
    expect(page.warnings).toContainEqual(expect.stringContaining('time of the page was nearly up'))
  })

  it('after the page went to another document, with a warning', async () => {
    const { growth, warnings } = await expand('/leaving')
    expect(growth).toMatchObject({ rows: 0, stoppedBy: 'navigation' })
    expect(warnings.join(' ')).toContain('went to another document')
  })

  it('after a request that failed, which is no evidence of its end', async () => {
    const { ids, growth, warnings } = await expand('/failing')
    expect(ids).toEqual(numbers(20))
    expect(growth).toMatchObject({ rows: 20, stoppedBy: 'failed' })
    expect(growth?.end).toBeUndefined()
    expect(warnings.join(' ')).toContain('request by which the page loads more of its list failed')
  })

  it.each(['/payment', '/game'])('with a button that tries something else again: %s', async (path) => {
    const { ids, growth } = await expand(path)
    expect(ids).toEqual(numbers(20))
    expect(growth?.end).toBe('the button that loads more is gone')
  })

  it('when its button is gone, which is evidence of its end', async () => {
    const { growth } = await expand('/lists/more/plain?n=25')
    expect(growth?.end).toBe('the button that loads more is gone')
    expect(growth?.stoppedBy).toBeUndefined()
  })
})
