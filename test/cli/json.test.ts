import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as commands from '../../src/cli/commands/index.js'
import { Terminal } from '../../src/cli/terminal/terminal.js'
import { flagsOf } from '../../src/cli/run-command-line.js'
import { htmlPage } from '../site/exchange.js'
import { type Site, startSite } from '../site/site.js'
import { runHere } from './run-here.js'
import { makeFolder, readLines } from './start-cli.js'

describe('--json', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite({ pages: { '/': htmlPage('Start', '<p><a href="/reset">Reset</a></p>') } })
  })
  afterAll(() => site.close())

  it.each(Object.values(commands))('is a flag of $name', (command) => {
    expect(flagsOf(command).map(({ name }) => name)).toContain('json')
  })

  it('gives the pages of a crawl on standard output, and its id and summary on standard error', async () => {
    const { code, stdout, stderr } = await runHere(['crawl', site.url('/'), '--json', '--timeout', '2000'])
    expect(code).toBe(0)
    expect(readLines(stdout)).toMatchObject([{ metadata: { title: 'Start' } }])
    const lines = readLines(stderr)
    expect(lines).toMatchObject([
      { job: { kind: 'crawl' } },
      {
        summary: {
          status: 'completed',
          completed: 1,
          failed: 1,
          written: 1,
          unit: 'page',
          destination: 'standard output',
          errors: [{ url: site.url('/reset'), code: expect.stringMatching(/^SCRAPE_/) as unknown }],
        },
      },
    ])
    expect(lines[1]?.['summary']).not.toHaveProperty('data')
  })

  it('gives errors as JSON with their code, with each problem of a wrong request', async () => {
    const wrong = await runHere(['crawl', site.url('/'), '--json', '--limit', '0', '--timeout', '3'])
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(readLines(wrong.stderr)).toEqual([
      {
        error: {
          code: 'BAD_REQUEST',
          message: expect.any(String) as unknown,
          problems: [
            expect.stringMatching(/^--limit: 0 is out of range/) as unknown,
            expect.stringMatching(/^--timeout: 3 /) as unknown,
          ],
        },
      },
    ])
    const unknown = await runHere(['crwal', '--json'])
    expect(readLines(unknown.stderr)).toMatchObject([
      { error: { problems: ['crwal is no command: did you mean crawl?'] } },
    ])
    const failed = await runHere(['scrape', site.url('/reset'), '--json', '--timeout', '2000'])
    expect(failed.code).toBe(1)
    expect(readLines(failed.stderr)).toMatchObject([{ error: { code: expect.stringMatching(/^SCRAPE_/) as unknown } }])
  })

  it('gives the files of a report', async () => {
    await using folder = await makeFolder()
    const [pages, file] = [folder.in('pages'), folder.in('report.html')]
    await runHere(['scrape', site.url('/'), '-o', pages, '--quiet'])
    const { stdout, stderr } = await runHere(['report', pages, '-o', file, '--json'])
    expect([readLines(stdout), stderr]).toEqual([[{ file, parts: [], pages: 1 }], ''])
  })

  it('leaves no control character in messages', () => {
    const err = new PassThrough({ encoding: 'utf8' })
    const terminal = new Terminal(new PassThrough(), err)
    terminal.useJson()
    terminal.report('a\u001b[2J\u009b31m\u007f\u202e')
    const line = String(err.read())
    expect(line).toBe('{"note":"a\\u001b[2J\\u009b31m\\u007f\\u202e"}\n')
    expect(JSON.parse(line)).toEqual({ note: 'a\u001b[2J\u009b31m\u007f\u202e' })
  })
})
