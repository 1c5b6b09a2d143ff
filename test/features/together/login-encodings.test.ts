import { createRequire } from 'node:module'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { createEngine, mcpServer, mirrorTo, sqlite, warc, writeReport } from '../../../src/index.js'
import type { McpTransport } from '../../../src/features/toolkit/mcp/mcp-sdk.js'
import { collectSpans } from '../../base/tracing/collect-spans.js'
import type { Exchange } from '../../site/exchange.js'
import { startReceiver } from '../../site/receiver.js'
import { type Site, startSite } from '../../site/site.js'
import { Client } from '../toolkit/mcp-client.js'
import { encodingsOf, findSecrets } from './find-secrets.js'

const { InMemoryTransport } = createRequire(import.meta.url)('@modelcontextprotocol/sdk/inMemory.js') as {
  InMemoryTransport: { createLinkedPair(): [client: McpTransport, server: McpTransport] }
}

const PASSWORD = 'p/ss+"w<ö>rd" & 9%?>~\\'
const FORM = '<form method="post" action="/login"><input name="user"><input type="password" name="pass"></form>'
const show = (what: unknown): string => inspect(what, { depth: 20, maxArrayLength: null, maxStringLength: null })
const unpack = (bytes: Buffer): string => (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('latin1')

/** Writings of the password that may stand in a header, an address or a name. */
const writings = encodingsOf(PASSWORD).filter((text) => /^[!-~]+$/.test(text) && !/[<>"\\&#]/.test(text))

/** Ends of a login at a site that puts the password into each address on the way, as it may be written. */
const ends = {
  'is let in': ({ response }: Exchange, query: string) =>
    void response.writeHead(302, { location: `/members/0?${query}`, 'set-cookie': 'sid=1; Path=/' }).end(),
  'is refused': ({ response }: Exchange, query: string) =>
    void response.writeHead(302, { location: `/login?${query}` }).end(),
  'goes round': ({ response }: Exchange, query: string) =>
    void response.writeHead(302, { location: `/hop?${query}` }).end(),
  'is cut off': ({ response }: Exchange) => void response.destroy(),
  'meets an error': ({ response }: Exchange, query: string) => void response.writeHead(500).end(`failed: ${query}`),
  'is sent nowhere': ({ response }: Exchange, query: string) =>
    void response.writeHead(302, { location: `http://nowhere.invalid:1/${query}?${query}` }).end(),
  'is sent to no address': ({ response }: Exchange, query: string) =>
    void response.writeHead(302, { location: `http://[no/?${query}` }).end(),
  'is sent to another scheme': ({ response }: Exchange, query: string) =>
    void response.writeHead(302, { location: `app:done?${query}` }).end(),
  'is shown forms whose fields are named by it': ({ response }: Exchange, query: string) => {
    const state = `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { query } })}</script>`
    const html = `<title>${writings.at(-1)}</title><form method="post" action="/in?${query}">${named()}<input type="password" name="pass"><input name="otp"></form>${state}`
    response.writeHead(200, { 'content-type': 'text/html', refresh: `9; url=/login?${query}` }).end(html)
  },
  'is asked for schemes that are named by it': ({ response }: Exchange) =>
    void response.writeHead(302, { location: '/members/9', 'set-cookie': 'sid=2; Path=/' }).end(),
  'is asked again by fields that are named by it': ({ response }: Exchange) =>
    void response.writeHead(302, { location: '/members/9', 'set-cookie': 'sid=3; Path=/' }).end(),
} as const

const named = (): string =>
  writings.map((text) => `<input name="${text}"><input type="hidden" name="was" value="${text}">`).join('')
/** Those that a message quotes whole. */
const SHORT = writings.filter(({ length }) => length < 40)

const answerAs =
  (end: keyof typeof ends) =>
  async (exchange: Exchange): Promise<void> => {
    const { request, response, url } = exchange
    let body = ''
    for await (const part of request) body += String(part)
    const send = (html: string, headers = {}, status = 200) =>
      void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html)
    const pass = new URLSearchParams(body).get('pass')
    const query = writings.map((text, at) => `v${at}=${text}`).join('&')
    if (url.pathname === '/login' && pass !== null) return send('', { location: `/hop?${query}` }, 303)
    if (url.pathname === '/hop') return ends[end](exchange, query)
    const [, sid] = /sid=(\d)/.exec(request.headers.cookie ?? '') ?? []
    if (url.pathname === '/login' && sid === '3')
      return send(
        `<title>Sign in</title>${SHORT.map((text) => `<form method="post"><input name="${text}"><input type="password" name="${text}"></form>`).join('')}`,
      )
    if (url.pathname === '/login') return send(`<title>Sign in</title>${FORM}`)
    if (!url.pathname.startsWith('/members/')) return send('No', {}, 404)
    if (sid === '2' && url.pathname !== '/members/9')
      return send('No', { 'www-authenticate': `${SHORT[Number(url.pathname.at(-1))]} realm="a"` }, 401)
    if (sid === undefined || (sid === '3' && url.pathname !== '/members/9'))
      return send('', { location: '/login' }, 302)
    const links = [1, 2].map((page) => `<a href="/members/${page}">Day ${page}</a>`).join(' ')
    send(
      `<title>Members ${url.pathname}</title><main>${'<p>Words of the harbour for members.</p>'.repeat(40)}${links}</main>`,
    )
  }

/** Crawls, mirrors and asks by MCP with all that keeps something. @returns what is left, by its name */
async function leave(folder: string, site: Site): Promise<Record<string, string>> {
  const receiver = await startReceiver()
  const logged: unknown[] = []
  const log = (...args: unknown[]) => void logged.push(args)
  using spans = collectSpans()
  try {
    await using engine = createEngine({
      threads: 0,
      allowPrivateNetworks: true,
      fetcher: 'http',
      retry: { maxRetries: 0 },
      cache: join(folder, 'cache'),
      snapshots: join(folder, 'snapshots'),
      index: join(folder, 'index.db'),
      ledger: sqlite(join(folder, 'ledger.db')),
      archive: warc(join(folder, 'site.warc.gz')),
      logger: { trace: log, debug: log, info: log, warn: log, error: log },
      env: { SITE_PASSWORD: PASSWORD },
      login: {
        url: site.url('/login'),
        fields: { username: 'anna' },
        secrets: { password: { env: 'SITE_PASSWORD' } },
      },
    })
    const url = site.url('/members/0')
    const job = engine.crawl({
      url,
      crawlEntireDomain: true,
      webhook: receiver.url,
      scrapeOptions: { formats: ['markdown', 'rawHtml', 'changeTracking'], trace: true },
    })
    const told: unknown[] = [await job.finished(), await job.errors(), job.request, await job.explain(url)]
    for await (const row of job.urls()) told.push(row)
    await writeReport(job, join(folder, 'report.html'))
    const mirror = engine.mirror({ url }, mirrorTo(join(folder, 'mirror')))
    told.push(await mirror.sync().catch(show), await engine.search('harbour'))
    const server = mcpServer(engine)
    const [here, there] = InMemoryTransport.createLinkedPair()
    const client = new Client({ name: 'test', version: '1.0.0' })
    await Promise.all([server.connect(there), client.connect(here)])
    const answer = await client.callTool({ name: 'scrape', arguments: { url } })
    await client.close()
    return {
      told: show(told),
      logged: show(logged),
      spans: show(spans.ended),
      webhooks: show(receiver.received),
      mcp: show(answer),
    }
  } finally {
    await receiver.close()
  }
}

it.each(Object.keys(ends) as (keyof typeof ends)[])(
  'no writing of a password is left by a login that %s',
  async (end) => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
    try {
      const answer = answerAs(end)
      await using site = await startSite({ pages: new Proxy({}, { get: () => answer }) })
      const left = await leave(folder, site)
      const files = await readdir(folder, { recursive: true, withFileTypes: true })
      for (const file of files.filter((one) => one.isFile())) {
        const path = join(file.parentPath, file.name)
        left[path.slice(folder.length)] = unpack(await readFile(path))
      }
      expect(left.told).toContain(end === 'is let in' ? "title: 'Members /members/2'" : 'LOGIN_REQUIRED')
      expect(left.mcp).toContain(end === 'is let in' ? 'harbour' : 'LOGIN_REQUIRED')
      // An archive has the answers to pages as the site gave them, with what it shows.
      if (end.endsWith('named by it')) delete left['/site.warc.gz']
      const found = Object.entries(left).filter(([, text]) => findSecrets([PASSWORD], [text]).length > 0)
      expect(found.map(([name]) => name)).toEqual([])
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)
