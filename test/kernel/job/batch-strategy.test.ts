import { expect, it } from 'vitest'
import { createBatchStrategy } from '../../../src/kernel/job/batch-strategy.js'
import type { JobContext } from '../../../src/kernel/job/job-context.js'
import { checkBatchScrape } from '../../../src/kernel/options/check.js'
import { planBatch } from '../../../src/kernel/plan/plan-batch.js'
import { countTurns } from '../../base/concurrency/count-turns.js'
import { useEngineSite } from '../../site/engine-site.js'
import { defaults } from '../plan/plans.js'

const on = useEngineSite()

const plan = (urls: Iterable<string | URL>) => planBatch(checkBatchScrape({ urls }), defaults)

it('a batch parses a long list of URLs in slices, after the call', async () => {
  const urls = Array.from({ length: 1000 }, (_, at) => `https://example.com/${at}`)
  const strategy = createBatchStrategy(plan(urls), plan)
  expect(strategy.seeds).toEqual([])
  const { turns } = await countTurns(async () => strategy.prepare({} as JobContext))
  expect(turns).toBeGreaterThan(2)
  expect(strategy.seeds.map(({ url }) => url)).toEqual(urls)
  const more = strategy.list?.append(urls.map((url) => `${url}/more`))
  const appended = await countTurns(async () => more?.())
  expect(appended.turns).toBeGreaterThan(0)
  expect(appended.result?.at(-1)).toMatchObject({ sources: [{ order: 1999 }] })
})

it('a batch has the number of its pages in its status from the start', async () => {
  await on.open({})
  const urls = Array.from({ length: 2000 }, (_, at) => on.site.url(`/${at}`))
  const job = on.engine.batchScrape({ urls })
  expect((await job.status()).total).toBe(2000)
  await job.cancel()
})
