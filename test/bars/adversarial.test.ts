import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostileDocuments } from '../adversarial/documents.js'
import { hostileFiles } from '../adversarial/files.js'
import { type HostCall, type HostResult, runHost } from '../adversarial/host-process.js'
import { hostileSites } from '../adversarial/sites.js'

/**
 * Documents and sites that were made to hold up whoever reads them, against an engine in a process of its own: its main
 * thread is never held long, every page ends in its time, and the process lives.
 *
 * The test command runs a short form; `npm run test:bars` runs all of it, with the browser, at full size.
 */
const isWhole = process.env['BARS'] === 'whole'
/** Size of a document. */
const BYTES = isWhole ? 4_000_000 : 1_000_000
/** Links of a page, lines of a file. */
const LINES = isWhole ? 100_000 : 30_000
const TIMEOUT_MS = 10_000
/** Beyond its time limit a page may take this long to say so. */
const GRACE_MS = 2000
/**
 * Processor time that the main thread may take without a turn of its timers. The test command allows twice as much: beside
 * other tests the same work takes longer, and what it is to find holds the thread for seconds.
 */
const MAX_HELD_MS = isWhole ? 50 : 100
const MAX_HELD_BY_LINKS_MS = isWhole ? 250 : 500
/** Before Node 23.9 the time is known in ticks of 10 ms only. */
const TICK_MS = 'threadCpuUsage' in process ? 0 : 20

const everything = [...hostileFiles, ...hostileDocuments]
const documents = everything.filter(({ inShort }) => isWhole || inShort)
const sites = hostileSites.filter(({ inShort }) => isWhole || inShort)

const plain = `<!doctype html><title>Plain</title><main><h1>Plain</h1>${`<p>${'Some words that are the content of an ordinary page. '.repeat(12)}</p>`.repeat(20)}</main>`
/** Asks for a browser, whose library is loaded for it. */
const shell = '<!doctype html><title>Shell</title><div id="root"></div><script>0</script>'
const formats = [
  'markdown',
  'html',
  'rawHtml',
  'links',
  'images',
  'product',
  'menu',
  'chunks',
  'changeTracking',
  {
    type: 'json',
    mode: 'structured',
    schema: { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } },
  },
]

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(handle: Parameters<typeof createServer>[1] & {}): Promise<string> {
  const server = createServer({ maxHeaderSize: 256 * 1024 }, handle)
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const serveDocuments = (): Promise<string> =>
  listen((request, response) => {
    const found = /^\/document\/(\d+)$/.exec(request.url ?? '')
    const hostile = found && everything[Number(found[1])]
    const type = hostile && 'type' in hostile ? hostile.type : 'text/html; charset=utf-8'
    response.writeHead(200, { ...(type !== undefined && { 'content-type': type }), ...hostile?.headers?.(BYTES) })
    response.end(hostile ? hostile.body(BYTES) : request.url === '/shell' ? shell : plain)
  })

const serveSite = async (site: (typeof hostileSites)[number]): Promise<string> => {
  const base = await listen((request, response) => {
    const answer = site.answer(request.url ?? '/', LINES, base)
    if (typeof answer === 'function') {
      answer(response)
      return
    }
    const { type, body } = typeof answer === 'object' ? answer : { type: 'text/html', body: answer ?? '' }
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': type }).end(body)
  })
  return base
}

const report = ({ name, heldMs, tookMs, outcome }: HostResult): string =>
  `${name}: held ${Math.round(heldMs)} ms, took ${Math.round(tookMs)} ms, ${outcome}`

/** Passes when nothing is wrong; otherwise the failure says all of it, a line each. */
const expectNone = (bad: readonly HostResult[]): void => {
  const lines = bad.map(report)
  expect(lines, `\n${lines.join('\n')}\n`).toEqual([])
}

/** A collector that runs, or a machine that is busy, holds a thread once; a document that holds it does so each time. */
const TRIES = 3

/** Runs calls, and those that held the main thread too long again: the least time counts. */
async function runCalls(
  calls: readonly HostCall[],
  settings: Parameters<typeof runHost>[1],
  maxHeldMs: number,
): Promise<HostResult[]> {
  const results = await runHost(calls, settings, log)
  for (let again = 1; again < TRIES; again += 1) {
    const held = calls.filter((_call, at) => (results[at]?.heldMs ?? 0) > maxHeldMs && results[at]?.outcome !== 'never')
    const repeated = await runHost(held, settings, log)
    for (const [at, call] of held.entries()) {
      const place = calls.indexOf(call)
      const result = repeated[at]
      if (result && result.heldMs < (results[place]?.heldMs ?? 0)) results[place] = result
    }
  }
  return results
}

const noBrowser = { browser: { executablePath: '/bin/false' } }
const warmUp = (origin: string): HostCall[] => [
  { name: 'plain', url: `${origin}/plain`, kind: 'scrape', timeoutMs: TIMEOUT_MS },
  { name: 'shell', url: `${origin}/shell`, kind: 'scrape', timeoutMs: TIMEOUT_MS },
  { name: 'plain', url: `${origin}/plain`, kind: 'crawl', timeoutMs: TIMEOUT_MS },
]
const log = (result: HostResult): void => {
  if (isWhole) process.stdout.write(`${report(result)}\n`)
}

describe('hostile documents', () => {
  let results: HostResult[] = []
  beforeAll(async () => {
    const origin = await serveDocuments()
    const calls = documents.map((document): HostCall => ({
      name: document.name,
      url: `${origin}/document/${everything.indexOf(document)}`,
      kind: 'scrape',
      timeoutMs: TIMEOUT_MS,
    }))
    const settings = { engineOptions: isWhole ? {} : noBrowser, formats, warmUp: warmUp(origin) }
    results = await runCalls(calls, settings, MAX_HELD_MS + TICK_MS)
  }, 3_600_000)

  it('all end, and the process lives', () => expectNone(results.filter(({ outcome }) => outcome === 'never')))
  it('end within their time', () => expectNone(results.filter(({ tookMs }) => tookMs > TIMEOUT_MS + GRACE_MS)))
  it('never hold the main thread', () => expectNone(results.filter(({ heldMs }) => heldMs > MAX_HELD_MS + TICK_MS)))
  it('fail with a code where they fail', () =>
    expectNone(results.filter(({ outcome }) => outcome !== 'ok' && !outcome.startsWith('SCRAPE_'))))
})

describe('hostile sites', () => {
  let results: HostResult[] = []
  beforeAll(async () => {
    const origin = await serveDocuments()
    const calls: HostCall[] = []
    for (const site of sites) {
      calls.push({ name: site.name, url: `${await serveSite(site)}/`, kind: 'crawl', timeoutMs: TIMEOUT_MS })
    }
    const settings = { engineOptions: { fetcher: 'http' }, formats, warmUp: warmUp(origin) }
    results = await runCalls(calls, settings, MAX_HELD_BY_LINKS_MS + TICK_MS)
  }, 3_600_000)

  it('all end, and the process lives', () => expectNone(results.filter(({ outcome }) => outcome === 'never')))
  it('never hold the main thread', () =>
    expectNone(results.filter(({ heldMs }) => heldMs > MAX_HELD_BY_LINKS_MS + TICK_MS)))
})
