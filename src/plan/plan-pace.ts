import type { PacePlan } from './crawl-plan.js'
import type { PlanDefaults } from './plan-defaults.js'

/** How fast a job may go. The seconds of `delay` become milliseconds here, and a delay means one page at a time. */
export function planPace(
  { maxConcurrency, delay = 0 }: { maxConcurrency?: number | undefined; delay?: number | undefined },
  defaults: PlanDefaults,
): PacePlan {
  // A page that has lent its place is still one of the job's: a bound that the caller has set holds for it as well.
  const own = defaults.maxConcurrency + (defaults.maxLent ?? 0)
  const asked = maxConcurrency === undefined ? own : Math.min(maxConcurrency, defaults.maxConcurrency)
  return {
    maxConcurrency: delay > 0 ? 1 : asked,
    delayMs: Math.round(delay * 1000),
  }
}
