import { readdir, readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { htmlPage, readNumber, sendPage } from '../site/exchange.js'
import { startSite, type Site } from '../site/site.js'
import { makeFolder, readLines, runCli } from './start-cli.js'

const list = (numbers: readonly number[], more: string): string => {
  const rows = numbers.map(
    (at) =>
      `<li class="lamp"><h3><a href="/lamp/${at}">Lamp "${at}", brass</a></h3><p>It burns for ${at + 20} hours.</p>${more}</li>`,
  )
  return `<ul>${rows.join('')}</ul>`
}

let site: Site
beforeAll(async () => {
  site = await startSite({
    pages: {
      '/1': htmlPage('One', list([0, 1, 2], '')),
      '/2': htmlPage('Two', list([2, 3, 4], '<span class="price">5.50 EUR</span>')),
      '/all': (exchange) => {
        const page = readNumber(exchange, 'page', 1)
        const next = page < 3 ? `<a rel="next" href="?page=${page + 1}">Next</a>` : ''
        const from = (page - 1) * 4
        sendPage(exchange, htmlPage('All', list([from, from + 1, from + 2, from + 3], '') + next))
      },
      '/text': htmlPage('Text'),
    },
  })
})
afterAll(() => site.close())

const titles = (rows: readonly Record<string, unknown>[]): unknown[] => rows.map(({ title }) => title)
const lamps = (...numbers: number[]): string[] => numbers.map((at) => `Lamp "${at}", brass`)

describe('rows on the command line', () => {
  it('are written as CSV by a batch, each once, with the columns of all pages', async () => {
    await using folder = await makeFolder()
    const urls = `${site.url('/1')}\n${site.url('/2')}\n${site.url('/status/404')}\n`
    const args = ['batch', '-', '--output', folder.in('items.csv'), '--max-concurrency', '1']
    const { code, stdout, stderr } = await runCli(args, { input: urls })
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toContain(`5 rows written to ${folder.in('items.csv')}\n`)
    expect(stderr).toContain(', 1 with an error status, ')
    const [header = '', ...records] = (await readFile(folder.in('items.csv'), 'utf8')).split('\r\n')
    expect(header.split(',')).toEqual(expect.arrayContaining(['title', 'url', 'price', 'priceCurrency']))
    expect(records).toHaveLength(6)
    expect(records[0]).toContain('"Lamp ""0"", brass"')
    expect(records[3]).toMatch(/5\.5,EUR/)
    expect(records[5]).toBe('')
    expect(await readdir(folder.path)).toEqual(['items.csv'])
  })

  it('go to standard output, a file of lines or a JSON array with --rows', async () => {
    await using folder = await makeFolder()
    const args = ['crawl', site.url('/1'), '--limit', '1', '--rows']
    expect(titles(readLines((await runCli(args)).stdout))).toEqual(lamps(0, 1, 2))
    await runCli([...args, '--output', folder.in('items.ndjson')])
    expect(titles(readLines(await readFile(folder.in('items.ndjson'), 'utf8')))).toEqual(lamps(0, 1, 2))
    await runCli([...args, '--output', folder.in('items.json')])
    const items = JSON.parse(await readFile(folder.in('items.json'), 'utf8')) as Record<string, unknown>[]
    expect(titles(items)).toEqual(lamps(0, 1, 2))
    expect((await readdir(folder.path)).toSorted()).toEqual(['items.json', 'items.ndjson'])
  })

  it('are those of the whole list with --all', async () => {
    await using folder = await makeFolder()
    const one = await runCli(['scrape', site.url('/all'), '--rows', '--output', folder.in('items.ndjson')])
    expect(one.stderr).toMatch(
      /^4 rows written to .*items\.ndjson\. The list goes on \(".+"\): 4 rows are on this page\.$/m,
    )
    const printed = await runCli(['scrape', site.url('/all'), '--rows'])
    expect(printed.stderr).toMatch(/^4 rows written to standard output\. The list goes on/m)
    const { stdout } = await runCli(['scrape', site.url('/all'), '--rows', '--all', '--formats', 'markdown,list'])
    expect(titles(readLines(stdout))).toEqual(lamps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11))
    const whole = await runCli(['scrape', site.url('/all'), '--all', '--formats', '{"type":"list","most":6}'])
    expect(readLines(whole.stdout)).toMatchObject([{ list: { items: { length: 6 }, pagesRead: 2 } }])
  })

  it('leave the file of an earlier run when there are none', async () => {
    await using folder = await makeFolder()
    for (const name of ['items.csv', 'items.json']) {
      await writeFile(folder.in(name), 'before')
      const { stderr } = await runCli(['scrape', site.url('/text'), '--rows', '--output', folder.in(name)])
      expect(stderr).toContain(`0 rows: nothing was written to ${folder.in(name)}. The page has no list.`)
      expect(await readFile(folder.in(name), 'utf8')).toBe('before')
    }
    expect((await readdir(folder.path)).toSorted()).toEqual(['items.csv', 'items.json'])
  })

  it.each([
    [['--rows', '--output', 'out/'], '--output: rows need FILE.csv, FILE.ndjson or FILE.json, not "out/"'],
    [['--rows', '--formats', 'markdown'], '--rows needs format list: add it to --formats'],
    [['--all', '--formats', 'links'], '--all needs format list: add it to --formats'],
    [
      ['--output', 'a.csv', '--formats', 'markdown'],
      '--output: FILE.csv gets the rows of lists, which needs format list: add it to --formats',
    ],
  ])('are refused with %j', async (args, message) => {
    await using folder = await makeFolder()
    const { code, stderr } = await runCli(['crawl', site.url('/1'), '--limit', '1', ...args], { cwd: folder.path })
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(await readdir(folder.path)).toEqual([])
  })
})
