import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Action } from '../../../src/kernel/fetch/action-options.js'
import { startSite, type Site } from '../../site/site.js'
import { openBrowser } from './open-browser.js'
import { textOf } from '../../kernel/fetch/open-fetcher.js'
import { readPng } from './read-png.js'

/** What scripts of pages do to the functions of the browser, on purpose or not. */
const scripts: Readonly<Record<string, string>> = {
  'a function `Map` of its own': 'function Map(element, options) { this.element = element }',
  'a variable `Map`': 'window.Map = 1',
  'no promises': 'window.Promise = function () {}',
  'no timers': 'window.setTimeout = window.requestAnimationFrame = function () {}',
  'no iterator of arrays': 'delete Array.prototype[Symbol.iterator]',
  'other methods of arrays':
    'Array.prototype.map = Array.prototype.filter = Array.prototype.reverse = () => []; Array.from = () => []',
  'other methods of strings': 'String.prototype.slice = () => ({ length: 9e7 })',
  'a JSON of its own': 'Array.prototype.toJSON = Object.prototype.toJSON = () => "x"',
}
const names = Object.keys(scripts)

/** Scripts of pages that are clicked and scrolled: those above, and some that never return. */
const actScripts: Readonly<Record<string, string>> = {
  ...scripts,
  'a `Map` without an end': 'window.Map = class { constructor() { for (;;); } }',
  'a `push` without an end': 'Array.prototype.push = function () { for (;;); }',
  'styles without an end': 'window.getComputedStyle = function () { for (;;); }',
  'other methods of elements':
    'HTMLElement.prototype.click = Element.prototype.scrollBy = Element.prototype.scrollIntoView = function () {}',
}
const actNames = Object.keys(actScripts)
const actBody = `<button id="shown" onclick="list.textContent += 'S'">s</button>
  <button class="hidden" hidden onclick="list.textContent += 'H'">h</button>
  <select onchange="list.textContent += '2'"><option>1<option id="second">2</select>
  <div id="box" style="height: 50px; overflow: auto"><div style="height: 500px"></div></div><p id="list"></p>`

const html = (script: string, body: string): string =>
  `<!doctype html><title>t</title><script>${script}</script><body><h1>Outer</h1><input id="q">${body}</body>`
const frame = '<iframe src="inner" width="300" height="200"></iframe>'

const browser = openBrowser()
let site: Site
beforeAll(async () => {
  const pages = names.flatMap((name, at) => [
    [`/${at}/page`, html(scripts[name] ?? '', frame)],
    [`/${at}/frame`, html('', frame)],
    [`/${at}/inner`, `<script>${scripts[name]}</script><p>Inner</p>`],
    // More than one piece.
    [`/${at}/long`, html(scripts[name] ?? '', `${frame}<main>${'<p>long</p>'.repeat(60_000)}</main>`)],
  ])
  const acts = actNames.map((name, at) => [`/act/${at}`, html(actScripts[name] ?? '', actBody)])
  const frames = '<iframe srcdoc="<p>Small</p>" width="60" height="60"></iframe>'.repeat(22)
  site = await startSite({ pages: { ...Object.fromEntries([...pages, ...acts]), '/many': html('', frames) } })
})
afterAll(async () => {
  await browser.close()
  await site.close()
})

const urlOf = (name: string, page: string): string => site.url(`/${names.indexOf(name)}/${page}`)
const read = async (url: string): Promise<string> => textOf(await browser.get(url))
const act = async (name: string, ...actions: Action[]) =>
  (await browser.render(urlOf(name, 'page'), { actions })).actions

describe.each(names)('a page with %s', (name) => {
  it('is read with its frames', async () => {
    expect(await read(urlOf(name, 'page'))).toMatch(
      /Outer.*<div data-original-tag="iframe"[^>]*>.*<p>Inner<\/p><\/div>/,
    )
    expect(await read(urlOf(name, 'frame'))).toMatch(/Outer.*<p>Inner<\/p><\/div>/)
  })

  it('is read to its end', async () => {
    expect((await read(urlOf(name, 'long'))).split('<p>long</p>')).toHaveLength(60_001)
  })

  it('has screenshots and branding', async () => {
    const captures = { screenshot: { fullPage: true }, branding: {} }
    const page = await browser.render(urlOf(name, 'page'), { captures })
    expect(readPng(page.captures?.screenshot?.bytes)).toMatchObject({ width: 1280, height: 800 })
    expect(page.captures?.['branding']).toMatchObject({ colors: { background: '#FFFFFF' } })
    const { screenshots } = (await act(name, { type: 'screenshot' })) ?? {}
    expect(screenshots).toHaveLength(1)
  })

  it('is scrolled', async () => {
    const actions: Action[] = [{ type: 'scroll' }, { type: 'executeJavascript', script: 'scrollY > 0' }]
    const page = await browser.render(urlOf(name, 'long'), { actions })
    expect(page.actions?.javascriptReturns.map(({ value }) => value)).toEqual([true])
  })

  it('is typed into, and printed', async () => {
    const done = await act(
      name,
      { type: 'click', selector: '#q' },
      { type: 'write', text: 'abc' },
      { type: 'executeJavascript', script: 'q.value' },
      { type: 'pdf', scale: 3 },
      { type: 'executeJavascript', script: 'return document.documentElement.style.zoom' },
    )
    expect(done?.javascriptReturns.map(({ value }) => value)).toEqual(['abc', ''])
    expect(done?.pdfs).toHaveLength(1)
  })
})

describe.each(actNames)('a page with %s', (name) => {
  it('is clicked by mouse and by script, and scrolled at an element', async () => {
    const done = await browser.render(site.url(`/act/${actNames.indexOf(name)}`), {
      actions: [
        { type: 'click', selector: '#shown' },
        { type: 'click', selector: '.hidden' },
        { type: 'click', selector: '#second' },
        { type: 'scroll', selector: '#box' },
        { type: 'executeJavascript', script: 'list.textContent + box.scrollTop' },
      ],
    })
    expect(done.actions?.javascriptReturns).toEqual([{ type: 'unknown', value: 'SH245' }])
  })
})

it('a page with more frames than are read has a warning', async () => {
  const page = await browser.get(site.url('/many'))
  expect(textOf(page).split('<p>Small</p></div>')).toHaveLength(21)
  expect(page.warnings).toEqual(['The content of 2 frames is missing: it could not be read.'])
  expect((await browser.get(urlOf('no timers', 'frame'))).warnings).toBeUndefined()
})

it('a script of which the page forges the result fails', async () => {
  const url = urlOf('no timers', 'page')
  const forge = (json: string): Action[] => [{ type: 'executeJavascript', script: `JSON.stringify = () => (${json})` }]
  const failure = 'the page returned no result of the script'
  await expect(browser.render(url, { actions: forge('{ length: 1 }') })).rejects.toThrow(failure)
})
