import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { findSqlite, textOf } from '../../../src/base/sqlite/driver.js'
import { fileInput } from '../../../src/features/archive/read/archive-input.js'
import { listIndex } from '../../../src/features/archive/read/read-index.js'
import { readRecords } from '../../../src/features/archive/read/read-records.js'
import { ArchiveFile } from '../../../src/features/archive/write/archive-file.js'
import { generateSite } from '../../site/generate-site.js'
import { startSite } from '../../site/site.js'

const kills = process.env['BARS'] === 'whole' ? 200 : 20
/** Each crawl is killed so often, and then let come to its end. */
const KILLS_EACH = 10
const PAGES = 80
/** A crawl is killed after any number of further requests up to this, and up to so much later. Milliseconds. */
const MAX_REQUESTS = 14
const LATER_MS = 60

const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

/** A process that crawls into a ledger and an archive, and goes on where the one before it was killed. */
const crawler = `
  import { createEngine, sqlite } from ${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)}
  const [file, url] = process.argv.slice(1)
  const engine = createEngine({
    ledger: sqlite(file), archive: file + '.warc.gz', allowPrivateNetworks: true, threads: 0, fetcher: 'http', cache: false,
  })
  const job = await engine.crawl(
    { url, limit: ${PAGES}, sitemap: 'skip', ignoreRobotsTxt: true, maxConcurrency: 6 }, { idempotencyKey: 'the crawl' },
  )
  await job.finished()
  await engine.close()`

/** Runs a crawler, until it ends or is to die. */
async function crawl(args: readonly string[], dueToDie?: () => Promise<void>): Promise<'killed' | 'ended'> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', crawler, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  if (dueToDie) {
    await Promise.race([dueToDie(), ended])
    child.kill('SIGKILL')
  }
  const [code, signal] = await ended
  if (signal === 'SIGKILL') return 'killed'
  expect(code).toBe(0)
  return 'ended'
}

/** The URLs of the pages that gave a document, by the ledger. */
function readLedger(file: string): readonly string[] {
  if (!existsSync(file)) return []
  const database = findSqlite({ code: 'LEDGER_ERROR', name: 'a test' })(file)
  const tables = database.prepare(`SELECT name FROM sqlite_master WHERE name = 'pages'`).all()
  const rows = tables.length === 1 ? database.prepare('SELECT row FROM pages').all() : []
  database.close()
  const parsed = rows.map((row) => JSON.parse(textOf(row, 'row')) as { url: string; outcome: string })
  return parsed.flatMap(({ url, outcome }) => (outcome === 'done' ? [url] : []))
}

/** Opens the archive as the next process does, and reads it whole. */
async function readArchive(path: string): Promise<readonly string[]> {
  if (!existsSync(path)) return []
  const file = await ArchiveFile.open(path)
  await file.close()
  const ids = new Set<string>()
  const captures = new Set<string>()
  const urls: string[] = []
  for await (const record of readRecords(fileInput(path), { wants: () => true, blockBytes: 1e9 })) {
    if ('damage' in record) throw new Error(record.damage)
    expect(record.problems).toEqual([])
    const { fields, type } = record
    const id = fields.get('warc-record-id') ?? ''
    expect(ids.has(id)).toBe(false)
    ids.add(id)
    if (type !== 'response' && type !== 'revisit') continue
    const url = fields.get('warc-target-uri') ?? ''
    // A body that was received before is written as a revisit record.
    const capture = `${type} ${url} ${fields.get('warc-payload-digest') ?? ''} ${type === 'revisit' ? id : ''}`
    expect(captures.has(capture), capture).toBe(false)
    captures.add(capture)
    urls.push(url)
  }
  const index = await listIndex(path)
  expect(index.map(({ url }) => url).toSorted()).toEqual(urls.toSorted())
  return urls
}

it(
  'an archive of a killed crawl opens, has each page that the ledger has, and no record twice',
  async () => {
    await using site = await startSite({ pages: Object.fromEntries(generateSite({ pages: PAGES, seed: 5 })) })
    let seed = 11
    const random = (below: number): number => (seed = (seed * 48_271) % 0x7fffffff) % below
    let killed = 0
    let round = 0
    while (killed < kills) {
      const file = join(folder, `${round++}.db`)
      for (let each = 0; each < KILLS_EACH && killed < kills; each++) {
        const until = site.requests.length + 1 + random(MAX_REQUESTS)
        const end = await crawl([file, site.url('/')], async () => {
          while (site.requests.length < until) await sleep(2)
          await sleep(random(LATER_MS))
        })
        if (end === 'ended') break
        killed += 1
        const archived = new Set(await readArchive(`${file}.warc.gz`))
        for (const url of readLedger(file)) expect(archived.has(url), url).toBe(true)
      }
      await crawl([file, site.url('/')])
      const archived = new Set(await readArchive(`${file}.warc.gz`))
      const done = readLedger(file)
      expect(done.length).toBeGreaterThan(20)
      for (const url of done) expect(archived.has(url), url).toBe(true)
    }
  },
  kills > 20 ? 3_600_000 : 600_000,
)
