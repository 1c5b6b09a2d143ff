import type { Spending } from '../../base/llm/spending.js'
import type { CrawlPlan } from '../../kernel/plan/crawl-plan.js'
import type { CrawlPrompt } from './crawl-prompt.js'
import { resolveCrawlPrompt } from './resolve-crawl-prompt.js'
import { type CrawlForecast, createForecast } from './forecast.js'
import type { JobTools } from '../../kernel/job/job-tools.js'
import { surveySite } from './survey.js'

/** Bounds of the survey behind a preview. */
const LIMITS = { sitemapUrls: 10_000, pages: 8 }

/** Everything that a preview needs in addition to the plan of the crawl. */
interface PreviewOptions {
  /** The crawl's `prompt`, whose options are generated first. */
  readonly prompt: CrawlPrompt | undefined
  readonly tools: JobTools
  readonly spending: Spending
  readonly signal: AbortSignal
}

/** Previews a crawl without starting it. */
export async function previewCrawl(
  plan: CrawlPlan,
  { prompt, tools, spending, signal }: PreviewOptions,
): Promise<CrawlForecast> {
  const survey = { tools, limits: LIMITS, signal }
  if (!prompt) return createForecast(plan, await surveySite(plan, survey))
  const warnings: string[] = []
  const warn = (warning: string): void => void warnings.push(warning)
  const resolved = await resolveCrawlPrompt(prompt, { tools, spending, signal, warn })
  const forecast = createForecast(resolved.survey, await surveySite(resolved.survey, survey))
  return {
    ...forecast,
    promptGeneratedOptions: resolved.generated,
    finalCrawlerOptions: resolved.final,
    warnings: [...warnings, ...forecast.warnings],
  }
}
