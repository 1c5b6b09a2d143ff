import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { generateSite } from '../site/generate-site.js'
import { startSite } from '../site/site.js'

const isWhole = process.env['BARS'] === 'whole'
const kills = isWhole ? 200 : 8
/** Each crawl is killed so often, and then let come to its end. */
const KILLS_EACH = 8
const SEED = 20261120
const PAGES = isWhole ? 500 : 120
/** A crawl is killed after any number of requests up to this, and up to so much later. Milliseconds. */
const MAX_REQUESTS = PAGES / 4
const LATER_MS = 40
/** Pages under way at once. */
const AT_ONCE = 6
/** A real site, where the machine has it and there is time for one. */
const REAL = '/usr/share/doc/postgresql-doc-15/html'
const isReal = isWhole && existsSync(REAL)

const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

/**
 * A process that crawls: it goes on where the one before it was killed, and commits each document to a store of its own,
 * a line of a file, before it asks for the next.
 */
const crawler = `
  import { appendFileSync, existsSync, readFileSync } from 'node:fs'
  import { createHash } from 'node:crypto'
  import { createEngine, sqlite } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)}
  const [file, url, committed] = process.argv.slice(1)
  const engine = createEngine({
    ledger: sqlite(file), allowPrivateNetworks: true, threads: 0, fetcher: 'http', cache: false, maxConcurrency: ${AT_ONCE},
  })
  const request = { url, limit: ${PAGES}, sitemap: 'skip', ignoreRobotsTxt: true }
  const job = await engine.crawl(request, { acknowledge: true, idempotencyKey: 'the crawl' })
  // What the last process committed and had no time to acknowledge.
  const last = existsSync(committed) ? readFileSync(committed, 'utf8').trimEnd().split('\\n').at(-1) : undefined
  if (last) await job.acknowledge(JSON.parse(last).deliveryId)
  process.stdout.write('.')
  for await (const { metadata, markdown } of job) {
    const { url, depth, discoveredFrom, title, deliveryId } = metadata
    const content = createHash('sha256').update(markdown).digest('hex')
    appendFileSync(committed, JSON.stringify({ deliveryId, url, depth, discoveredFrom, title, content }) + '\\n')
  }
  const { data, ...status } = await job.finished()
  process.stdout.write(JSON.stringify(status))
  await engine.close()`

interface Committed {
  readonly deliveryId: number
  readonly url: string
}

/** What was committed so far. */
async function readCommitted(file: string): Promise<Committed[]> {
  const text = existsSync(file) ? await readFile(file, 'utf8') : ''
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Committed)
}

/** Starts a crawler; gives back what it said when it came to its end, undefined when it was killed before. */
async function crawl(args: readonly string[], dueToDie?: () => Promise<void>): Promise<string | undefined> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', crawler, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (data) => (said += String(data)))
  const ended = once(child, 'exit')
  if (dueToDie) {
    await Promise.race([dueToDie(), ended])
    child.kill('SIGKILL')
  }
  const [code, signal] = await ended
  if (signal === 'SIGKILL') return undefined
  expect(code).toBe(0)
  return said.slice(1)
}

/** Numbers from 0 to 1, the same ones each time. */
function draw(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const withoutIds = (documents: readonly Committed[]): string[] =>
  documents.map((document) => JSON.stringify({ ...document, deliveryId: undefined })).toSorted()

it(
  `gives the documents of an uninterrupted crawl, each once, after ${kills} times kill -9`,
  { timeout: kills * 60_000 },
  async () => {
    await using site = await startSite(isReal ? {} : { pages: Object.fromEntries(generateSite({ pages: PAGES })) })
    if (isReal) site.mount('/docs/', REAL)
    const start = site.url(isReal ? '/docs/index.html' : '/')
    const whole = join(folder, 'whole')
    const status = JSON.parse((await crawl([`${whole}.db`, start, `${whole}.lines`])) ?? '{}') as { completed: number }
    const expected = withoutIds(await readCommitted(`${whole}.lines`))
    expect(expected.length).toBe(status.completed)
    expect(expected.length).toBeGreaterThan(PAGES * 0.9)

    const random = draw(SEED)
    let [killed, kept, maxKept] = [0, 0, 0]
    for (let crawls = 0; killed < kills; crawls++) {
      const file = join(folder, `${crawls}`)
      const args = [`${file}.db`, start, `${file}.lines`]
      for (let kill = 0; kill < KILLS_EACH && killed < kills; kill++) {
        const asked = site.requests.length
        const before = await readCommitted(`${file}.lines`)
        const [most, laterMs] = [asked + random() * MAX_REQUESTS, random() * LATER_MS]
        const dueToDie = async (): Promise<void> => {
          while (site.requests.length < most) await sleep(2)
          await sleep(laterMs)
        }
        if ((await crawl(args, dueToDie)) !== undefined) break
        killed += 1
        const repeated = site.requests
          .slice(asked)
          .filter(({ path }) => before.some(({ url }) => url === site.url(path)))
        expect(repeated).toEqual([])
      }
      const asked = site.requests.length
      const before = await readCommitted(`${file}.lines`)
      const said = await crawl(args)
      const committed = await readCommitted(`${file}.lines`)
      const fetched = site.requests.slice(asked).map(({ path }) => site.url(path))
      expect(fetched.filter((url) => before.some((document) => document.url === url))).toEqual([])
      expect(withoutIds(committed)).toEqual(expected)
      expect(new Set(committed.map(({ deliveryId }) => deliveryId)).size).toBe(committed.length)
      expect(JSON.parse(said ?? '{}')).toMatchObject({ ...pick(status), completed: expected.length })
      kept += before.length
      maxKept = Math.max(maxKept, before.length)
      await rm(`${file}.db`)
    }
    console.log(
      `${killed} kills; ${kept} documents committed when crawls were killed for the last time, ${maxKept} at most of one; none lost, none twice`,
    )
    // Crawls were killed in the middle, too.
    expect(maxKept).toBeGreaterThan(0)
  },
)

const pick = ({ completed }: { completed: number }) => ({ status: 'completed', completed, total: completed, failed: 0 })
