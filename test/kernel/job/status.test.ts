import { expect, it, vi } from 'vitest'
import { noUse } from '../../../src/base/accounting/budget.js'
import { describeJob, type JobFacts } from '../../../src/kernel/job/lifecycle/status.js'
import { memoryLedger } from '../../../src/kernel/ledger/ledgers/index.js'
import { at, candidate, end } from '../../contracts/ledger-rows.js'

const facts: JobFacts = {
  url: 'trawl://engine/v2/crawl/1',
  state: 'scraping',
  limit: 100,
  createdAtMs: 0,
  completedAtMs: undefined,
  expiresAtMs: 99_000,
  since: { startedAtMs: 0, done: 0 },
  nowMs: 10_000,
  error: undefined,
  use: noUse,
  stop: undefined,
  stopWords: {},
  hint: undefined,
  warnings: new Set(),
}

/** A ledger of ten pages, some of them done. */
async function openWith(done: number, bytes = 10) {
  const ledger = await memoryLedger().open<string>('job', { limit: 100, holdLevelMs: 0 })
  const keys = Array.from({ length: 10 }, (_, n) => `k${n}`)
  await ledger.admit(
    keys.map((key) => candidate(key)),
    0,
  )
  for (const key of keys.slice(0, done)) {
    await ledger.lease(at(0))
    await ledger.end(key, { outcome: 'done', documents: [key], bytes }, end)
  }
  return ledger
}

const describePage = async (ledger: Awaited<ReturnType<typeof openWith>>, job: JobFacts, options = {}) =>
  describeJob(ledger, job, options, ({ document }) => document)

it('the status estimates the end of a job from the rate of this process', async () => {
  expect(await describePage(await openWith(0), facts)).not.toHaveProperty('eta')
  expect(await describePage(await openWith(4), facts)).toMatchObject({ eta: new Date(25_000).toISOString() })
  const resumed = { ...facts, since: { startedAtMs: 6000, done: 2 } }
  expect(await describePage(await openWith(2), resumed)).not.toHaveProperty('eta')
  expect(await describePage(await openWith(4), resumed)).toMatchObject({ eta: new Date(22_000).toISOString() })
  expect(await describePage(await openWith(4), { ...facts, completedAtMs: 9000 })).not.toHaveProperty('eta')
})

it('the status counts the bytes of a page of results as they are sent', async () => {
  const ledger = await memoryLedger().open<string>('job', { limit: 100, holdLevelMs: 0 })
  const keys = ['a', 'b', 'c']
  await ledger.admit(
    keys.map((key) => candidate(key)),
    0,
  )
  // Two million characters each: six million bytes.
  const text = '漢'.repeat(2_000_000)
  for (const key of keys) {
    await ledger.lease(at(0))
    await ledger.end(key, { outcome: 'done', documents: [key + text], bytes: 2_000_016 }, end)
  }
  const first = await describePage(ledger, facts, { limit: 3 })
  expect(first.data.map((document) => document[0])).toEqual(['a'])
  expect(first.next).toContain('skip=1&limit=3')
})

it('the status does not serialize a document that is known to fill a page of results', async () => {
  const toJSON = vi.fn<() => string>()
  const document = { toJSON }
  const documents = async () => [{ sequence: 0, order: 0, bytes: 45_000_000, document }]
  const { counts } = await openWith(1).then((ledger) => ({ counts: () => ledger.counts() }))
  const status = await describeJob({ documents, counts }, facts, { limit: 1 }, (delivery) => delivery.document)
  expect(status.data).toEqual([document])
  expect(toJSON).not.toHaveBeenCalled()
})

it('the status ends the pages of results, also when one document exceeds the size of a page', async () => {
  const ledger = await openWith(5, 11 * 1024 * 1024)
  const seen: string[] = []
  for (let skip: number | undefined = 0; skip !== undefined;) {
    const { data, next } = await describePage(ledger, facts, { skip, limit: 2 })
    expect(data.length).toBe(1)
    seen.push(...data)
    skip = next === undefined ? undefined : Number(new URL(next).searchParams.get('skip'))
  }
  expect(seen).toEqual(['k0', 'k1', 'k2', 'k3', 'k4'])
  expect(await describePage(ledger, facts, { skip: 9 })).toMatchObject({ data: [] })
  expect(await describePage(ledger, facts, { skip: 9 })).not.toHaveProperty('next')
})
