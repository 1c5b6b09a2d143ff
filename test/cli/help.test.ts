import { describe, expect, it } from 'vitest'
import * as commands from '../../src/cli/commands/index.js'
import { flagsOf } from '../../src/cli/run-command-line.js'
import packageJson from '../../package.json' with { type: 'json' }
import { runHere } from './run-here.js'
import { runCli } from './start-cli.js'

describe('trawl', () => {
  it.each(Object.values(commands))('$name --help shows every flag and its meaning', async (command) => {
    const { code, stdout, stderr } = await runHere([command.name, '--help'])
    const help = stdout.replace(/\s+/g, ' ')
    for (const { name, description: meaning } of flagsOf(command)) {
      expect(help).toMatch(new RegExp(` --${name} `))
      expect(help).toContain(meaning)
    }
    expect([code, stderr]).toEqual([0, ''])
  })

  it('--help shows every command and the exit codes', async () => {
    const { code, stdout } = await runCli(['--help'])
    for (const name of ['scrape URL', 'batch FILE', 'crawl URL', 'work', 'jobs', '130']) expect(stdout).toContain(name)
    expect(code).toBe(0)
  })

  it('--version shows the version', async () => {
    expect(await runCli(['--version'])).toEqual({ stdout: `${packageJson.version}\n`, stderr: '', code: 0 })
  })

  it('exits with 2 without a database for jobs and work, and with an argument that they do not take', async () => {
    for (const command of ['jobs', 'resume', 'work']) {
      const missing = { code: 2, stderr: expect.stringContaining('--database is missing') }
      expect(await runHere([command])).toMatchObject(missing)
    }
    const { code, stderr } = await runHere(['jobs', 'all', '--database', 'postgres://127.0.0.1:1/x'])
    expect(stderr).toContain('jobs takes no argument, and all was given')
    expect(code).toBe(2)
  })

  it('exits with 2 after invalid arguments', async () => {
    const { code, stdout, stderr } = await runCli(['crawl', 'a.com', '--limt', '5'])
    expect(stderr).toBe('trawl: --limt is no flag: did you mean --limit?\n`trawl crawl --help` shows what there is\n')
    expect([code, stdout]).toEqual([2, ''])
  })

  it.each([
    [[], 'no command was given'],
    [['crwal'], 'crwal is no command: did you mean crawl?'],
    [['fly'], 'fly is no command: there are '],
    [['crawl'], 'URL is missing'],
    [['crawl', 'a.com', 'b.com'], 'only one URL is allowed, and b.com was given as well'],
    [['crawl', 'a.com', '--limt', '5'], '--limt is no flag: did you mean --limit?'],
    [['crawl', 'a.com', '--schema', 'mine'], '--schema needs --database'],
    [['batch', 'list.txt', '--database', ''], '--database'],
    [['work', '--database', 'postgres://127.0.0.1:1/x', '--concurrency', '0'], '--concurrency: 0 is out of range'],
    [
      ['batch', 'list.txt', '--limit', '5'],
      '--limit is a flag of `trawl crawl`, `trawl map`, `trawl plan` and `trawl search`, not of this command',
    ],
    [['scrape', 'a.com', '--threads', 'two'], '--threads: "two" is not a number'],
    [['crawl', 'a.com', '--max-concurrency', '0'], '--max-concurrency: 0 is out of range'],
    [['scrape', 'a.com', '--redact-pii'], '--redact-pii'],
    [['batch', 'no-such-file.txt'], 'cannot read no-such-file.txt: ENOENT'],
    [['crawl', 'a.com', '--output', 'page.md'], '--output: "page.md" is neither FILE.ndjson nor a folder'],
    [['crawl', 'a.com', '--output', 'out', '--formats', 'links'], '--output: a folder gets Markdown'],
  ])('%j exits with 2 and an explanation', async (args, message) => {
    const { code, stdout, stderr } = await runHere(args)
    expect(stderr).toContain(message)
    expect([code, stdout]).toEqual([2, ''])
  })

  it('reports all problems of a request in terms of flags, one per line', async () => {
    const flags = '--timeout 3 --include-paths ( --proxy fast --formats markdown,markdwon --wait-for long'.split(' ')
    const attributes = ['--formats', '{"type":"attributes","selectrs":[]}']
    const { code, stderr } = await runHere(['crawl', 'ftp://a.com', ...flags, ...attributes])
    const lines = stderr.split('\n')
    const starts = ['URL: ', '--timeout: 3 ', '--include-paths [0]: ', '--proxy: ', '--formats [1]: ', '--wait-for: ']
    for (const start of starts) expect(lines).toContainEqual(expect.stringMatching(`^trawl: ${escape(start)}`))
    expect(stderr).toContain('did you mean `selectors`?')
    expect(stderr).not.toContain('scrapeOptions')
    expect(code).toBe(2)
  })
})

const escape = (text: string): string => text.replace(/[[\]]/g, '\\$&')
