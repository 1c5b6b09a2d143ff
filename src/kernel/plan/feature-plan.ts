import type { RewritePlan } from '../../content/digest/rewriter.js'
import type { FeatureScript } from '../fetch/browser-plan.js'
import type { CrawlRequest } from '../options/crawl-options.js'
import type { FeatureConfig, FeatureCrawlOptions } from '../options/feature-options.js'
import type { FormatSet } from '../options/format-set.js'
import { type FeatureOptions, NO_FEATURE_OPTIONS } from '../options/option-definition.js'
import type { JobOptions } from '../options/job-options.js'
import type { ScrapeOptions } from '../options/scrape-options.js'
import type { JobPlan } from './job-plan.js'
import type { ScrapePlan } from './scrape-plan.js'

/** Options of a job as features see them: those of a crawl are absent in a batch. */
export type AskedJob = JobOptions &
  Partial<Pick<CrawlRequest, 'url' | 'limit' | 'sitemap' | 'ignoreRobotsTxt' | 'delay' | keyof FeatureCrawlOptions>>

/** Parts of the plan of a job that its features decide. */
export interface PlannedFeatures extends Pick<JobPlan, 'page' | 'features' | 'guide'> {
  /** Pages at once of a job that sets no number. @default that of the engine */
  readonly pagesAtOnce?: number
}

/** Parts of the plan of a page that features decide. */
export type FeaturesInPage = Pick<
  ScrapePlan,
  'features' | 'ownFeatures' | 'asksFurther' | 'changesRequests' | 'judges'
> & {
  /** Scripts that they run on the page in a browser; absent for none. */
  readonly scripts?: readonly FeatureScript[]
  /** The feature that rewrites what is read of the page; absent for none. */
  readonly rewrite?: RewritePlan
}

/** Plans the part of the features of an engine in a page. */
export interface PlanFeatures {
  /** Options that they add to requests. */
  readonly options: FeatureOptions
  /** Returns what the plan of a page has of features; nothing for a page that asks for none. */
  plan(options: ScrapeOptions, config: FeatureConfig): FeaturesInPage
  /** Returns what the plan of a job has of features, and the plan of its pages, which they may change. */
  planJob(page: ScrapePlan, options: AskedJob, config: FeatureConfig): PlannedFeatures
}

/** Plans the part of the features of an engine in a job. */
export const planJobFeatures = (
  page: ScrapePlan,
  options: AskedJob,
  { features, ...config }: FeatureConfig & { readonly features?: PlanFeatures },
): PlannedFeatures => features?.planJob(page, options, config) ?? { page }

/** Returns the formats that an engine with these features knows. */
export const formatsOf = ({ features }: { readonly features?: PlanFeatures }): FormatSet =>
  (features?.options ?? NO_FEATURE_OPTIONS).formats

/** Returns a plan without the features that ask the site for more than the page. */
export function withoutFurther({ features, asksFurther = [], ...plan }: ScrapePlan): ScrapePlan {
  if (!features) return plan
  const left = Object.entries(features).filter(([name]) => !asksFurther.includes(name))
  return left.length === 0 ? plan : { ...plan, features: Object.fromEntries(left) }
}
