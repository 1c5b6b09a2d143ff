import { boundDelay } from '../../base/concurrency/timer-limit.js'
import { toTrawlError, type TrawlError } from '../../base/errors.js'
import type { StoredWatch, WatchCommit, WatchKey } from './watch-store.js'
import { type CheckEnd, type CheckParts, CheckRun, WATCH_LOST } from './run-check.js'
import { describeCheck, type EndedCheck, isChecked, stateAfter } from './end-check.js'
import { findForgotten } from './forget-pages.js'
import { type WatchDefinition, findDue, nextOf, planAfterClock, planDue } from './plan-checks.js'
import { createTimetable } from './timetable.js'
import type { WatchEvents } from './watch.js'
import { readFacts, readState, type RunningCheck, type WatchState } from './watch-state.js'
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
  readonly definition: WatchDefinition
}

type StartedCheck = Pick<CheckParts, 'watch' | 'check' | 'save' | 'answersLateCalls'>

/** Parts of a runner. */
export interface RunnerParts {
  readonly tools: WatchTools
  readonly emit: Emit
  readonly before?: Promise<void>
}

/** Runs one watch in this process, as long as no other process does. */
export class WatchRunner {
  readonly name: string
  readonly #tools: WatchTools
  readonly #emit: Emit
  readonly #reporter: WatchReporter
  #definition: WatchDefinition | undefined
  /** A request that this process cannot run. */
  #refusal: { readonly request: string; readonly error: TrawlError } | undefined
  #job: CheckJob | undefined
  #wake: (() => void) | undefined
  #isWoken = false
  #isStopped = false
  #isCancelled = false
  /** Resolves when it has stopped. */
  readonly ended: Promise<void>
  /** Reason why the last check could not be made, or a report not be delivered. */
  #problem: string | undefined

  /** @param before end of the runner that this one replaces; it follows that */
  constructor(name: string, { tools, emit, before }: RunnerParts) {
    this.name = name
    this.#tools = tools
    this.#emit = emit
    this.#reporter = new WatchReporter(name, tools, (message) => emit('problem', new Error(message)))
    this.ended = this.#run(before)
  }

  get isChecking(): boolean {
    return this.#job !== undefined
  }

  get problem(): string | undefined {
    return this.#problem ?? this.#reporter.fault
  }

  /** Reason why the last attempt at a report failed; undefined when it succeeded, or this process has made none. */
  get failedReport(): string | undefined {
    return this.#reporter.failure
  }

  /** Returns the reason why this process cannot run the watch with this request; undefined when it can, or has not tried. */
  refusalOf(request: string): Error | undefined {
    return this.#refusal?.request === request ? this.#refusal.error : undefined
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
    this.#isCancelled = true
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
        else this.#refusal = undefined
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
    let clockMs = Infinity
    while (!this.#isStopped) {
      const stored = await store.read(this.name)
      if (stored?.identity !== identity) return
      const definition = await this.#define(stored)
      const known = readState(stored.state)
      const nowMs = now()
      const planned = planDue(known, definition, nowMs)
      // At the start, and whenever the clock was set back.
      const timed = nowMs < clockMs ? planAfterClock(planned, definition, nowMs) : planned
      clockMs = nowMs
      const state = await this.#forgetReceiver(stored, timed, definition)
      if (state !== known) await this.#store(stored, state)
      this.#reporter.send(definition.plan.webhook)
      const due = findDue(stored, state, nowMs)
      if (due) await this.#check({ stored, state, definition }, due)
      else await this.#awaitDue(stored, nextOf(state), now)
    }
  }

  /** Deletes the reports that wait for a webhook that was removed, or replaced by another one. */
  async #forgetReceiver(watch: WatchKey, state: WatchState, { plan }: WatchDefinition): Promise<WatchState> {
    const receiver = plan.webhook?.url ?? ''
    if (state.receiver === receiver) return state
    if (state.receiver !== undefined) await this.#tools.store.dropReports(watch)
    return { ...state, receiver }
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

  async #define({ request }: StoredWatch): Promise<WatchDefinition> {
    if (this.#definition?.request === request) return this.#definition
    try {
      const plan = this.#tools.plan(request)
      const timetable = await createTimetable(plan)
      this.#refusal = this.#problem = undefined
      return (this.#definition = { request, plan, timetable })
    } catch (error) {
      this.#definition = undefined
      this.#refusal = { request, error: toTrawlError(error) }
      throw error
    }
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
    const resumedAtMs = state.running && tools.now()
    const answersLateCalls = !state.running && definition.timetable.units.every((unit) => isChecked(check, unit))
    const end = await this.#runJobs({ watch: stored, check, save, answersLateCalls }).catch((error: unknown) => {
      if (error === WATCH_LOST || tools.closing.aborted) throw error
      this.#tell(error)
      return { jobs: [], results: 0, error: toTrawlError(error).message }
    })
    // Times that have passed before an interrupted check went on are made up for by its pages since then.
    const fromMs = (end.results > 0 ? resumedAtMs : undefined) ?? check.startedAtMs
    await this.#finish({ stored, state: begun, definition }, { check, end, fromMs, nowMs: tools.now() })
  }

  /** @throws InvalidRequestError for an interrupted check whose request this engine cannot run: it ends with that error */
  async #runJobs(parts: StartedCheck): Promise<CheckEnd> {
    const tools = this.#tools
    const plan = tools.plan(parts.check.request)
    const run = new CheckRun({
      ...parts,
      plan,
      tools,
      isCancelled: () => this.#isCancelled,
      onJob: (job) => (this.#job = job),
      onResult: (result) => {
        this.#emit('page', result)
        this.#reporter.send(plan.webhook)
      },
    })
    return await run.run()
  }

  async #finish({ stored, state, definition }: WatchAtStart, ended: EndedCheck): Promise<void> {
    const { plan } = definition
    const { check, end, nowMs } = ended
    const pages = (await this.#tools.store.pages(this.name)).map(({ url, facts }) => ({ url, ...readFacts(facts) }))
    const last = describeCheck(ended, pages)
    const { webhook } = plan
    const body = webhook?.events.includes('check.completed') ? writeCheckReport(last, webhook, stored) : undefined
    // What a check could not see completely is kept.
    const isWhole = end.error === undefined && check.request === stored.request
    await this.#store(stored, stateAfter(ended, { state, definition }, pages), {
      keepResults: plan.keepResults,
      forget: isWhole ? findForgotten(plan, pages) : undefined,
      report: body === undefined ? undefined : { body, dueAtMs: nowMs },
    })
    this.#problem = end.error
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
        const timer = setTimeout(resolve, boundDelay(ms))
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
