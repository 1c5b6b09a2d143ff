import { TrawlError } from '../../errors.js'
import { openDeadline } from '../../concurrency/deadline.js'
import type { RobotsVerdict } from '../../frontier/robots/robots.js'
import type { LedgerRow } from '../../ledger/ledger.js'
import type { JobContext } from '../job-strategy.js'

/**
 * Asks the robots.txt of a page's site, for no longer than the page itself may take.
 *
 * @throws TrawlError `SCRAPE_TIMEOUT`; the stage's reason when it ends
 */
export async function judgeInTime(
  { url }: LedgerRow,
  { agent, timeoutMs }: { agent: string; timeoutMs: number },
  { robots, signal }: JobContext,
): Promise<RobotsVerdict> {
  using deadline = openDeadline(url, timeoutMs, signal)
  try {
    return await robots.judge(new URL(url), agent, deadline.signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!deadline.signal.aborted) throw error
    const message = `robots.txt could not be read: ${new URL(url).host} gave no answer within the page's \`timeout\` of ${timeoutMs} ms`
    throw new TrawlError('SCRAPE_TIMEOUT', message, { url })
  }
}
