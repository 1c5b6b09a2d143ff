import type { PacePlan } from './crawl-plan.js'
import type { PlanDefaults } from './defaults.js'

/** How fast a job may go. The seconds of `delay` become milliseconds here, and a delay means one page at a time. */
export function planPace(
  { maxConcurrency = Infinity, delay = 0 }: { maxConcurrency?: number | undefined; delay?: number | undefined },
  defaults: PlanDefaults,
): PacePlan {
  return {
    maxConcurrency: delay > 0 ? 1 : Math.min(maxConcurrency, defaults.maxConcurrency),
    delayMs: Math.round(delay * 1000),
  }
}
