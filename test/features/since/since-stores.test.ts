import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  createEngine,
  type Document,
  type Engine,
  type Job,
  memoryStore,
  sqlite,
  type Store,
} from '../../../src/index.js'
import { openChangingSite, useChangingSite } from '../../site/changing-site.js'

const on = useChangingSite()
const tracked = { formats: ['markdown', 'changeTracking'] } as const
const never = (): Promise<never> => new Promise(() => undefined)

/** Calls of a store that get no answer, counted from the moment when it is broken. */
type Unanswered = (call: 'get' | 'set', key: string, at: number) => boolean

/** A store that works until it is broken; `reached` resolves at the first call that gets no answer. */
function breakableStore(isUnanswered: Unanswered) {
  let reach = (): void => undefined
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const inner = memoryStore()
  const state = { isBroken: false, calls: 0 }
  const through = <T>(call: 'get' | 'set', key: string, act: () => Promise<T>): Promise<T> => {
    if (!state.isBroken || !isUnanswered(call, key, (state.calls += 1))) return act()
    reach()
    return never()
  }
  const store: Store = {
    get: (key) => through('get', key, () => inner.get(key)),
    set: (key, entry) => through('set', key, () => inner.set(key, entry)),
    delete: (key) => inner.delete(key),
    close: () => inner.close(),
  }
  return { store, state, reached }
}

const ends: readonly (readonly [string, (job: Job<Document>, engine: Engine, control: AbortController) => unknown])[] =
  [
    ['cancel()', (job) => job.cancel()],
    ['its signal', (_, __, control) => control.abort()],
    ['close()', (_, engine) => engine.close()],
    ['close({ drain: false })', (_, engine) => engine.close({ drain: false })],
    ['pause() and cancel()', async (job) => job.pause().then(() => job.cancel())],
  ]

describe.each(ends)('%s of a crawl whose store gives no answer', (_, end) => {
  /** Crawls twice, and ends the second crawl when the store gives no answer. */
  async function endAt(isUnanswered: Unanswered) {
    const { store, state, reached } = breakableStore(isUnanswered)
    const config = { snapshots: store, cache: false } as const
    const { engine, start, pages } = await openChangingSite(on, { '/': ['/a', '/b'] }, {}, config)
    const request = { url: start, since: 'last', scrapeOptions: tracked } as const
    await engine.crawl(request).finished()
    pages.set('/', { links: ['/a'] })
    state.isBroken = true
    const control = new AbortController()
    const job = engine.crawl(request, { signal: control.signal })
    await reached
    await end(job, engine, control)
    return job.finished()
  }

  it('cancels it while the record of the last crawl is read', async () => {
    expect(await endAt((call) => call === 'get')).toMatchObject({ status: 'cancelled', completed: 0, skipped: 1 })
  })

  it('cancels it while pages of the last crawl are looked for', async () => {
    // The record has been read, for its head and its pages; it is read again for the pages that are left.
    let reads = 0
    const isReadAgain: Unanswered = (call, key) => call === 'get' && / \d+$/.test(key) && (reads += 1) > 1
    expect(await endAt(isReadAgain)).toMatchObject({ status: 'cancelled' })
  })

  it('ends it while its own record is written', async () => {
    const closing = await endAt((call, key) => call === 'set' && !key.includes('http'))
    expect(closing.status).toMatch(/completed|cancelled/)
    expect(closing.warning).toContain('The record for the next crawl could not be written')
  })
})

describe('close({ drain: false }) while the record of the last crawl is read', () => {
  it('parks a crawl of an SQLite ledger, which the next engine completes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-since-'))
    const file = join(folder, 'jobs.db')
    const { store, state, reached } = breakableStore((call) => call === 'get')
    const config = { snapshots: store, ledger: sqlite(file) }
    const { engine, start } = await openChangingSite(on, { '/': ['/a', '/b'] }, {}, config)
    state.isBroken = true
    const job = engine.crawl({ url: start, since: 'last' })
    const waiting = expect(job.finished()).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
    await reached
    await engine.close({ drain: false })
    await waiting
    const next = createEngine({ allowPrivateNetworks: true, threads: 0, ledger: sqlite(file) })
    const [resumed] = await next.resume()
    expect(await resumed?.finished()).toMatchObject({ status: 'completed', completed: 3 })
    await next.close()
    await rm(folder, { recursive: true })
  })
})
