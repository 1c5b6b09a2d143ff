import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { asModule, blocks } from '../../docs/doc-code.js'
import { makeCertificates, PASSPHRASE } from '../../site/certificates.js'
import type { Exchange } from '../../site/exchange.js'
import { type Site, startSite } from '../../site/site.js'
import { makeTotp } from '../../../src/features/login/totp.js'
import { SEED } from '../login/login-site.js'

/** Each block of the guide is a file of its own in this folder, which is removed at the end. */
const folder = new URL('../../docs/.login-guide/', import.meta.url)
const own = blocks.filter(({ page }) => page.endsWith('/authentication.md'))

const PASSWORD = 'from a vault'
const BASIC = `Basic ${Buffer.from('anna:a password').toString('base64')}`
const FORM =
  '<form method="post"><input name="user"><input type="password" name="password"><button>Log in</button></form>'
const CODE = '<form method="post" action="/code"><input name="digits" autocomplete="one-time-code"></form>'

let site: Site
let provider: Site
/** How the site knows its members. */
let kind: 'form' | 'single sign-on' | 'code' | 'token' | 'Basic' = 'form'
/** Members' pages that were shown, logins, and pages that were refused. */
let counts = { shown: 0, logins: 0, refused: 0 }
const keys = new Set<string>()

const issue = (prefix = ''): string => {
  const key = randomUUID()
  keys.add(prefix + key)
  counts.logins += 1
  return key
}

async function answer({ request, response, url }: Exchange): Promise<void> {
  let body = ''
  for await (const part of request) body += String(part)
  const form = new URLSearchParams(body)
  const send = (status: number, html: string, headers: object = {}) =>
    void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html)
  const welcome = () => send(302, '', { location: '/docs/', 'set-cookie': `sid=${issue('sid=')}; Path=/` })
  if (url.pathname === '/token') return send(200, issue('Bearer '))
  if (url.pathname === '/back' && keys.delete(url.searchParams.get('code') ?? '')) return welcome()
  if (url.pathname === '/code') {
    const codes = [0, 30_000].map((agoMs) => makeTotp(SEED, Date.now() - agoMs))
    return codes.includes(form.get('digits') ?? '') ? welcome() : send(200, `<title>Check</title>${CODE}`)
  }
  if (url.pathname === '/login' && kind === 'single sign-on')
    return send(302, '', { location: provider.url(`/sign-in?to=${encodeURIComponent(site.url('/back'))}`) })
  if (url.pathname === '/login') {
    if (form.get('password') !== PASSWORD) return send(200, `<title>Log in</title>${FORM}`)
    return kind === 'code' ? send(200, `<title>Check</title>${CODE}`) : welcome()
  }
  if (!/^\/(?:docs|members)\/\d*$/.test(url.pathname)) return send(404, 'No')
  const { cookie = '', authorization = '' } = request.headers
  const isMember = kind === 'Basic' ? authorization === BASIC : keys.has(kind === 'token' ? authorization : cookie)
  if (!isMember) {
    counts.refused += 1
    return kind === 'token' || kind === 'Basic' ? send(401, 'No') : send(302, '', { location: '/login' })
  }
  counts.shown += 1
  // A session ends after two pages, and is begun anew.
  if (counts.shown === 2) keys.clear()
  const links = [1, 2, 3].map((page) => `<a href="${url.pathname.split('/', 2).join('/')}/${page}">Day ${page}</a>`)
  send(
    200,
    `<title>Members</title><main><h1>${url.pathname}</h1>${'<p>Words for members alone.</p>'.repeat(40)}${links.join('')}</main>`,
  )
}

async function provide({ request, response, url }: Exchange): Promise<void> {
  let body = ''
  for await (const part of request) body += String(part)
  const isRight = new URLSearchParams(body).get('password') === PASSWORD
  if (!isRight) return void response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Log in</title>${FORM}`)
  const code = randomUUID()
  keys.add(code)
  response.writeHead(302, { location: `${url.searchParams.get('to')}?code=${code}` }).end()
}

beforeAll(async () => {
  site = await startSite({ pages: new Proxy({}, { get: () => answer }) })
  provider = await startSite({ pages: new Proxy({}, { get: () => provide }) })
  await mkdir(folder, { recursive: true })
})
afterAll(async () => {
  await Promise.all([site.close(), provider.close()])
  await rm(folder, { recursive: true, force: true })
})

beforeEach(() => {
  counts = { shown: 0, logins: 0, refused: 0 }
  keys.clear()
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  vi.stubEnv('SITE_PASSWORD', PASSWORD)
  vi.stubEnv('SITE_SEED', SEED)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** Lines that a way to log in takes in the guide at most, without those that are empty. */
const MAX_LINES = 10

/** Runs the block that has a text. @param change of its code, where it stops before it asks for a page */
async function runBlock(text: string, change = (code: string): string => code): Promise<void> {
  const [block, ...others] = own.filter(({ code }) => code.includes(text))
  if (!block || others.length > 0)
    throw new Error(`the guide has ${others.length + (block ? 1 : 0)} blocks with ${text}`)
  const name = `${randomUUID()}.ts`
  const code = change(asModule(block, { origin: site.origin, folder, ports: [], trawl: '../../../src/index.js' }))
  await writeFile(new URL(name, folder), code.replaceAll('./profiles', `./${name}`))
  await import(new URL(name, folder).href)
}

/** Has an engine of a block crawl the site. */
const crawlAfter = (code: string): string =>
  `${code}\nawait engine.crawl({ url: '${site.origin}/docs/', limit: 4 }).finished()\n`

describe('the code of the guide on logins logs in, and again when the session has ended:', () => {
  it.each(['form', 'single sign-on'] as const)('the first example, where the site has a %s', async (how) => {
    kind = how
    await runBlock('console.log(completed, failed, warning)')
    expect(vi.mocked(console.log).mock.calls).toEqual([[4, 0, undefined]])
    expect(counts.logins).toBe(2)
  })

  it('that with a one-time code', async () => {
    kind = 'code'
    await runBlock('SITE_SEED', crawlAfter)
    expect(counts.shown).toBeGreaterThanOrEqual(4)
    expect(counts.logins).toBe(2)
  })

  it('that with a token, whose function is called again after a 401', async () => {
    kind = 'token'
    const fetchToken = `(await (await fetch('${site.origin}/token')).text())`
    await runBlock('await refresh()', (code) => crawlAfter(code.replace("'a token'", fetchToken)))
    expect(counts.shown).toBe(4)
    expect(counts.logins).toBe(2)
    expect(counts.refused).toBeGreaterThan(0)
  })

  it('that with the actions of a `flow`', async () => {
    kind = 'form'
    await runBlock('flow: [')
    expect(counts.shown).toBeGreaterThanOrEqual(4)
    expect(counts.logins).toBe(2)
  })

  it('that with Basic, whose headers every page has', async () => {
    kind = 'Basic'
    await runBlock("toString('base64')")
    expect(counts).toEqual({ shown: 4, logins: 0, refused: 0 })
  })

  it('that with a client certificate, whose key is locked', async () => {
    const files = await mkdtemp(join(tmpdir(), 'trawl-test-'))
    const { read } = makeCertificates(files)
    const asked: boolean[] = []
    const tls = { key: read('server.key'), cert: read('server.pem'), ca: read('ca.pem') }
    const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: false }, ({ socket }, response) => {
      asked.push((socket as TLSSocket).authorized)
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Members</title>Words')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      vi.stubEnv('KEY', PASSPHRASE)
      const host = `localhost:${(server.address() as AddressInfo).port}`
      await runBlock("'client.pem'", (code) =>
        `${code}\nawait engine.scrape('https://${host}/')\n`
          .replace('intranet.example.com', host)
          .replace('{ cert,', `{ ca: await readFile('${files}/ca.pem', 'utf8'), cert,`)
          .replace("'client.pem'", `'${files}/client.pem'`)
          .replace("'client.key'", `'${files}/client.locked.key'`),
      )
      expect(new Set(asked)).toEqual(new Set([true]))
    } finally {
      server.closeAllConnections()
      server.close()
      await rm(files, { recursive: true })
    }
  })

  it('in at most ten lines each', () => {
    const ways = ['console.log(completed, failed, warning)', 'await refresh()', "toString('base64')", "'client.pem'"]
    for (const text of ways) {
      const lines = own.filter(({ code }) => code.includes(text)).map(({ code }) => code.match(/^.+$/gm)?.length)
      expect(lines, text).toEqual([expect.toSatisfy((count: number) => count <= MAX_LINES)])
    }
  })
})
