import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEngine, wacz, warc } from '../../../src/index.js'
import type { Exchange } from '../../../src/base/http/observe-exchanges.js'
import { makeExchange } from '../../../src/features/archive/write/make-records.js'
import { startSite } from '../../site/site.js'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-archive-secrets-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Headers that callers give credentials in, each with a secret of its own. */
const SECRET_REQUEST_HEADERS = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'x-shop-key',
  'x-auth-token',
  'x-csrf-token',
  'x-amz-security-token',
  'sec-websocket-protocol',
  'sec-own-token',
  'private-token',
  'api-key',
  'x-forwarded-user',
]
const SECRET_ANSWER_HEADERS = [
  'authorization',
  'authentication-info',
  'proxy-authentication-info',
  'set-cookie2',
  'api-key',
  'x-api-key',
  'x-auth-token',
  'x-amz-security-token',
  'x-csrf-token',
  'x-session-id',
  'x-jwt',
  'access_token',
  'client-secret',
]

const secretOf = (name: string): string => `S3cret.${name}.S3cret`
const valuesOf = (names: readonly string[], where: string) =>
  Object.fromEntries(names.map((name) => [name, secretOf(`${where}-${name}`)]))

const exchange = (changes: Partial<Exchange>): Exchange => ({
  url: new URL('http://user:S3cret.userinfo.S3cret@a.test/page?q=1#S3cret.fragment.S3cret'),
  method: 'GET',
  requestHeaders: {
    ...valuesOf(SECRET_REQUEST_HEADERS, 'request'),
    referer: 'http://b.test/callback?token=S3cret.referer.S3cret',
    'user-agent': 'trawl',
    accept: 'text/html',
  },
  sentAtMs: 0,
  tookMs: 1,
  response: {
    statusCode: 200,
    statusText: 'OK',
    headers: {
      'content-type': 'text/html',
      'www-authenticate': 'Basic realm="shop"',
      'access-control-allow-credentials': 'true',
      ...valuesOf(SECRET_ANSWER_HEADERS, 'answer'),
    },
    setCookies: ['session=S3cret.cookie.S3cret; Path=/', 'S3cret.bare.S3cret'.replace('S3cret.bare.S3cret', 'bare')],
    body: [Buffer.from('<p>a page')],
    isWhole: true,
  },
  ...changes,
})
const made = (changes: Partial<Exchange>, keepCredentials = false): string =>
  makeExchange(exchange(changes), { keepCredentials, findBody: () => undefined })
    .map(({ bytes, index }) => bytes.toString('latin1') + JSON.stringify(index))
    .join('')

test('no header, URL or form of an exchange gives a secret away, and what says nothing is kept', () => {
  const text = made({})
  expect(text.match(/S3cret[^\r\n]*/g)).toBeNull()
  for (const kept of [
    'user-agent: trawl',
    'accept: text/html',
    'referer: http://b.test\r',
    'realm="shop"',
    'credentials: true',
    'a page',
  ])
    expect(text).toContain(kept)
  for (const name of [...SECRET_REQUEST_HEADERS, ...SECRET_ANSWER_HEADERS]) expect(text).toContain(`${name}: scrubbed`)
  expect(made({}, true).match(/S3cret\./g)?.length).toBeGreaterThan(20)
})

test('URLs in headers of responses have no user name, and no token of a login behind #', () => {
  const head = (headers: Readonly<Record<string, string>>, keepCredentials = false): string =>
    made(
      { response: { statusCode: 302, statusText: '', setCookies: [], body: [], isWhole: true, headers } },
      keepCredentials,
    )
  const token = { location: 'https://bob:S3cret.a.S3cret@b.test/x?q=@1#state=1&access_token=S3cret.b.S3cret' }
  expect(head(token)).toContain('location: https://b.test/x?q=@1#scrubbed\r')
  expect(head(token, true)).toContain(token.location)
  expect(head({ refresh: '5;url=//S3cret.c.S3cret@b.test/' })).toContain('refresh: 5;url=//b.test/\r')
  for (const [name, value] of Object.entries({
    location: 'https:\\\\\\bob:S3cret"f@S3cret@b.test/x#a=1,id_token=S3cret g;h="S3cret',
    'content-location': '//bob@S3cret:S3cret@b.test#api_key=S3cret',
    refresh: `5;  URL = 'http://bob:S3cret@S3cret@b.test/#a=1;token=S3cret,b'`,
    link: '</a>; rel=up,<http://S3cret@S3cret@b.test/#a=1;token=S3cret,b>; rel="next"',
  })) {
    expect(head({ [name]: value })).toContain(name)
    expect(head({ [name]: value })).not.toMatch(/S3cret|bob/)
  }
  const links = '<http://S3cret.d.S3cret@b.test/1>; rel=next, <http://S3cret.e.S3cret@b.test/2>; rel=last'
  expect(head({ link: links })).toContain('link: <http://b.test/1>; rel=next, <http://b.test/2>; rel=last\r')
  const plain = { location: '/a//b@c#part=2', 'content-location': 'http://b.test/@user#token' }
  for (const [name, value] of Object.entries(plain)) expect(head({ [name]: value })).toContain(`${name}: ${value}\r`)
})

test('the fields of a form and the answer to it are left out', () => {
  const answer = Buffer.from('{"access_token":"S3cret.answer.S3cret"}')
  const response = { statusCode: 200, statusText: 'OK', headers: {}, setCookies: [], body: [answer], isWhole: true }
  for (const method of ['POST', 'PUT', 'PATCH', 'post']) {
    const text = made({ method, form: 'user=S3cret.user.S3cret&password=S3cret.password.S3cret', response })
    expect(text.match(/S3cret[^\r\n]*/g)).toBeNull()
    expect(text).toContain('user=scrubbed&password=scrubbed')
    expect(text).toContain('WARC-Truncated: unspecified')
  }
})

/** Reads every byte of an archive, decompressed. */
async function textOf(path: string): Promise<string> {
  if (path.endsWith('.gz')) return gunzipSync(await readFile(path)).toString('latin1')
  const script =
    'import zipfile,gzip,sys\nz=zipfile.ZipFile(sys.argv[1])\nfor n in z.namelist():\n b=z.read(n)\n ' +
    'sys.stdout.buffer.write(gzip.decompress(b) if n.endswith(".gz") else b)'
  return execFileSync('python3', ['-c', script, path], { maxBuffer: 1e9 }).toString('latin1')
}

test.each(['http', 'browser'] as const)(
  'no byte of a WARC or a WACZ has a secret of its requests: %s',
  async (fetcher) => {
    const body = Buffer.from('{"token":"S3cret.answer.S3cret"}')
    await using site = await startSite({
      pages: {
        '/in': ({ response }) =>
          response.writeHead(302, { location: '/home', 'set-cookie': 'sid=S3cret.sid.S3cret' }).end(),
        '/home': ({ response }) =>
          response.writeHead(200, { 'content-type': 'text/html', 'x-auth-token': 'S3cret.header.S3cret' }).end(
            `<title>Home</title><a href="/next">next</a><p>text<script>
            const word = 'S3' + 'cret'
            fetch('/api', { method: 'POST', body: 'password=' + word + '.post.' + word, headers: { authorization: word + '.script.' + word } })
            try { new WebSocket(location.origin.replace('http', 'ws') + '/socket?t=' + word + '.socket.' + word) } catch {}
          </script>`,
          ),
        '/api': ({ response }) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
        '/next': '<title>Next</title><p>next',
      },
    })
    for (const target of [warc(join(folder, 'x.warc.gz')), wacz(join(folder, 'x.wacz'))]) {
      const engine = createEngine({ allowPrivateNetworks: true, cache: false, threads: 0, fetcher, archive: target })
      const headers = {
        ...valuesOf(['authorization', 'x-shop-key', 'cookie'], 'given'),
        referer: 'http://b.test/?t=S3cret.referer.S3cret',
      }
      const url = site.url('/in')
      await engine.scrape(url, { headers })
      await engine.crawl({ url, sitemap: 'skip', scrapeOptions: { headers } }).finished()
      await engine.close()
      const text = await textOf(target.path)
      expect(text).toContain('<title>Home</title>')
      expect(text.match(/.{0,80}S3cret[^\r\n]{0,80}/g)).toBeNull()
      expect(text).toContain('credentials: request headers other than')
    }
  },
)
