import { expect, it } from 'vitest'
import { openEngine } from '../../../src/kernel/engine/create-engine.js'
import { FeatureSet } from '../../../src/kernel/engine/feature-set.js'
import type { Feature, FeatureSteps } from '../../../src/kernel/engine/feature.js'
import { permissions } from '../../../src/features/permissions/index.js'
import { errorTable } from '../../../src/index.js'
import { planScrape } from '../../../src/kernel/plan/scrape/plan-scrape.js'
import { defaults } from '../../kernel/plan/plans.js'
import { useEngineSite } from '../../site/engine-site.js'

const on = useEngineSite()
const config = { threads: 0, allowPrivateNetworks: true, fetcher: 'http', cache: false } as const

/** Permissions, with the names of the steps that were called. */
function count(): { readonly feature: Feature; readonly calls: string[] } {
  const calls: string[] = []
  const open: Feature['open'] = async (engine) => {
    const steps: FeatureSteps = (await permissions.open?.(engine)) ?? {}
    return {
      refuse: async (...asked) => (calls.push('refuse'), await steps.refuse?.(...asked)),
      beforeDigest: async (...page) => (calls.push('beforeDigest'), await steps.beforeDigest?.(...page)),
      afterDigest: async (...page) => (calls.push('afterDigest'), await steps.afterDigest?.(...page)),
    }
  }
  return { feature: { ...permissions, open }, calls }
}

it('judges URLs only for a page with `use`', () => {
  const features = new FeatureSet([permissions])
  expect(planScrape({}, { ...defaults, features })).toEqual({
    ...planScrape({}, defaults),
    features: { permissions: {} },
  })
  expect(planScrape({ use: ['search', 'ai-train', 'search'] }, { ...defaults, features })).toMatchObject({
    features: { permissions: { use: ['search', 'ai-train'] } },
    judges: { permissions: 'ai-train search' },
  })
})

it('asks for no file of a site without `use`, and runs no code in an engine without it', async () => {
  await on.open({ '/': '<p>One' })
  const { feature, calls } = count()
  await using engine = openEngine(config, new FeatureSet([feature]))
  await engine.scrape(on.site.url('/'))
  expect(calls).toEqual(['beforeDigest', 'afterDigest'])
  expect(on.site.requests.map(({ path }) => path)).toEqual(['/'])
  await engine.scrape(on.site.url('/'), { use: ['search'] })
  expect(calls.slice(2)).toEqual(['refuse', 'beforeDigest', 'afterDigest'])
  expect(on.site.requests.map(({ path }) => path)).toContain('/robots.txt')

  await using without = openEngine(config, new FeatureSet([]))
  expect(await without.scrape(on.site.url('/'))).not.toHaveProperty('permissions')
  await expect(without.scrape(on.site.url('/'), { use: ['search'] })).rejects.toThrow('use')
  expect(calls).toHaveLength(5)
})

it('tells its refusals by a code, a status and a reason of its own', async () => {
  const html = '<meta name="robots" content="noai"><p>One'
  await on.open({ '/': html })
  await using engine = openEngine(config, new FeatureSet([permissions]))
  await expect(engine.scrape(on.site.url('/'), { use: ['ai-train'] })).rejects.toMatchObject({
    code: 'SCRAPE_NOT_PERMITTED',
    status: 403,
    retry: false,
  })
  expect(errorTable.SCRAPE_NOT_PERMITTED).toMatchObject({ status: 403, retry: false })
  const job = engine.batchScrape({ urls: [on.site.url('/')], use: ['ai-train'] })
  await job.finished()
  const rows = []
  for await (const row of job.urls({ outcome: 'skipped', reason: 'NOT_PERMITTED' })) rows.push(row)
  expect(rows).toMatchObject([{ url: on.site.url('/'), refusal: { reason: 'NOT_PERMITTED' } }])
  expect(() => job.urls({ outcome: 'skipped', reason: 'NOT' as 'TRAP' })).toThrow('NOT_PERMITTED')
})
