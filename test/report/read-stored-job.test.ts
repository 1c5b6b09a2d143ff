import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createEngine, memoryLedger, readStoredJob, sqlite } from '../../src/index.js'
import { htmlPage } from '../site/exchange.js'
import { startSite } from '../site/site.js'

it('reads a job that was left unfinished, and leaves it so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-report-'))
  const file = join(folder, 'crawl.db')
  try {
    const links = Array.from({ length: 20 }, (_, index) => `<a href="/page/${index}">page ${index}</a>`).join(' ')
    await using site = await startSite({ pages: { '/': htmlPage('Start', `<p>${links}</p>`) } })
    const engine = createEngine({
      ledger: sqlite(file),
      allowPrivateNetworks: true,
      maxConcurrency: 1,
      fetcher: 'http',
    })
    const job = engine.crawl({ url: site.url('/'), sitemap: 'skip', delay: 0.05 })
    for await (const document of job) if (document.metadata.url.includes('/page/')) break
    const beside = sqlite(file)
    expect((await (await readStoredJob(beside)).status()).interrupted).toBeUndefined()
    await beside.close()
    await engine.close()
    const ledger = sqlite(file)
    const before = site.requests.length
    const stored = await readStoredJob(ledger)
    expect([stored.id, stored.kind]).toEqual([job.id, 'crawl'])
    const { status, interrupted, completed, total, data } = await stored.status()
    expect([status, interrupted, total]).toEqual(['scraping', true, 21])
    expect(data).toHaveLength(completed)
    let rows = 0
    for await (const { url } of stored.rows()) rows += Number(url.startsWith(site.origin))
    expect(rows).toBe(21)
    expect(site.requests).toHaveLength(before)
    expect(ledger.jobStore?.listInterrupted().map(({ id }) => id)).toEqual([job.id])
    await expect(readStoredJob(ledger, 'other')).rejects.toThrow(`no job other: it has ${job.id}`)
    await ledger.close()
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('refuses a ledger that is no file, and one without jobs', async () => {
  await expect(readStoredJob(memoryLedger())).rejects.toThrow('only the ledger `sqlite(file)`')
  const folder = await mkdtemp(join(tmpdir(), 'trawl-report-'))
  const ledger = sqlite(join(folder, 'empty.db'))
  await expect(readStoredJob(ledger)).rejects.toThrow('the ledger has no jobs')
  await ledger.close()
  await rm(folder, { recursive: true })
})
