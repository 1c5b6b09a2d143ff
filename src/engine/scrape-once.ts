import { setTimeout as sleep } from 'node:timers/promises'
import { openDeadline } from '../concurrency/deadline.js'
import type { ScrapeRequest } from '../page/scrape-request.js'
import type { CreditAccount } from '../job/credit-account.js'
import { PagePermit } from '../job/run/page-permit.js'
import type { PageSlots } from '../concurrency/page-slots.js'
import type { ScrapedPage } from '../page/pipeline.js'
import { estimatePageCredits } from '../plan/page-credits.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import { type AttemptTools, evaluateError, evaluatePage } from '../page/attempt-page.js'

/** Tools of the engine for a single page. */
interface OnceTools extends AttemptTools {
  readonly slots: PageSlots
  readonly credits: CreditAccount
  now(): number
}

/**
 * Scrapes one page outside a job. It is retried as in a job, as long as its `timeout` allows.
 *
 * @throws TrawlError that of the last attempt, `SCRAPE_TIMEOUT` or `INSUFFICIENT_CREDITS`; the signal's reason
 */
export async function scrapeOnce(
  request: ScrapeRequest,
  plan: ScrapePlan,
  tools: OnceTools,
  signal: AbortSignal,
): Promise<ScrapedPage> {
  using deadline = openDeadline(request.url, plan.fetch.timeoutMs, signal)
  const endMs = tools.now() + plan.fetch.timeoutMs

  async function scrapeUntilDone(permit: PagePermit): Promise<ScrapedPage> {
    for (let number = 1; ; number++) {
      const attempt = { number, plan, tools }
      const { page, error, retryDelayMs } = await tools
        .scrape({ ...request, permit }, plan, deadline.signal)
        .then((scraped) => evaluatePage(scraped, attempt))
        .catch((thrown: unknown) => evaluateError(thrown, request.url, attempt, deadline.signal))
      if (retryDelayMs === undefined || tools.now() + retryDelayMs >= endMs) {
        if (!error) return page
        // If the caller aborted, its reason is thrown instead of the error that the abort caused.
        signal.throwIfAborted()
        throw error
      }
      await permit
        .wait(sleep(retryDelayMs, undefined, { signal: deadline.signal }), deadline)
        .catch(() => deadline.signal.throwIfAborted())
    }
  }

  return await tools.credits.charge(estimatePageCredits(plan), deadline.signal, async () => {
    await tools.slots.acquire(deadline.signal)
    const permit = new PagePermit(tools)
    try {
      return await scrapeUntilDone(permit)
    } finally {
      permit.end(tools.now())
    }
  })
}
