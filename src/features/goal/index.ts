import { defineFeature } from '../../kernel/engine/feature.js'
import type { GoalCoverage } from './relevance/goal-progress.js'
import { goalDefinitions, type GoalOptions, type GoalPlan, planGoal } from './goal-options.js'
import { GoalGuide } from './goal-guide.js'

export type { GoalCoverage, GoalFacet } from './relevance/goal-progress.js'
export type { GoalOptions, UntilOptions } from './goal-options.js'

/** Part of the status of a crawl with a goal. */
export interface GoalStatus {
  /** Pages found for each phrase and word of a crawl's `goal`; absent while another process runs the job. @see docs/guides/goal.md */
  coverage?: GoalCoverage
}

declare module '../../kernel/options/feature-options.js' {
  interface FeatureCrawlOptions extends GoalOptions {}
}

declare module '../../kernel/job/job.js' {
  interface FeatureJobStatus extends GoalStatus {}
}

declare module '../../kernel/ledger/skip-reason.js' {
  interface FeatureSkipReasons {
    KNOWN: true
  }
  interface FeatureStops {
    known: true
  }
}

/** The goal of a crawl, which orders its pages, and may end it. @internal */
export const goal = defineFeature({
  name: 'goal',
  options: { crawl: goalDefinitions },
  stops: {
    reason: 'KNOWN',
    means: 'Enough was known for the `goal` of the crawl before the URL had its turn: see `until`.',
    stoppedBy: 'known',
  },
  planJob: planGoal,
  openGuide: (slice, crawl) => new GoalGuide(slice as GoalPlan, crawl),
})
