import type { CrawlPlan } from '../../plan/crawl-plan.js'
import type { CrawlerOptions, PromptedOptions } from '../../plan/crawl/prompted-options.js'
import type { JobContext } from '../job-context.js'

/** Resolution of a crawl's `prompt` into options, before the job starts. */
export interface PromptResolution {
  /** True until the prompt is resolved. The job does nothing else before. */
  readonly isPending: boolean
  /** Resolves when the prompt is resolved. */
  readonly resolved: Promise<void>
  readonly generated: PromptedOptions | undefined
  readonly final: CrawlerOptions | undefined
  /** Plan of the crawl: that of the request, until the prompt is resolved. */
  readonly plan: CrawlPlan
  /** Resolves the prompt. Does nothing when the job is stopped meanwhile or has no budget left for the question. */
  resolve(context: JobContext): Promise<void>
}
