import {
  ALL_UNITS,
  type LocatedFacts,
  PAGE_TARGET,
  type RunningCheck,
  type UnitHistory,
  type WatchState,
} from './watch-state.js'

/** Visits after which the past counts half, so that a page that has changed its habits is learned anew. */
const MAX_VISITS = 40

/** Adds a check to what is known of the changes of its pages and crawls. Pages that could not be scraped stay. */
export function learnHistories(
  { histories, due }: WatchState,
  { number, startedAtMs }: RunningCheck,
  pages: readonly LocatedFacts[],
): WatchState['histories'] {
  const units = new Map<string, { isChanged: boolean; isSeen: boolean }>()
  for (const { url, target, check, status, isMeaningful } of pages) {
    const unit = target === PAGE_TARGET ? url : target
    if (check !== number || !(unit in due) || unit === ALL_UNITS) continue
    const known = units.get(unit) ?? { isChanged: false, isSeen: false }
    units.set(unit, {
      isChanged: known.isChanged || (isMeaningful && status !== 'error'),
      isSeen: known.isSeen || status !== 'error',
    })
  }
  const learnt = [...units].flatMap(([unit, { isChanged, isSeen }]) =>
    isSeen ? [[unit, addVisit(histories[unit], startedAtMs, isChanged)] as const] : [],
  )
  return { ...histories, ...Object.fromEntries(learnt) }
}

function addVisit(known: UnitHistory | undefined, nowMs: number, isChanged: boolean): UnitHistory {
  if (!known) return { visits: 0, changes: 0, meanMs: 0, lastMs: nowMs }
  const old = known.visits >= MAX_VISITS ? { ...known, visits: known.visits / 2, changes: known.changes / 2 } : known
  const visits = old.visits + 1
  return {
    visits,
    changes: old.changes + (isChanged ? 1 : 0),
    meanMs: (old.meanMs * old.visits + Math.max(0, nowMs - known.lastMs)) / visits,
    lastMs: nowMs,
  }
}
