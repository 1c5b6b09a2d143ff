import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { createEngine, type Engine, type EngineConfig, sqlite } from '../../../src/index.js'
import { JobRegistry } from '../../../src/kernel/job/job-registry.js'
import { candidate } from '../../contracts/ledger-rows.js'
import { useSqliteFiles } from '../ledger/use-sqlite-files.js'
import { storedJob } from '../ledger/stored-job.js'
import { page } from '../job/crawl-site.js'
import { startSite, type Site } from '../../site/site.js'

const { folder, newFile, openSqlite } = useSqliteFiles()

let site: Site
let release: () => void
const released = new Promise<void>((resolve) => (release = resolve))
let engines: Engine[] = []

const open = (file: string, config: EngineConfig = {}): Engine => {
  const engine = createEngine({ allowPrivateNetworks: true, threads: 0, cache: false, ledger: sqlite(file), ...config })
  engines.push(engine)
  return engine
}

beforeAll(async () => {
  site = await startSite({
    pages: {
      '/': page('/slow'),
      '/slow': async ({ response }) => {
        await released
        response.end(page())
      },
    },
  })
})

afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.close({ drain: false })))
  engines = []
})

afterAll(() => site.close())

const crawl = () => ({ url: site.url('/'), ignoreRobotsTxt: true, sitemap: 'skip' as const })

it('continues the jobs of an earlier process by itself, and tells once why others cannot be continued', async () => {
  const file = newFile()
  const first = open(file)
  const job = first.crawl(crawl())
  await first.close({ drain: false })
  release()
  const other = openSqlite(file)
  await other.jobStore.add({ ...storedJob('incomplete'), missing: ['scrapeOptions.formats[0].schema'] })
  await other.jobStore.add({ ...storedJob('refused'), request: '{"url":5}' })
  for (const id of ['incomplete', 'refused']) other.jobStore.release(id)
  const continued: string[] = []
  const errors: string[] = []
  const second = open(file, {
    resume: { onJob: (id) => continued.push(id), onError: ({ message }) => errors.push(message) },
  })
  await expect.poll(() => continued, { timeout: 20_000 }).toEqual([job.id])
  expect((await (await second.job(job.id))?.finished())?.status).toBe('completed')
  expect(errors).toEqual([expect.stringContaining('cannot be stored'), expect.stringContaining('url')])
  // Neither is held.
  await expect.poll(async () => (await second.health()).jobs).toEqual({ running: 0, interrupted: 2 })
})

it('continues jobs that are left while it lives', async () => {
  const file = newFile()
  const other = openSqlite(file)
  const leave = (id: string): void => {
    void other.jobStore.add({ ...storedJob(id), request: JSON.stringify({ ...crawl(), limit: 1 }) })
    other.jobStore.release(id)
  }
  leave('early')
  const continued: string[] = []
  open(file, { resume: { onJob: (id) => continued.push(id) } })
  await expect.poll(() => continued, { timeout: 20_000 }).toEqual(['early'])
  leave('late')
  await expect.poll(() => continued, { timeout: 20_000 }).toEqual(['early', 'late'])
}, 45_000)

it('ends the cancelled jobs of processes that die while it lives', async () => {
  const file = newFile()
  const other = openSqlite(file)
  let nowMs = Date.now()
  const continued: string[] = []
  const leave = (id: string): void =>
    void other.jobStore.add({ ...storedJob(id), request: JSON.stringify({ ...crawl(), limit: 1 }) })
  leave('early')
  other.jobStore.release('early')
  const engine = open(file, { resume: { onJob: (id) => continued.push(id) }, now: () => nowMs })
  await expect.poll(() => continued, { timeout: 20_000 }).toEqual(['early'])
  leave('late')
  other.jobStore.change('late', { state: 'cancelled', expiresAtMs: nowMs + 600_000 })
  other.jobStore.release('late')
  expect((await engine.listJobs())[0]).toMatchObject({ id: 'late', status: 'cancelled', interrupted: true })
  nowMs += 60_000
  const ended = { id: 'late', status: 'cancelled', completedAt: expect.any(String) }
  await expect.poll(async () => (await engine.listJobs())[0], { timeout: 20_000 }).toMatchObject(ended)
  expect((await engine.listJobs())[0]).not.toHaveProperty('interrupted')
}, 45_000)

it('is not needed to cancel a job that cannot be run: its pages are skipped', async () => {
  const file = newFile()
  const left = sqlite(file)
  const missing = ['scrapeOptions.formats[0].schema']
  await left.jobStore?.add(storedJob('job', { request: JSON.stringify(crawl()), missing }))
  const rows = await left.open('job', { limit: 9, holdLevelMs: 0 })
  await rows.admit([candidate('a'), candidate('b')], 0)
  await left.close()
  const engine = open(file)
  for (const job of [{ id: 'job' }, undefined])
    await expect(Reflect.apply(engine.cancel, engine, [job])).rejects.toThrow(
      'is not the id of a job, such as `job.id`',
    )
  await engine.cancel('job')
  expect(await engine.listJobs()).toMatchObject([{ status: 'cancelled', queued: 0, skipped: 2 }])
  expect(await engine.resume()).toEqual([])
})

it('sends what ended jobs have not reported, although the ledger was away at first', async () => {
  const place = join(folder, 'later')
  const sight = vi.spyOn(JobRegistry.prototype, 'resume')
  const errors: string[] = []
  open(join(place, 'jobs.db'), { resume: { onError: ({ code }) => errors.push(code) } })
  await expect.poll(() => errors, { timeout: 20_000 }).toEqual(['LEDGER_ERROR'])
  expect(sight).not.toHaveBeenCalled()
  await mkdir(place)
  await expect.poll(() => sight.mock.calls.length, { timeout: 20_000 }).toBe(1)
  sight.mockRestore()
}, 45_000)

it('needs a ledger that outlives the process', () => {
  const refused = expect.objectContaining({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('resume: the jobs end with the process'),
  })
  expect(() => createEngine({ resume: true })).toThrow(refused)
  expect(() => createEngine({ resume: { onJob: 'print' as never }, ledger: sqlite(newFile()) })).toThrow(
    /resume.*onJob/s,
  )
})

it('continues a batch of version 1 with its own options', async () => {
  const file = newFile()
  const first = open(file)
  const request = { urls: [site.url('/'), site.url('/slow')], formats: ['rawHtml'], parsePDF: false } as const
  const { id } = first.v1.batchScrape(request)
  await first.close({ drain: false })
  release()
  const second = open(file)
  const [job] = await second.resume()
  expect(job).toMatchObject({ id, kind: 'batch-scrape', request })
  expect(job?.url).toMatch(new RegExp(`/v1/batch/scrape/${id}$`))
  const { data } = (await job?.finished()) ?? {}
  expect(data?.map((document) => Object.keys(document).filter((name) => name !== 'metadata'))).toEqual([
    ['rawHtml'],
    ['rawHtml'],
  ])
  expect(await second.listJobs()).toMatchObject([{ id, kind: 'batch-scrape', status: 'completed' }])
  await expect(second.v1.batchScrape({ urls: [site.url('/')], appendToId: id })).rejects.toThrow(/completed|ended/)
})
