import { REPORT_EVENTS } from '../ledger/outbox.js'
import type { CheckedWebhook } from '../options/checked-request.js'
import { jobDefaults, type JobOptions } from '../options/job-options.js'
import type { ThrottlePlan, WebhookPlan } from './crawl-plan.js'
import type { PlanDefaults } from './plan-defaults.js'
import type { ScrapePlan } from './scrape-plan.js'

/** Plans the pages of a job that may have to leave nothing behind. @see docs/compatibility.md#zero-data-retention */
export function planRetention(page: ScrapePlan, { zeroDataRetention }: JobOptions): ScrapePlan {
  if (zeroDataRetention !== true) return page
  const { snapshot: _, ...others } = page
  return { ...others, cache: { ...page.cache, write: false }, zeroDataRetention: true }
}

/** Formats that are made of the main content, and not of the raw page. */
const CONTENT_FORMATS: ReadonlySet<string> = new Set(['markdown', 'html', 'images'])

/**
 * Decides whether a job learns repeated blocks. It does where it looks for the main content itself, and a format shows the result:
 * a selection by `includeTags`, or the whole page, stays as the caller asked for it.
 */
export function shouldLearnBoilerplate(
  { learnBoilerplate = jobDefaults.learnBoilerplate }: JobOptions,
  { digest }: ScrapePlan,
): boolean {
  const { onlyMainContent, includeTags } = digest.extract
  const isSeen = digest.convert.formats.some(({ type }) => CONTENT_FORMATS.has(type))
  return learnBoilerplate && onlyMainContent && includeTags.length === 0 && isSeen
}

/** Plans the speed of a job. A `delay`, in seconds, means one page at a time. */
export function planThrottle(
  { maxConcurrency, delay = 0 }: { maxConcurrency?: number | undefined; delay?: number | undefined },
  defaults: PlanDefaults,
): ThrottlePlan {
  // A page that has lent its slot is still one of the job's, so a limit that the caller has set counts it as well.
  const own = defaults.maxConcurrency + (defaults.maxLent ?? 0)
  const asked = maxConcurrency === undefined ? own : Math.min(maxConcurrency, defaults.maxConcurrency)
  return {
    maxConcurrency: delay > 0 ? 1 : asked,
    delayMs: Math.round(delay * 1000),
  }
}

/** Plans the reports of a job; empty without a webhook. @see docs/compatibility.md#webhooks */
export function planWebhook({ webhook }: { webhook?: string | CheckedWebhook | undefined }): { webhook?: WebhookPlan } {
  if (webhook === undefined) return {}
  const {
    url,
    headers = {},
    metadata = {},
    events = REPORT_EVENTS,
  } = typeof webhook === 'string' ? { url: webhook } : webhook
  return { webhook: { url, headers: { ...headers }, metadata: { ...metadata }, events: [...events] } }
}
