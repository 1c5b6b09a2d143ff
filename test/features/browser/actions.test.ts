import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Action } from '../../../src/kernel/fetch/action-options.js'
import { ActionError } from '../../../src/base/errors.js'
import type { Exchange } from '../../site/exchange.js'
import { startSite, type Site } from '../../site/site.js'
import { openBrowser } from './open-browser.js'
import { textOf } from '../../kernel/fetch/open-fetcher.js'
import { pixelAt, readPng } from './read-png.js'

const html = (body: string, head = ''): string =>
  `<!doctype html><html><head><meta charset="utf-8"><title>t</title>${head}</head><body>${body}</body></html>`

const pages = {
  '/shop': html(`
    <button class="more" onclick="list.append('A'); this.classList.remove('more')">a</button>
    <button class="more" onclick="list.append('B'); this.classList.remove('more')">b</button>
    <button class="more" style="display: none" onclick="list.append('C')">c</button>
    <button id="off" disabled onclick="list.append('X')">off</button>
    <div style="position: relative"><button id="under" onclick="list.append('U')">u</button>
      <div class="main navigation" style="position: absolute; inset: 0; background: white">overlay</div></div>
    <a id="away" href="/found?by=link">away</a>
    <a id="dead" href="http://127.0.0.1:1/">dead</a>
    <form action="/found"><input id="q" name="q" onkeydown="keys.append(event.key)"></form>
    <output id="list"></output><output id="keys"></output>`),
  '/found': ({ url, response }: Exchange) =>
    void response.setHeader('content-type', 'text/html').end(html(`<h1>Found ${url.search}</h1>`)),
  // Pages without a script; from 91 on each takes longer than an action has to settle.
  '/slow': async ({ url, response }: Exchange) => {
    const n = Number(url.searchParams.get('n'))
    if (n > 90) await sleep(3500)
    const form = `<form action="/slow"><input name="n" value="${n + 1}"></form>`
    response.setHeader('content-type', 'text/html').end(html(`<h1>Page ${n}</h1><a href="?n=${n + 1}">next</a>${form}`))
  },
  '/endless': html(`<ol id="list"></ol><script>
    const add = () => { for (let n = 0; n < 20; n++) list.append(Object.assign(document.createElement('li'), { style: 'height: 60px' })) }
    add()
    addEventListener('scroll', () => { if (scrollY + innerHeight > document.body.scrollHeight - 200) add() })
  </script>`),
  '/frame': html(
    `<main style="height: 100vh; overflow: auto" id="pane"><div style="height: 4000px">long</div></main>
     <p id="box" style="height: 40px; overflow: auto">${'line<br>'.repeat(40)}</p>`,
    '<style>body { margin: 0; height: 100vh; overflow: hidden }</style>',
  ),
  '/replaced': html(`<p>text</p><script>window.Reflect = () => {}</script>`),
  '/late': html(`<p id="slot"></p><script>setTimeout(() => slot.innerHTML = '<b id=here>here</b>', 1700)</script>`),
}

/** Code that loads part `n` of a list, of six. */
const loaders = {
  'a query': 'fetch(`/part?page=${n}`)',
  'a body': `fetch('/part', { method: 'POST', body: '{"query":"' + 'x'.repeat(20000) + '","variables":{"page":' + n + '}}' })`,
  'what the server remembers': `fetch('/part')`,
  'a time': 'fetch(`/part?page=${n}&_=${Date.now()}`)',
}

const browser = openBrowser()
let site: Site
beforeAll(async () => {
  site = await startSite({
    pages: {
      ...pages,
      '/strict': ({ response }) =>
        void response
          .setHeader('content-type', 'text/html')
          .setHeader('content-security-policy', "default-src 'none'")
          .end(html('<h1>Strict</h1>')),
    },
  })
})
afterAll(async () => {
  await browser.close()
  await site.close()
})

const act = async (path: string, ...actions: Action[]) => {
  const page = await browser.render(site.url(path), { actions })
  return { ...page.actions, url: page.url, text: textOf(page) }
}
const failure = (path: string, ...actions: Action[]): Promise<unknown> =>
  act(path, ...actions).catch((error: unknown) => error)
const run = (script: string): Action => ({ type: 'executeJavascript', script })

describe('click', () => {
  it('clicks the first match, and with `all` each element that matches at the start, hidden or not', async () => {
    expect((await act('/shop', { type: 'click', selector: '.more' })).text).toContain('<output id="list">A</output>')
    expect((await act('/shop', { type: 'click', selector: '.more', all: true })).text).toContain('id="list">ABC<')
    expect((await act('/shop', { type: 'click', selector: '.none', all: true })).text).toContain('id="list"><')
  })

  it('clicks an element that another element covers', async () => {
    expect((await act('/shop', { type: 'click', selector: '#under' })).text).toContain('id="list">U<')
    expect((await act('/shop', { type: 'click', selector: '#under', all: true })).text).toContain('id="list">U<')
  })

  it('follows a link, and runs the next actions on the page that it leads to', async () => {
    const { scrapes, url, text } = await act('/shop', { type: 'click', selector: '#away' }, { type: 'scrape' })
    expect(url).toBe(site.url('/found?by=link'))
    expect(scrapes).toEqual([{ url, html: expect.stringContaining('Found ?by=link') }])
    expect(text).toContain('Found ?by=link')
  })

  it('fails on a link to an address that cannot be loaded, with the cause', async () => {
    const message = expect.stringContaining('The page went on to an address that could not be loaded: ')
    expect(await failure('/shop', { type: 'click', selector: '#dead' })).toMatchObject({
      code: 'SCRAPE_SITE_ERROR',
      message,
    })
  })

  it('waits for the page after a click, over several redirects, and clicks once', async () => {
    const next: Action[] = [{ type: 'click', selector: 'a' }, { type: 'scrape' }]
    const { scrapes } = await act('/slow?n=0', ...next, ...next, ...next, ...next, ...next)
    expect(scrapes?.map(({ url }) => new URL(url).search)).toEqual([1, 2, 3, 4, 5].map((n) => `?n=${n}`))
    expect(site.requests.filter(({ path }) => path === '/slow?n=1')).toHaveLength(1)
    const late = await act('/slow?n=90', { type: 'click', selector: 'a' }, { type: 'scrape' })
    expect(late.scrapes?.map(({ url }) => new URL(url).search)).toEqual(['?n=91'])
    expect(site.requests.filter(({ path }) => path === '/slow?n=91')).toHaveLength(1)
    const sent = await act('/slow?n=90', { type: 'click', selector: 'input' }, { type: 'press', key: 'Enter' })
    expect(sent.text).toContain('Page 91')
    expect((await act('/slow?n=0', run('document.forms[0].submit()'))).text).toContain('Page 1')
  })

  it('fails without an element, on a disabled element, and on a selector that is not valid', async () => {
    const missing = await failure('/shop', { type: 'scrape' }, { type: 'click', selector: '#no' })
    expect(missing).toBeInstanceOf(ActionError)
    expect(missing).toMatchObject({ code: 'SCRAPE_ACTION_ERROR', index: 1, url: site.url('/shop') })
    expect(String(missing)).toContain('`actions[1]` (click) failed: no element matches `#no`')
    expect(missing).toMatchObject({ picture: { mediaType: 'image/jpeg', bytes: expect.any(Uint8Array) } })
    expect(String(await failure('/shop', { type: 'click', selector: '#off' }))).toContain('is disabled')
    expect(String(await failure('/shop', { type: 'click', selector: '::' }))).toMatch(
      /`actions\[0\]` \(click\) failed: .*::/,
    )
  })
})

describe('write and press', () => {
  it('types into the focused element, key by key', async () => {
    const { text, url } = await act(
      '/shop',
      { type: 'click', selector: '#q' },
      { type: 'write', text: 'née' },
      { type: 'scrape' },
      { type: 'press', key: 'Enter' },
    )
    expect(url).toBe(site.url('/found?q=n%C3%A9e'))
    expect(text).toContain('Found ?q=n%C3%A9e')
    const { javascriptReturns } = await act(
      '/shop',
      { type: 'click', selector: '#q' },
      { type: 'write', text: 'abc' },
      { type: 'press', key: 'Control+A' },
      { type: 'press', key: 'Delete' },
      run('q.value + "|" + keys.textContent'),
    )
    expect(javascriptReturns).toEqual([{ type: 'unknown', value: '|abcControlADelete' }])
  })

  it('fails without a focused element, and for an unknown key', async () => {
    expect(String(await failure('/shop', { type: 'write', text: 'x' }))).toContain('no element has the focus')
    expect(String(await failure('/shop', { type: 'press', key: 'Any' }))).toContain(
      '(press) failed: Unknown key: "Any"',
    )
  })
})

describe('wait', () => {
  it('waits for a time, and for an element', async () => {
    expect((await act('/late', { type: 'wait', milliseconds: 1900 })).text).toContain('here</b>')
    expect((await act('/late', { type: 'wait', selector: '#here' })).text).toContain('here</b>')
    const plan = { timeoutMs: 4000, browser: { waitForMs: 0, captures: {}, blockAds: false } }
    const actions: Action[] = [{ type: 'wait', selector: '#never' }]
    await expect(browser.get(site.url('/late'), { ...plan, browser: { ...plan.browser, actions } })).rejects.toThrow(
      /`actions\[0\]` \(wait\) failed: no element matched `#never` within \d+ ms/,
    )
  })

  it('waits for the element first and then for the time if both are given, as in version 1', async () => {
    const { javascriptReturns } = await act(
      '/shop',
      run(`setTimeout(() => {
        list.innerHTML = '<b id=shown>shown</b>'
        setTimeout(() => list.append(' and done'), 500)
      }, 1500)`),
      { type: 'wait', selector: '#shown', milliseconds: 1000 },
      run('list.textContent'),
    )
    expect(javascriptReturns?.at(-1)?.value).toBe('shown and done')
  })
})

describe('scroll', () => {
  it('loads more of a page that grows, and scrolls back up', async () => {
    const down: Action = { type: 'scroll' }
    const place = run('Math.round(scrollY / innerHeight * 10)')
    const { javascriptReturns, text } = await act(
      '/endless',
      down,
      place,
      down,
      down,
      { ...down, direction: 'up' },
      place,
    )
    expect(javascriptReturns?.map(({ value }) => value)).toEqual([9, 18])
    expect(text.split('<li').length).toBeGreaterThan(60)
  })

  it('scrolls the element that fills the window, or the given one', async () => {
    const { javascriptReturns } = await act(
      '/frame',
      { type: 'scroll' },
      { type: 'scroll', selector: '#box' },
      run('[pane.scrollTop > 600, box.scrollTop]'),
    )
    expect(javascriptReturns).toEqual([{ type: 'unknown', value: [true, 36] }])
    expect(String(await failure('/frame', { type: 'scroll', selector: '#no' }))).toContain('no element matches `#no`')
  })
})

describe('the wait after an action', () => {
  const openList = (load: string) => {
    let part = 0
    return startSite({
      pages: {
        '/': html(
          `<button onclick="more()">more</button><ol id="list"></ol><script>let n = 0
          async function more() { n += 1; list.insertAdjacentHTML('beforeend', await (await ${load}).text()) }</script>`,
        ),
        '/part': async ({ response }) => {
          part += 1
          const row = `<li>part ${part}</li>`
          await sleep(700)
          response.setHeader('content-type', 'text/html').end(row)
        },
      },
    })
  }

  it.each(Object.entries(loaders))(
    'is for each part of a list that a click loads, told apart by %s',
    async (_by, load) => {
      await using list = await openList(load)
      const actions = Array.from({ length: 6 }, (): Action => ({ type: 'click', selector: 'button' }))
      const page = await browser.render(list.url('/'), { actions })
      expect(textOf(page).match(/part \d/g)).toEqual([1, 2, 3, 4, 5, 6].map((part) => `part ${part}`))
    },
  )

  it('is for the parts of a list that one click loads one after the other', async () => {
    await using list = await openList('fetch(`/part?page=${n}`)')
    const script = 'for (let i = 0; i < 2; i++) more(); more().then(more)'
    const page = await browser.render(list.url('/'), { actions: [run(`${script}; 0`)] })
    expect(textOf(page).match(/part \d/g)).toHaveLength(4)
  })

  it.each([
    ['equal requests', `fetch('/json')`],
    ['a time in the query', 'fetch(`/json?_=${Date.now()}`)'],
    ['a random number', 'fetch(`/json?r=${Math.random()}`)'],
    ['a time in the body', `fetch('/echo', { method: 'POST', body: '{"at":' + Date.now() + '}' })`],
    ['what has been seen', 'fetch(`/json?seen=${(window.seen = (window.seen ?? 0) + 1)}`)'],
  ])('is not for a poll by %s', async (_by, ask) => {
    const poll = `(async () => { for (;;) { await ${ask}; await new Promise((go) => setTimeout(go, 20)) } })()`
    await using list = await startSite({ pages: { '/': html(`<h1>Polls</h1><script>${poll}</script>`) } })
    const actions = Array.from({ length: 3 }, () => run('1'))
    const page = await browser.render(list.url('/'), { actions })
    expect(textOf(page)).toContain('Polls')
    // A wait to its limit, after the loading and after each action, would see several hundred.
    expect(list.requests.length).toBeLessThan(200)
  })
})

describe('executeJavascript', () => {
  it('returns the last expression, the return value, and the value of a promise', async () => {
    const scripts = [
      'let a = 1; a + 1',
      'return [1, { b: null }]',
      'await new Promise((done) => setTimeout(done, 5)); return "late"',
      'Promise.resolve(3)',
    ]
    const { javascriptReturns } = await act('/shop', ...scripts.map(run))
    expect(javascriptReturns).toEqual([2, [1, { b: null }], 'late', 3].map((value) => ({ type: 'unknown', value })))
  })

  it('returns the value of a script in every form', async () => {
    const scripts: readonly (readonly [script: string, value: unknown])[] = [
      ['await Promise.resolve(3)', 3],
      ['await Promise.resolve(3);', 3],
      ['// A note\nawait Promise.resolve(3) // and another', 3],
      ['const one = await Promise.resolve(1)\nconst two = 2\none + two', 3],
      ['let three = 3; await null; three', 3],
      ['for (const part of [1, 2]) { await part }\n3', 3],
      ['if (await true) { 3 } else { 4 }', 3],
      ['try { await Promise.reject(new Error("x")) } catch { 3 }', 3],
      ['for await (const part of [1, 3]) part', 3],
      ['await null; Promise.resolve(3)', 3],
      ['await null; [await 3]', [3]],
      ['await null; undefined', null],
      ['await null; 3n', '3'],
      ['await null; -0', 0],
      ['await null; document.createElement("p")', {}],
      ['return await Promise.resolve(3)', 3],
      ['window.runs = (window.runs ?? 0) + 1; await null; window.runs', 1],
      ['(window.calls = (window.calls ?? 0) + 1, await null, window.calls)', 1],
      ['if (await true) return 3\nawait null', 3],
      ['{ a: 1, b: [2] }', { a: 1, b: [2] }],
      ['{ a: 1 }', { a: 1 }],
      ['{ "a-b": await 1, c() {} }', { 'a-b': 1 }],
      ['{ const a = 3; a }', 3],
      ['{ const a = await 3; a }', 3],
      ['async () => { await null; return 3 }', 3],
      ['async function read() { return 3 }', 3],
      ['() => 3', 3],
      ['(async () => { await null; return 3 })()', 3],
      ['(() => 3)(); // now', 3],
      ['const read = async () => 3\nawait read()', 3],
      ['window.onresize = () => { throw new Error("not to be called") }; 3', 3],
      ['function later() { throw new Error("not to be called") }\n3', 3],
    ]
    const { javascriptReturns } = await act('/shop', ...scripts.map(([script]) => run(script)))
    expect(scripts.map(([script], at) => [script, javascriptReturns?.[at]])).toEqual(
      scripts.map(([script, value]) => [script, { type: 'unknown', value }]),
    )
  })

  it.each([
    ['await Promise.reject(new RangeError("too far"))', 'RangeError: too far'],
    ['Promise.reject(new RangeError("too far"))', 'RangeError: too far'],
    ['await null; throw "a word"', 'a word'],
    ['return Promise.reject(new RangeError("too far"))', 'RangeError: too far'],
    ['await null; JSON.parse("{")', 'SyntaxError'],
    ['await (', 'SyntaxError'],
    ['return (', 'SyntaxError'],
    ['{ a: 1, b: }', 'SyntaxError'],
  ])('fails with what is wrong: %s', async (script, message) => {
    expect(String(await failure('/shop', run(script)))).toContain(message)
  })

  it('returns null for a script that goes to another page while it waits', async () => {
    const { javascriptReturns } = await act('/shop', run('location.href = "/shop?next"; await new Promise(() => {})'))
    expect(javascriptReturns).toEqual([{ type: 'unknown', value: null }])
  })

  it('returns a result `{ type, value }` as it is, and text for a value that JSON cannot represent', async () => {
    const scripts = ['({ type: "price", value: 3 })', `'{"type":"text","value":"x"}'`, 'window', 'undefined', '"{no"']
    const { javascriptReturns } = await act('/shop', ...scripts.map(run))
    expect(javascriptReturns).toEqual([
      { type: 'price', value: 3 },
      { type: 'text', value: 'x' },
      { type: 'unknown', value: '[object Window]' },
      { type: 'unknown', value: null },
      { type: 'unknown', value: '{no' },
    ])
  })

  it('runs on a page that has replaced `Reflect`', async () => {
    const page = '/replaced'
    expect((await act(page, run('1 + 1'))).javascriptReturns).toEqual([{ type: 'unknown', value: 2 }])
  })

  it('runs once on a page whose policy forbids scripts, and reports what the script throws', async () => {
    expect((await act('/strict', run('document.title'))).javascriptReturns).toEqual([{ type: 'unknown', value: 't' }])
    const error = await failure('/shop', run('window.n = (window.n || 0) + 1; JSON.parse("{" + n)'))
    expect(String(error)).toMatch(/executeJavascript\) failed: .*position 1/)
    expect(String(await failure('/shop', run('this is none')))).toContain('SyntaxError')
  })

  it.each([
    `throw new Error('No navigation element')`,
    'navigationBar.click()',
    `throw new Error('The page crashed')`,
    `throw 'Execution context was destroyed, most likely because of a navigation'`,
    `throw 'Target page, context or browser has been closed'`,
  ])('fails with what the script throws: %s', async (script) => {
    const error = await failure('/shop', run(script))
    expect(error).toMatchObject({ code: 'SCRAPE_ACTION_ERROR' })
    expect(String(error)).toMatch(/failed: (?:\w*Error: )?(?:No nav|navigationBar is not|The page|Exec|Target page)/)
  })

  it('returns null for a script that navigates', async () => {
    const { javascriptReturns, url } = await act('/shop', run(`location.href = '/found'; await new Promise(() => {})`))
    expect(javascriptReturns).toEqual([{ type: 'unknown', value: null }])
    expect(url).toBe(site.url('/found'))
  })

  it('stops an endless script at the deadline of the page', async () => {
    const actions = [run('for (;;) {}')]
    const plan = { browser: { waitForMs: 0, actions, captures: {}, blockAds: false } }
    await expect(browser.get(site.url('/shop'), plan, AbortSignal.timeout(4000))).rejects.toThrow('timeout')
  })
})

describe('screenshot and pdf', () => {
  it('adds screenshots and PDF files to the results in the order of their kind', async () => {
    const { screenshots, pdfs } = await act(
      '/shop',
      { type: 'screenshot' },
      run('document.body.style.background = "rgb(0, 128, 0)"'),
      { type: 'screenshot', viewport: { width: 300, height: 200 } },
      { type: 'screenshot', quality: 30 },
      { type: 'pdf' },
      { type: 'pdf', format: 'A5', landscape: true, scale: 3 },
    )
    const [first, second, third] = screenshots ?? []
    const png = readPng(first?.bytes)
    expect(png).toMatchObject({ width: 1280, height: 800 })
    expect(pixelAt(png, 1200, 700)).toEqual([255, 255, 255])
    const small = readPng(second?.bytes)
    expect(small).toMatchObject({ width: 300, height: 200 })
    expect(pixelAt(small, 290, 190)).toEqual([0, 128, 0])
    expect(third?.mediaType).toBe('image/jpeg')
    expect([...(third?.bytes.subarray(0, 2) ?? [])]).toEqual([0xff, 0xd8])
    const sizes = pdfs?.map((bytes) => /\/MediaBox \[[^\]]*\]/.exec(Buffer.from(bytes).toString('latin1'))?.[0])
    expect(sizes).toEqual([
      '/MediaBox [0 0 612 792]',
      expect.stringMatching(/^\/MediaBox \[0 0 59\d(\.\d+)? 4(19|20)(\.\d+)?\]$/),
    ])
  })
})
