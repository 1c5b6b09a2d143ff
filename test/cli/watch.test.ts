import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Interrupt } from '../../src/cli/interrupt.js'
import { runCommandLine } from '../../src/cli/run-command-line.js'
import { type StandardStream, Terminal } from '../../src/cli/terminal/terminal.js'
import { watchJob } from '../../src/cli/terminal/watch.js'
import { htmlPage } from '../site/exchange.js'
import { type Site, startSite } from '../site/site.js'
import { Screen } from './screen.js'
import { makeFolder, readLines, runCli } from './start-cli.js'

/** A run of the command line in this process, with the streams of a terminal. */
function start(args: readonly string[], out: StandardStream, err: StandardStream) {
  // The process would end here, some time after the first signal.
  const exit = (() => undefined) as unknown as () => never
  const source = Object.assign(new EventEmitter(), { exit })
  const terminal = new Terminal(out, err)
  return { ended: runCommandLine(args, terminal, new Interrupt(source)), source, terminal }
}

describe('--watch', () => {
  let site: Site
  beforeEach(async () => {
    site = await startSite({
      pages: {
        '/': htmlPage(
          'Start',
          '<p><a href="/one">One</a> <a href="/slow-body">Slow</a> <a href="/reset">Reset</a></p>',
        ),
        '/one': htmlPage('One'),
      },
    })
  })
  afterEach(() => site.close())

  const flags = ['--watch', '--timeout', '300000', '--ignore-robots-txt', '--sitemap', 'skip', '--fetcher', 'http']

  it('draws what the job does, over itself, and leaves the summary and the cursor at the end', async () => {
    await using folder = await makeFolder()
    const [out, err] = [new Screen(), new Screen()]
    const args = ['crawl', site.url('/'), ...flags, '--output', folder.in('out')]
    const { ended, source } = start(args, out, err)
    await expect.poll(() => err.text, { timeout: 20_000 }).toContain('2 done')
    await expect.poll(() => err.text).toMatch(/\n {2}(fetch|waits) +[\d.:]+( s)? +http\S+\/slow-body/)
    expect(err.isCursorVisible).toBe(false)
    expect(err.text.match(/pages\/s now/g)).toHaveLength(1)
    expect(err.text).toContain(`Hosts    2 127.0.0.1:${site.port}`)
    err.resize(40)
    await expect.poll(() => Math.max(...err.lines.map(({ length }) => length))).toBeLessThan(40)
    expect(err.text.match(/pages\/s now/g)).toHaveLength(1)
    source.emit('SIGINT')
    expect(await ended).toBe(130)
    expect(err.isCursorVisible).toBe(true)
    expect(err.text).toMatch(/^Stopping; a second Ctrl-C ends at once\nCrawl cancelled: 2 pages/)
    expect(err.text).not.toContain('pages/s now')
    expect(out.text).toBe('')
  })

  it('restores the cursor after an error of the output, and before the process ends at once', async () => {
    const err = new Screen()
    const broken = Object.assign(new PassThrough(), { isTTY: false })
    broken.destroy(new Error('broken'))
    const { ended } = start(['crawl', site.url('/one'), ...flags], broken, err)
    expect(await ended).toBe(0)
    expect(err.isCursorVisible).toBe(true)

    const screen = new Screen()
    const terminal = new Terminal(new PassThrough(), screen)
    terminal.showView(['one', 'two'])
    expect([screen.text, screen.isCursorVisible]).toEqual(['one\ntwo', false])
    terminal.clearStatus()
    expect([screen.text, screen.isCursorVisible]).toEqual(['', true])
  })

  it('keeps the pages on standard output whole, and writes no sequences where there is no terminal', async () => {
    const { code, stdout, stderr } = await runCli(['crawl', site.url('/one'), ...flags, '--timeout', '2000'])
    expect(code).toBe(0)
    expect(readLines(stdout)).toHaveLength(1)
    expect(stderr).not.toContain('\u001b')
    const out = new PassThrough()
    const text = readText(out)
    const err = new Screen()
    await start(['crawl', site.url('/one'), ...flags], out, err).ended
    out.end()
    expect(readLines(await text)).toHaveLength(1)
    expect(err.text).toContain('Crawl completed: 1 page')
  })

  it('shows no view in a terminal that the pages are printed to, and says so', async () => {
    const err = new Screen()
    await start(['crawl', site.url('/one'), ...flags], new Screen(), err).ended
    expect(err.text).toContain('--watch: the pages are printed to this terminal. Add --output, or redirect')
    expect(err.text).not.toContain('pages/s now')
  })
})

it('a ledger that answers slowly is asked once at a time', async () => {
  vi.useFakeTimers()
  try {
    const answers: (() => void)[] = []
    const job = {
      kind: 'crawl',
      request: { url: 'https://a.com/' },
      on: () => job,
      off: () => job,
      activity: () => new Promise<never[]>((resolve) => answers.push(() => resolve([]))),
      status: async () => ({ completed: 0, total: 1, failed: 0, skipped: 0, skippedByReason: {}, used: { bytes: 0 } }),
    }
    const err = new Screen()
    const { signal } = new AbortController()
    const options = { limit: 10, terminal: new Terminal(new Screen(), err), signal, printsPages: false }
    const close = watchJob(job as unknown as Parameters<typeof watchJob>[0], options)
    err.resize(70)
    await vi.advanceTimersByTimeAsync(5000)
    expect(answers).toHaveLength(1)
    answers[0]?.()
    await vi.advanceTimersByTimeAsync(5000)
    expect(answers).toHaveLength(2)
    expect(err.text).toContain('https://a.com/')
    close()
  } finally {
    vi.useRealTimers()
  }
})
