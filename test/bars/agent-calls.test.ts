import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { estimateTokens } from '../../src/content/convert/split/estimate-tokens.js'
import { htmlPage } from '../site/exchange.js'
import { startSite, type Site } from '../site/site.js'
import { type Served, serve } from '../features/toolkit/mcp-client.js'

const calls = process.env['BARS'] === 'whole' ? 1000 : 40
const MAX_TOKENS = 900

const paths = [
  '/',
  '/long',
  '/code',
  '/spaces',
  '/scripts',
  '/page/1',
  '/status/500',
  '/reset',
  '/redirect-loop',
  '/binary',
  '/deep?n=20000',
  '/empty',
  '/json',
]
const pages = {
  '/': htmlPage('Start', paths.map((path) => `<a href="${path}">${path}</a>`).join(' ')),
  '/long': htmlPage(
    'Long '.repeat(500),
    Array.from({ length: 200 }, (_, at) => `<h2>Part ${at}</h2><p>${'Words. '.repeat(50)}</p>`).join(''),
  ),
  '/code': htmlPage(
    'Code',
    `<pre>${Array.from({ length: 3000 }, (_, at) => `line(${at})`).join('\n')}</pre><table>${'<tr><td>a</td><td>b</td></tr>'.repeat(500)}</table>`,
  ),
  '/spaces': htmlPage('Spaces', `<pre>a${' '.repeat(200_000)}b</pre><p>${'x'.repeat(100_000)}</p>`),
  '/scripts': htmlPage('文字', `<p>${'漢字かな交じり文。'.repeat(3000)}</p><p>${'😀'.repeat(3000)}</p>`),
}

let site: Site
let served: Served
beforeAll(async () => {
  site = await startSite({ pages })
  served = await serve(
    '--private-networks',
    '--fetcher',
    'http',
    '--threads',
    '1',
    '--search',
    '--max-tokens',
    String(MAX_TOKENS),
    '--timeout',
    '20000',
  )
})
afterAll(async () => {
  await served[Symbol.asyncDispose]()
  await site.close()
})

const odd = fc.oneof(
  { weight: 1, arbitrary: fc.anything({ maxDepth: 2 }) },
  { weight: 1, arbitrary: fc.constantFrom('', -1, 1e308, null, '__proto__', 'x'.repeat(20_000), [], {}) },
)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.option(fc.oneof({ weight: 12, arbitrary }, { weight: 1, arbitrary: odd }), { nil: undefined })
const url = fc.constantFrom(...paths.map((path) => `site:${path}`), 'http://nowhere.invalid/', 'no url')
const tokens = maybe(fc.integer({ min: 300, max: MAX_TOKENS }))
const wait = maybe(fc.constantFrom(0, 0.05, 0.3))
const inputs = {
  scrape: fc.record({
    url: maybe(url),
    format: maybe(fc.constantFrom('markdown', 'links', 'list')),
    onlyMainContent: maybe(fc.boolean()),
    maxTokens: tokens,
  }),
  map: fc.record({
    url: maybe(url),
    search: maybe(fc.constantFrom('long', 'page 1')),
    limit: maybe(fc.nat(20)),
    maxTokens: tokens,
  }),
  crawl_start: fc.record({
    url: maybe(url),
    limit: maybe(fc.integer({ min: 1, max: 10 })),
    waitSeconds: wait,
    includePaths: maybe(fc.constantFrom(['^/p'], ['('])),
  }),
  crawl_status: fc.record({ job: maybe(fc.constant('job:')), waitSeconds: wait }),
  crawl_read: fc.record({ job: maybe(fc.constant('job:')), url: maybe(url) }),
  crawl_cancel: fc.record({ job: maybe(fc.constant('job:')) }),
  explain: fc.record({ job: maybe(fc.constant('job:')), url: maybe(url) }),
  search: fc.record({
    query: maybe(fc.constantFrom('words', 'line', '漢字')),
    job: maybe(fc.constant('job:')),
    limit: maybe(fc.nat(20)),
    maxTokens: tokens,
  }),
  read_more: fc.record({ handle: maybe(fc.constantFrom('handle:', 'text-1:1', 'text-1:999', 'text-9999')) }),
  no_such_tool: fc.record({}),
}
const call = fc.oneof(
  ...Object.entries(inputs).map(([name, input]) =>
    fc.record({
      name: fc.constant(name),
      input: fc.oneof({ weight: 9, arbitrary: input as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: odd }),
    }),
  ),
)

/** A call of each tool, so that random ones find a job and a handle. */
const validCalls: readonly { readonly name: string; readonly input: unknown }[] = [
  { name: 'scrape', input: { url: 'site:/long' } },
  { name: 'read_more', input: { handle: 'handle:' } },
  { name: 'map', input: { url: 'site:/' } },
  { name: 'crawl_start', input: { url: 'site:/', waitSeconds: 10 } },
  { name: 'crawl_status', input: { job: 'job:' } },
  { name: 'crawl_read', input: { job: 'job:' } },
  { name: 'explain', input: { job: 'job:', url: 'site:/long' } },
  { name: 'search', input: { query: 'words' } },
  { name: 'crawl_cancel', input: { job: 'job:' } },
]

const seen = { job: '', handle: '' }

/** Writes a random input as JSON, with what earlier answers gave in its places. */
function fillInput(input: unknown): string {
  const withoutBigInts = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  return (JSON.stringify(input ?? {}, withoutBigInts) ?? '{}')
    .replaceAll('site:', site.origin)
    .replaceAll('"job:"', JSON.stringify(seen.job))
    .replaceAll('"handle:"', JSON.stringify(seen.handle))
}

it(
  `${calls} random calls, wrong ones too, never exceed the budget and never end the server`,
  { timeout: 900_000 },
  async () => {
    const ends = new Set<string>()
    for (const { name, input } of [...validCalls, ...fc.sample(call, { numRuns: calls, seed: 23 })]) {
      const filled = fillInput(input)
      // Arguments that are no object are refused by the protocol, and not by a tool.
      const text = await served.call(name, JSON.parse(filled)).catch((error: Error) => `PROTOCOL: ${error.message}`)
      const [code = 'ok'] = /^[A-Z_]{4,}(?=: )/.exec(text) ?? []
      ends.add(`${name} ${code}`)
      if (code === 'PROTOCOL') expect(filled).not.toMatch(/^\{/)
      else expect(estimateTokens(text), `${name} ${filled.slice(0, 200)}`).toBeLessThanOrEqual(MAX_TOKENS)
      seen.job = /^Job: (\S+)$/m.exec(text)?.[1] ?? seen.job
      seen.handle = /handle "(text-[^"]+)"\.\]$/.exec(text)?.[1] ?? seen.handle
    }
    // Nothing was a defect, and every tool has answered.
    expect([...ends].filter((end) => end.includes('UNKNOWN_ERROR'))).toEqual([])
    expect([...ends]).toEqual(expect.arrayContaining(validCalls.map(({ name }) => `${name} ok`)))
    expect((await served.client.listTools()).tools).toHaveLength(validCalls.length)
  },
)
