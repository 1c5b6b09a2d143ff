import { expect, it } from 'vitest'
import { attemptRow, type AttemptOptions } from '../../../src/kernel/job/attempt/attempt-row.js'
import type { LedgerRow, Refusal } from '../../../src/kernel/ledger/ledger.js'
import { countTurns } from '../../base/concurrency/count-turns.js'

const row = { key: 'k', url: 'https://site.test/', attempts: [] } as unknown as LedgerRow

const jobOf = (strategy: object): AttemptOptions =>
  ({
    strategy,
    tools: { waitNow: () => 0, retryDelayMs: () => undefined },
    context: {
      tracer: { startAttempt: () => undefined },
      signal: new AbortController().signal,
      saveErrorSnapshot: async () => undefined,
      budgetTracker: { spending: undefined },
      permitFurther: () => undefined,
    },
    plan: { fetch: { timeoutMs: 1000 } },
    permit: { wait: (work: Promise<unknown>) => work },
    awaitTurn: () => undefined,
  }) as unknown as AttemptOptions

/** A crawl that knows its pages from an earlier one. */
const crawlOf = (recall: () => Promise<object>) => ({
  memory: { recall },
  files: { judge: () => undefined, isUncertain: () => false },
  followLeft: async () => undefined,
})

it('a defect in what a strategy knows of a page fails the page, and not the job', async () => {
  const restore = (): never => {
    throw new Error('a wrong record')
  }
  const { ending } = await attemptRow(row, jobOf({ crawl: crawlOf(async () => ({ unchanged: 'its date', restore })) }))
  expect(ending).toMatchObject({ outcome: 'failed', error: expect.stringContaining('a wrong record') as string })
})

it('a defect after a recall is told to the pages that wait for its answer, and is in the record of the attempt', async () => {
  const answers: unknown[] = []
  const recall = async () => ({ onAnswer: (page: unknown) => void answers.push(page), lastSeen: {} })
  const createRedirectRule = (): never => {
    throw new Error('a wrong rule')
  }
  const { ending, attempt } = await attemptRow(row, jobOf({ crawl: { ...crawlOf(recall), createRedirectRule } }))
  expect(ending).toMatchObject({ outcome: 'failed', error: expect.stringContaining('a wrong rule') as string })
  expect(attempt).toMatchObject({ error: expect.stringContaining('a wrong rule') as string })
  expect(answers).toEqual([undefined])
})

it('a defect in what judges a page keeps the attempt and the answer of its site', async () => {
  const restore = () => ({ document: { metadata: {} }, siteResponse: { statusCode: 200 } })
  const files = {
    judge(): never {
      throw new Error('a wrong judgement')
    },
  }
  const known = { unchanged: 'its date', restore }
  const { ending, attempt, siteResponse } = await attemptRow(
    row,
    jobOf({ crawl: { ...crawlOf(async () => known), files } }),
  )
  expect(ending).toMatchObject({ outcome: 'failed', error: expect.stringContaining('a wrong judgement') as string })
  expect(attempt).toBeDefined()
  expect(siteResponse).toMatchObject({ statusCode: 200 })
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
