import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { OwnerLookup } from '../../../../src/features/browser/proxy/socket-owner.js'
import { createProxyDial } from '../../../../src/base/network/proxy-dial.js'
import { parseProxy } from '../../../../src/base/network/proxy.js'
import { startProxy } from '../../../site/proxy-server.js'
import { startSite } from '../../../site/site.js'
import { openBrowser } from '../open-browser.js'
import { textOf } from '../../../kernel/fetch/open-fetcher.js'

/** A system that does not report the users of connections, with the ports of the proxies that were opened. */
function hideOwners(): OwnerLookup & { ports: number[] } {
  const ports: number[] = []
  return {
    ports,
    findOwners: async () => undefined,
    reportsOwners: async (port) => {
      ports.push(port)
      return false
    },
  }
}

const tls = (name: string): Buffer => readFileSync(new URL(`../../../site/tls/${name}.pem`, import.meta.url))

/** A site that accepts WebSockets and sends `hello` over each, and records every head that it receives. */
async function startSocketSite(protocol: 'http' | 'https', pages: (port: number) => Record<string, string>) {
  const heads: string[] = []
  const sockets = new Set<Socket>()
  const serve: RequestListener = ({ url = '', rawHeaders, method }, response) => {
    heads.push(`${method} ${url} ${rawHeaders.join(' ')}`)
    const body = pages(port)[url]
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/html'
    const headers = { 'content-type': type, 'access-control-allow-origin': '*' }
    response.writeHead(body === undefined ? 404 : 200, headers).end(body)
  }
  const server =
    protocol === 'http'
      ? createHttpServer(serve)
      : createHttpsServer({ key: tls('key'), cert: tls('certificate') }, serve)
  server.on('connection', (socket: Socket) => void sockets.add(socket.on('error', () => undefined)))
  server.on('upgrade', ({ url, rawHeaders, headers }, socket) => {
    heads.push(`GET ${url} ${rawHeaders.join(' ')}`)
    const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    socket.write(Buffer.from([0x81, 5, ...Buffer.from('hello')]))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    heads,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await once(server.close(), 'close')
    },
  }
}

/** A page that uses all ways to connect to other hosts: those of `scheme`, by other names of the site. */
function pagesOf(scheme: 'http' | 'https', port: number): Record<string, string> {
  const at = (host: string, path: string): string => `${scheme}://${host}.test:${port}${path}`
  const socket = (host: string, path: string): string => at(host, path).replace('http', 'ws')
  const worker = `
    Promise.all([
      fetch('${at('worker', '/from-worker')}', { mode: 'no-cors' }),
      new Promise((done, fail) => { const s = new WebSocket('${socket('worker', '/socket-of-worker')}'); s.onmessage = done; s.onerror = fail }),
    ]).then(() => postMessage('worker'))`
  return {
    '/': `<link rel="preconnect" href="${at('pre', '/')}"><script src="${at('script', '/script.js')}"></script>
      <p id="out"></p><img src="${at('image', '/image')}"><iframe src="${at('frame', '/frame')}"></iframe>
      <form action="${at('form', '/form')}" method="post" target="in"><input name="a" value="b"></form><iframe name="in"></iframe>
      <script>
        const say = (what) => (out.textContent += ' ' + what)
        document.forms[0].submit()
        new Worker('/worker.js').onmessage = ({ data }) => say(data)
        new WebSocket('${socket('socket', '/socket')}').onmessage = ({ data }) => say(data)
        addEventListener('message', ({ data }) => say(data))
        fetch('${at('fetch', '/fetch')}', { method: 'POST', body: 'x'.repeat(100000) }).then(() => say('fetch'))
      </script>`,
    '/script.js': `addEventListener('load', () => (out.textContent += ' script'))`,
    '/worker.js': worker,
    '/from-worker': 'x',
    '/image': 'x',
    '/form': 'x',
    '/fetch': 'x',
    '/frame': `<script>fetch('${at('inner', '/from-frame')}').then(() => parent.postMessage('frame', '*'))</script>`,
    '/from-frame': 'x',
  }
}

describe('a page whose proxy asks for a secret', () => {
  it.each(['http', 'https'] as const)(
    'has all its connections over %s, and no site sees the secret',
    async (scheme) => {
      const owners = hideOwners()
      await using site = await startSocketSite(scheme, (port) => pagesOf(scheme, port))
      const { port } = site
      await using browser = openBrowser({ owners, lookup: async () => ['127.0.0.1'] })
      const page = await browser.render(`${scheme}://page.test:${port}/`, { waitForMs: 1000 })
      const [, said = ''] = /<p id="out">([^<]*)/.exec(textOf(page)) ?? []
      expect(said.trim().split(' ').toSorted()).toEqual(['fetch', 'frame', 'hello', 'script', 'worker'])
      const paths = site.heads.map((head) => head.split(' ')[1])
      expect(paths).toEqual(
        expect.arrayContaining(['/image', '/form', '/from-worker', '/socket-of-worker', '/from-frame']),
      )
      expect(site.heads.join('\n')).not.toMatch(/proxy/i)
      expect(owners.ports).toHaveLength(1)
    },
  )

  it('sends what it would send without a proxy', async () => {
    const sees = async (owners?: OwnerLookup): Promise<string | undefined> => {
      await using site = await startSocketSite('http', () => ({ '/': 'HERE' }))
      await using browser = openBrowser({ ...(owners && { owners }), lookup: async () => ['127.0.0.1'] })
      await browser.get(`http://page.test:${site.port}/`)
      return site.heads[0]?.replaceAll(String(site.port), 'PORT')
    }
    expect(await sees(hideOwners())).toBe(await sees())
  })

  it('goes through an upstream proxy with credentials', async () => {
    await using plain = await startSite({ pages: { '/': 'PLAIN' } })
    await using secure = await startSite({ protocol: 'h2', pages: { '/': 'SECURE' } })
    await using upstream = await startProxy({ credentials: { username: 'u', password: 'p' } })
    const proxy = parseProxy(upstream.url)
    if (!proxy) throw new Error('no proxy')
    const dial = createProxyDial(proxy, { allowPrivateNetworks: true })
    const route = { key: '', proxy: proxy.name, dial, report: () => undefined }
    await using browser = openBrowser({ owners: hideOwners() })
    for (const [site, shown] of [
      [plain, 'PLAIN'],
      [secure, 'SECURE'],
    ] as const) {
      const request = { url: site.url('/'), sourceURL: '', route }
      const plan = { headers: {}, skipTlsVerification: true, timeoutMs: 20_000 }
      const page = await browser.fetcher.fetch(request, plan, AbortSignal.timeout(20_000))
      expect('declined' in page ? '' : textOf(page)).toContain(shown)
      expect(site.requests.map(({ headers }) => headers['proxy-authorization'])).toEqual(
        site.requests.map(() => undefined),
      )
    }
    expect(upstream.tunnels.map(({ target }) => target)).toContain(`127.0.0.1:${secure.port}`)
  })

  it('shares its proxy with no stranger', async () => {
    const owners = hideOwners()
    await using inside = await startSite({ pages: { '/': 'INSIDE' } })
    await using site = await startSite({ pages: { '/': '<p>Here</p>' } })
    await using browser = openBrowser({ owners })
    const page = browser.render(site.url('/'), { waitForMs: 1500 })
    await expect.poll(() => site.requests.length, { timeout: 10_000 }).toBe(1)
    for (const secret of ['', `Proxy-Authorization: Basic ${btoa('trawl:' + '0'.repeat(32))}\r\n`]) {
      for (const line of [`GET ${inside.url('/')}`, `CONNECT 127.0.0.1:${inside.port}`]) {
        const stranger = connect(owners.ports[0] ?? 0, '127.0.0.1')
        stranger.write(`${line} HTTP/1.1\r\nHost: x\r\n${secret}\r\n`)
        expect(await text(stranger)).toMatch(/^HTTP\/1\.1 407 /)
      }
    }
    expect(textOf(await page)).toContain('Here')
    expect(inside.connections.accepted).toBe(0)
  })

  it('keeps the secret when a site answers 407, or asks for all its data to be deleted', async () => {
    const script = `
      const quiet = () => 0
      const all = async () => {
        await fetch('/407').catch(quiet)
        await fetch('/clear').catch(quiet)
        await fetch('http://other.test:' + location.port + '/407', { mode: 'no-cors' }).catch(quiet)
        await fetch('http://another.test:' + location.port + '/later', { mode: 'no-cors' })
        out.textContent = 'DONE'
      }
      all().catch((error) => (out.textContent = error))`
    await using site = await startSite({
      pages: {
        '/': `<p id="out"></p><script>${script}</script>`,
        '/407': ({ response }) =>
          void response.writeHead(407, { 'proxy-authenticate': 'Basic realm="page"' }).end('no'),
        '/clear': ({ response }) => void response.writeHead(200, { 'clear-site-data': '"*"' }).end('x'),
        '/later': 'x',
      },
    })
    await using browser = openBrowser({ owners: hideOwners(), lookup: async () => ['127.0.0.1'] })
    expect(textOf(await browser.get(`http://localhost:${site.port}/`))).toContain('DONE')
    expect(site.requests.map(({ path }) => path)).toContain('/later')
    expect(site.requests.every(({ headers }) => headers['proxy-authorization'] === undefined)).toBe(true)
  })

  it('fails with the codes of the HTTP fetcher', async () => {
    await using site = await startSite()
    await using browser = openBrowser({ owners: hideOwners(), allowPrivateNetworks: false })
    for (const scheme of ['http', 'https']) {
      const error = await browser.get(`${scheme}://127.0.0.1:${site.port}/`).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'SCRAPE_ADDRESS_REFUSED' })
    }
    expect(site.connections.accepted).toBe(0)
  })
})
