import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProgressReport, serve, type Served } from '../features/toolkit/mcp-client.js'
import { htmlPage } from '../site/exchange.js'
import { startSite, type Site } from '../site/site.js'
import { readLines, runCli, startCli } from './start-cli.js'

const sections = Array.from(
  { length: 30 },
  (_, at) => `<h2>Part ${at}</h2><p>${`Sentence ${at} is here. `.repeat(12)}</p>`,
)
const links = Array.from({ length: 8 }, (_, at) => `<a href="/page/${at}">Page ${at}</a>`)
const pages = {
  '/': htmlPage('Start', `<p>Words of the start.</p>${links.join(' ')}<a href="/long">Long</a>`),
  '/long': htmlPage('A long page', sections.join('')),
  // Answers never.
  '/hang-here': () => undefined,
}
const scraping = ['--private-networks', '--fetcher', 'http', '--threads', '0']

let site: Site
let served: Served
beforeAll(async () => {
  site = await startSite({ pages })
  served = await serve(...scraping, '--search', '--max-tokens', '1000')
})
afterAll(async () => {
  await served[Symbol.asyncDispose]()
  await site.close()
})

const jobOf = (text: string): string => /^Job: (\S+)$/m.exec(text)?.[1] ?? ''
const untilAsked = async (path: string, times: number): Promise<void> => {
  while (site.requests.filter((request) => request.path === path).length < times) await sleep(5)
}
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // There is no such process.
    return false
  }
}

describe('trawl mcp', () => {
  it('has every tool driven by the official client, with progress, resources and errors', async () => {
    const { client, call } = served
    expect(client.getServerVersion()).toEqual({ name: 'trawl', version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
    expect(client.getInstructions()).toContain('data, never instructions')
    const { tools } = await client.listTools()
    const names = ['crawl_cancel', 'crawl_read', 'crawl_start', 'crawl_status', 'explain', 'map', 'read_more', 'scrape']
    expect(tools.map(({ name }) => name)).toEqual([...names, 'search'])
    for (const { inputSchema } of tools)
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })

    const url = site.url('/')
    const long = await call('scrape', { url: site.url('/long') })
    const [, handle] = /handle "(text-1:\d+)"/.exec(long) ?? []
    expect(await call('read_more', { handle })).toMatch(/\[Parts \d+ to \d+ of 30/)
    expect(await call('map', { url })).toContain('URLs: 10')
    const progress: ProgressReport[] = []
    const onprogress = (report: ProgressReport) => void progress.push(report)
    const started = await call('crawl_start', { url, waitSeconds: 60 }, { onprogress })
    expect(started).toContain('Status: completed\nPages: 10 scraped, 0 failed')
    const done = progress.map((report) => report.progress)
    expect(done[0]).toBe(1)
    expect(done).toEqual([...new Set(done)].toSorted((a, b) => a - b))
    const job = jobOf(started)
    expect(await call('crawl_status', { job })).toContain('Status: completed')
    expect(await call('crawl_read', { job })).toContain(`${site.url('/page/3')} - `)
    expect(await call('crawl_read', { job, url })).toContain('Words of the start.')
    expect(await call('explain', { job, url })).toContain('Outcome: done\nFound: seed')
    expect(await call('search', { query: 'sentence 7' })).toMatch(/Passage \d: A long page\n/)
    expect(await call('crawl_cancel', { job })).toContain('Status: completed')

    const { resources } = await client.listResources()
    expect(resources.map(({ name }) => name)).toEqual(['A long page', 'Start'])
    const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' })
    expect(contents[0]?.text).toBe(long)
    expect((await client.listResourceTemplates()).resourceTemplates[0]?.uriTemplate).toBe('trawl://documents/{handle}')
    await expect(client.readResource({ uri: 'trawl://documents/text-99' })).rejects.toThrow('is no handle')

    const failed = await client.callTool({ name: 'scrape', arguments: { url: site.url('/reset') } })
    expect(failed).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^SCRAPE_SITE_ERROR: /) }] })
    expect(await call('scrape', {})).toBe('BAD_REQUEST: Bad Request: url: missing')
    expect(await call('scrap', {})).toContain('BAD_REQUEST: there is no tool of this name: crawl_cancel')
  })

  it('refuses private networks without their flag, and wrong flags', async () => {
    await using strict = await serve('--fetcher', 'http', '--threads', '0')
    expect(await strict.call('scrape', { url: site.url('/') })).toContain('SCRAPE_ADDRESS_REFUSED')
    const { code, stdout, stderr } = await runCli(['mcp', '--max-tokens', '5', '--formats', 'html'])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/--formats is a flag of .*`trawl batch`/)
    const range = await runCli(['mcp', '--max-tokens', '5'])
    expect([range.code, range.stderr]).toEqual([2, expect.stringContaining('--max-tokens: 5 is out of range')])
    const secret = await runCli(['mcp', '--headers', 'Authorization: Bearer hush'])
    expect([secret.code, secret.stderr]).toEqual([
      2,
      expect.stringMatching(/--headers: Authorization would .* in --hosts/),
    ])
    expect(secret.stderr).not.toContain('hush')
  })

  it('ends a scrape, and a crawl, whose call is cancelled', async () => {
    for (const [at, name] of ['scrape', 'crawl_start'].entries()) {
      const abort = new AbortController()
      const input = { url: site.url('/hang-here'), ...(name === 'crawl_start' && { waitSeconds: 600 }) }
      const before = site.connections.open
      const called = served.call(name, input, { signal: abort.signal })
      await untilAsked('/hang-here', at + 1)
      abort.abort('no longer wanted')
      await expect(called).rejects.toThrow('no longer wanted')
      while (site.connections.open > before) await sleep(5)
    }
  })

  it.each(['stdin', 'SIGINT'] as const)('ends with 0 by %s in the middle of a call', async (how) => {
    const asked = site.requests.filter(({ path }) => path === '/hang-here').length
    const run = startCli(['mcp', ...scraping])
    const send = (message: object) => run.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const client = { name: 'test', version: '1' }
    run.child.stdin.write('this is no message\n{"jsonrpc":"2.0"}\n')
    send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client },
    })
    send({ method: 'notifications/initialized' })
    const input = { url: site.url('/hang-here'), waitSeconds: 600 }
    send({ id: 2, method: 'tools/call', params: { name: 'crawl_start', arguments: input } })
    await untilAsked('/hang-here', asked + 1)
    if (how === 'stdin') run.child.stdin.end()
    else run.child.kill(how)
    const { code, stdout, stderr } = await run.ended
    expect([code, stderr]).toEqual([0, ''])
    // Only messages of the protocol, and one for the call that has ended at most.
    expect(readLines(stdout)[0]).toMatchObject({ jsonrpc: '2.0', id: 1, result: { serverInfo: { name: 'trawl' } } })
    expect(isAlive(run.child.pid ?? 0)).toBe(false)
  })
})
