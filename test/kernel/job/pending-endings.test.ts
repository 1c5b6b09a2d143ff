import { describe, expect, it } from 'vitest'
import { PendingEndings } from '../../../src/kernel/job/run/pending-endings.js'
import type { Ending } from '../../../src/kernel/ledger/ledger.js'
import { createRecords } from './create-records.js'
import type { Document } from '../../../src/kernel/page/document.js'

const failed: Ending<Document> = { outcome: 'failed', code: 'SCRAPE_SITE_ERROR', error: 'none' }
const done = (bytes: number): Ending<Document> => ({ outcome: 'done', documents: [], bytes })

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

describe('endings that are being recorded', () => {
  it.each([
    ['number', failed, 50],
    ['size', done(1000), 4],
  ])('are bounded by their %s', async (_, ending, most) => {
    let ended = 0
    const endings = new PendingEndings({ maxBytes: 3000, onEnded: () => (ended += 1) })
    const records = createRecords()
    let added = 0
    const adding = (async () => {
      for (; added < 2 * most; added += 1) await endings.add(ending, records.record)
    })()
    await turn()
    expect([added, endings.size, records.count]).toEqual([most - 1, most, most])
    records.endOne()
    await turn()
    expect([added, ended, endings.size]).toEqual([most, 1, most])
    const drained = adding.then(() => endings.drain())
    for (let left = 2 * most; left > 0; left -= 1) {
      records.endOne()
      await turn()
    }
    await drained
    expect(endings.size).toBe(0)
  })

  it('report the first one that fails, when all have ended', async () => {
    const endings = new PendingEndings({ maxBytes: 3000, onEnded: () => undefined })
    const records = createRecords()
    await endings.add(failed, () => Promise.reject(new Error('the disk is full')))
    await endings.add(failed, records.record)
    const drained = endings.drain()
    await turn()
    expect(endings.size).toBe(1)
    records.endOne()
    await expect(drained).rejects.toThrow('the disk is full')
    expect(endings.failure?.message).toContain('the disk is full')
  })
})
