import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEngine, type EngineConfig, type LoginOptions, sqlite } from '../../../src/index.js'
import type { Action } from '../../../src/kernel/fetch/action-options.js'
import type { Exchange } from '../../site/exchange.js'
import { type Site, startSite } from '../../site/site.js'
import { PASSWORD, USER } from './login-site.js'

const WORDS = '<p>Words about the harbour and its ships.</p>'.repeat(40)
const FIELDS = '<input name="user"><input type="password" name="pass">'
const GO = `${FIELDS}<button>Go</button>`
const whenSent = (script: string): string =>
  `<script>document.querySelector('form').addEventListener('submit', ({ target }) => { ${script} })</script>`
const whenTyped = (script: string): string =>
  `<script>document.querySelector('[name=pass]').addEventListener('input', ({ target }) => { ${script} })</script>`
const own = (inner = GO): string => `<form method="post" action="/in">${inner}</form>`

/** Forms that send what is filled in to another site. */
const straying: Record<string, (other: string) => string> = {
  'a form': (other) => `<form method="post" action="${other}/take">${GO}</form>`,
  'a button': (other) => own(`${FIELDS}<button formaction="${other}/take">Go</button>`),
  'a form by GET': (other) => `<form action="${other}/take">${GO}</form>`,
  'a form whose action a script changes when it is sent': (other) =>
    `${own()}${whenSent(`target.action = '${other}/take'`)}`,
  'a form in a shadow root': (other) =>
    `<div id="host"></div><script>host.attachShadow({ mode: 'open' }).innerHTML = '<form method="post" action="${other}/take">${GO}</form>'</script>`,
  'a form for a new window': (other) => `<form method="post" action="${other}/take" target="_blank">${GO}</form>`,
  'a form for a frame': (other) =>
    `<iframe name="f" src="${other}/blank"></iframe><form method="post" action="${other}/take" target="f">${GO}</form>`,
  'a large form': (other) =>
    `<form method="post" action="${other}/take"><input type="hidden" name="fill" value="${'x'.repeat(300_000)}">${GO}</form>`,
  'a form of parts': (other) => `<form method="post" enctype="multipart/form-data" action="${other}/take">${GO}</form>`,
}

/** Pages that show what was typed. */
const telling: Record<string, string> = {
  'puts it into its address by a form': `<form action="/next">${GO}</form>`,
  'goes on to an address with it': `${own()}${whenTyped(`location.href = '/next?was=' + target.value`)}`,
  'writes it into its source': `${own(`${FIELDS}<button type="button">Go</button>`)}<p></p>${whenTyped(`target.setAttribute('value', target.value); document.querySelector('p').textContent = target.value; document.title = target.value`)}`,
  'opens a window with it, with a long address': own(
    `${FIELDS}<button type="button" onclick="open('/next?' + 'a'.repeat(230) + '&was=' + document.querySelector('[name=pass]').value)">Go</button>`,
  ),
  'has it in a download': `<form action="/file">${GO}</form>`,
  'throws it': `${own()}${whenTyped('globalThis.was = target.value')}`,
}

let site: Site
let other: Site
const told: string[] = []
const startOther = (): Promise<Site> =>
  startSite({
    pages: new Proxy(
      {},
      {
        get:
          () =>
          async ({ request, response }: Exchange) => {
            let body = ''
            for await (const part of request) body += String(part)
            told.push(`${request.method} ${request.url} ${body}`)
            response.writeHead(200, { 'content-type': 'text/html' }).end('ok')
          },
      },
    ),
  })

beforeAll(async () => {
  other = await startOther()
  const shown = Object.entries(straying).map(([, make]) => make(other.url('', 'localhost')))
  const all = [...shown, ...Object.values(telling)]
  site = await startSite({
    pages: {
      '/in': `<title>In</title>${WORDS}`,
      '/next': `<title>Next</title>${WORDS}`,
      '/file': ({ response }) =>
        void response
          .writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment' })
          .end('PK'),
      '/login': `<title>Sign in</title>`,
      '/members': ({ response }) => void response.writeHead(302, { location: '/login' }).end(),
      ...Object.fromEntries(
        all.map((html, at) => [`/login/${at}`, `<!doctype html><title>Sign in</title><h1>Sign in</h1>${html}`]),
      ),
    },
  })
})
beforeEach(() => void (told.length = 0))
afterAll(() => Promise.all([site, other].map((one) => one.close())))

const CONFIG: EngineConfig = { threads: 0, allowPrivateNetworks: true, cache: false, retry: { maxRetries: 0 } }
const fillIn = (last: Action = { type: 'submit' }): Action[] => [
  { type: 'fill', selector: '[name=user]', text: USER },
  { type: 'fill', selector: '[name=pass]', secret: () => PASSWORD },
  last,
]
const leaks = (): string[] => told.filter((line) => line.includes(PASSWORD))

describe.each(Object.keys(straying).map((name, at) => [name, at] as const))('%s for another site', (name, at) => {
  it('gets no secret that actions fill in', async () => {
    await using engine = createEngine(CONFIG)
    const scraped = engine.scrape(site.url(`/login/${at}`), { actions: fillIn(), timeout: 20_000 })
    await scraped.catch((error: unknown) => expect(String(error)).toContain('A form was not sent to'))
    expect(leaks()).toEqual([])
  }, 60_000)

  it('gets it where `headersFor` names its host', async () => {
    await using engine = createEngine(CONFIG)
    const headersFor = [new URL(other.url('/', 'localhost')).host]
    await engine.scrape(site.url(`/login/${at}`), { actions: fillIn(), headersFor, timeout: 20_000 })
    expect(leaks().length, name).toBeGreaterThan(0)
  }, 60_000)
})

it.each(['http', 'auto'] as const)(
  'a login fills in no form for another site that nobody names, by %s',
  async (fetcher) => {
    await using engine = createEngine({ ...CONFIG, fetcher })
    const at = Object.keys(straying).indexOf(fetcher === 'http' ? 'a form' : 'a form in a shadow root')
    const secrets = { password: () => PASSWORD }
    const login: LoginOptions = { url: site.url(`/login/${at}`), fields: { username: USER }, secrets }
    await expect(engine.scrape(site.url('/members'), { login })).rejects.toThrow(/another site/)
    expect(leaks()).toEqual([])
    const headersFor = [new URL(other.url('/', 'localhost')).host]
    await engine
      .scrape(site.url('/members'), { login: { ...login, profile: 'named' }, headersFor })
      .catch(() => undefined)
    expect(leaks()).toHaveLength(1)
  },
  60_000,
)

it.each(Object.keys(telling).map((name, at) => [name, at] as const))(
  'no output has a secret whose page %s',
  async (name, at) => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
    const log: unknown[] = []
    const write = (...args: unknown[]) => void log.push(args)
    const logger = { trace: write, debug: write, info: write, warn: write, error: write }
    const url = site.url(`/login/${Object.keys(straying).length + at}`)
    const last = { type: 'executeJavascript', script: 'throw new Error("x".repeat(990) + globalThis.was)' } as const
    const actions = fillIn(name === 'throws it' ? last : undefined)
    const out: unknown[] = []
    {
      await using engine = createEngine({
        ...CONFIG,
        cache: join(folder, 'cache'),
        ledger: sqlite(join(folder, 'l.db')),
        logger,
      })
      const formats = ['markdown', 'html', 'rawHtml', 'links'] as const
      const job = engine.batchScrape({ urls: [url], formats: [...formats], timeout: 20_000, actions })
      out.push(await job.finished(), await job.errors(), await job.explain(url))
      out.push(await engine.scrape(url, { actions, timeout: 20_000 }).catch((error: unknown) => error))
    }
    const text = inspect([out, log], { depth: 20, maxArrayLength: null, maxStringLength: null })
    expect(text.match(new RegExp(`.{0,60}${PASSWORD.slice(0, 8)}.{0,60}`))).toBeNull()
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (file.isFile())
        expect((await readFile(join(file.parentPath, file.name))).includes(PASSWORD), file.name).toBe(false)
    await rm(folder, { recursive: true })
  },
  60_000,
)
