import type { LedgerRules } from '../../ledger/ledger.js'
import type { PacePlan } from '../../plan/crawl-plan.js'
import type { CrawlPromptResolution } from './resolve-crawl-prompt.js'

/** Longest time that one slow page may keep the crawl from going deeper. */
const HOLD_LEVEL_MS = 5000

/**
 * Creates the rules of a crawl. They read the plan on each access, because the ledger is opened with them before the `prompt` is
 * resolved.
 */
export const createLiveRules = (resolution: CrawlPromptResolution): LedgerRules => ({
  get limit() {
    return resolution.plan.limit
  },
  // With a depth limit the order is strict: a page found by a longer way first would be lost.
  get holdLevelMs() {
    return Number.isFinite(resolution.plan.scope.maxDiscoveryDepth) ? Infinity : HOLD_LEVEL_MS
  },
})

/** Creates the pace of a crawl, which reads the plan on each access as well: the scheduler is created before the `prompt` is resolved. */
export const createLivePace = (resolution: CrawlPromptResolution): PacePlan => ({
  get delayMs() {
    return resolution.plan.pace.delayMs
  },
  get maxConcurrency() {
    return resolution.plan.pace.maxConcurrency
  },
})
