import type { PromptResolution } from '../job/crawl/prompt-resolution.js'
import type { CrawlRequest } from '../options/crawl-options.js'
import type { Checked } from '../options/fields/checked-request.js'
import type { CrawlPlan } from '../plan/crawl-plan.js'
import type { PromptedOptions } from '../plan/crawl/prompted-options.js'
import type { PlanDefaults } from '../plan/plan-defaults.js'

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
