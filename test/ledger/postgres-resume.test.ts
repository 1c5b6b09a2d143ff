import { describe, expect, it } from 'vitest'
import { createEngine, postgres } from '../../src/index.js'
import { factsOf, settings } from './postgres-crawls.js'
import { missing } from './postgres-server.js'
import { useCrawls } from './use-crawls.js'

describe.skipIf(missing !== undefined)(`engines with \`resume\`${missing === undefined ? '' : `: ${missing}`}`, () => {
  const on = useCrawls()

  it('one of them takes over the job of an engine that has ended, and gives the rest of its documents', async () => {
    const continued: string[] = []
    for (let count = 0; count < 3; count += 1) {
      const ledger = postgres({ connectionString: on.server.url(), schema: on.schema })
      on.closeLater(createEngine({ ...settings, ledger, resume: { onJob: (id) => continued.push(id) } }))
    }
    const owner = on.start()
    on.allow(5)
    const job = owner.crawl(on.crawlOf())
    const { id } = job
    await expect.poll(async () => (await job.status()).completed, { timeout: 30_000 }).toBeGreaterThan(2)
    await owner.close({ drain: false })
    on.allow(Infinity)
    const reader = on.start()
    // `engine.job(id)` would take the job over itself.
    const state = async () => (await reader.listJobs({ limit: 1 }))[0]?.status
    await expect.poll(state, { timeout: 30_000 }).toBe('completed')
    expect(continued).toEqual([id])
    const { data } = (await reader.job(id)?.finished()) ?? {}
    expect(data?.map(factsOf)).toEqual(on.whole)
  }, 60_000)
})
