import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { startSite } from '../../../site/site.js'
import { openBrowser } from '../open-browser.js'
import { textOf } from '../../../kernel/fetch/open-fetcher.js'

const browser = openBrowser()
afterAll(() => browser.close())

const html = (body: string, head = ''): string =>
  `<!doctype html><html><head><meta charset="utf-8"><title>t</title>${head}</head><body>${body}</body></html>`
const plenty = `<p>${'Words of the page itself, which are there from the beginning. '.repeat(20)}</p>`

async function read(body: string, more: Record<string, string> = {}): Promise<string> {
  await using site = await startSite({ pages: { '/': html(body), ...more } })
  return textOf(await browser.get(site.url('/')))
}

const moving = 'mousemove mouseover mouseenter pointermove scroll wheel keydown touchstart focus'.split(' ')
const clicking = ['click', 'mousedown', 'pointerdown']
const show = `document.getElementById('app').textContent = 'SHOWN'`

describe('content that waits for the first sign of a visitor', () => {
  it('is loaded, whatever the sign and whoever listens', async () => {
    const listen = (name: string, target: string): string =>
      `${target}.addEventListener('${name}', () => { document.getElementById('app').textContent += ' ${name}@${target}' }, { once: true, capture: true })`
    // The document is scrolled, and not its body.
    const targetsOf = (name: string): string[] => [
      'window',
      'document',
      ...(name === 'scroll' ? [] : ['document.body']),
    ]
    const pageOf = (names: readonly string[]): string =>
      html(
        `<div id="app"></div><script>${names.flatMap((name) => targetsOf(name).map((at) => listen(name, at))).join(';')}</script>`,
      )
    await using site = await startSite({ pages: { '/moving': pageOf(moving), '/clicking': pageOf(clicking) } })
    for (const [path, names] of [
      ['/moving', moving],
      ['/clicking', clicking],
    ] as const) {
      const [, shown = ''] = /id="app">([^<]*)/.exec(textOf(await browser.get(site.url(path)))) ?? []
      const expected = names.flatMap((name) => targetsOf(name).map((target) => `${name}@${target}`))
      expect(shown.trim().split(' ').sort()).toEqual(expected.sort())
    }
  })

  it.each([
    ['a property', `<div id="app"></div><script>document.onmousemove = () => ${show}</script>`],
    [
      'an attribute',
      `<div id="app"></div><svg onload="void 0"></svg><script>document.body.setAttribute('onmousemove', "${show.replaceAll("'", '\\x27')}")</script>`,
    ],
  ])('is loaded where %s listens', async (_what, body) => {
    expect(await read(body)).toContain('>SHOWN<')
  })

  it('is waited for with the requests that it makes', async () => {
    const script = `addEventListener('mousemove', async () => {
      const text = await (await fetch('/part')).text()
      document.getElementById('app').innerHTML = text
    }, { once: true })`
    expect(
      await read(`${plenty}<div id="app"></div><script>${script}</script>`, { '/part': '<p>FETCHED</p>' }),
    ).toContain('FETCHED')
  })

  it('is loaded with scripts that are delayed until then', async () => {
    const script = `const load = () => {
        const tag = document.querySelector('script[data-src]')
        if (tag.src === '') tag.src = tag.dataset.src
      }
      for (const name of ['keydown', 'mousemove', 'wheel', 'touchstart']) addEventListener(name, load, { passive: true })`
    await using site = await startSite({
      pages: {
        '/': html(`${plenty}<div id="app"></div><script data-src="/late.js"></script><script>${script}</script>`),
        '/late.js': ({ response }) => void response.setHeader('content-type', 'text/javascript').end(show),
      },
    })
    expect(textOf(await browser.get(site.url('/')))).toContain('>SHOWN<')
  })

  it('does not open what is under the mouse, leave the page, or click on a page with text', async () => {
    const log = `for (const name of ['mouseleave', 'mouseout', 'click', 'mousedown', 'pointerdown', 'blur'])
        for (const target of [window, document]) target.addEventListener(name, () => { document.title += ' ' + name }, true)
      document.addEventListener('mousemove', ({ clientY, isTrusted }) => { if (clientY < 50 && !isTrusted) document.title += ' exit' })
      document.addEventListener('click', () => { location.href = '/elsewhere' })`
    const menu = `<style>#menu { display: none } nav:hover #menu { display: block }</style>
      <nav style="position: fixed; inset: 0"><p id="menu">menu</p></nav>`
    const text = await read(`${menu}${plenty}<script>${log}</script>`, { '/elsewhere': html('Elsewhere') })
    expect(text).toContain('<title>t</title>')
    expect(text).not.toContain('Elsewhere')
  })

  it('does not turn the pages of a presentation', async () => {
    const script = `const slides = ['FIRST', 'SECOND', 'THIRD']; let at = 0
      const draw = () => { document.getElementById('app').textContent = slides[at] }
      addEventListener('wheel', ({ deltaY, wheelDelta }) => {
        at = Math.max(0, Math.min(2, at + (deltaY < 0 || wheelDelta > 0 ? -1 : 1)))
        draw()
      })
      draw()`
    expect(await read(`<h1 id="app"></h1><script>${script}</script>`)).toContain('>FIRST<')
  })

  it('leaves the place to which the page is scrolled, and the focus, as they are', async () => {
    const script = `scrollTo(0, 500); document.getElementById('field').focus({ preventScroll: true })
      for (const name of ['wheel', 'scroll', 'keydown', 'focus']) addEventListener(name, () => undefined, true)`
    await using site = await startSite({
      pages: { '/': html(`<div style="height: 5000px"><input id="field"></div><script>${script}</script>`) },
    })
    const ask = "`${scrollY} ${document.activeElement.id} ${document.getElementById('field').value}`"
    const { actions } = await browser.render(site.url('/'), { actions: [{ type: 'executeJavascript', script: ask }] })
    expect(actions?.javascriptReturns).toEqual([{ type: 'unknown', value: '500 field ' }])
  })
})

describe('requests of one address', () => {
  const paged = (next: string): string => `let cursor = Math.floor(Date.now() / 1000) - 7200
    const list = document.getElementById('list')
    const load = async () => {
      const part = await (await fetch('/feed?before=' + cursor)).text()
      list.insertAdjacentHTML('beforeend', '<li>' + part + list.children.length + '</li>')
      cursor -= 60
      ${next}
    }`
  const slow = (text: string) => ({
    '/feed': ({ response }: { response: ServerResponse }) => void setTimeout(() => response.end(text), 300),
  })

  it('are waited for where each asks for what is older', async () => {
    await using site = await startSite({
      pages: {
        '/': html(`<ul id="list"></ul><script>${paged('if (list.children.length < 8) load()')}; load()</script>`),
        ...slow('PART'),
      },
    })
    expect(textOf(await browser.get(site.url('/'))).match(/PART\d/g)).toHaveLength(8)
  })

  it('are not waited for where each has only another time and number', async () => {
    const poll = `(async () => {
      for (let round = 1; ; round++) {
        await fetch('/feed?_=' + Date.now() + '&r=' + Math.random())
        document.title = 'round ' + round
      }
    })()`
    await using site = await startSite({ pages: { '/': html(`${plenty}<script>${poll}</script>`), ...slow('SAME') } })
    const [, round] = /<title>round (\d+)/.exec(textOf(await browser.get(site.url('/')))) ?? []
    expect(Number(round)).toBeLessThan(10)
  })
})

describe('what loads only in view', () => {
  const frame = '<iframe loading="lazy" src="/frame" width="600" height="400"></iframe>'
  const inner = { '/frame': html('<p>INSIDE of the frame</p>') }
  const scroller = (content: string): string =>
    `<div style="height: 400px; width: 500px; overflow-y: auto"><div style="height: 6000px">far</div>${content}</div>`
  const seen = (what: string): string => `new IntersectionObserver(([{ isIntersecting }]) => {
      if (isIntersecting) document.getElementById('slot').textContent = '${what}'
    }).observe(document.getElementById('slot'))`

  it.each([
    ['far down', `<div style="height: 9000px">far</div>${frame}`],
    ['in an element that scrolls', scroller(frame)],
    [
      'that a script adds',
      `<p id="slot"></p><script>setTimeout(() => (document.getElementById('slot').innerHTML = '<div style="height: 9000px"></div>${frame}'), 200)</script>`,
    ],
  ])('is loaded: a frame %s', async (_where, body) => {
    expect(await read(`<h1>Outer</h1>${body}`, inner)).toContain('INSIDE of the frame')
  })

  it('is loaded: a part of an element that scrolls, in a page that does not', async () => {
    expect(await read(`${scroller('<p id="slot"></p>')}<script>${seen('DONE')}</script>`)).toContain('>DONE<')
  })

  it('is loaded: the parts of a list that grows in such an element', async () => {
    const script = `const box = document.getElementById('box')
      const add = () => { for (let n = 0; n < 10; n++) box.insertAdjacentHTML('beforeend', '<p style="height: 60px">row ' + box.children.length + '</p>') }
      add()
      box.addEventListener('scroll', () => { if (box.children.length < 50 && box.scrollTop + box.clientHeight > box.scrollHeight - 100) add() })`
    const text = await read(`<div id="box" style="height: 400px; overflow-y: scroll"></div><script>${script}</script>`)
    expect(text.match(/>row \d+</g)).toHaveLength(50)
  })

  it('gives a warning for a frame that did not come', async () => {
    await using site = await startSite({
      pages: { '/': html(`<h1>Outer</h1><iframe src="/hang" width="600" height="400"></iframe>`) },
    })
    const page = await browser.get(site.url('/'))
    expect(textOf(page)).toContain('Outer')
    expect(page.warnings).toEqual([expect.stringContaining('The content of a frame is missing')])
  })
})

describe('a script that never ends', () => {
  const ends = [
    ['a loop', 'for (;;);'],
    ['a question', 'while (!confirm("Go?"));'],
    ['dialogs', 'for (;;) { prompt("Name?"); alert("Wrong"); print() }'],
    [
      'a request that has no answer',
      `{
      const request = new XMLHttpRequest()
      request.open('GET', '/hang', false)
      request.send()
    }`,
    ],
    ['a handler of the mouse', `addEventListener('mousemove', () => { for (;;); })`],
    ['microtasks', '(function go() { Promise.resolve().then(go) })()'],
    ['a loop in a timer', 'setTimeout(() => { for (;;); }, 300)'],
    [
      'a loop that writes',
      'for (;;) { document.write("<i></i>"); for (const at = Date.now(); Date.now() - at < 5;); }',
    ],
  ] as const

  it.each(ends)(
    'costs what is after it, and not what was there: %s',
    async (_what, script) => {
      const body = `<h1>Before</h1>${plenty}<script>${script}</script><p>After it</p>`
      await using site = await startSite({ pages: { '/': html(body) } })
      for (const steps of [
        { waitForMs: 1_000 },
        { captures: { screenshot: { fullPage: false } } },
        { actions: [{ type: 'click', selector: 'h1' }] },
      ] as const) {
        const page = await browser.render(site.url('/'), steps, { timeoutMs: 10_000 })
        expect(textOf(page)).toContain('<h1>Before</h1>')
        expect(textOf(page)).toContain(plenty)
        expect(page.warnings).toContainEqual(expect.stringContaining('did not end'))
      }
    },
    120_000,
  )

  it('is not what a page is told of that takes its time to come', async () => {
    let answer = (): void => undefined
    await using site = await startSite({
      pages: {
        '/late': ({ response }) => void (answer = () => response.end(html('<h1>Late</h1>'))),
        '/never': () => undefined,
      },
    })
    const late = browser.render(site.url('/late'), { waitForMs: 0 }, { timeoutMs: 12_000 })
    // Longer than a page that has come may be silent.
    await sleep(8_000)
    answer()
    expect(textOf(await late)).toContain('<h1>Late</h1>')
    const never = browser.render(site.url('/never'), { waitForMs: 0 }, { timeoutMs: 8_000 })
    await expect(never).rejects.toThrow(/time/)
  }, 60_000)
})

describe('a page', () => {
  it('is returned when its time is nearly up, with what is there', async () => {
    await using site = await startSite({ pages: { '/': html(`<h1>Before</h1>${plenty}`) } })
    const page = await browser.render(site.url('/'), { waitForMs: 60_000 }, { timeoutMs: 10_000 })
    expect(textOf(page)).toContain(plenty)
    expect(page.warnings).toEqual([expect.stringContaining('still busy when its time was nearly up')])
  })

  it('says that it was loading scripts, if that is why it is returned then', async () => {
    const busy = 'let at = document.body; setInterval(() => { at = at.appendChild(document.createElement("i")) }, 20)'
    const body = `<h1>Before</h1><script>${busy}</script><script src="/hang"></script>${plenty}`
    await using site = await startSite({
      pages: { '/': ({ response }) => void setTimeout(() => response.end(html(body)), 3_500) },
    })
    const page = await browser.get(site.url('/'), { timeoutMs: 8_000 })
    expect(textOf(page)).toContain(plenty)
    expect(page.warnings).toEqual(['The page was still loading scripts when its content was read.'])
  })

  it('is read with hundreds of frames', async () => {
    const frames = '<iframe src="/frame" width="100" height="100"></iframe>'.repeat(300)
    await using site = await startSite({ pages: { '/': html(`${plenty}${frames}`), '/frame': html('INSIDE') } })
    const page = await browser.get(site.url('/'))
    expect(textOf(page).match(/INSIDE/g)).toHaveLength(20)
    expect(page.warnings).toContainEqual(expect.stringContaining('The content of 280 frames is missing'))
  }, 60_000)

  const doings = {
    windows: 'setInterval(() => open("/other"), 1)',
    downloads: `for (let n = 0; n < 30; n++) {
      const link = Object.assign(document.createElement('a'), { href: '/file?' + n, download: 'x' })
      document.body.append(link)
      link.click()
    }`,
    'a download in its place': 'location.href = "/file"',
    dialogs: 'setInterval(() => { alert(1); confirm(2); prompt(3) }, 1)',
    'a question at its end': 'onbeforeunload = (event) => { event.preventDefault(); return "x" }',
    'its end': 'close(); print()',
    'a service': 'navigator.serviceWorker?.register("/spin.js")',
    workers: 'new Worker("/spin.js"); new SharedWorker("/spin.js")',
    addresses: 'setInterval(() => history.pushState({}, "", "/x" + Math.random()), 1)',
    'a program': 'location.href = "mailto:keeper@example.com"',
    permissions: 'Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => undefined)',
    locks: 'navigator.locks?.request("all", () => new Promise(() => undefined))',
    errors: 'onerror = () => setTimeout(() => { throw 1 }); throw 1',
  }

  it.each(Object.entries(doings))('is read whatever it does: %s', async (_what, script) => {
    await using site = await startSite({
      pages: {
        '/': html(`<h1>Before</h1>${plenty}<script>${script}</script>`),
        '/other': html('Other'),
        '/spin.js': ({ response }) => void response.setHeader('content-type', 'text/javascript').end('for (;;);'),
        '/file': ({ response }) => void response.setHeader('content-disposition', 'attachment').end('PK'),
      },
    })
    expect(textOf(await browser.get(site.url('/')))).toContain(plenty)
    expect(textOf(await browser.get(site.url('/other')))).toContain('Other')
  })
})
