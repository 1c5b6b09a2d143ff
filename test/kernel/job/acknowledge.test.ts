import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine, type Document, type Engine, type Ledger, memoryLedger, sqlite } from '../../../src/index.js'
import { startSite, type Site } from '../../site/site.js'
import { page, pathOf } from './crawl-site.js'

const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

let site: Site
let engines: Engine[] = []
let files = 0

const start = (ledger: Ledger): Engine => {
  const engine = createEngine({ allowPrivateNetworks: true, threads: 0, fetcher: 'http', cache: false, ledger })
  engines.push(engine)
  return engine
}

const newFile = (): string => join(folder, `${files++}.db`)

beforeEach(async () => {
  site = await startSite({ pages: Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`/${n}`, page(`/x${n}`)])) })
})

afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.close()))
  engines = []
  await site.close()
})

const five = () => ({ urls: [1, 2, 3, 4, 5].map((n) => site.url(`/${n}`)), maxConcurrency: 1 })
const names = (documents: readonly Document[]): string[] => documents.map(({ metadata }) => pathOf(metadata.url))

/** Reads a job until this many documents were requested; the last one stays unacknowledged. */
async function read(job: AsyncIterable<Document> | undefined, most = Infinity): Promise<Document[]> {
  const found: Document[] = []
  for await (const document of job ?? []) {
    found.push(document)
    if (found.length === most) break
  }
  return found
}

describe.each([
  ['the memory ledger', () => memoryLedger()],
  ['the SQLite ledger', () => sqlite(newFile())],
])('a job started with `acknowledge`, on %s', (_, make) => {
  it('delivers the document again that a loop had not finished when it was left', async () => {
    const job = start(make()).batchScrape(five(), { acknowledge: true })
    expect(names(await read(job, 2))).toEqual(['/1', '/2'])
    await expect(
      (async () => {
        for await (const document of job) throw new Error(pathOf(document.metadata.url))
      })(),
    ).rejects.toThrow('/2')
    expect(names(await read(job))).toEqual(['/2', '/3', '/4', '/5'])
    expect(await read(job)).toEqual([])
    expect((await job.status()).data.length).toBe(5)
  })

  it('accepts acknowledgements by document and by `deliveryId`, in any order', async () => {
    const job = start(make()).batchScrape(five(), { acknowledge: true })
    await job.finished()
    const { data } = await job.status()
    expect(data.map(({ metadata }) => metadata.deliveryId)).toEqual([0, 1, 2, 3, 4])
    await job.acknowledge(data[3] as Document)
    await job.acknowledge('1')
    await job.acknowledge('1')
    expect(names(await read(job))).toEqual(['/1', '/3', '/5'])
    for (const wrong of ['5', '-1', '', 'x', '1e9']) {
      await expect(job.acknowledge(wrong)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    }
  })

  it('keeps a document until it is acknowledged, with `retain: false`', async () => {
    const job = start(make()).batchScrape({ ...five(), retain: false }, { acknowledge: true })
    await job.finished()
    expect((await job.status()).data.length).toBe(5)
    expect(names(await read(job, 3))).toEqual(['/1', '/2', '/3'])
    expect(names((await job.status()).data)).toEqual(['/3', '/4', '/5'])
    await read(job)
    expect(await job.status()).toMatchObject({ completed: 5, data: [] })
  })

  it('delivers each document once and keeps none, with `retain: false` alone', async () => {
    const engine = start(make())
    const job = engine.batchScrape({ ...five(), retain: false })
    expect(names(await read(job))).toEqual(['/1', '/2', '/3', '/4', '/5'])
    const status = await job.finished()
    expect(status).toMatchObject({ completed: 5, creditsUsed: 5, data: [] })
    expect(status.next).toBeUndefined()
    expect(await job.explain(site.url('/1'))).toMatchObject({ outcome: 'done', attempts: [{ statusCode: 200 }] })
    const heard: Document[] = []
    const other = engine.batchScrape({ ...five(), retain: false }).on('document', (document) => heard.push(document))
    await other.finished()
    expect(heard.length).toBe(5)
    expect(await read(other)).toEqual([])
  })
})

describe('acknowledgement', () => {
  it('an acknowledgement survives a restart of the process', async () => {
    const file = newFile()
    const first = start(sqlite(file))
    const job = first.batchScrape(five(), { acknowledge: true })
    await read(job, 3)
    await job.finished()
    await first.close()
    const again = await start(sqlite(file)).job(job.id)
    // The ids from the reader's own store.
    await again?.acknowledge(2)
    const rest = await read(again)
    expect(rest.map(({ metadata }) => [pathOf(metadata.url), metadata.deliveryId])).toEqual([
      ['/4', 3],
      ['/5', 4],
    ])
  })

  it('an acknowledgement is refused without `acknowledge`, and `acknowledge` is refused with `zeroDataRetention`', async () => {
    const engine = start(memoryLedger())
    const job = engine.batchScrape(five())
    const [first] = (await job.finished()).data
    expect(first?.metadata.deliveryId).toBeUndefined()
    await expect(job.acknowledge('0')).rejects.toThrow(/acknowledge: true/)
    const acknowledged = engine.batchScrape(five(), { acknowledge: true })
    await acknowledged.finished()
    for (const [given, seen] of [
      [{}, 'undefined'],
      [null, 'undefined'],
      [{ metadata: { deliveryId: {} } }, 'an object'],
      [99, '99'],
      ['-1', '"-1"'],
    ] as [string, string][])
      await expect(acknowledged.acknowledge(given)).rejects.toThrow(`\`metadata.deliveryId\` ${seen}`)
    expect(() => engine.batchScrape({ ...five(), zeroDataRetention: true }, { acknowledge: true })).toThrow(
      /zeroDataRetention/,
    )
    await expect(engine.scrape(site.url('/1'), {}, { acknowledge: true } as object)).rejects.toThrow(/acknowledge/)
  })
})
