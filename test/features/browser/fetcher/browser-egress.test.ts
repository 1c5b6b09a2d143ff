import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { type Site, startSite } from '../../../site/site.js'
import { openBrowser, type OpenBrowser } from '../open-browser.js'
import { textOf } from '../../../kernel/fetch/open-fetcher.js'

/** A browser that keeps to public addresses, for which the site at 127.0.0.2 is one. */
const openStrict = (lookups: string[] = []): OpenBrowser =>
  openBrowser({
    allowPrivateNetworks: false,
    lookup: async (hostname) => {
      lookups.push(hostname)
      return [hostname.startsWith('public') ? '127.0.0.2' : '127.0.0.1']
    },
    allowAddress: (address) => address === '127.0.0.2',
  })

const openPublic = (pages: Record<string, string>): Promise<Site> => startSite({ address: '127.0.0.2', pages })

describe('the egress policy in the browser', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://2130706433:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://private.test:PORT/',
    'https://127.0.0.1:PORT/',
    'https://private.test:PORT/',
    'http://169.254.169.254/latest/meta-data/',
  ])('refuses a page from %s', async (url) => {
    await using site = await startSite()
    await using browser = openStrict()
    await expect(browser.get(url.replace('PORT', String(site.port)))).rejects.toMatchObject({
      code: 'SCRAPE_ADDRESS_REFUSED',
      message: expect.stringContaining('allowPrivateNetworks'),
    })
    expect(site.connections.accepted).toBe(0)
  })

  it('applies to redirects', async () => {
    await using inside = await startSite()
    await using site = await openPublic({})
    await using browser = openStrict()
    const target = encodeURIComponent(inside.url('/secret'))
    await expect(browser.get(site.url(`/redirect-to?url=${target}`))).rejects.toMatchObject({
      code: 'SCRAPE_ADDRESS_REFUSED',
    })
    expect(inside.connections.accepted).toBe(0)
  })

  it.each([
    ['http://private.test:PORT/', 'SCRAPE_ADDRESS_REFUSED', '`private.test` resolves to 127.0.0.1, not a public'],
    ['http://127.0.0.1:PORT/', 'SCRAPE_ADDRESS_REFUSED', '`127.0.0.1` is not a public'],
  ])('names the cause when a script goes on to %s', async (target, code, cause) => {
    await using inside = await startSite()
    const href = JSON.stringify(target.replace('PORT', String(inside.port)))
    await using site = await openPublic({ '/': `<p>Here</p><script>location.href = ${href}</script>` })
    await using browser = openStrict()
    const message = `The page went on to an address that could not be loaded: ${cause}`
    await expect(browser.get(site.url('/'))).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
      url: site.url('/'),
    })
    expect(inside.connections.accepted).toBe(0)
  })

  it('applies to everything that a page can send', async () => {
    await using inside = await startSite()
    const at = (path: string): string => `${inside.origin}/${path}`
    const name = `http://private.test:${inside.port}`
    const worker = `fetch('${at('worker')}', { mode: 'no-cors' }).catch(() => 0)`
    await using site = await openPublic({
      '/': `<link rel="stylesheet" href="${at('style')}"><link rel="preload" as="script" href="${at('preload')}">
        <link rel="prefetch" href="${at('prefetch')}"><link rel="dns-prefetch" href="${name}"><link rel="preconnect" href="${name}">
        <img src="${at('image')}"><video src="${at('video')}" autoplay></video><object data="${at('object')}"></object>
        <iframe src="${at('frame')}"></iframe><iframe src="/redirect-to?url=${encodeURIComponent(at('redirected'))}"></iframe>
        <script src="${at('script')}"></script><p id="out"></p>
        <form action="${at('form')}" method="post" target="in"></form><iframe name="in"></iframe>
        <script>
          const quiet = () => 0
          const tries = [
            fetch('${at('fetch')}', { mode: 'no-cors' }).catch(quiet),
            fetch('${name}/name', { mode: 'no-cors' }).catch(quiet),
            fetch('/redirect-to?url=${encodeURIComponent(at('redirected-fetch'))}', { mode: 'no-cors' }).catch(quiet),
            new Promise((done) => { const x = new XMLHttpRequest(); x.open('POST', '${at('xhr')}'); x.onloadend = done; x.send('x') }),
            new Promise((done) => { const s = new WebSocket('${at('socket').replace('http', 'ws')}'); s.onerror = s.onclose = done }),
            new Promise((done) => { const s = new EventSource('${at('events')}'); s.onerror = () => (s.close(), done()) }),
            new Promise((done) => { const w = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(worker)} + '.then(() => postMessage(1))']))); w.onmessage = done; w.onerror = done }),
          ]
          navigator.sendBeacon('${at('beacon')}', 'x')
          document.forms[0].submit()
          window.open('${at('popup')}')
          const a = document.createElement('a'); a.href = '${at('ping-target')}'; a.ping = '${at('ping')}'
          Promise.all(tries).then(() => (out.textContent = 'ALL TRIED'))
        </script>`,
    })
    await using browser = openStrict()
    const page = await browser.render(site.url('/'), { waitForMs: 500 })
    expect(textOf(page)).toContain('ALL TRIED')
    expect(inside.requests.map(({ path }) => path)).toEqual([])
    expect(inside.connections.accepted).toBe(0)
  })

  it('applies to service workers, which are not registered', async () => {
    const script = `navigator.serviceWorker.register('/sw.js').catch(() => 0).then(() => (out.textContent = 'TRIED'))`
    await using site = await startSite({
      pages: {
        '/': `<p id="out"></p><script>${script}</script>`,
        '/sw.js': ({ response }) => void response.writeHead(200, { 'content-type': 'text/javascript' }).end('1'),
      },
    })
    await using browser = openBrowser()
    // Only a secure context has service workers: loopback by name is one.
    const page = await browser.get(`http://localhost:${site.port}/`)
    expect(textOf(page)).toContain('<p id="out">TRIED</p>')
    expect(site.requests.map(({ path }) => path)).toEqual(['/'])
  })

  it('sends no datagram, whatever API a page uses', async () => {
    const server = createSocket('udp4')
    let datagrams = 0
    server.on('message', () => (datagrams += 1)).bind(0, '127.0.0.1')
    await once(server, 'listening')
    const stun = `stun:127.0.0.1:${server.address().port}`
    const script = `
      const peer = new RTCPeerConnection({ iceServers: [{ urls: '${stun}' }] })
      peer.createDataChannel('x')
      peer.onicecandidate = ({ candidate }) => { if (candidate) out.textContent += candidate.candidate }
      peer.createOffer().then((offer) => peer.setLocalDescription(offer))
      try { new WebTransport('https://127.0.0.1:${server.address().port}/').ready.catch(() => 0) } catch {}`
    await using site = await openPublic({ '/': `<p id="out"></p><script>${script}</script>` })
    await using browser = openStrict()
    const page = await browser.render(site.url('/'), { waitForMs: 1500 })
    expect(textOf(page)).not.toMatch(/typ host|typ srflx/)
    expect(datagrams).toBe(0)
    server.close()
  })

  it('resolves a name once for each connection, and connects to the checked address', async () => {
    await using inside = await startSite()
    await using site = await openPublic({})
    let lookups = 0
    await using browser = openBrowser({
      allowPrivateNetworks: false,
      allowAddress: (address) => address === '127.0.0.2',
      lookup: async () => [++lookups === 1 ? '127.0.0.2' : '127.0.0.1'],
    })
    expect(textOf(await browser.get(site.url('/page/a', 'rebound.test')))).toContain('Page a')
    await expect(browser.get(inside.url('/page/b', 'rebound.test'))).rejects.toMatchObject({
      code: 'SCRAPE_ADDRESS_REFUSED',
    })
    expect(inside.connections.accepted).toBe(0)
  })

  it.each([
    'file:///etc/passwd',
    'chrome://version',
    'data:text/html,x',
    'about:blank',
    'view-source:http://public.test/',
  ])('refuses a navigation to %s', async (target) => {
    await using site = await openPublic({
      '/': `<p>Here</p><script>location.href = ${JSON.stringify(target)}</script>`,
    })
    await using browser = openStrict()
    const outcome = await browser.get(site.url('/')).then(textOf, (error: { code: string }) => error.code)
    expect(outcome).toMatch(/<p>Here<\/p>|SCRAPE_REDIRECT_ERROR/)
    expect(outcome).not.toContain('root:')
  })
})

describe('limits in the browser', () => {
  it('stop a document that is too large, on the wire and after decompression', async () => {
    await using site = await startSite()
    await using browser = openBrowser({ limits: { wireBytes: 500_000, bodyBytes: 2_000_000 } })
    await expect(browser.get(site.url('/endless'))).rejects.toMatchObject({ code: 'SCRAPE_BODY_TOO_LARGE' })
    await expect(browser.get(site.url('/bomb?bytes=300000000'))).rejects.toMatchObject({
      code: 'SCRAPE_DECOMPRESSED_TOO_LARGE',
    })
  })

  it.each([
    ['the frame itself', '/bomb?bytes=500000000', '<p>Frame</p>'],
    [
      'what it fetches',
      '/frame',
      '<script>fetch("/bomb?bytes=500000000").then((a) => a.text()).catch(() => 0)</script>',
    ],
  ])('apply after decompression in a frame of another site: %s', async (_what, path, html) => {
    await using other = await startSite({ address: '127.0.0.2', pages: { '/frame': html } })
    const frame = `<iframe src="${other.url(path)}" width="200" height="100"></iframe>`
    await using site = await startSite({ pages: { '/': frame } })
    await using browser = openBrowser({ limits: { bodyBytes: 2_000_000 } })
    const code = await browser.render(site.url('/'), { waitForMs: 5000 }).then(
      () => 'nothing',
      (error: { code: string }) => error.code,
    )
    expect(code).toBe('SCRAPE_DECOMPRESSED_TOO_LARGE')
  })

  it('stop subresources, with a warning', async () => {
    const script = `fetch('/big?bytes=3000000').then((a) => a.text()).catch(() => 0).then(() => (out.textContent = 'DONE'))`
    await using site = await startSite({ pages: { '/': `<p id="out"></p><script>${script}</script>` } })
    await using browser = openBrowser({ limits: { wireBytes: 1_000_000 } })
    const page = await browser.get(site.url('/'))
    expect(textOf(page)).toContain('DONE')
    expect(page.warnings).toEqual(['The page requested more than `limits.wireBytes`; the rest was not loaded.'])
  })

  it('apply to headers', async () => {
    await using site = await startSite()
    await using browser = openBrowser()
    await expect(browser.get(site.url('/big-header?bytes=100000'))).rejects.toMatchObject({
      code: 'SCRAPE_HEADERS_TOO_LARGE',
    })
  })

  it('apply to windows and dialogs that a page opens without end', async () => {
    const script = `for (let i = 0; i < 30; i++) { window.open('/page/popup'); } alert('x'); confirm('y'); out.textContent = 'DONE'`
    await using site = await startSite({ pages: { '/': `<p id="out"></p><script>${script}</script>` } })
    await using browser = openBrowser()
    expect(textOf(await browser.get(site.url('/')))).toContain('DONE')
  })
})
