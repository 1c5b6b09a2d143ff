import { defineFeature } from '../../kernel/engine/feature.js'
import { createCrawlPrompt } from './crawl-prompt.js'
import { mapDefinitions, mapRequest, type MapRequest, mapSchema } from './map-options.js'
import { promptDefinitions, type PromptOptions } from './prompt-options.js'
import { CrawlPromptResolution } from './resolve-crawl-prompt.js'
import { modelBudgetOf } from '../../base/accounting/budget.js'
import { InvalidRequestError } from '../../base/errors.js'
import { type Follower, followSignals, openDeadline } from '../../base/concurrency/deadline.js'
import { Spending } from '../../base/llm/spending.js'
import type { CallOptions } from '../../kernel/engine/engine-surface.js'
import type { EngineParts } from '../../kernel/engine/entry-points.js'
import { checkCall, checkCrawl, createCheck } from '../../kernel/options/check.js'
import type { CrawlRequest } from '../../kernel/options/crawl-options.js'
import type { Checked } from '../../kernel/options/fields/checked-request.js'
import { normalizeRequest } from '../../kernel/options/fields/normalize-request.js'
import type { CrawlForecast } from './forecast.js'
import { planMap } from './plan-map.js'
import { planSurvey } from './plan-survey.js'
import { previewCrawl } from './preview-crawl.js'
import { createSiteMap, type SiteMap } from './site-map.js'
import { surveySite } from './survey.js'

export type { PromptOptions } from './prompt-options.js'

declare module '../../kernel/options/feature-options.js' {
  interface FeatureCrawlOptions extends PromptOptions {}
}

declare module '../../kernel/engine/engine-surface.js' {
  interface FeatureCalls extends SurveyCalls {}
}

/** Looks at a site before it is crawled: previews, maps, and options of a crawl that is described in words. @internal */
export const survey = defineFeature({
  name: 'survey',
  options: { crawl: promptDefinitions, calls: { map: mapDefinitions }, requests: [mapRequest] },
  openPrompt({ request, plan, settings, generated }) {
    const prompt = createCrawlPrompt(request, settings)
    return prompt && new CrawlPromptResolution(plan, prompt, generated)
  },
  extendEngine: (engine) => ({ calls: createSurveyCalls(engine) }),
})

/** Calls that look at a site without scraping it. */
interface SurveyCalls {
  /**
   * Previews a crawl: from robots.txt, the sitemaps and a few pages it reports which URLs the crawl would scrape, what
   * each pattern would match, and what may be wrong with the request. Options are generated from a `prompt` first.
   * Nothing is stored.
   *
   * @throws InvalidRequestError, TrawlError as {@link Engine.crawl}
   */
  plan(request: CrawlRequest, call?: CallOptions): Promise<CrawlForecast>
  /**
   * Lists a site's URLs, from its sitemaps and the links of the start page, without scraping them.
   *
   * @throws InvalidRequestError; TrawlError `ENGINE_CLOSED`
   */
  map(request: MapRequest, call?: CallOptions): Promise<SiteMap>
}

/** Maximum number of sitemap URLs that `map` reads. */
const MAX_MAP_URLS = 100_000

const checkMap = createCheck<Checked<MapRequest>>((z) => mapSchema(z))

/** Creates the calls of an engine. @internal */
function createSurveyCalls({ settings, capabilities, jobTools, jobs, closing }: EngineParts): SurveyCalls {
  const checkOptions = (call: CallOptions): void => {
    checkCall(call)
    closing.throwIfAborted()
    call.signal?.throwIfAborted()
    jobs.forgetExpired()
  }
  const follow = ({ signal }: CallOptions): Follower => followSignals(closing, ...(signal ? [signal] : []))
  return {
    async plan(request, call = {}) {
      checkOptions(call)
      const checked = checkCrawl(request, capabilities)
      using follower = follow(call)
      const plan = planSurvey(checked, settings)
      const spending = new Spending(modelBudgetOf(checked.budget ?? settings.budget))
      const prompt = createCrawlPrompt(checked, settings)
      return await previewCrawl(plan, { prompt, tools: jobTools, spending, signal: follower.signal })
    },
    async map(request, call = {}) {
      checkOptions(call)
      const checked = checkMap(normalizeRequest(request), capabilities.options)
      const issues = capabilities.findFaults?.(checked) ?? []
      if (issues.length > 0) throw new InvalidRequestError(issues)
      const { survey: planned, search, limit, timeoutMs, unused } = planMap(checked, settings)
      using follower = follow(call)
      const limits = { sitemapUrls: MAX_MAP_URLS, pages: 1 }
      using deadline =
        timeoutMs === undefined ? undefined : openDeadline(planned.scope.start, timeoutMs, follower.signal)
      const site = await surveySite(planned, { tools: jobTools, limits, signal: (deadline ?? follower).signal })
      const problems = unused === undefined ? site.problems : [...site.problems, unused]
      return createSiteMap({ ...site, problems }, search, limit)
    },
  }
}
