import { expect, it } from 'vitest'
import type { JobLedger, Ledger } from '../../src/kernel/ledger/ledger.js'
import type { JobReport } from '../../src/kernel/ledger/outbox.js'
import { type Doc, at, candidate, done, end, failed } from './ledger-rows.js'

const numbers = (reports: readonly JobReport[]): number[] => reports.map(({ number }) => number)

const FEATURE = 'reporter'
const due = (dueAtMs: number) => ({ features: [FEATURE], dueAtMs })

/** Storage and order of reports. */
export function ledgerReportsContract(make: () => Ledger): void {
  const open = (): Promise<JobLedger<Doc>> => make().open<Doc>('job', { limit: Infinity, holdLevelMs: 0 })

  /** Ends pages with these names, and reports each from its own time on. */
  async function endPages(ledger: JobLedger<Doc>, ...pages: [key: string, reportAtMs: number][]): Promise<void> {
    for (const [key, reportAtMs] of pages) {
      await ledger.admit([candidate(key)], 0)
      await ledger.lease(at(0))
      await ledger.end(key, done(key), { ...end, reports: due(reportAtMs) })
    }
  }

  /** Leases all due reports. */
  async function leaseAll(ledger: JobLedger<Doc>, nowMs: number): Promise<number[]> {
    const outbox = ledger.outbox(FEATURE)
    const leased: number[] = []
    for (let report = await outbox.lease(nowMs); report; report = await outbox.lease(nowMs)) leased.push(report.number)
    return leased
  }

  it('sends the report of the start first, and the report of the end last', async () => {
    const ledger = await open()
    const outbox = ledger.outbox(FEATURE)
    await outbox.post('started', 0)
    await endPages(ledger, ['a', 0], ['b', 0])
    await outbox.post('completed', 0)
    expect(await leaseAll(ledger, 9)).toEqual([0])
    await outbox.failed(0, 'no', 50)
    expect(await leaseAll(ledger, 49)).toEqual([])
    expect(await outbox.nextAtMs()).toBe(50)
    expect(await outbox.lease(50)).toMatchObject({ number: 0, event: 'started', attempts: 1, error: 'no' })
    await outbox.delivered(0)
    expect(await leaseAll(ledger, 9)).toEqual([1, 2])
    expect(await outbox.nextAtMs()).toBeUndefined()
    await outbox.delivered(1)
    await outbox.failed(2, 'no', 70)
    expect(await leaseAll(ledger, 69)).toEqual([])
    expect(await leaseAll(ledger, 70)).toEqual([2])
    await outbox.failed(2, 'never')
    expect(await outbox.lease(70)).toMatchObject({ number: 3, event: 'completed' })
    await outbox.delivered(3)
    expect(await outbox.nextAtMs()).toBeUndefined()
    expect(await outbox.undelivered()).toEqual([
      {
        number: 2,
        feature: FEATURE,
        event: 'page',
        page: { key: 'b', at: 0, sequence: 1 },
        attempts: 2,
        error: 'never',
      },
    ])
  })

  it('sends further reports when the report of the start was given up', async () => {
    const ledger = await open()
    await ledger.outbox(FEATURE).post('started', 0)
    await endPages(ledger, ['a', 0])
    await leaseAll(ledger, 0)
    await ledger.outbox(FEATURE).failed(0, 'no')
    expect(await leaseAll(ledger, 0)).toEqual([1])
  })

  it('has one report of the start and one of the end, however often they are posted', async () => {
    const ledger = await open()
    for (const event of ['started', 'started', 'cancelled', 'completed', 'failed'] as const) {
      await ledger.outbox(FEATURE).post(event, 0)
    }
    const left = await ledger.outbox(FEATURE).undelivered()
    expect(left.map(({ event }) => event)).toEqual(['started', 'cancelled'])
    await leaseAll(ledger, 0)
    await ledger.outbox(FEATURE).delivered(0)
    await ledger.outbox(FEATURE).post('started', 0)
    expect(numbers(await ledger.outbox(FEATURE).undelivered())).toEqual([1])
  })

  it('leases reports of pages in order of their time, and again after they were put back', async () => {
    const ledger = await open()
    await endPages(ledger, ['a', 7], ['b', 5], ['c', 5])
    expect(await ledger.outbox(FEATURE).nextAtMs()).toBe(5)
    expect(await leaseAll(ledger, 4)).toEqual([])
    expect(await leaseAll(ledger, 6)).toEqual([1, 2])
    await ledger.outbox(FEATURE).putBack(1)
    expect(await leaseAll(ledger, 7)).toEqual([1, 0])
    await expect(ledger.outbox(FEATURE).delivered(5)).rejects.toThrow(/report 5 is not leased/)
  })

  it('reports each position of a page in a batch, for every outcome, also when added later', async () => {
    const ledger = await open()
    const sources = [
      { order: 0, url: 'x' },
      { order: 2, url: 'y' },
    ]
    await ledger.admit([candidate('a', { sources }), candidate('b', { sources })], 0)
    await ledger.lease(at(0))
    const documents = [{ name: 'x' }, { name: 'y' }]
    await ledger.end('a', { outcome: 'done', documents, bytes: 1 }, { ...end, reports: due(0) })
    await ledger.lease(at(0))
    const copy = (document: Doc): Doc => ({ name: `${document.name} again` })
    await ledger.addSources('b', [{ order: 4, url: 'under way' }], copy, due(0))
    await ledger.end('b', failed, { ...end, reports: due(0) })
    await ledger.addSources('a', [...sources, { order: 3, url: 'z' }], copy, due(0))
    await ledger.addSources('b', [{ order: 5, url: 'w' }], copy, due(0))
    await ledger.addSources('b', [{ order: 6, url: 'untold' }], copy)
    const pages = (await ledger.outbox(FEATURE).undelivered()).map(({ page }) => page)
    expect(pages).toEqual([
      { key: 'a', at: 0, sequence: 0 },
      { key: 'a', at: 1, sequence: 1 },
      { key: 'b', at: 0 },
      { key: 'b', at: 1 },
      { key: 'b', at: 2 },
      { key: 'a', at: 2, sequence: 2 },
      { key: 'b', at: 3 },
    ])
    expect((await ledger.completed(2, 1))[0]?.document).toEqual({ name: 'x again' })
    expect(await leaseAll(ledger, 0)).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  it('reports no page without `reports`, and reports pages without a document', async () => {
    const ledger = await open()
    await ledger.admit([candidate('a'), candidate('b')], 0)
    for (const [key, how] of [
      ['a', end],
      ['b', { ...end, reports: due(0) }],
    ] as const) {
      await ledger.lease(at(0))
      await ledger.end(key, { outcome: 'done', documents: [], bytes: 1 }, how)
    }
    expect(await ledger.outbox(FEATURE).undelivered()).toMatchObject([{ page: { key: 'b', at: 0 } }])
  })

  it('keeps the reports of features apart, and numbers them together', async () => {
    const ledger = await open()
    const [one, other] = [ledger.outbox('one'), ledger.outbox('other')]
    await one.post('started', 0)
    await other.post('started', 0)
    await ledger.admit([candidate('a')], 0)
    await ledger.lease(at(0))
    await ledger.end('a', done('a'), { ...end, reports: { features: ['other', 'one'], dueAtMs: 0 } })
    expect(numbers(await one.undelivered())).toEqual([0, 3])
    expect(numbers(await other.undelivered())).toEqual([1, 2])
    expect(await one.lease(0)).toMatchObject({ number: 0, feature: 'one' })
    expect(await other.lease(0)).toMatchObject({ number: 1, feature: 'other' })
    await other.delivered(1)
    expect(await other.lease(0)).toMatchObject({ number: 2, event: 'page' })
    expect(await one.lease(0)).toBeUndefined()
    await expect(one.delivered(2)).rejects.toThrow(/report 2 is not leased/)
  })

  it('reads undelivered reports page by page', async () => {
    const ledger = await open()
    await endPages(ledger, ['a', 0], ['b', 0], ['c', 0])
    expect(numbers(await ledger.outbox(FEATURE).undelivered({ skip: 1, limit: 1 }))).toEqual([1])
  })

  it('leases a report only when its document is stored', async () => {
    const ledger = await open()
    await ledger.admit([candidate('a')], 0)
    await ledger.lease(at(0))
    const ended = ledger.end('a', done('a'), { ...end, reports: due(0) })
    const until = Date.now() + 10_000
    while (Date.now() < until && !(await ledger.outbox(FEATURE).lease(0))) {
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    expect((await ledger.documents({ skip: 0, limit: 1 })).map(({ document }) => document)).toEqual([{ name: 'a' }])
    await ended
  })
}
