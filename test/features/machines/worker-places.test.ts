import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ScrapeOptions } from '../../../src/index.js'
import { WorkerPlaces } from '../../../src/features/machines/pages/worker-places.js'
import type { TaskQueue } from '../../../src/kernel/ledger/task-queue.js'
import { formatsOf } from '../../../src/kernel/plan/feature-plan.js'
import { featured, plan } from '../plan-with-features.js'

const places = new WorkerPlaces({} as TaskQueue, 'any', formatsOf(featured))
const orderOf = (options: ScrapeOptions): string | undefined => places.orderOf(plan(options))

describe('the order for a page at a worker', () => {
  it.each<ScrapeOptions>([
    {},
    {
      formats: ['markdown', 'html', 'links', 'images', 'product', 'list'],
      onlyMainContent: false,
      includeTags: ['main'],
    },
    { maxAge: 1000, waitFor: 100, headers: { accept: '*/*' } },
  ])('is to scrape it: %j', (options) => {
    expect(orderOf(options)).toBe('scrape')
  })

  it.each<ScrapeOptions>([
    { formats: ['summary'] },
    { formats: [{ type: 'json', schema: z.object({ name: z.string() }) }] },
    { formats: ['screenshot'] },
    { formats: [{ type: 'list', all: true }] },
    { formats: ['markdown', 'changeTracking'] },
    { actions: [{ type: 'wait', milliseconds: 1 }] },
  ])('is to read it when its document needs the engine that runs the job: %j', (options) => {
    expect(orderOf(options)).toBe('read')
  })

  it.each<ScrapeOptions>([{ lockdown: true }, { minAge: 1 }, { profile: { name: 'one' } }])(
    'is not given when the page needs the cache or a session of the engine that runs the job: %j',
    (options) => {
      expect(orderOf(options)).toBeUndefined()
    },
  )

  it('is not given when nothing of the page may be stored', () => {
    expect(places.orderOf({ ...plan({}), zeroDataRetention: true })).toBeUndefined()
  })
})
