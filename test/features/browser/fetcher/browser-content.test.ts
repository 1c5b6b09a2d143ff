import { afterAll, describe, expect, it } from 'vitest'
import { createEngine } from '../../../../src/index.js'
import type { Handler } from '../../../site/exchange.js'
import { startSite } from '../../../site/site.js'
import { openBrowser } from '../open-browser.js'
import { textOf } from '../../../kernel/fetch/open-fetcher.js'

const browser = openBrowser()
afterAll(() => browser.close())

const html = (body: string): string => `<!doctype html><title>t</title><body>${body}</body>`

/** What a page with this body becomes. */
async function render(body: string, more: Record<string, string> = {}, timeoutMs = 25_000): Promise<string> {
  await using site = await startSite({ pages: { '/': html(body), ...more } })
  return textOf(await browser.get(site.url('/'), { timeoutMs }, AbortSignal.timeout(timeoutMs)))
}

const file: Handler = ({ response }) => void response.writeHead(200, { 'content-type': 'application/zip' }).end()

/** A page that shows so much is not waited for as one that asks for patience. */
const plenty = `<p>${'There is text to read already. '.repeat(100)}</p>`

// Most of the time of these tests is waiting, so several run at once.
describe.concurrent('the automatic wait', () => {
  it.each([
    [
      'text that a script fetches',
      `fetch('/json').then((a) => a.json()).then((a) => (out.textContent = a.title))`,
      'JSON',
    ],
    [
      'text that a script fetches after 700 ms',
      `setTimeout(() => fetch('/json').then(() => (out.textContent = 'DONE')), 700)`,
      'DONE',
    ],
    [
      'a chain of timers',
      `let n = 0; const go = () => (++n < 4 ? setTimeout(go, 150) : (out.textContent = 'DONE')); go()`,
      'DONE',
    ],
    ['a module that another module imports', `import('/a.js')`, 'DONE'],
    [
      'a timer that the load event starts',
      `addEventListener('load', () => setTimeout(() => (out.textContent = 'DONE'), 100))`,
      'DONE',
    ],
    ['text that an idle callback adds', `requestIdleCallback(() => (out.textContent = 'DONE'))`, 'DONE'],
    [
      'what comes with a frame',
      `requestAnimationFrame(() => requestAnimationFrame(() => (out.textContent = 'DONE')))`,
      'DONE',
    ],
  ])('waits for %s', async (_what, script, expected) => {
    await using site = await startSite({
      pages: {
        '/': html(`<p id="out"></p><script>${script}</script>`),
        '/a.js': ({ response }) =>
          void response.writeHead(200, { 'content-type': 'text/javascript' }).end(`import('/b.js')`),
        '/b.js': ({ response }) =>
          void response
            .writeHead(200, { 'content-type': 'text/javascript' })
            .end(`setTimeout(() => (document.getElementById('out').textContent = 'DONE'), 50)`),
      },
    })
    expect(textOf(await browser.get(site.url('/')))).toContain(`<p id="out">${expected}</p>`)
  })

  it('waits for work in slices that changes the tree only at its end', async () => {
    const slices = `const { port1, port2 } = new MessageChannel()
      const step = (left) => {
        for (const since = performance.now(); performance.now() - since < 5; );
        if (left > 0) port2.postMessage(left - 1)
        else out.textContent = 'DONE'
      }
      port1.onmessage = ({ data }) => step(data)
      addEventListener('load', () => step(80))`
    expect(await render(`${plenty}<p id="out"></p><script>${slices}</script>`)).toContain('<p id="out">DONE</p>')
  })

  it('recognizes a poll by its URL', async () => {
    const poll = `<script>const poll = () => fetch('/json').then(() => setTimeout(poll, 20)); poll()</script>`
    await using site = await startSite({ pages: { '/': html(`${plenty}${poll}`) } })
    expect(textOf(await browser.get(site.url('/')))).toContain(plenty)
    expect(site.requests.length).toBeLessThan(60)
  })

  it.each([
    ['a clock', `setInterval(() => (out.textContent = Date.now()), 10)`],
    ['a timer that sets itself', `const go = () => setTimeout(go, 100); go()`],
    ['a poll', `const go = () => fetch('/json').then(() => setTimeout(go, 50)); go()`],
    [
      'a loop that fetches with pauses',
      `const rest = () => new Promise((go) => setTimeout(go, 200)); (async () => { for (;;) await fetch('/json').then(rest) })()`,
    ],
    ['endless work in slices', `onmessage = () => postMessage(0); postMessage(0)`],
    ['a request that is never answered', `fetch('/hang')`],
    ['a stream of events', `new EventSource('/slow-body')`],
  ])('does not wait for the end of %s', async (_what, script) => {
    expect(await render(`${plenty}<p id="out"></p><script>${script}</script>`)).toContain(plenty)
  })

  it('is followed by waitFor', async () => {
    const script = `const go = (n) => (n === 0 ? (out.textContent = 'DONE') : setTimeout(() => go(n - 1), 200)); go(12)`
    await using site = await startSite({ pages: { '/': html(`<p id="out"></p><script>${script}</script>`) } })
    const page = await browser.render(site.url('/'), { waitForMs: 3000 })
    expect(textOf(page)).toContain('DONE')
    expect(page.browserWaitMs).toBe(3000)
  })

  it.each([
    ['before', '<p>Here</p>', '<p>There</p>', '<p>Here</p>'],
    ['after', '<p>Here</p>', plenty, plenty],
  ])('reads what is %s a script that never loads', async (_place, before, after, expected) => {
    await using site = await startSite({ pages: { '/': html(`${before}<script src="/hang"></script>${after}`) } })
    const page = await browser.get(site.url('/'), { timeoutMs: 8000 })
    expect(textOf(page)).toContain(expected)
    expect(page.warnings).toEqual(['The page was still loading scripts when its content was read.'])
  })

  it.each(['stop()', `location = '/file'`, `location = '/no-content'`])('ends when a script runs %s', async (code) => {
    await using site = await startSite({ pages: { '/': html(`<p>Here</p><script>${code}</script>`), '/file': file } })
    const page = await browser.get(site.url('/'), { timeoutMs: 120_000 })
    expect(textOf(page)).toContain('<p>Here</p>')
    expect(page.warnings).toEqual(['A script of the page ended its loading: the rest of the page may be missing.'])
  })

  it('leaves the page’s functions looking native', async () => {
    const script = `out.textContent = setTimeout + ' ' + setTimeout.name + ' ' + Object.keys(window).filter((key) => key[0] === '_')`
    expect(await render(`<p id="out"></p><script>${script}</script>`)).toMatch(
      /function setTimeout\(\) { \[native code\] }.* setTimeout <\/p>|function \(\) { \[native code\] } setTimeout <\/p>/,
    )
  })
})

describe('the HTML of a page', () => {
  it('has open shadow roots, with the content of their slots', async () => {
    const text = await render(
      `<my-card><b slot="title">Title</b>Light</my-card>
       <script>
        customElements.define('my-card', class extends HTMLElement {
          constructor() {
            super()
            this.attachShadow({ mode: 'open' }).innerHTML = '<header><slot name="title">none</slot></header><p><slot></slot></p><slot name="more">Fallback</slot>'
          }
        })
       </script>`,
    )
    expect(text.replaceAll(/<\/?slot[^>]*>/g, '')).toContain(
      '<my-card><header><b slot="title">Title</b></header><p>Light</p>Fallback</my-card>',
    )
  })

  it('has frames of its own host and of another, with absolute links', async () => {
    await using other = await startSite({
      address: '127.0.0.2',
      pages: { '/deep/in': '<p>Other</p><a href="x">x</a>' },
    })
    const frames = `<iframe src="/inner" width="300" height="200"></iframe>
      <iframe src="${other.url('/deep/in')}" width="300" height="200"></iframe>
      <iframe src="/tracker" width="1" height="1"></iframe>`
    const text = await render(`<p>Outer</p>${frames}`, {
      '/inner': '<p id="in">Inner</p><iframe srcdoc="<p>Innermost</p>" width="200" height="100"></iframe>',
      '/tracker': '<p>Tracker</p>',
    })
    expect(text).toMatch(
      /<div data-original-tag="iframe" src="\/inner"[^>]*><p id="in">Inner<\/p><div data-original-tag="iframe" width="200" height="100"><p>Innermost<\/p><\/div><\/div>/,
    )
    expect(text).toContain(`<p>Other</p><a href="${other.url('/deep/x')}">x</a>`)
    expect(text).not.toContain('Tracker</p>')
  })

  it.each([
    'file:///etc/hostname',
    'chrome://version',
    'view-source:http://a.test/',
    'devtools://devtools/x',
    'blob:null/x',
  ])('lacks a frame that the browser refuses (%s), and has the others', async (address) => {
    const frames = `<iframe src="${address}" width="300" height="200"></iframe><iframe src="/inner" width="300" height="200"></iframe>
        <iframe id="written" width="300" height="200"></iframe>`
    const script = `<script>written.contentDocument.write('<p>Written</p>'); written.contentDocument.close()</script>`
    const text = await render(`<p>Outer</p>${frames}${script}`, { '/inner': '<p>Inner</p>' })
    expect(text).toContain('<p>Outer</p>')
    expect(text).toContain('<p>Inner</p></div>')
    expect(text).toContain('<p>Written</p></div>')
    expect(text).toContain(`<iframe src="${address}"`)
  })

  it('lacks a frame whose server does not answer', async () => {
    const frame = '<iframe src="/hang" width="300" height="200"></iframe>'
    expect(await render(`<p>Outer</p>${frame}`)).toContain('<p>Outer</p>')
  })

  it('is the browser’s own serialization if there are no shadow roots and frames', async () => {
    const text = await render('<pre>a < b & c</pre><script>if (1 < 2) {}</script><!-- note --><br><p title="&quot;">x')
    expect(text).toContain(
      '<pre>a &lt; b &amp; c</pre><script>if (1 < 2) {}</script><!-- note --><br><p title="&quot;">x',
    )
  })

  it('differs from the browser’s own serialization only by the content of shadow roots', async () => {
    const body = `<pre>a &lt; b &amp; c</pre><style>a > b {}</style><svg viewBox="0 0 1 1"><linearGradient id="g"></linearGradient></svg>
      <template><i>t</i></template><noscript><b>no</b></noscript><textarea>&lt;x&gt;</textarea><p title="&quot;&amp;">x&nbsp;y</p><!--c--><br>`
    const plain = await render(body)
    const rooted = await render(
      `${body}<span id="own"></span><script>own.attachShadow({ mode: 'open' }); document.currentScript.remove()</script>`,
    )
    expect(rooted.replace('<span id="own"></span>', '')).toBe(plain)
  })

  it('has content that loads only in view', async () => {
    const text =
      await render(`<div style="height: 3000px">top</div><p id="lazy"></p><div style="height: 2000px">end</div>
      <script>new IntersectionObserver(([entry]) => { if (entry.isIntersecting) lazy.textContent = 'SEEN' }).observe(lazy)</script>`)
    expect(text).toContain('<p id="lazy">SEEN</p>')
  })

  it('is bounded on a page that grows without end', async () => {
    const text = await render(`<div id="list"></div><script>
      const grow = () => { for (let i = 0; i < 10; i++) list.insertAdjacentHTML('beforeend', '<p style="height: 300px">item</p>') }
      grow(); addEventListener('scroll', () => { if (scrollY + innerHeight > document.body.scrollHeight - 400) grow() })
    </script>`)
    const items = text.split('item</p>').length - 1
    expect(items).toBeGreaterThan(20)
    expect(items).toBeLessThan(400)
  })

  it.each([
    ['of its own serialization', ''],
    [
      'with a shadow root',
      `document.body.append(document.createElement('div')); document.body.lastChild.attachShadow({ mode: 'open' }).innerHTML = '<b>ROOT</b>'`,
    ],
    [
      'with frames',
      `document.body.insertAdjacentHTML('beforeend', '<iframe src="/inner" width="200" height="100"></iframe>')`,
    ],
  ])(
    'has every character of a page of megabytes, %s',
    async (_what, script) => {
      const long = '<p>x😀ä日本&amp; "\'</p>\n'.repeat(60_000)
      const inner = '<p>😀y</p>'.repeat(70_000)
      const text = await render(`<main>${long}</main><script>${script}</script>`, { '/inner': html(inner) }, 60_000)
      const from = text.indexOf('<main>')
      expect(text.slice(from + 6, text.indexOf('</main>')) === long).toBe(true)
      expect(text).toContain('</body></html>')
      expect(text.includes('<b>ROOT</b>')).toBe(script.includes('ROOT'))
      expect(text.includes(`width="200" height="100">${inner}</div>`)).toBe(script.includes('/inner'))
    },
    120_000,
  )

  it('may be nested deeper than the stack allows', async () => {
    const script = `let at = document.body; for (let i = 0; i < 1000; i++) at = at.appendChild(document.createElement('div')); at.textContent = 'BOTTOM'; document.body.attachShadow({ mode: 'open' }).innerHTML = '<slot></slot>'`
    expect(await render(`<script>${script}</script>`)).toContain('BOTTOM')
  })

  it('is refused if it is longer than `limits.bodyBytes`', async () => {
    await using site = await startSite({
      pages: { '/': html(`<script>document.body.textContent = 'x'.repeat(200000)</script>`) },
    })
    await using strict = openBrowser({ limits: { bodyBytes: 100_000 } })
    await expect(strict.get(site.url('/'))).rejects.toMatchObject({ code: 'SCRAPE_DECOMPRESSED_TOO_LARGE' })
  })

  it.concurrent.each([
    ['Map', 'window.Map = function () {}'],
    ['methods of Map', 'Map.prototype.set = Map.prototype.get = Map.prototype.has = () => undefined'],
    ['JSON', 'window.JSON = {}'],
    [
      'methods of arrays',
      `for (const name of ['map', 'push', 'slice', 'concat', 'join', 'filter', 'some', 'pop', 'shift']) Array.prototype[name] = () => 7`,
    ],
    ['the iterator of arrays', 'Array.prototype[Symbol.iterator] = () => null; Array.from = () => 7'],
    [
      'methods of strings and regular expressions',
      `String.prototype.replace = () => ''; RegExp.prototype.test = () => true`,
    ],
    [
      'observers, clocks and promises',
      `window.MutationObserver = window.Promise = function () {}; Object.defineProperty(window, 'performance', { value: {} })`,
    ],
    ['methods of the document', 'document.querySelectorAll = document.querySelector = null'],
  ])('is the same if the page has replaced %s', async (_what, script) => {
    const late = `<script>setTimeout(() => here.before('LATE'), 200)</script>`
    const body = `<p id="here">Here</p><my-part id="own"></my-part><script>own.attachShadow({ mode: 'open' }).innerHTML = '<b>Shadow</b>'</script>${late}`
    const text = await render(`<script>${script}</script>${body}`)
    expect(text).toContain('LATE<p id="here">Here</p><my-part id="own"><b>Shadow</b></my-part>')
  })
})

it('the HTML of a collapsed panel keeps the button that opens it, so that its text is extracted', async () => {
  const text = `<p>${'This sentence is long enough to be read as one. '.repeat(8)}</p>`
  const page =
    await render(`<main>${text}<h3><button aria-controls="a">How?</button></h3><div id="a"></div></main><script>
    a.textContent = 'Within thirty days of delivery you may send it back.'
    a.hidden = true
    document.querySelector('button').setAttribute('aria-expanded', 'false')</script>`)
  expect(page).toContain('hidden')
  await using engine = createEngine({ threads: 0 })
  const { markdown } = await engine.parse({ url: 'https://site.test/', body: page })
  expect(markdown).toContain('Within thirty days of delivery')
})
