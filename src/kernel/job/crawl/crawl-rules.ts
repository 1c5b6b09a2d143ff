import type { LedgerRules } from '../../ledger/ledger.js'
import type { CrawlPlan } from '../../plan/crawl-plan.js'

/** Maximum time for which a slow page keeps the crawl from fetching deeper pages. Milliseconds. */
const HOLD_LEVEL_MS = 5000

/**
 * Creates the rules of a crawl. They read the plan on each access, because the ledger is opened with them before the `prompt` is
 * resolved.
 */
export const createLiveRules = (crawl: { readonly plan: CrawlPlan }): LedgerRules => ({
  get limit() {
    return crawl.plan.limit
  },
  // With a depth limit the order must be strict: a page that is found first by a longer path would be refused for its
  // depth.
  get holdLevelMs() {
    const { scope, guide } = crawl.plan
    return Number.isFinite(scope.maxDiscoveryDepth) && guide === undefined ? Infinity : HOLD_LEVEL_MS
  },
  get order() {
    return crawl.plan.guide === undefined ? 'depth' : 'place'
  },
})
