import { toTrawlError } from '../errors.js'
import { compact } from '../collections/compact.js'
import type { StoredWatch, WatchCommit, WatchKey } from '../ledger/watch-store.js'
import { type CheckEnd, type CheckParts, CheckRun, WATCH_LOST } from './run-check.js'
import { findForgotten } from './forget-pages.js'
import { learnHistories } from './learn-histories.js'
import { type Definition, findDue, nextOf, planDue } from './plan-checks.js'
import { summarize } from './summarize-check.js'
import { createTimetable } from './timetable.js'
import type { WatchCheck, WatchEvents } from './watch.js'
import { ALL_UNITS, crawlUnit, readFacts, readState, type RunningCheck, type WatchState } from './watch-state.js'
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

/** A watch at the start of a check. */
interface WatchAtStart {
  readonly stored: StoredWatch
  readonly state: WatchState
  readonly definition: Definition
}

/** Parts of a runner. */
export interface RunnerParts {
  readonly tools: WatchTools
  readonly emit: Emit
  readonly before?: Promise<void> | undefined
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

  /** @param before end of the runner that this one replaces; it follows that */
  constructor(name: string, { tools, emit, before }: RunnerParts) {
    this.name = name
    this.#tools = tools
    this.#emit = emit
    this.#reporter = new WatchReporter(name, tools)
    this.ended = this.#run(before)
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

  async #run(before?: Promise<void>): Promise<void> {
    await before
    const { store, closing } = this.#tools
    while (!this.#isStopped) {
      try {
        const stored = await store.read(this.name)
        if (!stored) break
        if (await store.acquire(stored)) await this.#hold(stored)
      } catch (error) {
        if (closing.aborted) break
        if (error !== WATCH_LOST) this.#tell(error)
      }
      await this.#wait(STANDBY_MS)
    }
    await this.#reporter.settled()
  }

  /** Follows the schedule of a watch that this process has, and gives it back to other processes. */
  async #hold(key: WatchKey): Promise<void> {
    try {
      await this.#follow(key)
    } finally {
      await this.#reporter.settled()
      // An error leaves it to the end of this process.
      await this.#tools.store.release(key).catch(() => undefined)
    }
  }

  /** Follows the schedule until it is stopped, or the watch is removed. */
  async #follow({ identity }: WatchKey): Promise<void> {
    const { store, now } = this.#tools
    while (!this.#isStopped) {
      const stored = await store.read(this.name)
      if (stored?.identity !== identity) return
      const definition = await this.#define(stored)
      const known = readState(stored.state)
      const state = planDue(known, definition, now())
      if (state !== known) await this.#store(stored, state)
      this.#reporter.send(definition.plan.webhook)
      const due = findDue(stored, state, now())
      if (due) await this.#check({ stored, state, definition }, due)
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

  /** Makes a check, or continues one. */
  async #check({ stored, state, definition }: WatchAtStart, found: RunningCheck): Promise<void> {
    const tools = this.#tools
    let begun = state
    const save = async (check: RunningCheck): Promise<void> => {
      begun = { ...state, checks: check.number, running: check }
      await this.#store(stored, begun)
    }
    let check = found
    if (!state.running) {
      const pages = await tools.store.pages(this.name)
      check = { ...found, knownTargets: [...new Set(pages.map(({ facts }) => readFacts(facts).target))] }
      await save(check)
    }
    const end = await this.#runJobs({ watch: stored, check, save }).catch((error: unknown) => {
      if (error === WATCH_LOST || tools.closing.aborted) throw error
      this.#tell(error)
      return { jobs: [], error: toTrawlError(error).message }
    })
    await this.#finish({ stored, state: begun, definition }, check, end)
  }

  /** @throws InvalidRequestError for an interrupted check whose request this engine cannot run: it ends with that error */
  async #runJobs({ watch, check, save }: Pick<CheckParts, 'watch' | 'check' | 'save'>): Promise<CheckEnd> {
    const tools = this.#tools
    const plan = tools.plan(check.request)
    const run = new CheckRun({
      watch,
      plan,
      check,
      tools,
      save,
      isCancelled: () => this.#isStopped,
      onJob: (job) => (this.#job = job),
      onResult: (result) => {
        this.#emit('page', result)
        this.#reporter.send(plan.webhook)
      },
    })
    return await run.run()
  }

  async #finish(
    { stored, state, definition: { plan, timetable } }: WatchAtStart,
    check: RunningCheck,
    { jobs, error }: CheckEnd,
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
    const histories = learnHistories(state, check, pages)
    const owned = new Set<string>([...plan.urls, ...plan.crawls.map(crawlUnit)])
    const kept = Object.fromEntries(Object.entries(histories).filter(([unit]) => owned.has(unit)))
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
    const next: WatchState = {
      ...rest,
      answered,
      histories: kept,
      due: Object.fromEntries(due) as WatchState['due'],
      last,
    }
    const { webhook } = plan
    const body = webhook?.events.includes('check.completed') ? writeCheckReport(last, webhook, stored) : undefined
    await this.#store(stored, next, {
      keepResults: plan.keepResults,
      // What a check could not see completely is kept.
      ...(error === undefined && check.request === stored.request && { forget: findForgotten(plan, pages) }),
      ...(body !== undefined && { report: { body, dueAtMs: nowMs } }),
    })
    this.#problem = error
    this.#reporter.send(webhook)
    this.#emit('check', last)
  }

  async #store(watch: WatchKey, state: WatchState, others: WatchCommit = {}): Promise<void> {
    const sequence = await this.#tools.store.commit(watch, { ...others, state: JSON.stringify(state) })
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
