import type { Spending } from '../../llm/spending.js'
import type { CrawlPlan } from '../../plan/crawl-plan.js'
import type { CrawlPrompt } from '../../plan/crawl/crawl-prompt.js'
import { askModel } from '../run/ask-model.js'
import { resolveCrawlPrompt } from './resolve-crawl-prompt.js'
import { type CrawlForecast, makeForecast } from '../discovery/forecast.js'
import type { JobTools } from '../job-tools.js'
import { surveySite } from '../discovery/survey.js'

/** How far a look at a site goes before a crawl of it. */
const LIMITS = { sitemapUrls: 10_000, pages: 8 }

/** What a crawl would do: where it is described in words, with the options that a model makes of that. */
export async function previewCrawl(
  plan: CrawlPlan,
  prompt: CrawlPrompt | undefined,
  tools: JobTools,
  spending: Spending,
  signal: AbortSignal,
): Promise<CrawlForecast> {
  if (!prompt) return makeForecast(plan, await surveySite(plan, tools, LIMITS, signal))
  const warnings: string[] = []
  const mayCache = plan.page.keepsNothing !== true
  const { survey, generated, final } = await resolveCrawlPrompt(prompt, {
    survey: (sitePlan, limits, until) => surveySite(sitePlan, tools, limits, until),
    askModel: (question, until) => askModel(tools.model, question, { signal: until, spending, mayCache }),
    warn: (warning) => void warnings.push(warning),
    signal,
  })
  const forecast = makeForecast(survey, await surveySite(survey, tools, LIMITS, signal))
  return {
    ...forecast,
    promptGeneratedOptions: generated,
    finalCrawlerOptions: final,
    warnings: [...warnings, ...forecast.warnings],
  }
}
