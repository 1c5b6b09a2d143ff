import { spawn } from 'node:child_process'
import { copyFile, open, readFile, stat } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createEngine, sqlite } from '../../../src/index.js'
import { makeRandom } from '../../site/edited-page.js'
import { startSite } from '../../site/site.js'
import { useSqliteFiles } from './use-sqlite-files.js'

const { newFile } = useSqliteFiles()
const FILES = 24
const settings = { allowPrivateNetworks: true, threads: 0, cache: false, fetcher: 'http' } as const

/** Reads everything of the jobs of damaged files, in a process of its own: SQLite libraries have ended theirs. */
const script = `
  import { createEngine, sqlite } from ${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)}
  const told = []
  for (const file of process.argv.slice(1)) {
    const note = async (what, read) => {
      try {
        await read()
      } catch (error) {
        told.push([what, error.code ?? String(error), error.message])
      }
    }
    await note('engine', async () => {
      const engine = createEngine({ ledger: sqlite(file), resume: false, ...${JSON.stringify(settings)} })
      const ids = []
      await note('listJobs', async () => ids.push(...(await engine.listJobs()).map(({ id }) => id)))
      for (const id of ids) {
        let job
        await note('job', async () => (job = await engine.job(id)))
        if (!job) continue
        await note('status', () => job.status())
        await note('errors', () => job.errors())
        await note('rows', async () => { for await (const row of job.urls()) void row })
        await note('documents', async () => { for await (const document of job) void document })
        await note('explain', () => job.explain('http://127.0.0.1/p1'))
      }
      await note('resume', async () => { for (const job of await engine.resume()) await job.cancel() })
      await note('health', () => engine.health())
      await note('close', () => engine.close({ drain: false }))
    })
  }
  process.stdout.write(JSON.stringify(told))`

it('gives a `LEDGER_ERROR` for what cannot be read in a damaged file, and ends no process', async () => {
  const text = Array.from({ length: 300 }, (_, at) => `wörd${at} läßt`).join(' ')
  const pages = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`/p${at}`, `<h1>Päge ${at}</h1><p>${text}</p>`]),
  )
  await using site = await startSite({ pages })
  const whole = newFile()
  {
    await using engine = createEngine({ ledger: sqlite(whole), ...settings })
    const urls = Object.keys(pages).map((path) => site.url(path))
    const webhook = { url: site.url('/hook') }
    await engine.batchScrape({ urls: [...urls, site.url('/missing')] }).finished()
    await engine.crawl({ url: site.url('/p0'), sitemap: 'skip', webhook }).finished()
  }
  const { size } = await stat(whole)
  const random = makeRandom(49)
  const files = await Promise.all(
    Array.from({ length: FILES }, async (_, at) => {
      const file = newFile()
      await copyFile(whole, file)
      const handle = await open(file, 'r+')
      // The first page of the file is spared in most of them: without it, SQLite refuses the file at once.
      const from = at % 6 === 0 ? 0 : 4096
      for (let count = 0; count < 64; count += 1) {
        const bytes = Uint8Array.of(at % 2 === 0 ? 0xff : random(256))
        await handle.write(bytes, 0, 1, from + random(size - from))
      }
      // Names of columns, which are nowhere else but in the first pages.
      if (at === 1) {
        const head = await readFile(file)
        const name = head.lastIndexOf('idempotency_key', 16_384)
        expect(name).toBeGreaterThan(0)
        await handle.write(Uint8Array.of(0xff), 0, 1, name + 3)
      }
      await handle.close()
      return file
    }),
  )
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<readonly unknown[]>((resolve) => child.once('close', (...how) => resolve(how)))
  let printed = ''
  for await (const chunk of child.stdout) printed += String(chunk)
  expect(await ended).toEqual([0, null])
  const told = JSON.parse(printed) as (readonly [string, string, string])[]
  expect(told.length).toBeGreaterThan(FILES / 2)
  // A request may be damaged so that it is another one, which is refused for what it asks.
  const isTold = ([, code, message]: (typeof told)[number]): boolean =>
    code === 'LEDGER_ERROR' || (code === 'BAD_REQUEST' && /cannot be (?:resumed|opened) here/.test(message))
  expect(told.filter((one) => !isTold(one))).toEqual([])
}, 120_000)
