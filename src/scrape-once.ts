import { setTimeout as sleep } from 'node:timers/promises'
import { openDeadline } from './fetch/deadline.js'
import type { PageRequest } from './fetch/fetcher.js'
import type { Slots } from './job/slots.js'
import type { ScrapedPage } from './pipeline.js'
import type { ScrapePlan } from './plan/scrape-plan.js'
import { tryPage, type TryTools } from './try-page.js'

/**
 * One page outside a job: tried again as a job would, as long as its `timeout` allows.
 *
 * @throws TrawlError the last try's, or `SCRAPE_TIMEOUT`; the signal's reason
 */
export async function scrapeOnce(
  request: PageRequest,
  plan: ScrapePlan,
  tools: TryTools & { slots: Slots; now(): number },
  signal: AbortSignal,
): Promise<ScrapedPage> {
  using deadline = openDeadline(request.url, plan.fetch.timeoutMs, signal)
  const endMs = tools.now() + plan.fetch.timeoutMs
  await tools.slots.acquire(deadline.signal)
  try {
    for (let attempt = 1; ; attempt++) {
      const { page, error, retryDelayMs } = await tryPage(request, plan, tools, attempt, deadline.signal)
      if (retryDelayMs === undefined || tools.now() + retryDelayMs >= endMs) {
        if (!error) return page
        // Not what the page made of being stopped: the caller knows its own reason again.
        signal.throwIfAborted()
        throw error
      }
      await sleep(retryDelayMs, undefined, { signal: deadline.signal }).catch(() => deadline.signal.throwIfAborted())
    }
  } finally {
    tools.slots.give()
  }
}
