import { modelBudgetOf } from '../../base/accounting/budget.js'
import { InvalidRequestError, TrawlError } from '../../base/errors.js'
import { checkWatches } from '../../kernel/options/check.js'
import type { JobRegistry } from '../../kernel/job/job-registry.js'
import type { JobTools } from '../../kernel/job/job-tools.js'
import { packRequest } from '../../kernel/job/stored-request.js'
import { Spending } from '../../base/llm/spending.js'
import { checkWatch, toStorableWatch } from './check-watch.js'
import type { EngineCapabilities } from '../../kernel/options/engine-capabilities.js'
import type { PageTools } from '../../kernel/page/page-context.js'
import type { EnginePlan } from '../../kernel/plan/plan-engine.js'
import { planWatch } from './plan-watch.js'
import { parseJson } from '../../base/text/parse-json.js'
import { decideByGoal } from './decide-by-goal.js'
import { createTimetable, refuseExhausted } from './timetable.js'
import type { Watch } from './watch.js'
import { WatchRegistry } from './watch-registry.js'
import { readStored } from './watch-state.js'
import type { WatchTools } from './watch-tools.js'
import type { createStrategies } from '../../kernel/engine/create-strategies.js'
import type { UntypedEngine } from '../../kernel/engine/engine-surface.js'

/** Watches of an engine. */
export interface EngineWatches {
  /** Stores a watch and runs it. @throws InvalidRequestError */
  define(request: object): Promise<Watch>
  list(): Promise<readonly Watch[]>
  /** Runs all that no other process runs, and returns all. */
  runAll(): Promise<readonly Watch[]>
  stop(): Promise<void>
}

/** Parts of an engine that its watches use. */
interface WatchParts {
  readonly settings: EnginePlan
  readonly capabilities: EngineCapabilities
  readonly pageTools: PageTools
  readonly jobTools: JobTools
  readonly jobs: JobRegistry
  readonly strategies: ReturnType<typeof createStrategies>
  readonly closing: AbortSignal
}

/** Creates the watches of an engine; undefined when its ledger keeps none. */
export function createWatches(parts: WatchParts): EngineWatches | undefined {
  const { settings, capabilities, pageTools, jobTools, jobs, strategies, closing } = parts
  const { watches: store } = settings.ledger
  const { model } = pageTools
  if (!store) return undefined
  const toRequest = async (request: object): Promise<string> => {
    const plan = planWatch(checkWatch(request, capabilities))
    refuseExhausted(plan, await createTimetable(plan), settings.now())
    const { text, missing } = packRequest(toStorableWatch(request))
    const [path] = missing
    if (path === undefined) return text
    const message = 'a function, or a schema of a library, cannot be stored: use a JSON Schema'
    throw new InvalidRequestError([{ code: 'custom', path: [path], message }])
  }
  const tools: WatchTools = {
    store,
    closing,
    now: settings.now,
    isClockGiven: settings.now !== Date.now,
    plan: (request) => planWatch(checkWatch(readStored('request', request), capabilities)),
    toRequest,
    start(kind, request, idempotencyKey) {
      closing.throwIfAborted()
      jobs.forgetExpired()
      return jobs.start(kind, strategies[kind](request, capabilities), { idempotencyKey })
    },
    judge: pageTools.judgeChanges,
    decide:
      model &&
      ((change, signal) =>
        decideByGoal(change, { model, signal, spending: new Spending(modelBudgetOf(settings.budget)) })),
    postReport: jobTools.postReport,
  }
  const registry = new WatchRegistry(tools)
  return {
    define: async (request) => {
      const text = await toRequest(request)
      const { name } = parseJson(text) as { name: string }
      return registry.define(name, text)
    },
    list: () => registry.list(),
    runAll: () => registry.runAll(),
    stop: () => registry.stop(),
  }
}

/** Creates the calls for watches. */
export function createWatchCalls(
  watches: EngineWatches | undefined,
  closing: AbortSignal,
): Pick<UntypedEngine<unknown>, 'watch' | 'watches'> {
  const open = (): EngineWatches => {
    closing.throwIfAborted()
    if (watches) return watches
    const message =
      'the ledger of this engine keeps no watches: use `sqlite(…)`, or `memoryLedger()` for watches that end with the engine'
    throw new TrawlError('NOT_AVAILABLE', message)
  }
  return {
    watch: async (request) => open().define(request),
    watches: async (options) => (checkWatches(options).run ? open().runAll() : open().list()),
  }
}
