import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createEngine, defineFeature, sqlite } from '../../../src/index.js'
import { PriorityQueue } from '../../../src/base/collections/priority-queue.js'

/** Bounds of what a reader has to follow. They may only become lower. */
const MAX_FRAMES = 11
const MAX_OBJECTS = 13
const MAX_FILES = 6

const JOBS = 7
const START = 'https://ships.test/'

/** A site in which each page links to the next one. */
const site = defineFeature({
  name: 'site',
  fetcher: {
    handles: () => true,
    async fetch({ url }) {
      const number = Number(new URL(url).pathname.slice(1))
      await sleep(5)
      return { body: `<title>${number}</title><main><h1>Day ${number}</h1><a href="/${number + 1}">next</a></main>` }
    },
  },
})

/** Collects the functions of jobs that run meanwhile, with the number of their calls. */
async function openCalls() {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  onTestFinished(() => session.disconnect())
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result.flatMap(({ url, functions }) => {
      const [, file] = /\/src\/kernel\/job\/(.+)$/.exec(url) ?? []
      if (file === undefined) return []
      return functions.map(({ functionName: name, ranges: [range] }) => ({ file, name, count: range?.count ?? 0 }))
    })
  }
}

it('a link goes from the strategy of its crawl to the queue in few steps', async () => {
  const { push } = PriorityQueue.prototype
  const { stackTraceLimit } = Error
  const stacks: string[][] = []
  Error.stackTraceLimit = 100
  PriorityQueue.prototype.push = function (this: PriorityQueue<unknown>, ...given) {
    stacks.push(new Error('pushed').stack?.split('\n').filter((line) => line.includes('/src/')) ?? [])
    return push.apply(this, given)
  }
  try {
    await using engine = createEngine({ features: [site], threads: 0 })
    await engine.crawl({ url: START, limit: 3, sitemap: 'skip' }).finished()
  } finally {
    PriorityQueue.prototype.push = push
    Error.stackTraceLimit = stackTraceLimit
  }
  const below = stacks
    .map((stack) => stack.findIndex((line) => line.includes('CrawlStrategy.')))
    .filter((at) => at >= 0)
  expect(below.length).toBeGreaterThan(0)
  // The queue of a site, and that of the sites, are one step each.
  expect(Math.max(...below)).toBeLessThanOrEqual(MAX_FRAMES)
})

it('few objects make a crawl', async () => {
  await using engine = createEngine({ features: [site], threads: 0 })
  const crawl = () => engine.crawl({ url: START, limit: 3, sitemap: 'skip' }).finished()
  await crawl()
  const take = await openCalls()
  for (let job = 0; job < JOBS; job += 1) await crawl()
  const made = (await take()).filter(
    // Two of those that are made anew in order to be freed; each crawl has three pages.
    ({ name, count }) =>
      (count === JOBS || count === 2 * JOBS) && (/^[A-Z]/.test(name) || name === '<instance_members_initializer>'),
  )
  const sources = [...new Set(made.map(({ file }) => file))].filter(
    (file) =>
      !readFileSync(new URL(`../../../src/kernel/job/${file}`, import.meta.url), 'utf8').includes('abstract class'),
  )
  expect(sources).toContain('run/job-loop.ts')
  // What is left of a job at its end is made then.
  const begun = sources.filter((file) => file !== 'handle/ended-job.ts')
  expect(begun.length, begun.join(' ')).toBeLessThanOrEqual(MAX_OBJECTS)
})

it('how a crawl resumes stands in few files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-shape-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const open = (name: string) => createEngine({ features: [site], threads: 0, ledger: sqlite(join(folder, name)) })
  const take = await openCalls()
  const namesOf = async (): Promise<Set<string>> =>
    new Set((await take()).flatMap(({ file, name, count }) => (name !== '' && count > 0 ? [`${file} ${name}`] : [])))

  // One crawl is parked, and another one comes to its end.
  const left = open('left.db')
  const parked = left.crawl({ url: START, limit: 12, sitemap: 'skip' })
  await new Promise((resolve) => void parked.once('document', resolve))
  await left.close()
  const other = open('other.db')
  const ended = other.crawl({ url: START, limit: 3, sitemap: 'skip' })
  await ended.finished()
  // What an ended job lets go of is let go of in a later turn.
  await sleep(50)
  await other.close()
  const usual = await namesOf()

  await using later = open('left.db')
  const [resumed] = await later.resume()
  expect((await resumed?.finished())?.completed).toBe(12)
  const further = [...(await namesOf())].filter((name) => !usual.has(name))
  const files = new Set(further.map((name) => name.slice(0, name.indexOf(' '))))
  expect(files).toContain('run/restore-job.ts')
  expect(files.size, further.join('\n')).toBeLessThanOrEqual(MAX_FILES)
})
