import type { LedgerRules } from '../../ledger/ledger.js'
import type { ThrottlePlan } from '../../plan/job-plan.js'
import type { CrawlPromptResolution } from './resolve-crawl-prompt.js'

/** Maximum time for which a slow page keeps the crawl from fetching deeper pages. Milliseconds. */
const HOLD_LEVEL_MS = 5000

/**
 * Creates the rules of a crawl. They read the plan on each access, because the ledger is opened with them before the `prompt` is
 * resolved.
 */
export const createLiveRules = (resolution: CrawlPromptResolution): LedgerRules => ({
  get limit() {
    return resolution.plan.limit
  },
  // With a depth limit the order must be strict: a page that is found first by a longer path would be refused for its
  // depth.
  get holdLevelMs() {
    const { scope, guide } = resolution.plan
    return Number.isFinite(scope.maxDiscoveryDepth) && guide === undefined ? Infinity : HOLD_LEVEL_MS
  },
  get order() {
    return resolution.plan.guide === undefined ? 'depth' : 'place'
  },
})

/** Creates the throttle of a crawl, which reads the plan on each access as well: the scheduler is created before the `prompt` is resolved. */
export const createLiveThrottle = (resolution: CrawlPromptResolution): ThrottlePlan => ({
  get delayMs() {
    return resolution.plan.throttle.delayMs
  },
  get maxConcurrency() {
    return resolution.plan.throttle.maxConcurrency
  },
})
