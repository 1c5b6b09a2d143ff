import { expect, it } from 'vitest'
import type { UrlCandidate, JobLedger, Ledger } from '../../src/kernel/ledger/ledger.js'
import { rowLimits } from '../../src/kernel/ledger/rows/row-limits.js'
import { countTurns } from '../base/concurrency/count-turns.js'
import { at, candidate, type Doc, done, end } from './ledger-rows.js'

/** Limits of rows, whatever a site links to; the reason of each refusal is kept. */
export function ledgerLimitsContract(make: () => Ledger): void {
  const open = (limit: number): Promise<JobLedger<Doc>> => make().open<Doc>('job', { limit, holdLevelMs: 0 })
  const external = { reason: 'EXTERNAL_LINK', message: 'elsewhere' } as const

  async function admit(ledger: JobLedger<Doc>, count: number, more: (n: number) => Partial<UrlCandidate> = () => ({})) {
    let added = 0
    for (let from = 0; from < count; from += 500) {
      const some = Array.from({ length: Math.min(500, count - from) }, (_, n) =>
        candidate(`k${from + n}`, more(from + n)),
      )
      added += (await ledger.admit(some, 5000)).length
    }
    return added
  }

  it('keeps no more queued rows than the limit and its reserve can use, and counts the others', async () => {
    const ledger = await open(10)
    const kept = 10 + rowLimits.reserve
    expect(await admit(ledger, kept + 3000)).toBe(kept + 3000)
    const counted = { queued: kept, skipped: 3000, skippedByReason: { LIMIT: 3000 }, abridged: 3000 }
    expect(await ledger.counts()).toMatchObject(counted)
    expect(await ledger.rows()).toHaveLength(kept)
    expect(await ledger.row(`k${kept}`)).toMatchObject({
      outcome: 'skipped',
      via: 'link',
      depth: 0,
      foundAtMs: 5000,
      refusal: { reason: 'LIMIT' },
      attempts: [],
      abridged: true,
    })
    expect(await admit(ledger, kept + 3000)).toBe(0)
    expect(await ledger.counts()).toMatchObject(counted)
    expect(await ledger.row('k-unknown')).toBeUndefined()
  }, 60_000)

  it('queues an abridged URL when it is found again and there is room', async () => {
    const ledger = await open(10)
    const kept = 10 + rowLimits.reserve
    await admit(ledger, kept + 2)
    await ledger.lease(at(6000))
    const [row, none] = await ledger.admit([candidate(`k${kept}`, { depth: 1 }), candidate(`k${kept + 1}`)], 7000)
    expect(row).toMatchObject({ outcome: 'queued', depth: 1, foundAtMs: 7000 })
    expect(none).toBeUndefined()
    expect(await ledger.counts()).toMatchObject({ queued: kept, active: 1, skippedByReason: { LIMIT: 1 }, abridged: 1 })
    const refused = { reason: 'DUPLICATE', message: 'redirects here' } as const
    expect(await ledger.claim({ ...candidate(`k${kept + 1}`), refused }, 8000)).toMatchObject({ outcome: 'claimed' })
    const counts = await ledger.counts()
    expect(counts).toMatchObject({ skipped: 1, skippedByReason: { DUPLICATE: 1 } })
    expect(counts.abridged).toBeUndefined()
  }, 60_000)

  it('keeps queued and refused URLs up to a number of characters', async () => {
    const ledger = await open(1_000_000)
    const long = (n: number) => ({ url: `http://site.test/${'x'.repeat(7800)}${n}` })
    await admit(ledger, 15_000, (n) => ({ ...long(n), ...(n % 3 === 0 && { refused: external }) }))
    const { queued, skipped, skippedByReason, abridged = 0 } = await ledger.counts()
    const characters = (rows: readonly { url: string }[]) => rows.reduce((sum, { url }) => sum + url.length, 0)
    expect(queued + skipped).toBe(15_000)
    expect(skippedByReason.EXTERNAL_LINK).toBe(5000)
    expect(abridged).toBeGreaterThan(0)
    expect(queued).toBeGreaterThan(7000)
    expect(characters(await ledger.rows({ outcome: 'queued' }))).toBeLessThan(rowLimits.waitingCharacters + 8000)
    const refused = await ledger.rows({ outcome: 'skipped' })
    expect(characters(refused)).toBeLessThan(rowLimits.refusedCharacters + 8000)
    expect((await ledger.rows()).length + abridged).toBe(15_000)
    // Ended rows make room.
    for (let n = 0; n < 10; n++) {
      const row = await ledger.lease(at(9000))
      if (row) await ledger.end(row.key, done('x'), end)
    }
    expect((await ledger.admit([candidate('another', long(0))], 9001))[0]).toMatchObject({ outcome: 'queued' })
  }, 60_000)

  it('keeps a number of refused rows, and only the reason of the others', async () => {
    const ledger = await open(10)
    await admit(ledger, rowLimits.refused + 2000, (n) => ({
      depth: 3,
      refused: n % 2 === 0 ? external : { reason: 'NOFOLLOW', message: 'not followed' },
    }))
    const half = rowLimits.refused / 2 + 1000
    expect(await ledger.counts()).toMatchObject({
      skippedByReason: { EXTERNAL_LINK: half, NOFOLLOW: half },
      abridged: 2000,
    })
    const last = await ledger.row(`k${rowLimits.refused + 1999}`)
    expect(last).toMatchObject({ depth: 3, refusal: { reason: 'NOFOLLOW' }, abridged: true })
    expect((await ledger.admit([candidate(`k${rowLimits.refused + 1999}`)], 6000))[0]).toMatchObject({
      outcome: 'queued',
    })
    expect(await ledger.counts()).toMatchObject({ queued: 1, abridged: 1999 })
  }, 120_000)

  it('keeps every seed whole', async () => {
    const ledger = await open(1)
    await admit(ledger, rowLimits.reserve + 1000, (n) => ({ via: 'seed', sources: [{ order: n, url: `${n}` }] }))
    expect(await ledger.counts()).toMatchObject({ queued: rowLimits.reserve + 1000, skipped: 0 })
  }, 60_000)

  it('admits and skips a long list in slices', async () => {
    const ledger = await open(Infinity)
    const seeds = Array.from({ length: 2600 }, (_, n) => candidate(`k${n}`, { via: 'seed' }))
    const admitted = await countTurns(() => ledger.admit(seeds, 0))
    expect(admitted.result).toHaveLength(2600)
    expect(admitted.turns).toBeGreaterThan(1)
    const skipped = await countTurns(() => ledger.skipQueued(async () => external, 1))
    expect(skipped.result).toHaveLength(2600)
    expect(skipped.turns).toBeGreaterThan(1)
  })

  it('lists rows by outcome and reason, after a key and up to a limit', async () => {
    const ledger = await open(10)
    await admit(ledger, 10, (n) =>
      n % 2 === 0 ? {} : { refused: n % 3 === 0 ? external : { reason: 'TRAP', message: 'x' } },
    )
    const keys = async (filter: Parameters<typeof ledger.rows>[0]) => (await ledger.rows(filter)).map(({ key }) => key)
    expect(await keys({ reason: 'TRAP' })).toEqual(['k1', 'k5', 'k7'])
    expect(await keys({ reason: 'EXTERNAL_LINK', outcome: 'skipped' })).toEqual(['k3', 'k9'])
    expect(await keys({ outcome: 'queued', after: 'k4' })).toEqual(['k6', 'k8'])
    expect(await keys({ after: 'k1', limit: 2 })).toEqual(['k2', 'k3'])
    expect(await keys({ outcome: 'queued', skip: 1, limit: 2 })).toEqual(['k2', 'k4'])
    expect(await keys({ after: 'none' })).toEqual([])
  })
}
