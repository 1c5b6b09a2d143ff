import { describe, expect, it } from 'vitest'
import * as commands from '../../src/cli/commands/index.js'
import { flagsOf } from '../../src/cli/run-command-line.js'
import packageJson from '../../package.json' with { type: 'json' }
import { runHere } from './run-here.js'
import { runCli } from './start-cli.js'

describe('trawl', () => {
  it.each(Object.values(commands))('$name --help=all shows every flag and its meaning', async (command) => {
    const { code, stdout, stderr } = await runHere([command.name, '--help=all'])
    const help = stdout.replace(/\s+/g, ' ')
    for (const { name, description: meaning } of flagsOf(command)) {
      expect(help).toMatch(new RegExp(` --${name} `))
      expect(help).toContain(meaning)
    }
    expect([code, stderr]).toEqual([0, ''])
  })

  it.each(Object.values(commands))(
    '$name --help fits two screens, with an example that the command accepts',
    async (command) => {
      const { code, stdout } = await runHere([command.name, '--help'])
      const lines = stdout.split('\n')
      expect(lines.length).toBeLessThanOrEqual(48)
      expect(lines.filter((line) => line.length > 80)).toEqual([])
      expect(stdout).toContain(command.example[0])
      for (const [, name = ''] of command.example[0].matchAll(/ --([a-z-]+)/g))
        if (
          command.example[0].indexOf('|') < 0 ||
          command.example[0].indexOf(`--${name}`) < command.example[0].indexOf('|')
        )
          expect(flagsOf(command).map((flag) => flag.name)).toContain(name)
      for (const name of command.mainFlags ?? []) expect(flagsOf(command).map((flag) => flag.name)).toContain(name)
      expect(code).toBe(0)
    },
  )

  it.each([
    ['crawl', '--depth', '--depth is no flag: did you mean --max-discovery-depth?'],
    ['crawl', '--max-depth', '--max-depth is no flag: did you mean --max-discovery-depth?'],
    ['crawl', '-r', '-r is no flag: did you mean --max-discovery-depth?'],
    ['crawl', '--max-pages', '--max-pages is no flag: did you mean --limit?'],
    ['crawl', '--out', '--out is no flag: did you mean --output?'],
    ['batch', '--concurrency', '--concurrency is no flag: did you mean --max-concurrency?'],
    ['resume', '--max-concurrency', '--max-concurrency is no flag: did you mean --concurrency?'],
    ['crawl', '--no-robots', '--no-robots is no flag: did you mean --ignore-robots-txt?'],
    ['map', '--subdomains', '--subdomains is no flag: did you mean --allow-subdomains?'],
    ['scrape', '--allow-private', '--allow-private is no flag: did you mean --private-networks?'],
    ['crawl', '--verbose', '--verbose is no flag: did you mean --watch or --json?'],
    ['scrape', '--verbose', '--verbose is no flag: did you mean --json?'],
    ['scrape', '--cookie', "--cookie is no flag: did you mean --headers 'Cookie: name=value'?"],
    ['crawl', '--exclude', '--exclude is no flag: did you mean --exclude-paths or --exclude-tags?'],
    ['scrape', '--exclude', '--exclude is no flag: did you mean --exclude-tags?'],
    ['mirror', '--delete', '--delete is no flag'],
    ['crawl', '--prune', '--prune is no flag: did you mean `trawl mirror`?'],
    ['crawl', '--resume', '--resume is no flag: did you mean `trawl resume`?'],
    ['crawl', '--url', '--url is no flag: did you mean URL without a flag?'],
    ['crawl', '--allow-private-networks', '--allow-private-networks is no flag: did you mean --private-networks?'],
    ['crawl', '-f', '-f is no flag: did you mean --formats?'],
    ['crawl', '-l', '-l is no flag: did you mean --limit or --max-discovery-depth?'],
    ['scrape', '-H', "-H is no flag: did you mean --headers 'Name: value'?"],
    ['crawl', '--include', '--include is no flag: did you mean --include-paths or --include-tags?'],
    [
      'crawl',
      '--private-networks',
      '--private-networks takes no value: it is --private-networks or --no-private-networks',
    ],
  ])('trawl %s %s names what is meant', async (command, flag, message) => {
    const { code, stderr } = await runHere([command, 'https://a.com', flag, 'true'])
    expect(stderr).toContain(`trawl: ${message}\n`)
    expect(code).toBe(2)
  })

  it('takes `help` for --help', async () => {
    expect(await runHere(['help', 'crawl'])).toEqual(await runHere(['crawl', '--help']))
    expect(await runHere(['help'])).toEqual(await runHere(['--help']))
    expect(await runHere(['help', '--json'])).toEqual(await runHere(['--help']))
    expect(await runHere(['help', 'crawl', '--help=all'])).toEqual(await runHere(['crawl', '--help=all']))
  })

  it('--help shows every command and the exit codes', async () => {
    const { code, stdout } = await runCli(['--help'])
    for (const name of ['scrape URL', 'batch FILE', 'crawl URL', 'work', 'jobs', '130']) expect(stdout).toContain(name)
    expect(code).toBe(0)
  })

  it('report shows FILE as needed, and says that it is missing', async () => {
    expect((await runHere(['report', '--help'])).stdout).toContain('trawl report FILE [JOB]')
    expect(await runHere(['report'])).toMatchObject({ code: 2, stderr: expect.stringContaining('FILE is missing') })
  })

  it('--version shows the version', async () => {
    const shown = { stdout: `${packageJson.version}\n`, stderr: '', code: 0 }
    expect(await runCli(['--version'])).toEqual(shown)
    expect(await runHere(['-V'])).toEqual(shown)
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
    [
      ['https://a.com/b'],
      'https://a.com/b is no command: `trawl scrape https://a.com/b` scrapes a page, `trawl crawl ',
    ],
    [['a.com'], 'a.com is no command: `trawl scrape a.com` scrapes a page'],
    [['archive', 'https://a.com'], 'FILE: https://a.com is a URL, and no file: `trawl scrape https://a.com`'],
    [
      ['crawl', 'https://a.com', '--starts', 'https://b.com'],
      'FILE: https://b.com is a URL, and no file of URLs: `trawl scrape https://b.com` scrapes it',
    ],
    [['batch', 'https://a.com'], 'FILE: https://a.com is a URL, and no file: `trawl scrape https://a.com`'],
    [['report', 'https://a.com'], 'FILE: https://a.com is a URL, and no file: `trawl scrape https://a.com`'],
    [['watch', 'https://a.com'], 'FILE: https://a.com is a URL, and no file: `trawl scrape https://a.com`'],
    [['crawl'], 'URL is missing'],
    [['crawl', ''], 'URL is empty'],
    [['replay', '', 'https://a.test/'], 'FILE is empty'],
    [['mirror', 'https://a.test/', ''], 'is empty: is a variable of the shell not set?'],
    [['crawl', 'a.com', 'b.com'], 'only one URL is allowed, and b.com was given as well\n'],
    [
      ['scrape', 'a.com', '--formats', 'markdown', 'links'],
      'links was given as well: a flag takes several values as --flag=one --flag=two',
    ],
    [['help', 'crwal'], 'crwal is no command: did you mean crawl?'],
    [['crawl', 'a.com', '--limt', '5'], '--limt is no flag: did you mean --limit?'],
    [['crawl', 'a.com', '--schema', 'mine'], '--schema needs --database'],
    [['batch', 'list.txt', '--database', ''], '--database'],
    [['work', '--database', 'postgres://127.0.0.1:1/x', '--concurrency', '0'], '--concurrency: 0 is out of range'],
    [
      ['batch', 'list.txt', '--limit', '5'],
      '--limit is a flag of `trawl crawl`, `trawl map`, `trawl mirror`, `trawl plan` and `trawl search`, not of this command',
    ],
    [['scrape', 'a.com', '--threads', 'two'], '--threads: "two" is not a number'],
    [['crawl', 'a.com', '--max-concurrency', '0'], '--max-concurrency: 0 is out of range'],
    [['scrape', 'a.com', '--redact-pii'], '--redact-pii'],
    [['batch', 'no-such-file.txt'], 'cannot read no-such-file.txt: ENOENT'],
    [['completion'], 'SHELL is missing: one of bash, zsh, fish'],
    [['crawl', 'a.com', '--output', 'page.txt'], '--output: "page.txt" is neither FILE.ndjson nor a folder; FILE.csv'],
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
