import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine, type Engine, InvalidRequestError, sqlite, TrawlError } from '../../../src/index.js'
import { startSite, type Site } from '../../site/site.js'
import { page } from './crawl-site.js'

let site: Site
let folder: string
let engine: Engine

beforeEach(async () => {
  site = await startSite({ pages: { '/': page() } })
  folder = await mkdtemp(join(tmpdir(), 'trawl-arguments-'))
  engine = createEngine({ allowPrivateNetworks: true, threads: 0, ledger: sqlite(join(folder, 'jobs.db')) })
})

afterEach(async () => {
  await engine.close()
  await site.close()
  await rm(folder, { recursive: true })
})

/** Calls a method as JavaScript may. Rejects also where the method throws at the call. */
const call = async (of: object, name: string, ...values: readonly unknown[]): Promise<unknown> =>
  Reflect.apply(Reflect.get(of, name) as (...given: readonly unknown[]) => unknown, of, values)

const wrong: readonly (readonly [method: string, given: unknown, message: string])[] = [
  ['status', { limits: 5 }, 'limits: unknown option: allowed are skip, limit'],
  ['status', 5, '5 is not an object of options: allowed are skip, limit'],
  ['finished', null, 'null is not an object'],
  ['finished', { timeout: 5 }, 'unknown option "timeout"'],
  ['finished', { signal: {} }, 'signal: an object is not an AbortSignal'],
  ['resume', null, 'null is not an object'],
  ['resume', { budgets: {} }, 'unknown option "budgets"'],
  ['explain', undefined, 'url: undefined is not a string, and not a URL'],
  ['explain', null, 'url: null is not a string, and not a URL'],
  ['explain', 5, 'url: 5 is not a string, and not a URL'],
  ['explain', {}, 'url: an object is not a string, and not a URL'],
]

describe('arguments of the methods of a job and an engine', () => {
  it.each(wrong)('%s(%j) is refused', async (method, given, message) => {
    const job = engine.crawl({ url: site.url('/'), sitemap: 'skip' })
    const refused = call(job, method, given)
    await expect(refused).rejects.toBeInstanceOf(InvalidRequestError)
    await expect(refused).rejects.toThrow(message)
    expect(await job.finished()).toMatchObject({ status: 'completed', completed: 1 })
  })

  it('an unknown option of listJobs() and close() is refused, and the engine stays open', async () => {
    await expect(call(engine, 'listJobs', { first: 5 })).rejects.toThrow('first: unknown option')
    await expect(call(engine, 'close', { drained: false })).rejects.toThrow('unknown option "drained"')
    await expect(call(engine, 'close', { drain: 'no' })).rejects.toThrow('drain: "no" is not')
    expect(await engine.listJobs()).toEqual([])
  })

  it('close() closes as the listener of a signal, which gets its name and number', async () => {
    await call(engine, 'close', 'SIGTERM', 15)
    await expect(engine.listJobs()).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
  })

  it('job(id) knows no job for a value that is no string, on a durable ledger as well', async () => {
    for (const id of [undefined, null, 5, {}]) expect(await call(engine, 'job', id)).toBeUndefined()
  })

  it('ask() takes null for its options as none, and refuses a signal that is none', async () => {
    await expect(call(engine, 'ask', 'what?', null)).rejects.toBeInstanceOf(TrawlError)
    await expect(call(engine, 'ask', 'what?', { signal: {} })).rejects.toThrow(
      'signal: an object is not an AbortSignal',
    )
  })
})
