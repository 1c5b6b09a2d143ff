import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEngine, sqlite } from '../../../src/index.js'
import { sendPage } from '../../site/exchange.js'
import { answers, startReceiver } from '../../site/receiver.js'
import { type Site, startSite } from '../../site/site.js'
import { runHere } from '../../cli/run-here.js'

let site: Site
let text = ''
let folder: string

beforeAll(async () => {
  site = await startSite({
    pages: {
      '/a': (exchange) => sendPage(exchange, `<h1>Page</h1><p>${text}</p>`),
      '/quick': (exchange) => sendPage(exchange, '<p>quick</p>'),
      '/slow': async (exchange) => {
        await sleep(1500)
        return sendPage(exchange, '<p>slow</p>')
      },
    },
  })
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
})
afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true })
})

const flags = ['--threads', '0', '--fetcher', 'http']

it('trawl watch keeps histories beside its file, and prints meaningful changes', async () => {
  const file = join(folder, 'watch.yaml')
  await writeFile(
    file,
    `watches:\n  - name: prices\n    every: 6h\n    targets:\n      - url: ${site.url('/a')}\n    scrapeOptions: { onlyMainContent: false }\n`,
  )
  text = 'It costs $10.'
  const first = await runHere(['watch', file, '--once', ...flags])
  expect(first).toMatchObject({ code: 0, stdout: '' })
  expect(first.stderr).toContain('prices: check 1: 1 page, 0 changed, 1 new')
  text = 'It costs $12.'
  const second = await runHere(['watch', file, '--once', '--quiet', ...flags])
  expect(second).toMatchObject({ code: 0, stderr: '' })
  expect(second.stdout).toBe(`prices: changed ${site.url('/a')}\n  price: $10 → $12\n`)
  const third = await runHere(['watch', file, '--once', '--all', '--json', ...flags])
  expect(
    third.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toMatchObject([{ status: 'same' }])
  const messages = third.stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  expect(messages).toMatchObject([
    { check: { watch: 'prices', number: 3, trigger: 'call', summary: { totalPages: 1, same: 1 } } },
  ])
})

it('--once delivers its reports before it ends, and tells of those that it could not deliver', async () => {
  const file = join(folder, 'reported.yaml')
  const receiver = await startReceiver()
  const write = (name: string): Promise<void> =>
    writeFile(
      file,
      `- { name: ${name}, every: 6h, targets: [{ url: ${site.url('/a')} }], webhook: "${receiver.url}" }\n`,
    )
  await write('up')
  expect(await runHere(['watch', file, '--once', '--strict', ...flags])).toMatchObject({ code: 0 })
  expect(receiver.received.map(({ body }) => body.type)).toEqual(['monitor.page', 'monitor.check.completed'])
  receiver.answer = answers.status(503)
  await write('down')
  const down = await runHere(['watch', file, '--once', '--strict', '--quiet', ...flags])
  expect(down).toMatchObject({ code: 3, stderr: expect.stringContaining('down: A report was not delivered') })
  expect(down.stderr).toContain('answered with 503')
  const later = await runHere(['watch', file, '--once', ...flags])
  expect(later).toMatchObject({ code: 0, stderr: expect.stringContaining('down: 2 reports wait for another attempt') })
  await receiver.close()
})

it('--once asks for each page once, with several watches and a slow page', async () => {
  const file = join(folder, 'once.yaml')
  const watch = (name: string): string =>
    `- { name: ${name}, every: 6h, targets: [{ url: ${site.url(`/${name}`)} }] }\n`
  await writeFile(file, `${watch('slow')}${watch('quick')}`)
  const { code, stderr } = await runHere(['watch', file, '--once', ...flags])
  expect(code).toBe(0)
  expect(stderr).toContain('slow: check 1: 1 page,')
  const asked = (path: string): number => site.requests.filter((request) => request.path === path).length
  expect([asked('/slow'), asked('/quick')]).toEqual([1, 1])
})

it('prints the results also when another process holds the watch', async () => {
  const file = join(folder, 'held.yaml')
  await writeFile(file, `- { name: held, every: 6h, targets: [{ url: ${site.url('/a')} }] }\n`)
  text = 'It costs $10.'
  const engine = createEngine({ ledger: sqlite(`${file}.db`), allowPrivateNetworks: true, threads: 0, fetcher: 'http' })
  const watch = await engine.watch({ name: 'held', every: '6h', targets: [{ url: site.url('/a') }] })
  await watch.check()
  text = 'It costs $12.'
  const { code, stdout } = await runHere(['watch', file, '--once', '--quiet', ...flags])
  expect({ code, stdout }).toEqual({ code: 0, stdout: `held: changed ${site.url('/a')}\n  price: $10 → $12\n` })
  await engine.close()
})

it('trawl watch refuses a file without watches, and names the watch that is wrong', async () => {
  const file = join(folder, 'wrong.yaml')
  await writeFile(file, '- name: a\n  every: never\n  targets:\n    - url: https://example.com\n')
  const wrong = await runHere(['watch', file, ...flags])
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain(`${file}: watch 1: every`)
  await writeFile(file, '[]')
  expect((await runHere(['watch', file, ...flags])).stderr).toContain('has no watches')
  await writeFile(file, 'a: [')
  expect((await runHere(['watch', file, ...flags])).stderr).toContain('cannot read')
})

it('trawl watch refuses two watches of one name, of which it would watch only the second', async () => {
  const file = join(folder, 'twice.json')
  const watch = (path: string) => ({ name: 'prices', every: '6h', targets: [{ url: site.url(path) }] })
  await writeFile(file, JSON.stringify([watch('/a'), watch('/quick')]))
  expect(await runHere(['watch', file, '--once', ...flags])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('watches 1 and 2 are both named "prices"'),
  })
})

it('tells pages that failed with their reasons, and ends with 1 only if there was no other', async () => {
  const file = join(folder, 'failing.yaml')
  const write = (...paths: string[]): Promise<void> =>
    writeFile(
      file,
      `- { name: failing${paths.length}, every: 6h, targets: [{ urls: [${paths.map((path) => site.url(path)).join(', ')}] }] }\n`,
    )
  await write('/quick', '/none')
  const once = async (...more: string[]) => await runHere(['watch', file, '--once', ...more, ...flags])
  const partly = await once()
  expect(partly).toMatchObject({ code: 0, stdout: '' })
  expect(partly.stderr).toContain(`failing2: error ${site.url('/none')}: 404 Not Found`)
  expect(await once('--strict')).toMatchObject({ code: 3 })
  await write('/none')
  expect(await once()).toMatchObject({ code: 1 })
})
