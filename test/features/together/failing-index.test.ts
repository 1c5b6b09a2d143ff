import { describe, expect, it } from 'vitest'
import { createEngine, memoryStore } from '../../../src/index.js'
import { openChangingSite, useChangingSite } from '../../site/changing-site.js'

const on = useChangingSite()

describe('a crawl with `since` whose search index fails', () => {
  it('completes with a warning, every time, and loses no page', async () => {
    const { start, pages } = await openChangingSite(on, { '/': ['/a', '/b'] })
    pages.set('/a', { links: [], text: 'apples' })
    pages.set('/b', { links: [], text: 'pears' })
    const snapshots = memoryStore()
    const crawl = async (index: string | true) => {
      await using engine = createEngine({ allowPrivateNetworks: true, threads: 0, index, snapshots })
      const job = engine.crawl({ url: start, since: 'last', sitemap: 'skip' })
      const { status, completed, failed, warning = '' } = await job.finished()
      const found = index === true && (await job.search('apples')).length
      return { status, completed, failed, isWarned: warning.includes('Some pages are not indexed: '), found }
    }
    const failing = { status: 'completed', completed: 3, failed: 0, isWarned: true, found: false }
    // A file below a device cannot be made.
    expect(await crawl('/dev/null/index.db')).toEqual(failing)
    expect(await crawl('/dev/null/index.db')).toEqual(failing)
    // What has not changed is read again for an index that works.
    expect(await crawl(true)).toEqual({ ...failing, isWarned: false, found: 1 })
  })
})
