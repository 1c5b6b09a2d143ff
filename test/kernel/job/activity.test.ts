import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine, type Engine } from '../../../src/index.js'
import { htmlPage } from '../../site/exchange.js'
import { type Site, startSite } from '../../site/site.js'

describe('job.activity()', () => {
  let site: Site
  let engine: Engine
  beforeEach(async () => {
    site = await startSite({ pages: { '/': htmlPage('Start') } })
    engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http' })
  })
  afterEach(async () => {
    await engine.close()
    await site.close()
  })

  it('lists the pages under way with their step, attempt and time, and none after the end', async () => {
    const urls = [site.url('/slow-body'), site.url('/')]
    const job = engine.batchScrape({ urls, timeout: 300_000 })
    const list = async (): Promise<string[]> => (await job.activity()).map(({ url }) => url)
    await expect.poll(list, { timeout: 20_000 }).toEqual([urls[0]])
    const [page] = await job.activity()
    expect(page).toMatchObject({ attempt: 1, step: 'fetch', elapsedMs: expect.any(Number) as unknown })
    // The page lends its place when its site has not answered for two seconds.
    await expect.poll(async () => (await job.activity())[0]?.lent, { timeout: 20_000 }).toBe(true)
    await job.cancel()
    expect(await job.activity()).toEqual([])
  }, 40_000)
})
