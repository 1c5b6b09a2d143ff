import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { JobLedger, Ledger, LedgerRules, Outcome } from '../../src/kernel/ledger/ledger.js'
import { type Doc, candidate, at, attempt, end, done, failed, refusal } from './ledger-rows.js'

/** The counters of a ledger equal those of its rows after any operations. */
export function ledgerCountersContract(make: () => Ledger): void {
  const open = (rules: Partial<LedgerRules> = {}): Promise<JobLedger<Doc>> =>
    make().open<Doc>('job', { limit: Infinity, holdLevelMs: 0, ...rules })

  it('has counts that equal those of its rows, after any mix of operations', async () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constant('admit' as const),
        key: fc.integer({ min: 0, max: 40 }),
        depth: fc.nat(3),
        refused: fc.boolean(),
      }),
      fc.record({ do: fc.constant('lease' as const) }),
      fc.record({ do: fc.constantFrom('done' as const, 'failed' as const, 'skipped' as const, 'retry' as const) }),
      fc.record({ do: fc.constant('sweep' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 120 }), fc.integer({ min: 1, max: 8 }), async (steps, limit) => {
        const ledger = await open({ limit })
        const active: string[] = []
        let nowMs = 0
        for (const one of steps) {
          nowMs += 10
          if (one.do === 'admit') {
            const refused = one.refused ? { refused: refusal } : {}
            await ledger.admit([candidate(`k${one.key}`, { depth: one.depth, ...refused })], nowMs)
          } else if (one.do === 'lease') {
            const row = await ledger.lease(at(nowMs))
            if (row) active.push(row.key)
          } else if (one.do === 'sweep') await ledger.skipQueued(async () => refusal, nowMs)
          else {
            const key = active.shift()
            if (key === undefined) continue
            if (one.do === 'retry') await ledger.retry(key, attempt({ retryAtMs: nowMs + 15 }))
            else if (one.do === 'done') await ledger.end(key, done(key), end)
            else if (one.do === 'failed') await ledger.end(key, failed, end)
            else await ledger.end(key, { outcome: 'skipped', refusal }, end)
          }
          const counts: Record<Outcome, number> = { queued: 0, active: 0, done: 0, failed: 0, skipped: 0 }
          const skippedByReason: Record<string, number> = {}
          for (const row of await ledger.rows()) {
            counts[row.outcome] += 1
            if (row.refusal) skippedByReason[row.refusal.reason] = (skippedByReason[row.refusal.reason] ?? 0) + 1
          }
          expect(await ledger.counts()).toEqual({ ...counts, skippedByReason, credits: counts.done * 2 })
          expect(counts.done + counts.active).toBeLessThanOrEqual(limit)
          expect(counts.done).toBe((await ledger.completed(0, 1000)).length)
        }
      }),
      { numRuns: 200 },
    )
  })
}
