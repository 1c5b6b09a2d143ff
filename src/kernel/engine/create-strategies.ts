import { createBatchStrategy } from '../job/batch-strategy.js'
import { type CrawlFeatures, CrawlStrategy } from '../job/crawl/crawl-strategy.js'
import type { JobRequest } from '../job/registry-options.js'
import type { StartKind } from '../job/stored-request.js'
import type { JobStrategy, PromptResolution } from '../job/job-strategy.js'
import { checkBatchScrape, checkCrawl, checkV1BatchScrape, checkV1Crawl } from '../options/check.js'
import type { CrawlRequest } from '../options/crawl-options.js'
import type { EngineCapabilities } from '../options/engine-capabilities.js'
import type { Checked } from '../options/fields/checked-request.js'
import type { FeatureOptions } from '../options/option-definition.js'
import type { CrawlPlan } from '../plan/crawl-plan.js'
import type { PromptedOptions } from '../plan/crawl/prompted-options.js'
import { planCrawl } from '../plan/crawl/plan-crawl.js'
import { planV1Crawl } from '../plan/crawl/plan-v1-crawl.js'
import type { BatchPlan } from '../plan/batch-plan.js'
import type { PlanDefaults } from '../plan/plan-defaults.js'
import { planBatch, planV1Batch } from '../plan/plan-batch.js'
import type { EnginePlan } from '../plan/plan-engine.js'

/** Parts of strategies that features have. */
interface StrategyFeatures extends CrawlFeatures {
  /** Opens the resolution of the `prompt` of a crawl. @default its options are those of the request */
  readonly openPrompt?: OpenPrompt
}

/** Checks a request and plans its job's strategy. @throws InvalidRequestError */
type CreateStrategy = (request: unknown, capabilities?: EngineCapabilities, generated?: PromptedOptions) => JobRequest

const checkAndPlan =
  <Request extends object>(
    check: (request: unknown, capabilities?: EngineCapabilities, more?: FeatureOptions) => Request,
    plan: (request: Request, generated?: PromptedOptions) => JobStrategy,
    more?: FeatureOptions,
  ): CreateStrategy =>
  (request, capabilities, generated) => {
    // A stored request is checked without capabilities, and has the options of features all the same.
    const checked = check(request, capabilities, more)
    return { request: checked, createStrategy: () => plan(checked, generated) }
  }

const checkAndPlanBatch = <Request extends object>(
  check: (request: unknown, capabilities?: EngineCapabilities, more?: FeatureOptions) => Request,
  plan: (request: Request, settings: EnginePlan) => BatchPlan,
  settings: EnginePlan,
): CreateStrategy =>
  checkAndPlan(
    check,
    (request) =>
      createBatchStrategy(plan(request, settings), (urls) =>
        plan(check({ ...request, urls }, undefined, settings.features?.options), settings),
      ),
    settings.features?.options,
  )

/**
 * Creates the functions that check requests and plan their jobs, one for each kind of request.
 *
 * @param features what features add to crawls. @default nothing
 */
export const createStrategies = (
  settings: EnginePlan,
  features?: StrategyFeatures,
): Readonly<Record<StartKind, CreateStrategy>> => ({
  'batch-scrape': checkAndPlanBatch(checkBatchScrape, planBatch, settings),
  crawl: checkAndPlan(
    checkCrawl,
    (request, generated) => {
      const plan = planCrawl(request, settings)
      return new CrawlStrategy(plan, features?.openPrompt?.({ request, plan, settings, generated }), features)
    },
    settings.features?.options,
  ),
  'v1-batch-scrape': checkAndPlanBatch(checkV1BatchScrape, planV1Batch, settings),
  'v1-crawl': checkAndPlan(
    checkV1Crawl,
    (request) => new CrawlStrategy(planV1Crawl(request, settings), undefined, features),
    settings.features?.options,
  ),
})

/** A crawl before it begins. */
interface AskedCrawl {
  readonly request: Checked<CrawlRequest>
  readonly plan: CrawlPlan
  readonly settings: PlanDefaults
  /** Options that an earlier process generated. */
  readonly generated?: PromptedOptions
}

/** Opens the resolution of the `prompt` of a crawl. @returns undefined for a crawl without one: its options are those of the request */
export type OpenPrompt = (crawl: AskedCrawl) => PromptResolution | undefined
