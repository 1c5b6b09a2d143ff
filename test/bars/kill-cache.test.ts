import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { fileCache, type FetchedPage } from '../../src/index.js'

const kills = process.env['BARS'] === 'whole' ? 1000 : 30
const SEED = 20261120
/** Writers are killed at any moment up to this long after their first page. Milliseconds. */
const MAX_MS = 40
/** What is left is looked at after so many kills. */
const LOOK_EVERY = 5
/** Pages that are written again and again. */
const KEYS = 60

/**
 * A page of some kilobytes, that can be told to be whole: what is in it follows from its key and its version. Every third
 * version of all keys has one body in common. It stands by itself: its text goes to another process.
 */
function makePage(key: number, version: number): FetchedPage {
  const seed = version % 3 === 0 ? version % 9 : key * 1000 + version
  const words = Array.from({ length: 200 + (seed % 1500) }, (_, n) => ((seed + 1) * (n + 7) * 2654435761) % 99991)
  return {
    url: `http://site.test/${key}`,
    redirects: [],
    statusCode: 200,
    headers: { 'content-type': 'text/html', etag: `"${version}"` },
    contentType: 'text/html',
    body: new TextEncoder().encode(`<p>${words.join(' ')}</p>`),
    fetcher: 'http',
    fetchedAtMs: version,
  }
}

/** Remembers pages without end, four at once. Arguments: the folder, and a seed that says which pages come first. */
const writer = `
  import { fileCache } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)}
  const makePage = ${makePage.toString()}
  const [folder, seed] = process.argv.slice(1)
  const cache = fileCache({ folder, maxBytes: 4 * 1024 * 1024 })
  async function write(start) {
    for (let n = start; ; n += 7) {
      await cache.set('page ' + n % ${KEYS}, makePage(n % ${KEYS}, n))
      if (n === start) process.stdout.write('.')
    }
  }
  await Promise.all([0, 1, 2, 3].map((lane) => write(Number(seed) + lane * 13)))`

/** Numbers from 0 to 1, the same ones each time. */
function draw(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Starts a writer, and kills it at some moment. */
async function killOne(folder: string, random: () => number): Promise<void> {
  const script = ['--input-type=module', '-e', writer, folder, `${Math.floor(random() * 1e6)}`]
  const child = spawn(process.execPath, script, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  await sleep(random() * MAX_MS)
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
}

it(
  `serves no page that is wrong or cut short after ${kills} times kill -9 in the middle of writing`,
  { timeout: kills * 5000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
    const random = draw(SEED)
    const wrong: string[] = []
    let [served, parts] = [0, 0]
    for (let kill = 1; kill <= kills; kill++) {
      await killOne(folder, random)
      if (kill % LOOK_EVERY !== 0) continue
      const cache = fileCache({ folder })
      for (let key = 0; key < KEYS; key++) {
        const page = await cache.get(`page ${key}`)
        if (!page) continue
        served += 1
        const made = makePage(key, page.fetchedAtMs)
        const isRight = page.url === made.url && page.headers['etag'] === made.headers['etag']
        if (!isRight || !Buffer.from(made.body).equals(page.body)) wrong.push(`kill ${kill}, page ${key}`)
      }
      parts = Math.max(parts, (await readdir(join(folder, 'v1', 'parts'))).length)
    }
    console.log(
      `${kills} kills: ${served} pages served, ${wrong.length} of them wrong; ${parts} half-written files left`,
    )
    expect(wrong).toEqual([])
    // Pages were there to be served, and writers did die while they wrote.
    expect(served).toBeGreaterThan(kills)
    expect(parts).toBeGreaterThan(0)
    await rm(folder, { recursive: true })
  },
)
