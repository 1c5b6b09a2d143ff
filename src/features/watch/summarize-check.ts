import type { CheckSummary } from './watch.js'
import type { WatchedFacts } from './watch-state.js'

/** Counts the pages of a check by status. */
export function summarize(pages: readonly WatchedFacts[]): CheckSummary {
  const summary: CheckSummary = {
    totalPages: pages.length,
    new: 0,
    same: 0,
    changed: 0,
    moved: 0,
    removed: 0,
    error: 0,
    meaningful: 0,
  }
  for (const { status, isMeaningful } of pages) {
    summary[status] += 1
    if (isMeaningful) summary.meaningful += 1
  }
  return summary
}
