import { messageOf, TrawlError } from '../../errors.js'
import { openDeadline } from '../../concurrency/deadline.js'
import type { RobotsVerdict } from '../../frontier/robots/robots.js'
import type { LedgerRow, Refusal } from '../../ledger/ledger.js'
import type { CrawlPlan } from '../../plan/crawl-plan.js'
import { siteOf } from '../../url.js'
import { refuseByRobotsVerdict } from '../discovery/survey.js'
import { START_REFUSED_BY_ROBOTS } from '../discovery/scope-hints.js'
import type { JobContext } from '../job-context.js'

/**
 * Refuses a page that robots.txt forbids, and sets the crawl delay of its site.
 *
 * @throws TrawlError when robots.txt could not be read; `SCRAPE_TIMEOUT` after the page's own timeout; the job's reason when it ends
 */
export async function refuseByRobots(
  row: LedgerRow,
  plan: CrawlPlan,
  context: JobContext,
): Promise<Refusal | undefined> {
  if (!plan.robots.obey) return undefined
  const verdict = await judgeInTime(row, plan, context)
  if (verdict.failure) throw new TrawlError(verdict.failure.code, verdict.failure.message, { url: row.url })
  if (verdict.crawlDelayMs !== undefined) context.setCrawlDelay(siteOf(new URL(row.url)), verdict.crawlDelayMs)
  return refuse(row, verdict, context)
}

/**
 * Refuses a page that ended up, by redirects, at a URL which robots.txt forbids, or whose robots.txt could not be read.
 *
 * @throws the job's reason when it ends
 */
export async function refuseTarget(
  row: LedgerRow,
  target: URL,
  plan: CrawlPlan,
  context: JobContext,
): Promise<Refusal | undefined> {
  try {
    return await refuseByRobots({ ...row, url: target.href }, plan, context)
  } catch (error) {
    context.signal.throwIfAborted()
    return { reason: 'ROBOTS_TXT', message: messageOf(error) }
  }
}

/**
 * Refuses a row that the job did not reach and robots.txt forbids, so that the ledger of an ended job is complete. Sends no request:
 * asks only the robots.txt files that are in memory.
 */
export async function refuseByCachedRobots(
  row: LedgerRow,
  plan: CrawlPlan,
  context: JobContext,
): Promise<Refusal | undefined> {
  if (!plan.robots.obey || row.attempts.length > 0) return undefined
  const verdict = await context.tools.robots.judgeCached(new URL(row.url), plan.robots.agent)
  return verdict && !verdict.failure ? refuse(row, verdict, context) : undefined
}

function refuse(row: LedgerRow, verdict: RobotsVerdict, { record }: JobContext): Refusal | undefined {
  if (verdict.allowed) return undefined
  const isStart = row.via === 'seed'
  record.warnings.add(
    isStart
      ? START_REFUSED_BY_ROBOTS
      : 'robots.txt kept the crawl away from some pages: `errors()` lists them as `robotsBlocked`.',
  )
  return refuseByRobotsVerdict(verdict)
}

async function judgeInTime({ url }: LedgerRow, plan: CrawlPlan, { tools, signal }: JobContext): Promise<RobotsVerdict> {
  const { timeoutMs } = plan.page.fetch
  const parsed = new URL(url)
  // All pages of a site but the first.
  if (tools.robots.isAtHand(parsed)) return tools.robots.judge(parsed, plan.robots.agent, signal)
  using deadline = openDeadline(url, timeoutMs, signal)
  try {
    return await tools.robots.judge(parsed, plan.robots.agent, deadline.signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!deadline.signal.aborted) throw error
    const message = `robots.txt could not be read: ${new URL(url).host} gave no answer within the page's \`timeout\` of ${timeoutMs} ms`
    throw new TrawlError('SCRAPE_TIMEOUT', message, { url })
  }
}
