import type { StoredWatch } from './watch-store.js'
import type { WatchPlan } from './plan-watch.js'
import type { Timetable } from './timetable.js'
import { ALL_UNITS, type RunningCheck, type WatchState } from './watch-state.js'

/** The plan of a stored request, with its times. */
export interface WatchDefinition {
  readonly request: string
  readonly plan: WatchPlan
  readonly timetable: Timetable
}

/**
 * Plans the first check of what has none, and plans anew after a change of the schedule.
 *
 * @returns the same state when all is planned
 */
export function planDue(state: WatchState, { plan, timetable }: WatchDefinition, nowMs: number): WatchState {
  const schedule = JSON.stringify(plan.schedule)
  const { units } = timetable
  const isSame = state.schedule === schedule
  if (isSame && units.length === Object.keys(state.due).length && units.every((unit) => unit in state.due)) return state
  const due = units.map((unit) => {
    const known = isSame ? state.due[unit] : undefined
    const isNew = state.checks === 0 || (unit !== ALL_UNITS && state.histories[unit] === undefined)
    const planned = isNew ? timetable.first(nowMs) : timetable.next(unit, nowMs, nowMs, state.histories[unit])
    return [unit, known ?? planned ?? Infinity] as const
  })
  return { ...state, schedule, due: Object.fromEntries(due) }
}

/**
 * Plans anew what is planned for a time that the schedule cannot have: the clock was ahead when it was planned.
 *
 * @returns the same state when all is right
 */
export function planAfterClock(state: WatchState, { timetable }: WatchDefinition, nowMs: number): WatchState {
  const due = Object.entries(state.due).map(([unit, at]) => {
    const history = state.histories[unit]
    const next = timetable.next(unit, nowMs, nowMs, history)
    // One interval more is right: the clock may have been set back over the time before.
    const last = next === undefined ? undefined : timetable.next(unit, next, next, history)
    return [unit, at !== null && next !== undefined && at > (last ?? Infinity) ? next : at] as const
  })
  return due.every(([unit, at]) => at === state.due[unit]) ? state : { ...state, due: Object.fromEntries(due) }
}

/** Finds what is to be checked now: a check that was interrupted, one that a caller asked for, or what is due. */
export function findDue(
  { isPaused, asked, request }: StoredWatch,
  state: WatchState,
  nowMs: number,
): RunningCheck | undefined {
  if (state.running) return state.running
  const begin = { number: state.checks + 1, startedAtMs: nowMs, request, asked, knownTargets: [] }
  if (asked > state.answered) return { ...begin, trigger: 'call', dueAtMs: nowMs, units: [ALL_UNITS] }
  const units = isPaused ? [] : Object.keys(state.due).filter((unit) => (state.due[unit] ?? Infinity) <= nowMs)
  if (units.length === 0) return undefined
  return { ...begin, trigger: 'schedule', dueAtMs: Math.min(...units.map((unit) => state.due[unit] ?? 0)), units }
}

/** The earliest time of a state. JSON has no Infinity: a unit without a next time is null. */
export const nextOf = ({ due }: WatchState): number =>
  Object.values(due).reduce<number>((first, at) => Math.min(first, at ?? Infinity), Infinity)
