import { expect, it } from 'vitest'
import { attemptRow, type AttemptOptions } from '../../../src/kernel/job/attempt/attempt-row.js'
import type { LedgerRow, Refusal } from '../../../src/kernel/ledger/ledger.js'
import { countTurns } from '../../base/concurrency/count-turns.js'

it('rows that are refused without a request leave the event loop to others', async () => {
  const refusal: Refusal = { reason: 'TRAP', message: 'a trap' }
  const job = {
    strategy: { refuse: async () => refusal },
    tools: { now: () => 0 },
    context: { tracer: { startAttempt: () => undefined } },
    plan: { fetch: { timeoutMs: 1000 } },
    permit: { wait: (work: Promise<unknown>) => work },
    awaitTurn: () => undefined,
  } as unknown as AttemptOptions
  const row = { key: 'k', url: 'https://site.test/', attempts: [] } as unknown as LedgerRow
  const { turns } = await countTurns(async () => {
    for (let count = 0; count < 100; count++)
      expect((await attemptRow(row, job)).ending).toEqual({ outcome: 'skipped', refusal })
  })
  expect(turns).toBeGreaterThan(40)
})
