import { afterEach, describe, expect, it } from 'vitest'
import { createEngine, type Engine } from '../../../src/index.js'
import { WorkerPlaces } from '../../../src/features/machines/pages/worker-places.js'
import type { TaskQueue } from '../../../src/kernel/ledger/task-queue.js'
import { formatsOf } from '../../../src/kernel/plan/feature-plan.js'
import { htmlPage } from '../../site/exchange.js'
import { startSite, type Site } from '../../site/site.js'
import { featured, plan } from '../plan-with-features.js'

describe('branding', () => {
  let site: Site | undefined
  let engine: Engine | undefined
  afterEach(async () => {
    await engine?.close()
    await site?.close()
  })

  it('is captured in a browser, with other formats that need one', () => {
    const { fetch, digest, enrich, cache } = plan({ formats: ['branding', 'screenshot', 'html'] })
    const captures = { branding: {}, screenshot: { fullPage: false } }
    expect(fetch.browser?.captures).toEqual(captures)
    expect(fetch.needsBrowser).toEqual(['formats (branding)', 'formats (screenshot)'])
    expect(cache.rendered).toEqual({ waitForMs: 0, captures })
    expect(digest.convert.formats).toEqual([{ type: 'html' }])
    expect(enrich.formats).toEqual([{ type: 'branding' }, { type: 'screenshot' }])
  })

  it('is of a fresh page', () => {
    expect(plan({ formats: ['markdown', 'branding'] }).cache).toMatchObject({ read: false, write: true })
  })

  it('is made by the engine that runs the job, and not in its survey', () => {
    expect(new WorkerPlaces({} as TaskQueue, 'any', formatsOf(featured)).orderOf(plan({ formats: ['branding'] }))).toBe(
      'read',
    )
  })

  it('is that of the page, and fails for a response that is not one', async () => {
    const words = '<p>The words that a reader came for, which no other page of the site has in this order.</p>'
    site = await startSite({
      pages: {
        '/a': htmlPage('A', words),
        '/json': ({ response }) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'),
      },
    })
    engine = createEngine({ allowPrivateNetworks: true, threads: 0 })
    const viewport = { width: 200, height: 100 }
    const page = await engine.scrape(site.url('/a'), { formats: [{ type: 'screenshot', viewport }, 'branding'] })
    expect(page.branding.colors?.textPrimary).toBe('#000000')
    expect(page).not.toHaveProperty('warning')
    await expect(engine.scrape(site.url('/json'), { formats: ['branding'] })).rejects.toMatchObject({
      code: 'SCRAPE_BRANDING_NOT_SUPPORTED',
    })
  })
})
