import { TrawlError } from '../../errors.js'
import { siteOf } from '../../url.js'
import type { JobTools } from '../job-tools.js'

/** Refuses to ask a site that has had too much to do for too long. @throws TrawlError `SCRAPE_RATE_LIMITED` */
export function refuseClosed(url: string, { politeness, now }: Pick<JobTools, 'politeness' | 'now'>): void {
  const { host } = new URL(url)
  const nowMs = now()
  const closed = politeness.closedSite(siteOf(new URL(url)), nowMs)
  if (!closed) return
  const { statusCode, untilMs } = closed
  const until = new Date(untilMs).toISOString()
  const message = `\`${host}\` has answered ${statusCode} again and again, and is not asked for further pages before ${until}`
  throw new TrawlError('SCRAPE_RATE_LIMITED', message, { url, retryAfterMs: untilMs - nowMs })
}
