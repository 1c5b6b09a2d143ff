import { compact } from '../../base/collections/compact.js'
import type { WatchDefinition } from './plan-checks.js'
import type { CheckEnd } from './run-check.js'
import type { WatchCheck, CheckSummary } from './watch.js'
import {
  ALL_UNITS,
  crawlUnit,
  type LocatedFacts,
  type RunningCheck,
  type WatchState,
  type WatchedFacts,
  PAGE_TARGET,
  type UnitHistory,
} from './watch-state.js'

/** A check whose jobs have ended. */
export interface EndedCheck {
  readonly check: RunningCheck
  readonly end: CheckEnd
  /** Time from which the next one is planned. Milliseconds since the epoch. */
  readonly fromMs: number
  readonly nowMs: number
}

/** True when a check comes to a unit. */
export const isChecked = ({ units }: RunningCheck, unit: string): boolean =>
  units.includes(ALL_UNITS) || units.includes(unit)

/** Describes a check that has ended. */
export function describeCheck({ check, end, nowMs }: EndedCheck, pages: readonly LocatedFacts[]): WatchCheck {
  const iso = (ms: number): string => new Date(ms).toISOString()
  return {
    number: check.number,
    trigger: check.trigger,
    dueAt: iso(check.dueAtMs),
    startedAt: iso(check.startedAtMs),
    completedAt: iso(nowMs),
    jobs: [...end.jobs],
    summary: summarize(pages.filter((page) => page.check === check.number)),
    ...compact({ error: end.error, warning: end.warnings?.length ? end.warnings.join(' ') : undefined }),
  }
}

/** The state of a watch after a check, with the times of the next one. */
export function stateAfter(
  ended: EndedCheck,
  { state, definition: { plan, timetable } }: { readonly state: WatchState; readonly definition: WatchDefinition },
  pages: readonly LocatedFacts[],
): WatchState {
  const { check, end, fromMs, nowMs } = ended
  const owned = new Set<string>([...plan.urls, ...plan.crawls.map(crawlUnit)])
  const learned = Object.entries(learnHistories(state, check, pages))
  const histories = Object.fromEntries(learned.filter(([unit]) => owned.has(unit)))
  const due = timetable.units.map((unit): [string, number] => {
    const planned = state.due[unit]
    // A check that a caller has asked for moves no later one. A time that has passed during a check is not missed: the
    // next check follows at once.
    if (planned !== undefined && planned !== null && (!isChecked(check, unit) || planned > fromMs))
      return [unit, planned]
    return [unit, timetable.next(unit, planned ?? nowMs, fromMs, histories[unit]) ?? Infinity]
  })
  const { running: _, ...rest } = state
  const answered = Math.max(state.answered, end.asked ?? check.asked)
  const last = describeCheck(ended, pages)
  return { ...rest, answered, histories, due: Object.fromEntries(due), last }
}

/** Counts the pages of a check by status. */
function summarize(pages: readonly WatchedFacts[]): CheckSummary {
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
