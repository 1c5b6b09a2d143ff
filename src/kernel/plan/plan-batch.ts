import { batchDefaults, type BatchScrapeRequest } from '../options/batch-options.js'
import type { CheckedBatch } from '../options/fields/checked-request.js'
import { isValidUrlField } from '../options/fields/url-field.js'
import { jobDefinitions } from '../options/job-options.js'
import type { V1BatchScrapeRequest } from '../options/v1-options.js'
import type { BatchPlan } from './batch-plan.js'
import { deepFreeze } from '../../base/collections/deep-freeze.js'
import { planJobFeatures } from './feature-plan.js'
import { fillSlice } from './fill-slice.js'
import type { PlanDefaults } from './plan-defaults.js'
import { planRetention, planThrottle } from './plan-job.js'
import { planScrape } from './scrape/plan-scrape.js'
import { planV1Scrape } from './scrape/plan-v1-scrape.js'
import type { ScrapePlan } from './scrape-plan.js'

/** Plans a batch, from a checked request. */
export const planBatch = (request: CheckedBatch<BatchScrapeRequest>, defaults: PlanDefaults): BatchPlan =>
  planBatchOfVersion(request, planScrape(request, defaults), defaults)

/** Plans a batch of version 1, from a checked request. */
export const planV1Batch = (request: CheckedBatch<V1BatchScrapeRequest>, defaults: PlanDefaults): BatchPlan =>
  planBatchOfVersion(request, planV1Scrape(request, defaults), defaults)

/** Plans a batch of either version. @param page what was planned for each of its pages */
function planBatchOfVersion(
  request: CheckedBatch<BatchScrapeRequest | V1BatchScrapeRequest>,
  page: ScrapePlan,
  defaults: PlanDefaults,
): BatchPlan {
  const urls: string[] = []
  const invalidURLs: string[] = []
  for (const source of request.urls) (isValidUrlField(source) ? urls : invalidURLs).push(source)
  const own = planRetention(page, request)
  const { pagesAtOnce, ...featured } = planJobFeatures(own, request, defaults)
  return deepFreeze({
    urls,
    invalidURLs: (request.ignoreInvalidURLs ?? batchDefaults.ignoreInvalidURLs) ? invalidURLs : undefined,
    throttle: planThrottle({ maxConcurrency: request.maxConcurrency ?? pagesAtOnce }, defaults),
    budget: { ...(request.budget ?? defaults.budget) },
    ...fillSlice(request, jobDefinitions, 'job'),
    ...featured,
  })
}
