import { TrawlError } from '../../../base/errors.js'
import type { RedirectRule } from '../../fetch/fetcher.js'
import type { Robots, RobotsVerdict } from '../../frontier/robots/robots.js'
import type { Refusal } from '../../ledger/ledger.js'
import type { RobotsPlan } from '../../plan/crawl-plan.js'

/** Explains why robots.txt forbids a page: the line, or why the file could not be read. */
export const describeRobotsVerdict = ({ line, robotsUrl, failure }: RobotsVerdict): string =>
  line ? `${robotsUrl} line ${line.number}: ${line.text}` : (failure?.message ?? robotsUrl)

/** Creates the refusal of a page that robots.txt forbids. */
export const refuseByRobotsVerdict = (verdict: RobotsVerdict): Refusal => ({
  reason: 'ROBOTS_TXT',
  message: describeRobotsVerdict(verdict),
})

/**
 * Creates the rule that a page must not redirect to a URL which robots.txt forbids; undefined where robots.txt is not obeyed. It asks the
 * files that are in memory, as that of the page's own host is: other hosts may be slow, and need not belong to the crawl.
 * The page at the end is judged by the file of its host.
 */
export const createRedirectRule = ({ obey, agent }: RobotsPlan, robots: Robots): RedirectRule | undefined =>
  obey
    ? {
        name: `robots.txt ${agent}`,
        async check(target) {
          const verdict = await robots.judgeCached(target, agent)
          if (!verdict || verdict.allowed || verdict.failure) return
          throw new TrawlError('CRAWL_DENIAL', describeRobotsVerdict(verdict), { url: target.href })
        },
      }
    : undefined
