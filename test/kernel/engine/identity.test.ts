import { createPrivateKey } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createEngine, createIdentity, type Engine, type EngineConfig, TrawlError } from '../../../src/index.js'
import { checkEngineConfig } from '../../../src/kernel/options/check.js'
import { planEngine } from '../../../src/kernel/plan/plan-engine.js'
import { type Site, startSite } from '../../site/site.js'
import { runHere } from '../../cli/run-here.js'
import { createVerifier, type ReceivedRequest } from './signature-verifier.js'

const DIRECTORY = 'https://bot.example'
const { key, directory } = createIdentity()
const sites: Site[] = []
const engines: Engine[] = []
const folder = mkdtempSync(join(tmpdir(), 'trawl-identity-'))

afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()))
  await Promise.all(sites.splice(0).map((site) => site.close()))
})
afterAll(() => rmSync(folder, { recursive: true }))

const text = (...links: string[]): string =>
  `<!doctype html><title>t</title><main><p>Some words of a page.</p>${links.map((href) => `<a href="${href}">x</a>`).join(' ')}</main>`

async function open(pages: NonNullable<Parameters<typeof startSite>[0]>['pages']): Promise<Site> {
  const site = await startSite({ ...(pages && { pages }) })
  sites.push(site)
  return site
}

function createSigningEngine(config: EngineConfig = {}): Engine {
  const identity = { key, directoryUrl: DIRECTORY }
  const engine = createEngine({ allowPrivateNetworks: true, threads: 0, identity, ...config })
  engines.push(engine)
  return engine
}

/** Returns the error that a call throws. */
function errorOf(call: () => unknown): TrawlError {
  try {
    call()
  } catch (error) {
    if (error instanceof TrawlError) return error
  }
  throw new Error('No TrawlError was thrown')
}

const received = (): readonly ReceivedRequest[] => sites.flatMap(({ requests }) => requests)

/** Crawls over three hosts, with redirects between them. */
async function crawlThreeHosts(config?: EngineConfig) {
  const third = await open({ '/end': text(), '/robots.txt': 'User-agent: *\nAllow: /' })
  const second = await open({
    '/hop': ({ response }) => void response.writeHead(302, { location: third.url('/end') }).end(),
    '/b?q=%C3%A4&r=a%2Fb': text(),
  })
  const first = await open({
    '/': text('/moved', '/a', second.url('/b?q=%C3%A4&r=a%2Fb', 'localhost')),
    '/a': text(),
    '/moved': ({ response }) => void response.writeHead(301, { location: second.url('/hop', 'localhost') }).end(),
    '/robots.txt': 'User-agent: *\nAllow: /',
    '/sitemap.xml': '<urlset><url><loc>/a</loc></url></urlset>',
  })
  const job = createSigningEngine(config).crawl({ url: first.url('/'), allowExternalLinks: true })
  const { data } = await job.finished()
  return { paths: data.map(({ metadata }) => new URL(metadata.url).pathname).toSorted(), first, second, third }
}

describe('an engine with an `identity`', () => {
  it('signs each request of a crawl over three hosts, redirects, robots.txt and sitemaps included', async () => {
    const { paths, first, second, third } = await crawlThreeHosts()
    expect(paths).toEqual(['/', '/a', '/b', '/end'])
    const asked = [first, second, third].flatMap(({ requests }) => requests.map(({ path }) => path))
    expect(asked).toEqual(expect.arrayContaining(['/robots.txt', '/sitemap.xml', '/moved', '/hop', '/end']))
    const refuse = createVerifier(DIRECTORY, directory)
    expect(received().map((request) => refuse(request, Date.now()))).toEqual(received().map(() => undefined))
    // Each of them is refused when it comes again.
    expect(new Set(received().map((request) => refuse(request, Date.now())))).toEqual(new Set(['replayed']))
  })

  it('signs so that an altered or a late request, and one for another host, is refused', async () => {
    await crawlThreeHosts()
    const hosts = new Set(received().map(({ headers }) => headers.host))
    expect(hosts.size).toBe(3)
    const refuse = createVerifier(DIRECTORY, directory)
    const reasons = new Set<string | undefined>()
    for (const request of received()) {
      const { headers, path } = request
      reasons.add(refuse({ ...request, path: `${path}x` }, Date.now()))
      reasons.add(refuse({ ...request, method: 'POST' }, Date.now()))
      const input = String(headers['signature-input'])
      const later = input.replace(/expires=(\d+)/, (_, seconds) => `expires=${Number(seconds) - 1}`)
      reasons.add(refuse({ ...request, headers: { ...headers, 'signature-input': later } }, Date.now()))
      for (const host of hosts) {
        if (host !== headers.host) reasons.add(refuse({ ...request, headers: { ...headers, host } }, Date.now()))
      }
    }
    expect(reasons).toEqual(new Set(['altered']))
    const late = received().map((request) => refuse(request, Date.now() + 61_000))
    expect(new Set(late)).toEqual(new Set(['late']))
  })

  it('replaces signature headers of the caller', async () => {
    const site = await open({ '/': text() })
    await createSigningEngine().scrape(site.url('/'), { headers: { Signature: 'sig1=:AAAA:' } })
    const refuse = createVerifier(DIRECTORY, directory)
    expect(received().map((request) => refuse(request, Date.now()))).toEqual([undefined])
  })

  it('signs the requests of the browser, redirects and files of a page included', async () => {
    const other = await open({ '/other.js': 'document.title = "changed"' })
    const site = await open({
      '/': ({ response }) => void response.writeHead(302, { location: '/page?x=1' }).end(),
      '/page?x=1': `<!doctype html><title>t</title><script src="/own.js?"></script><script src="${other.url('/other.js', 'localhost')}"></script><p>Words.</p>`,
      '/own.js?': 'fetch("/data.json", { method: "POST", body: "a" })',
      '/data.json': '{}',
    })
    await createSigningEngine({ fetcher: 'browser' }).scrape(site.url('/'), { blockAds: false })
    const pages = received().filter(({ path }) => path !== '/favicon.ico')
    expect(pages.map(({ path }) => path).toSorted()).toEqual(['/', '/data.json', '/other.js', '/own.js?', '/page?x=1'])
    const refuse = createVerifier(DIRECTORY, directory)
    expect(pages.map((request) => [request.path, refuse(request, Date.now())])).toEqual(
      pages.map(({ path }) => [path, undefined]),
    )
  }, 60_000)
})

describe('the setting `identity`', () => {
  it('is off by default', async () => {
    const site = await open({ '/': text() })
    const engine = createEngine({ allowPrivateNetworks: true, threads: 0 })
    engines.push(engine)
    await engine.scrape(site.url('/'))
    expect(Object.keys(received()[0]?.headers ?? {}).filter((name) => name.startsWith('signature'))).toEqual([])
  })

  it('takes the path of a key, and never tells the key', () => {
    const file = join(folder, 'key.pem')
    writeFileSync(file, key)
    const withKey = (value: unknown, directoryUrl = DIRECTORY): Engine =>
      createEngine({ identity: { key: value as string, directoryUrl } })
    engines.push(withKey(file))
    const secret = `-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIsecretsecret\n-----END PRIVATE KEY-----`
    expect(() => withKey(secret)).toThrow(/identity.key.*not a private Ed25519 key/s)
    for (const wrong of [secret, ['secret'], join(folder, 'secret-missing')]) {
      try {
        withKey(wrong)
        expect.unreachable()
      } catch (error) {
        expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain('secret')
      }
    }
    const jwk = createPrivateKey(key).export({ format: 'jwk' })
    for (const bare of [key, JSON.stringify(jwk), [key], jwk, { key: 1, directoryUrl: [key, jwk] }]) {
      const error = errorOf(() => createEngine({ identity: bare as never }))
      expect(error.code).toBe('BAD_REQUEST')
      expect(error.message).toMatch(/identity/)
      const shown = `${String(error)} ${JSON.stringify(error)} ${inspect(error)}`
      expect([key.slice(28, 60), String(jwk.d).slice(0, 8)].filter((part) => shown.includes(part))).toEqual([])
    }
    expect(() => withKey(file, 'http://bot.example')).toThrow(/identity.directoryUrl.*https origin/s)
    expect(() => withKey(file, 'https://bot.example/keys.json')).toThrow(/https origin/)
  })
})

describe('the file of a key', () => {
  it('is read once, because a pipe can be read only once', async () => {
    const file = join(folder, 'once.pem')
    writeFileSync(file, `A note before the key.\n${key}`)
    const checked = checkEngineConfig({ identity: { key: file, directoryUrl: DIRECTORY } })
    rmSync(file)
    expect(planEngine(checked).signer?.sign('GET', new URL('https://example.com/'))).toHaveProperty('signature')
  })

  it('that cannot be read is an error: nothing goes out unsigned in silence', () => {
    const plan = (identity: { key: string; directoryUrl: string }) => () => planEngine({ identity })
    expect(plan({ key: join(folder, 'missing'), directoryUrl: DIRECTORY })).toThrow(/identity.key: no private Ed25519/)
    expect(plan({ key, directoryUrl: 'http://bot.example' })).toThrow(/identity.directoryUrl: no https origin/)
  })
})

describe('`trawl identity`', () => {
  it('writes a key that only its owner can read, and the directory, and replaces neither', async () => {
    const target = join(folder, 'made')
    const { code, stdout: output } = await runHere(['identity', target])
    expect(code).toBe(0)
    expect(output).toContain('/.well-known/http-message-signatures-directory')
    const keyFile = join(target, 'identity-key.pem')
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    expect(output).not.toContain(readFileSync(keyFile, 'utf8').split('\n')[1])
    const made = JSON.parse(readFileSync(join(target, 'http-message-signatures-directory'), 'utf8')) as object
    expect(made).toMatchObject({ keys: [{ kty: 'OKP', crv: 'Ed25519', use: 'sig' }] })
    expect(JSON.stringify(made)).not.toContain('"d"')
    const again = await runHere(['identity', target])
    expect(again.code).not.toBe(0)
    const onFile = await runHere(['identity', keyFile])
    expect([onFile.code, onFile.stderr]).toEqual([2, expect.stringContaining(`FOLDER: ${keyFile} is not a folder`)])
  })
})
