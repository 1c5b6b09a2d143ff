import { toTrawlError, TrawlError } from '../../../base/errors.js'
import { openDeadline } from '../../../base/concurrency/deadline.js'
import { cutLongUrl } from '../../frontier/duplicates/same-page.js'
import type { RobotsVerdict } from '../../frontier/robots/robots.js'
import { refuse, type ScopePlan } from '../../frontier/scope/scope.js'
import type { LedgerRow, Refusal } from '../../ledger/ledger.js'
import type { CrawlPlan } from '../../plan/crawl-plan.js'
import { siteOf } from '../../../base/url.js'
import { describeRobotsVerdict } from '../discovery/robots-refusal.js'
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
  return verdict.allowed ? undefined : refuseByVerdict(row, verdict, context)
}

/** The options and the scope of a crawl that are in force. */
interface RulesInForce {
  readonly plan: CrawlPlan
  readonly scope: ScopePlan
}

/**
 * Refuses a page that ended up, by redirects, at a URL which is out of scope or which robots.txt forbids.
 *
 * @throws TrawlError when robots.txt could not be read; the job's reason when it ends
 */
export async function refuseTarget(
  row: LedgerRow,
  target: URL,
  { plan, scope }: RulesInForce,
  context: JobContext,
): Promise<Refusal | undefined> {
  const refusal = refuseOutOfScope(row, target, scope) ?? (await refuseTargetByRobots(row, target, plan, context))
  return refusal && describeTarget(refusal, target)
}

async function refuseTargetByRobots(
  row: LedgerRow,
  target: URL,
  plan: CrawlPlan,
  context: JobContext,
): Promise<Refusal | undefined> {
  try {
    return await refuseByRobots({ ...row, url: target.href }, plan, context)
  } catch (error) {
    context.signal.throwIfAborted()
    const { code, message } = toTrawlError(error)
    throw new TrawlError(code, describeRedirect(target, message), { url: row.url })
  }
}

/** The start page may redirect anywhere. */
const refuseOutOfScope = ({ via, url, depth }: LedgerRow, target: URL, scope: ScopePlan): Refusal | undefined =>
  via === 'seed' ? undefined : refuse({ url: target, via: 'redirect', depth, from: new URL(url) }, scope)

const describeTarget = ({ reason, message }: Refusal, target: URL): Refusal => ({
  reason,
  message: describeRedirect(target, message),
})

const describeRedirect = (target: URL, message: string): string => `redirects to ${cutLongUrl(target.href)}: ${message}`

/** Creates the refusal of a row whose page redirects to a URL that robots.txt forbids. @param error of the rule for its redirects */
export const refuseRedirect = (row: LedgerRow, { url = row.url, message }: TrawlError, context: JobContext): Refusal =>
  describeTarget(createRefusal(row, message, context), new URL(url))

/** Creates the refusal of a page that robots.txt forbids, and a warning of the job. */
function createRefusal({ via }: LedgerRow, message: string, context: JobContext): Refusal {
  context.warn(
    via === 'seed'
      ? START_REFUSED_BY_ROBOTS
      : 'robots.txt kept the crawl away from some pages: `errors()` lists them as `robotsBlocked`.',
  )
  return { reason: 'ROBOTS_TXT', message }
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
  if (!verdict || verdict.failure || verdict.allowed) return undefined
  return refuseByVerdict(row, verdict, context)
}

const refuseByVerdict = (row: LedgerRow, verdict: RobotsVerdict, context: JobContext): Refusal =>
  createRefusal(row, describeRobotsVerdict(verdict), context)

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
