import { afterEach, expect, it } from 'vitest'
import { FeatureSet } from '../../../src/kernel/engine/feature-set.js'
import type { EngineInternals } from '../../../src/kernel/engine/feature.js'
import { permissions } from '../../../src/features/permissions/index.js'
import type { FetchedPage } from '../../../src/kernel/fetch/fetched-page.js'
import type { ConcurrencyPermit } from '../../../src/kernel/fetch/fetcher.js'
import type { ObtainedPage } from '../../../src/kernel/page/obtain-page.js'
import type { PageContext } from '../../../src/kernel/page/page-context.js'
import { withoutRefusedScrapes } from '../../../src/kernel/page/refuse-further.js'
import { planEngine } from '../../../src/kernel/plan/plan-engine.js'
import { planScrape } from '../../../src/kernel/plan/scrape/plan-scrape.js'
import { defaults } from '../../kernel/plan/plans.js'
import { startSite, type Site } from '../../site/site.js'

let site: Site
afterEach(() => site.close())

/** Permissions of an engine whose sites have no robots.txt, and these files. */
const open = (getFile: EngineInternals['getFile']): FeatureSet =>
  new FeatureSet([permissions]).forEngine({
    getFile,
    robots: { recordsOf: async () => undefined } as Partial<EngineInternals['robots']> as EngineInternals['robots'],
    task: async () => undefined,
    pageTask: async () => undefined,
    closing: new AbortController().signal,
    fetchPage: () => Promise.reject(new Error('not asked for')),
    mayUseBrowser: false,
    now: Date.now,
    settings: planEngine({}),
  })

/** Part of permissions in the plan of a page with these uses. */
const planUse = (use?: readonly ('search' | 'ai-train')[]) => new FeatureSet([permissions]).plan(use ? { use } : {})

const NO_FILES = open(async (url) => ({ url, statusCode: 404, body: new Uint8Array() }))

it('an answer whose headers deny the use of the plan is refused', async () => {
  site = await startSite({})
  const { signal } = new AbortController()
  const plan = { ...planScrape({}, defaults), ...planUse(['ai-train']) }
  const context: unknown = { request: {}, plan, deadline: { signal } }
  const headers = { 'content-type': 'application/json', 'x-robots-tag': 'noai' }
  const page = { url: 'https://example.com/api', statusCode: 200, headers } as Partial<FetchedPage> as FetchedPage
  const obtained = { page } as Partial<ObtainedPage> as ObtainedPage
  const refused = await NO_FILES.judgeAnswer({ context: context as PageContext, obtained, signal })
  expect(refused?.refusal).toEqual({
    reason: 'NOT_PERMITTED',
    message: '`ai-train` is denied by header `x-robots-tag`: noai',
  })
})

it('a page lends its slot while files of its site are read', async () => {
  site = await startSite({})
  const { signal } = new AbortController()
  let waits = 0
  const wait: ConcurrencyPermit['wait'] = (work) => {
    waits += 1
    return work
  }
  const context = (use?: readonly 'search'[]): unknown => ({
    request: { permit: { wait } },
    plan: { ...planScrape({}, defaults), ...planUse(use) },
    deadline: { signal },
    tools: { features: NO_FILES },
  })
  const page = { url: 'https://example.com/', statusCode: 200, headers: {} } as Partial<FetchedPage> as FetchedPage
  const obtained = { page } as Partial<ObtainedPage> as ObtainedPage
  await NO_FILES.begin({ context: context() as PageContext, obtained, signal })?.beforeDigest()
  expect(waits).toBe(0)
  await NO_FILES.begin({ context: context(['search']) as PageContext, obtained, signal })?.beforeDigest()
  expect(waits).toBe(1)
})

it('results of the action `scrape` on pages whose site denies the use of the plan are left out', async () => {
  site = await startSite({})
  const rules = '[{"location":"/denied","tdm-reservation":1}]'
  const policies = open(async (url) => ({ url, statusCode: 200, body: new TextEncoder().encode(rules) }))
  const { signal } = new AbortController()
  const context: unknown = {
    request: {},
    plan: { ...planScrape({}, defaults), ...planUse(['ai-train']) },
    deadline: { signal },
    tools: { features: policies },
  }
  const scrapes = ['open', 'denied'].map((path) => ({ url: `https://example.com/${path}`, html: '<p>a</p>' }))
  const page = { url: 'https://example.com/', actions: { scrapes } } as Partial<FetchedPage> as FetchedPage
  const found = await withoutRefusedScrapes(context as PageContext, page)
  expect(found.page.actions?.scrapes.map(({ url }) => url)).toEqual(['https://example.com/open'])
  expect(found.warnings).toHaveLength(1)
  expect(found.warnings[0]).toContain('https://example.com/denied: `ai-train` is denied by')
})
