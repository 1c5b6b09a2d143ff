import { expect, it } from 'vitest'
import { attemptRow, type AttemptOptions } from '../../../src/kernel/job/attempt/attempt-row.js'
import type { LedgerRow, Refusal } from '../../../src/kernel/ledger/ledger.js'
import { countTurns } from '../../base/concurrency/count-turns.js'

const row = { key: 'k', url: 'https://site.test/', attempts: [] } as unknown as LedgerRow

const jobOf = (strategy: object): AttemptOptions =>
  ({
    strategy,
    tools: { now: () => 0 },
    context: { tracer: { startAttempt: () => undefined }, signal: new AbortController().signal },
    plan: { fetch: { timeoutMs: 1000 } },
    permit: { wait: (work: Promise<unknown>) => work },
    awaitTurn: () => undefined,
  }) as unknown as AttemptOptions

it('a defect in what a strategy knows of a page fails the page, and not the job', async () => {
  const restore = (): never => {
    throw new Error('a wrong record')
  }
  const { ending } = await attemptRow(row, jobOf({ recall: async () => ({ unchanged: 'its date', restore }) }))
  expect(ending).toMatchObject({ outcome: 'failed', error: expect.stringContaining('a wrong record') as string })
})

it('rows that are refused without a request leave the event loop to others', async () => {
  const refusal: Refusal = { reason: 'TRAP', message: 'a trap' }
  const job = jobOf({ refuse: async () => refusal })
  const { turns } = await countTurns(async () => {
    for (let count = 0; count < 100; count++)
      expect((await attemptRow(row, job)).ending).toEqual({ outcome: 'skipped', refusal })
  })
  expect(turns).toBeGreaterThan(40)
})
