import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { createEngine, sqlite } from '../../../src/index.js'
import { file as openIndex } from '../../../src/features/search/indexes/index.js'
import { findSqlite, textOf } from '../../../src/base/sqlite/driver.js'
import { generateSite } from '../../site/generate-site.js'
import { startSite } from '../../site/site.js'

const kills = process.env['BARS'] === 'whole' ? 50 : 10
/** Each crawl is killed so often, and then let come to its end. */
const KILLS_EACH = 5
const PAGES = 80
/** A crawl is killed after any number of further requests up to this, and up to so much later. Milliseconds. */
const MAX_REQUESTS = 30
const LATER_MS = 150
const LONG_MS = 60_000

const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

/** A process that crawls into a ledger with an index, and goes on where the one before it was killed. */
const crawler = `
  import { createEngine, sqlite } from ${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)}
  const [file, url] = process.argv.slice(1)
  const engine = createEngine({
    ledger: sqlite(file), index: true, embed: async (texts) => texts.map((text) => [text.length, 100]), allowPrivateNetworks: true, threads: 0, fetcher: 'http', cache: false,
  })
  const job = await engine.crawl(
    { url, limit: ${PAGES}, sitemap: 'skip', ignoreRobotsTxt: true, maxConcurrency: 6 }, { idempotencyKey: 'the crawl' },
  )
  await job.finished()
  await engine.close()
  process.stdout.write('ended')`

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

/** The keys of the pages that gave a document, by the ledger and by the index, and the number of chunks without a vector. */
async function readKeys(ledger: string): Promise<{ inLedger: string[]; inIndex: string[]; withoutVector: number }> {
  const none = { inLedger: [], inIndex: [], withoutVector: 0 }
  if (!existsSync(ledger) || !existsSync(`${ledger}-search`)) return none
  const database = findSqlite({ code: 'LEDGER_ERROR', name: 'a test' })(ledger)
  const tables = database.prepare(`SELECT name FROM sqlite_master WHERE name IN ('jobs', 'pages')`).all()
  const job = tables.length === 2 ? database.prepare('SELECT id FROM jobs').get() : undefined
  const rows = job ? database.prepare('SELECT row FROM pages').all() : []
  database.close()
  if (!job) return none
  const parsed = rows.map((row) => JSON.parse(textOf(row, 'row')) as { key: string; outcome: string })
  const index = openIndex(`${ledger}-search`)
  const inIndex = (await index.keys(textOf(job, 'id'))) ?? []
  const missing = await index.vectors?.listMissing(textOf(job, 'id'), 0)
  await index.close()
  return {
    inLedger: parsed
      .filter(({ outcome }) => outcome === 'done')
      .map(({ key }) => key)
      .toSorted(),
    inIndex: [...inIndex].toSorted(),
    withoutVector: missing?.chunks.length ?? 0,
  }
}

it(`has in the index what is in the ledger, after ${kills} times kill -9`, { timeout: kills * LONG_MS }, async () => {
  await using site = await startSite({ pages: Object.fromEntries(generateSite({ pages: PAGES })) })
  let [killed, amidst, ahead] = [0, 0, 0]
  for (let crawls = 0; killed < kills; crawls += 1) {
    const ledger = join(folder, `${crawls}.db`)
    const args = [ledger, site.url('/')]
    for (let kill = 0; kill < KILLS_EACH && killed < kills; kill += 1) {
      const until = site.requests.length + 1 + Math.floor(Math.random() * MAX_REQUESTS)
      const dueToDie = async (): Promise<void> => {
        while (site.requests.length < until) await sleep(1)
        await sleep(Math.random() * LATER_MS)
      }
      if ((await crawl(args, dueToDie)) === 'ended') break
      killed += 1
      const { inLedger, inIndex } = await readKeys(ledger)
      // The index is written first, and may be ahead.
      expect(inIndex).toEqual(expect.arrayContaining(inLedger))
      if (inLedger.length > 0) amidst += 1
      if (inIndex.length > inLedger.length) ahead += 1
    }
    expect(await crawl(args)).toBe('ended')
    const { inLedger, inIndex, withoutVector } = await readKeys(ledger)
    expect(withoutVector).toBe(0)
    expect(inLedger.length).toBeGreaterThan(PAGES * 0.8)
    expect(inIndex).toEqual(inLedger)
    await using engine = createEngine({ ledger: sqlite(ledger), index: true })
    expect(await engine.search('the', { limit: 100 })).not.toEqual([])
  }
  expect(amidst).toBeGreaterThan(kills / 3)
  console.info(`${kills} kills: ${amidst} amidst a crawl, and in ${ahead} the index was ahead of the ledger`)
})
