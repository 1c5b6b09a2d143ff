import { describe, expect, it } from 'vitest'
import { batchCommand, crawlCommand } from '../../src/cli/commands/index.js'
import { readArguments } from '../../src/cli/flags/read-arguments.js'
import { flagsOf } from '../../src/cli/run-command-line.js'

const read = (...typed: string[]) => readArguments(typed, flagsOf(crawlCommand))
const request = (...typed: string[]): unknown => {
  const { values, problems } = read(...typed)
  expect(problems).toEqual([])
  return values.request
}

describe('readArguments', () => {
  it('puts each value at the path of its flag', () => {
    const { positionals, values, problems } = read(
      'https://example.com',
      '--limit',
      '5',
      '--timeout=2000',
      '-o',
      'out',
      '--max-wire-bytes=1000',
      '--threads=0',
      '-q',
    )
    expect(problems).toEqual([])
    expect(positionals).toEqual(['https://example.com'])
    expect(values).toEqual({
      request: { limit: 5, scrapeOptions: { timeout: 2000 } },
      engine: { limits: { wireBytes: 1000 }, threads: 0 },
      command: { output: 'out', quiet: true },
    })
  })

  it('keeps the options of a batch at the top level', () => {
    expect(readArguments(['--timeout', '2000', '--mobile'], flagsOf(batchCommand)).values.request).toEqual({
      timeout: 2000,
      mobile: true,
    })
  })

  it.each([
    [['--mobile'], { mobile: true }],
    [['--no-mobile'], { mobile: false }],
    [['--mobile=false'], { mobile: false }],
    [['--mobile', '--no-mobile'], { mobile: false }],
    [['--redact-pii'], { redactPII: true }],
    [['--no-redact-pii'], { redactPII: false }],
  ])('reads %j as a switch', (typed, scrapeOptions) => {
    expect(request(...typed)).toEqual({ scrapeOptions })
  })

  it('repeats a list, without splitting patterns and selectors at commas', () => {
    expect(request('--include-paths', '^/a{1,2}', '--include-paths', '[0-9]', '--include-tags', 'h1, h2')).toEqual({
      includePaths: ['^/a{1,2}', '[0-9]'],
      scrapeOptions: { includeTags: ['h1, h2'] },
    })
  })

  it('reads formats by name, with commas, repeated and as JSON', () => {
    const attributes = { type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] }
    expect(
      request('--formats', 'markdown,links', '--formats', 'html', '--formats', JSON.stringify(attributes)),
    ).toEqual({ scrapeOptions: { formats: ['markdown', 'links', 'html', attributes] } })
    expect(request('--formats', JSON.stringify(['images', attributes]))).toEqual({
      scrapeOptions: { formats: ['images', attributes] },
    })
    expect(request('--parsers', '[]')).toEqual({ scrapeOptions: { parsers: [] } })
  })

  it('reads objects as JSON, or as a string where the option allows one', () => {
    expect(request('--location', '{"country":"DE"}', '--webhook', 'https://example.com/hook')).toEqual({
      webhook: 'https://example.com/hook',
      scrapeOptions: { location: { country: 'DE' } },
    })
    expect(request('--webhook', '{"url":"https://example.com/hook"}')).toEqual({
      webhook: { url: 'https://example.com/hook' },
    })
  })

  it('merges headers, by line and as JSON', () => {
    expect(request('--headers', 'Cookie: a=b: c', '--headers', '{"X-One":"1"}', '--headers', 'X-Two:2')).toEqual({
      scrapeOptions: { headers: { Cookie: 'a=b: c', 'X-One': '1', 'X-Two': '2' } },
    })
  })

  it('passes on invalid numbers, which the engine reports', () => {
    expect(request('--limit', 'many', '--delay', '0.5')).toEqual({ limit: 'many', delay: 0.5 })
    expect(request('--limit', '-5')).toEqual({ limit: -5 })
    expect(request('--limit', '')).toEqual({ limit: '' })
  })

  it('reads numbers with commas, repeated and as JSON, and passes on what is none', () => {
    const retried = (...typed: string[]) => {
      const { statusCodes } = readArguments(typed, flagsOf(batchCommand)).values.engine.retry as {
        statusCodes?: unknown
      }
      return statusCodes
    }
    expect(retried('--retry-status-codes', '403, 429', '--retry-status-codes', '503')).toEqual([403, 429, 503])
    expect(retried('--retry-status-codes', '[403]')).toEqual([403])
    expect(retried('--retry-status-codes', '[]')).toEqual([])
    expect(retried('--retry-status-codes', '403,many')).toEqual([403, 'many'])
  })

  it('reads false as such where an option can be off, and makes no folder of that name', () => {
    const engine = (...typed: string[]) => read('url', ...typed).values.engine
    expect(engine('--cache', 'false', '--ffmpeg=false')).toEqual({ cache: false, ffmpeg: false })
    expect(engine('--cache', 'pages')).toEqual({ cache: 'pages' })
    expect(read('url', '--cache', 'true').problems).toEqual(['--cache takes a value, or false'])
  })

  it('uses the last one of repeated single values', () => {
    expect(request('--limit', '1', '--limit', '2')).toEqual({ limit: 2 })
  })

  it.each([
    ['--limt', '--limt is no flag: did you mean --limit?'],
    ['--ouptut=x', '--ouptut is no flag: did you mean --output?'],
    ['--onlyMainContent', '--onlyMainContent is no flag: did you mean --only-main-content?'],
    ['--no-mobil', '--no-mobil is no flag: did you mean --no-mobile?'],
    ['-x', '-x is no flag'],
    ['--constructor', '--constructor is no flag'],
    ['--limit', '--limit needs a value: --limit=…'],
    ['--mobile=maybe', '--mobile takes no value, or =true or =false'],
    ['--no-mobile=true', '--no-mobile takes no value'],
    ['--redact-pii=hard', '--redact-pii takes =true, =false or =JSON'],
    ['--headers=secret', "--headers needs the form 'Name: value'"],
    ['--location={"country":', '--location is not valid JSON'],
  ])('refuses %s', (typed, problem) => {
    expect(read('url', typed).problems).toEqual([problem])
  })

  it('refuses a flag whose value is missing', () => {
    expect(read('--output', '--limit', '5').problems).toEqual(['--output needs a value: --output=…'])
  })

  it('reports all problems, and never shows a header', () => {
    const { problems } = read('--limt', '--headers', '{"Cookie":"secret', '--mobile=1')
    expect(problems).toHaveLength(3)
    expect(problems.join()).not.toContain('secret')
  })

  it('names the command that has the flag', () => {
    const foreign = (name: string): string[] => (name === 'workers' ? ['scrape'] : [])
    expect(readArguments(['--workers'], flagsOf(crawlCommand), foreign).problems).toEqual([
      '--workers is a flag of `trawl scrape`, not of this command',
    ])
  })
})
