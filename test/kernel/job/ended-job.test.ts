import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { NearDuplicates } from '../../../src/base/text/fingerprint/near-duplicates.js'
import { memoryLedger, sqlite } from '../../../src/index.js'
import { LinkJudge } from '../../../src/kernel/job/discovery/judge-links.js'
import { DeferredPages } from '../../../src/kernel/job/run/deferred-pages.js'
import { JobLoop } from '../../../src/kernel/job/run/job-loop.js'
import { useEngineSite } from '../../site/engine-site.js'
import { page } from './crawl-site.js'
import { collect } from './left-of-jobs.js'

const on = useEngineSite()

describe('a job that has ended', () => {
  it('is not changed by cancel, pause and resume, which return its closing status', async () => {
    await on.open({ '/': page() })
    const job = on.engine.crawl({ url: on.site.url('/') })
    const closing = await job.finished()
    expect(await job.cancel()).toEqual(closing)
    expect(await job.pause()).toEqual(closing)
    expect(await job.resume()).toEqual(closing)
    expect(await job.cancel()).toEqual(closing)
  })

  it('may be cancelled and paused when it was parked, by an event listener that does not handle the rejection', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
    const paths = Array.from({ length: 20 }, (_, index) => `/p${index}`)
    const pages = { '/': page(...paths), ...Object.fromEntries(paths.map((path) => [path, page()])) }
    await on.open(pages, { ledger: sqlite(join(folder, 'jobs.db')), maxConcurrency: 1 })
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    const job = on.engine.crawl({ url: on.site.url('/') })
    await new Promise((resolve) => job.once('document', resolve))
    await on.engine.close()
    const response = new EventEmitter()
    response.on('close', () => void job.cancel())
    response.on('close', () => void job.pause())
    response.emit('close')
    expect(await job.pause()).toMatchObject({ status: 'scraping', data: [] })
    await expect(job.cancel()).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
    await rm(folder, { recursive: true })
  })

  it('may be cancelled and paused by an event listener that is called after its end', async () => {
    await on.open({ '/': page() })
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    const cancelled: Promise<unknown>[] = []
    const server = createServer((_request, response) => {
      const job = on.engine.crawl({ url: on.site.url('/') })
      response.on('close', () => cancelled.push(job.pause(), job.cancel()))
      void job.finished().then((status) => response.end(JSON.stringify(status)))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    expect(await answer.json()).toMatchObject({ status: 'completed', completed: 1 })
    await vi.waitFor(() => expect(cancelled).toHaveLength(2), { timeout: 20_000 })
    const closing = { status: 'completed', completed: 1, data: [{}] }
    expect(await Promise.all(cancelled)).toMatchObject([closing, closing])
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })

  it('keeps nothing of what it learnt of its pages and links', async () => {
    const used: { readonly name: string; readonly object: WeakRef<object> }[] = []
    // Not with spies, which keep the objects that they are called on.
    const note = <Of extends object>(prototype: Of, name: keyof Of): void => {
      const method = prototype[name] as (...given: unknown[]) => unknown
      prototype[name] = function (this: Of, ...given: unknown[]) {
        used.push({ name: this.constructor.name, object: new WeakRef(this) })
        return method.apply(this, given)
      } as Of[keyof Of]
      onTestFinished(() => void (prototype[name] = method as Of[keyof Of]))
    }
    note(NearDuplicates.prototype, 'record')
    note(LinkJudge.prototype, 'judge')
    note(DeferredPages.prototype, 'defer')
    note(JobLoop.prototype, 'end')
    await on.open({ '/': page('/a'), '/a': page() })
    // An option of a feature, without which this compiles.
    const learning: object = { learnBoilerplate: true }
    const job = on.engine.crawl({ url: on.site.url('/'), ...learning })
    expect(await job.finished()).toMatchObject({ status: 'completed', completed: 2 })
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    // A weak reference keeps its object until the turn of the event loop ends.
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    const names = ['NearDuplicates', 'LinkJudge', 'DeferredPages', 'JobLoop']
    expect(new Set(used.map(({ name }) => name))).toEqual(new Set(names))
    expect(used.filter(({ object }) => object.deref())).toEqual([])
    expect(await job.explain(on.site.url('/a'))).toMatchObject({ outcome: 'done' })
  })

  it('tells the same of its pages, and gives the same documents, long after its end', async () => {
    await on.open({ '/': page(), '/a': page() }, { retry: { maxRetries: 0 } })
    const refused = 'http://127.0.0.1:1/'
    const job = on.engine.batchScrape({ urls: [on.site.url('/'), refused, on.site.url('/a')] })
    const read = async (): Promise<unknown> => ({
      status: await job.status(),
      errors: await job.errors(),
      urls: await collect(job.urls()),
      documents: await collect(job),
      reason: await job.explain(refused),
      start: JSON.stringify(job),
    })
    await job.finished()
    const first = await read()
    expect(first).toMatchObject({ urls: { length: 3 }, documents: { length: 2 }, reason: { outcome: 'failed' } })
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      expect(await read()).toEqual(first)
    }
  })

  it('lets a loop go on that began before its end', async () => {
    await on.open({ '/': page('/a', '/b'), '/a': page(), '/b': page() })
    const job = on.engine.crawl({ url: on.site.url('/') })
    const reading = job[Symbol.asyncIterator]()
    await reading.next()
    await job.finished()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect([await reading.next(), await reading.next(), await reading.next()]).toMatchObject([
      { done: false },
      { done: false },
      { done: true },
    ])
  })

  it('returns its status without a rejection when its ledger never opened', async () => {
    const ledger = { ...memoryLedger(), open: () => Promise.reject(new Error('no room')) }
    await on.open({ '/': page() }, { ledger })
    const job = on.engine.crawl({ url: on.site.url('/') })
    expect(await job.pause()).toMatchObject({ completed: 0, warning: expect.stringContaining('no room') })
    expect(await job.finished()).toMatchObject({ status: 'failed', error: 'no room' })
    expect(await job.resume()).toMatchObject({ status: 'failed', error: 'no room' })
  })
})
