import type { JobBudget } from '../../base/accounting/budget.js'
import type { FetcherChoice } from '../fetch/fetcher.js'
import type { ImageParser } from '../../content/parse/image-parser.js'
import type { FeatureConfig } from '../options/feature-options.js'
import type { PlanFeatures } from './feature-plan.js'
import type { ParsePlan } from '../../content/parse/parser.js'

/** Settings of the engine that apply where a request does not set them. */
export interface PlanDefaults extends FeatureConfig {
  /** Maximum number of pages at once, in the whole engine and in each job. */
  readonly maxConcurrency: number
  /** Maximum number of further pages, which have lent their slots while they wait for their sites. @default 0 */
  readonly maxLent?: number
  /** True where other engines may scrape pages of its jobs: these do not count towards the limits of this engine. @default false */
  readonly sharesPages?: boolean
  /** Timeout of a whole page, for requests without `timeout`. Milliseconds. */
  readonly timeoutMs: number
  /** Choice of fetchers that may be used. */
  readonly fetcher: FetcherChoice
  /** Time after its maximum age during which a cached page is used if its site fails. Milliseconds; 0 for none. */
  readonly staleIfErrorMs: number
  /** True where a snapshot is saved of every page with format `markdown`. */
  readonly keepsSnapshots: boolean
  /** Parser of images, if any. */
  readonly imageParser?: ImageParser
  /** Maximum number of tokens of a page in one request to a model. */
  readonly partTokens: number
  /** Budget of jobs whose request has none. */
  readonly budget: JobBudget
  /** Surcharge for an enhanced proxy. Credits. */
  readonly enhancedCredits: number
  /** Features of the engine. @default none */
  readonly features?: PlanFeatures
  /** Limits of the trees that parsers build. */
  readonly parse: ParsePlan
}
