import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createEngine, defineFeature, type EngineConfig, readStoredJob, sqlite } from '../../../src/index.js'
import { builtIn } from '../../../src/features/create-engine.js'
import { createEngineWork } from '../../../src/features/machines/pages/work.js'
import { WorkerPlaces } from '../../../src/features/machines/pages/worker-places.js'
import type { PageTools } from '../../../src/kernel/page/page-context.js'
import type { TaskQueue } from '../../../src/kernel/ledger/task-queue.js'
import { planScrape } from '../../../src/kernel/plan/scrape/plan-scrape.js'
import { FormatSet } from '../../../src/kernel/options/format-set.js'
import { defaults } from '../../kernel/plan/plans.js'

const shop = defineFeature({
  name: 'shop',
  fetcher: { handles: (url) => url.startsWith('https://shop.test/'), fetch: () => ({ body: '<p>Words of the shop.' }) },
})
const other = defineFeature({ name: 'other' })

let folder = ''
let database = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
  database = join(folder, 'jobs.db')
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const open = (features: EngineConfig['features']) =>
  createEngine({ threads: 0, cache: false, ledger: sqlite(database), features })

/** Starts a job and leaves it. */
async function leaveJob(features: EngineConfig['features']): Promise<string> {
  const engine = open(features)
  const job = engine.batchScrape({ urls: ['https://shop.test/'] })
  await job.pause()
  await engine.close({ drain: false })
  return job.id
}

it('a job that was left is resumed by an engine with its feature, and by no other', async () => {
  const id = await leaveJob([other, shop])
  const without = open([other])
  const message =
    `job ${id} cannot be resumed here: it was started with feature \`shop\`: make the engine with it, ` +
    '`createEngine({ features })`'
  await expect((async () => await without.job(id))()).rejects.toThrow(message)
  await expect((async () => without.resume())()).rejects.toThrow(message)
  await without.close()
  const engine = open([shop])
  const [job] = await engine.resume()
  const words: (string | undefined)[] = []
  for await (const { markdown } of job ?? []) words.push(markdown)
  expect(words).toEqual(['Words of the shop.'])
  await engine.close()
})

it('the record of a job shows the request as it was given', async () => {
  const id = await leaveJob([shop])
  const ledger = sqlite(database)
  const { request } = await readStoredJob(ledger, id)
  expect(request).toEqual({ urls: ['https://shop.test/'] })
  await ledger.close()
})

it('a job that needs no feature of the caller is resumed by any engine', async () => {
  const id = await leaveJob([other])
  const engine = open([])
  expect((await engine.resume()).map((job) => job.id)).toEqual([id])
  await engine.close({ drain: false })
})

it('the same key and request give the same job, and with another feature a conflict', async () => {
  const request = { urls: ['https://shop.test/'] }
  const engine = open([shop])
  const job = await engine.batchScrape(request, { idempotencyKey: 'one' })
  expect((await engine.batchScrape(request, { idempotencyKey: 'one' })).id).toBe(job.id)
  await job.finished()
  await engine.close()
  const without = open([])
  await expect((async () => await without.batchScrape(request, { idempotencyKey: 'one' }))()).rejects.toMatchObject({
    code: 'IDEMPOTENCY_CONFLICT',
  })
  await without.close()
})

it('workers of other engines get no page that a feature of the caller may work on', () => {
  const queue = { capacity: 1 } as TaskQueue
  const places = new WorkerPlaces(queue, 'v1', new FormatSet())
  const plan = (features: readonly object[]) => planScrape({}, { ...defaults, features: builtIn.adopt(features) })
  expect(places.orderOf(plan([]))).toBe('scrape')
  expect(places.orderOf(plan([other]))).toBe('scrape')
  expect(places.orderOf(plan([other, shop]))).toBeUndefined()
  expect(plan([other, shop]).ownFeatures).toEqual(['shop'])
})

it('an engine with a fetcher does not work for others, whose pages would come from it', async () => {
  const tools = { fetchers: { own: [{ feature: 'shop', fetcher: shop.fetcher }] } } as unknown as PageTools
  await expect(createEngineWork({} as TaskQueue, tools).start(1)).rejects.toThrow('feature `shop` has a fetcher')
})

it('certificates are checked where a feature may add credentials to a request', () => {
  const plan = (features: readonly object[], options = {}) =>
    planScrape(options, { ...defaults, features: builtIn.adopt(features) }).fetch.skipTlsVerification
  const signing = { name: 'signing', request: () => undefined }
  expect([plan([]), plan([signing]), plan([signing], { skipTlsVerification: true })]).toEqual([true, false, true])
})

it('a plan has nothing of a feature that a page does not ask for', () => {
  const plan = (features: typeof builtIn) => planScrape({}, { ...defaults, features })
  expect(plan(builtIn.adopt([other]))).toEqual(plan(builtIn))
})
