import { compact } from '../../base/collections/compact.js'
import { groupBy } from '../../base/collections/group-by.js'
import type { RobotsVerdict } from '../../kernel/frontier/robots/robots.js'
import { patternTarget } from '../../kernel/frontier/scope/scope.js'
import { deriveTemplate } from '../../base/url-template.js'
import type { SkipReason } from '../../kernel/ledger/ledger.js'
import type { CrawlPlan } from '../../kernel/plan/crawl-plan.js'
import type { CrawlerOptions, PromptedOptions } from '../../kernel/plan/crawl/prompted-options.js'
import { suggestScopeChanges } from '../../kernel/job/discovery/scope-hints.js'
import { describeRobotsVerdict } from '../../kernel/job/discovery/robots-refusal.js'
import type { Survey, SurveyedUrl } from './survey.js'

/** Preview of a crawl, from a short survey of the site. */
export interface CrawlForecast {
  /** The start URL, on the host that it redirects to. */
  start: string
  /** URLs found by the survey that the crawl would scrape. Most sites have more, behind pages that the survey did not fetch. */
  pages: number
  /** Those URLs by template, e.g. `example.com/blog/:slug`, largest group first. */
  templates: { template: string; count: number; example: string }[]
  /** URLs that the crawl would refuse, by reason, most frequent first. */
  refused: { reason: SkipReason; count: number; examples: { url: string; message: string }[] }[]
  /** Matches of each path pattern among the URLs found by the survey. */
  patterns: { field: 'includePaths' | 'excludePaths'; pattern: string; count: number; examples: string[] }[]
  /** Decision of robots.txt about the start URL. */
  robots: RobotsForecast
  /** With `urls`: the further start URLs that were looked at, 20 at most. */
  otherStarts?: { url: string; robots: RobotsForecast }[]
  /** With a `prompt`: the options that a model derived from it. */
  promptGeneratedOptions?: PromptedOptions
  /** With a `prompt`: the options that the crawl would use. */
  finalCrawlerOptions?: CrawlerOptions
  /** Suggestions to change before starting, and what could not be read. */
  warnings: string[]
}

/** Decision of robots.txt about a start URL. */
interface RobotsForecast {
  allowed: boolean
  /** The line that refuses it, or why the file could not be read. */
  message?: string
  /** Pause between two pages that the file asks for. Milliseconds. */
  crawlDelayMs?: number
}

const MAX_EXAMPLES = 3

const describeRobots = (verdict: RobotsVerdict): RobotsForecast =>
  compact({
    allowed: verdict.allowed,
    message: verdict.allowed ? undefined : describeRobotsVerdict(verdict),
    crawlDelayMs: verdict.crawlDelayMs,
  })

/** Summarizes a survey as the preview of a crawl with this plan. @internal */
export function createForecast(plan: CrawlPlan, survey: Survey): CrawlForecast {
  const { scope, urls, robots, otherStarts, problems } = survey
  const admitted = urls.filter(({ refused, failure }) => !refused && !failure)
  const refused = groupBy(urls, ({ refused: refusal }) => refusal?.reason)
  const patterns = listPatterns(plan, urls)
  const startRefused = urls[0]?.refused?.reason
  const counts = Object.fromEntries([...refused].map(([reason, group]) => [reason, group.length]))
  return {
    start: scope.start,
    pages: admitted.length,
    templates: [...groupBy(admitted, ({ url }) => deriveTemplate(new URL(url)).names[0])]
      .map(([template, group]) => ({ template, count: group.length, example: group[0]?.url ?? '' }))
      .toSorted((a, b) => b.count - a.count),
    refused: [...refused]
      .map(([reason, group]) => ({
        reason,
        count: group.length,
        examples: group.slice(0, MAX_EXAMPLES).map(describe),
      }))
      .toSorted((a, b) => b.count - a.count),
    patterns,
    robots: describeRobots(robots),
    ...(otherStarts.length > 0 && {
      otherStarts: otherStarts.map(({ url, robots: verdict }) => ({ url, robots: describeRobots(verdict) })),
    }),
    warnings: [
      ...suggestScopeChanges({ scope, pages: admitted.length, refused: counts, startRefused }),
      ...patterns
        .filter(({ count }) => count === 0)
        .map(({ field, pattern }) => `\`${field}\` ${pattern} matches no URL known so far.`),
      ...problems,
    ],
  }
}

const describe = ({ url, refused }: SurveyedUrl): { url: string; message: string } => ({
  url,
  message: refused?.message ?? '',
})

function listPatterns({ scope }: CrawlPlan, urls: readonly SurveyedUrl[]): CrawlForecast['patterns'] {
  // URLs refused for other reasons say nothing about the patterns.
  const asked = urls.filter(({ refused }) => !refused || /_PATTERN$|ROBOTS/.test(refused.reason))
  return (['includePaths', 'excludePaths'] as const).flatMap((field) =>
    scope[field].map((pattern) => {
      const found = asked.filter(({ url }) => pattern.test(patternTarget(new URL(url), scope)))
      const examples = found.slice(0, MAX_EXAMPLES).map(({ url }) => url)
      return { field, pattern: pattern.source, count: found.length, examples }
    }),
  )
}
