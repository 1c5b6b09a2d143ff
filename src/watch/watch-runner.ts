import { toTrawlError } from '../errors.js'
import { compact } from '../collections/compact.js'
import type { StoredWatch } from '../ledger/watch-store.js'
import type { WatchPlan } from '../plan/plan-watch.js'
import { CheckRun, WATCH_LOST } from './run-check.js'
import { learnHistories } from './learn-histories.js'
import { summarize } from './summarize-check.js'
import { createTimetable, type Timetable } from './timetable.js'
import type { WatchCheck, WatchEvents } from './watch.js'
import { ALL_UNITS, readFacts, readState, type RunningCheck, type WatchState } from './watch-state.js'
import type { CheckJob, WatchTools } from './watch-tools.js'
import { WatchReporter } from './watch-reporter.js'
import { writeCheckReport } from './write-watch-report.js'

/** Interval of looking at the store, for changes that other processes have made. Milliseconds. */
const STORE_POLL_MS = 1000
/** Interval of looking at a clock that the caller gave: it may jump. Milliseconds. */
const CLOCK_POLL_MS = 10
/** Interval of attempts to get a watch that another process runs. Milliseconds. */
const STANDBY_MS = 2000

/** Emits the events of a watch. */
type Emit = <E extends keyof WatchEvents>(event: E, ...args: WatchEvents[E]) => void

/** The plan of a stored request, with its times. */
interface Definition {
  readonly request: string
  readonly plan: WatchPlan
  readonly timetable: Timetable
}

/** Runs one watch in this process, as long as no other process does. */
export class WatchRunner {
  readonly name: string
  readonly #tools: WatchTools
  readonly #emit: Emit
  readonly #reporter: WatchReporter
  #definition: Definition | undefined
  #job: CheckJob | undefined
  #wake: (() => void) | undefined
  #isWoken = false
  #isStopped = false
  /** Resolves when it has stopped. */
  readonly ended: Promise<void>
  /** Reason why the last check could not be made, or a report not be delivered. */
  #problem: string | undefined

  constructor(name: string, tools: WatchTools, emit: Emit) {
    this.name = name
    this.#tools = tools
    this.#emit = emit
    this.#reporter = new WatchReporter(name, tools)
    this.ended = this.#run()
  }

  get isChecking(): boolean {
    return this.#job !== undefined
  }

  get problem(): string | undefined {
    return this.#problem ?? this.#reporter.fault
  }

  /** Looks at the store at once. */
  wake(): void {
    this.#isWoken = true
    this.#wake?.()
  }

  /** Ends it. A check under way ends with its job. */
  stop(): void {
    this.#isStopped = true
    this.wake()
  }

  /** Ends it, with the job of a check under way. */
  cancel(): void {
    this.stop()
    void this.#job?.cancel()
  }

  async #run(): Promise<void> {
    const { store } = this.#tools
    while (!this.#isStopped) {
      try {
        if ((await store.read(this.name)) === undefined) return
        if (await store.acquire(this.name)) {
          await this.#follow()
          await store.release(this.name)
        }
      } catch (error) {
        if (this.#tools.closing.aborted) return await this.#release()
        if (error !== WATCH_LOST) this.#tell(error)
      }
      await this.#wait(STANDBY_MS)
    }
    await this.#release()
  }

  /** Gives the watch back, for other processes. An error leaves it to the end of this one. */
  async #release(): Promise<void> {
    await this.#reporter.settled()
    await this.#tools.store.release(this.name).catch(() => undefined)
  }

  /** Follows the schedule until it is stopped, or the watch is removed. */
  async #follow(): Promise<void> {
    const { store, now } = this.#tools
    while (!this.#isStopped) {
      const stored = await store.read(this.name)
      if (!stored) return
      const definition = await this.#define(stored)
      const { plan } = definition
      const state = await this.#plan(stored, definition)
      this.#reporter.send(plan.webhook)
      const due = this.#findDue(stored, state)
      if (due) await this.#check(stored, state, due)
      else await this.#awaitDue(stored, nextOf(state), now)
    }
  }

  /** Waits for the next check, and looks at the store from time to time. */
  async #awaitDue({ isPaused }: StoredWatch, nextMs: number, now: () => number): Promise<void> {
    const pollMs = this.#tools.isClockGiven ? CLOCK_POLL_MS : STORE_POLL_MS
    const untilMs = performance.now() + STORE_POLL_MS
    while (performance.now() < untilMs && !this.#isStopped) {
      const leftMs = isPaused ? Infinity : nextMs - now()
      if (leftMs <= 0 || (await this.#wait(Math.min(pollMs, leftMs)))) return
    }
  }

  async #define({ request }: StoredWatch): Promise<Definition> {
    if (this.#definition?.request === request) return this.#definition
    const plan = this.#tools.plan(request)
    const timetable = await createTimetable(plan, this.#tools.now())
    return (this.#definition = { request, plan, timetable })
  }

  /** Plans the first check of what has none, and plans anew after a change of the schedule. */
  async #plan(stored: StoredWatch, { plan, timetable }: Definition): Promise<WatchState> {
    const state = readState(stored.state)
    const schedule = JSON.stringify(plan.schedule)
    const { units } = timetable
    const isSame = state.schedule === schedule
    if (isSame && units.length === Object.keys(state.due).length && units.every((unit) => unit in state.due))
      return state
    const nowMs = this.#tools.now()
    const due = units.map((unit) => {
      const known = isSame ? state.due[unit] : undefined
      const isNew = state.checks === 0 || (unit !== ALL_UNITS && state.histories[unit] === undefined)
      const planned = isNew ? timetable.first(nowMs) : timetable.next(unit, nowMs, nowMs, state.histories[unit])
      return [unit, known ?? planned ?? Infinity] as const
    })
    const next = { ...state, schedule, due: Object.fromEntries(due) }
    await this.#store(next)
    return next
  }

  /** Finds what is to be checked now: a check that was interrupted, one that a caller asked for, or what is due. */
  #findDue({ isPaused, asked, request }: StoredWatch, state: WatchState): RunningCheck | undefined {
    if (state.running) return state.running
    const startedAtMs = this.#tools.now()
    const begin = { number: state.checks + 1, startedAtMs, request, asked, knownTargets: [] }
    if (asked > state.answered) return { ...begin, trigger: 'call', dueAtMs: startedAtMs, units: [ALL_UNITS] }
    const units = isPaused ? [] : Object.keys(state.due).filter((unit) => (state.due[unit] ?? Infinity) <= startedAtMs)
    if (units.length === 0) return undefined
    return { ...begin, trigger: 'schedule', dueAtMs: Math.min(...units.map((unit) => state.due[unit] ?? 0)), units }
  }

  /** Makes a check, or continues one. */
  async #check(stored: StoredWatch, state: WatchState, found: RunningCheck): Promise<void> {
    const { name } = this
    const tools = this.#tools
    let begun = state
    const save = async (check: RunningCheck): Promise<void> => {
      begun = { ...state, checks: check.number, running: check }
      await this.#store(begun)
    }
    let check = found
    if (!state.running) {
      const pages = await tools.store.pages(name)
      check = { ...found, knownTargets: [...new Set(pages.map(({ facts }) => readFacts(facts).target))] }
      await save(check)
    }
    const plan = tools.plan(check.request)
    const run = new CheckRun({
      name,
      createdAtMs: stored.createdAtMs,
      plan,
      check,
      tools,
      save,
      onJob: (job) => (this.#job = job),
      onResult: (result) => {
        this.#emit('page', result)
        this.#reporter.send(plan.webhook)
      },
    })
    const end = await run.run().catch((error: unknown) => {
      if (error === WATCH_LOST || tools.closing.aborted) throw error
      this.#tell(error)
      return { jobs: [], error: toTrawlError(error).message }
    })
    await this.#finish({ stored, state: begun, check, plan }, end)
  }

  async #finish(
    { stored, state, check, plan }: { stored: StoredWatch; state: WatchState; check: RunningCheck; plan: WatchPlan },
    { jobs, error }: { readonly jobs: readonly string[]; readonly error?: string | undefined },
  ): Promise<void> {
    const { store, now } = this.#tools
    const nowMs = now()
    const iso = (ms: number): string => new Date(ms).toISOString()
    const pages = (await store.pages(this.name)).map(({ url, facts }) => ({ url, ...readFacts(facts) }))
    const last: WatchCheck = {
      number: check.number,
      trigger: check.trigger,
      dueAt: iso(check.dueAtMs),
      startedAt: iso(check.startedAtMs),
      completedAt: iso(nowMs),
      jobs: [...jobs],
      summary: summarize(pages.filter((page) => page.check === check.number)),
      ...compact({ error }),
    }
    const { timetable } = await this.#define(stored)
    const histories = learnHistories(state, check, pages)
    const due = timetable.units.map((unit) => {
      const planned = state.due[unit]
      const isChecked = check.units.includes(ALL_UNITS) || check.units.includes(unit)
      // A check that a caller has asked for moves no later one. A time that has passed during a check is not missed: the
      // next check follows at once.
      const stays = planned !== undefined && planned !== null && (!isChecked || planned > check.startedAtMs)
      const next = timetable.next(unit, planned ?? nowMs, check.startedAtMs, histories[unit])
      return [unit, stays ? planned : (next ?? Infinity)]
    })
    const { running: _, ...rest } = state
    const answered = Math.max(state.answered, check.asked)
    const next: WatchState = { ...rest, answered, histories, due: Object.fromEntries(due) as WatchState['due'], last }
    const { webhook } = plan
    const body = webhook?.events.includes('check.completed')
      ? writeCheckReport(last, webhook, { name: this.name, createdAtMs: stored.createdAtMs })
      : undefined
    await this.#store(next, {
      keepResults: plan.keepResults,
      ...(body !== undefined && { report: { body, dueAtMs: nowMs } }),
    })
    this.#problem = error
    this.#reporter.send(webhook)
    this.#emit('check', last)
  }

  async #store(state: WatchState, others: object = {}): Promise<void> {
    const sequence = await this.#tools.store.commit(this.name, { state: JSON.stringify(state), ...others })
    if (sequence === undefined) throw WATCH_LOST
  }

  #tell(error: unknown): void {
    const known = toTrawlError(error)
    // Told once: it may happen again at each attempt.
    if (this.#problem !== known.message) this.#emit('problem', known)
    this.#problem = known.message
  }

  /** Waits for a time, or until it is woken. @returns true when it was woken */
  async #wait(ms: number): Promise<boolean> {
    if (!this.#isStopped && !this.#isWoken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.#wake = undefined
    }
    const isWoken = this.#isWoken
    this.#isWoken = false
    return isWoken
  }
}

/** The earliest time of a state. JSON has no Infinity: a unit without a next time is null. */
export const nextOf = ({ due }: WatchState): number =>
  Object.values(due).reduce<number>((first, at) => Math.min(first, at ?? Infinity), Infinity)
