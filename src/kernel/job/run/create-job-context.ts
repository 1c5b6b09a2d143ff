import type { BackgroundTasks } from '../../../base/concurrency/background-tasks.js'
import type { PauseGate } from '../../../base/concurrency/pause-gate.js'
import { LearntRules } from '../../enrich/learnt-rules.js'
import type { GetSiteFile } from '../../frontier/site-file.js'
import type { JobLedger } from '../../ledger/ledger.js'
import type { Document } from '../../page/document.js'
import { siteOf } from '../../../base/url.js'
import { refuseSuspendedSite } from '../attempt/attempt-row.js'
import { createErrorSnapshots } from '../error-snapshot.js'
import type { JobContext } from '../job-context.js'
import type { JobHooks } from '../job-hooks.js'
import type { JobStrategy } from '../job-strategy.js'
import type { JobTools } from '../job-tools.js'
import type { BudgetTracker } from '../lifecycle/budget-tracker.js'
import type { JobRecord } from '../lifecycle/job-record.js'
import type { JobTracer } from '../lifecycle/job-tracer.js'
import { FurtherPages } from './further-pages.js'
import type { JobScheduler } from './job-scheduler.js'
import type { OutcomeRecorder } from './outcome-recorder.js'
import { createRenderingPredictor } from './predict-rendering.js'

/** Parts of a running job that its context is built from. */
export interface ContextParts {
  readonly id: string
  readonly strategy: JobStrategy
  readonly tools: JobTools
  readonly ledger: JobLedger<Document>
  readonly scheduler: JobScheduler
  readonly budgetTracker: BudgetTracker
  readonly record: JobRecord
  readonly hooks: readonly JobHooks[]
  readonly tracer: JobTracer
}

/** Parts of the job loop that the context is built from. */
interface LoopControls {
  readonly recorder: OutcomeRecorder
  readonly background: BackgroundTasks
  /** Closed while the job is stopped: background tasks then neither fetch nor write. */
  readonly gate: PauseGate
  awaitCapacity(): Promise<void>
  /** Aborted when the job ends. */
  readonly signal: AbortSignal
}

/** Creates the context that a job passes to its strategy. */
export function createJobContext(job: ContextParts, loop: LoopControls): JobContext {
  const { id, strategy, tools, ledger, budgetTracker, record, hooks, tracer } = job
  const { recorder, background, gate, awaitCapacity, signal } = loop
  const getFile = createFileFetcher(job)
  const whenOpen = <T>(act: () => Promise<T>): Promise<T> =>
    gate.isOpen ? act() : gate.waitUntilOpen(signal).then(act)
  const context: JobContext = {
    jobId: id,
    signal,
    tools,
    workerTools: tools.places ? { ...tools, scrape: tools.places.open(job) } : tools,
    ledger,
    budgetTracker,
    record,
    tracer,
    background,
    hooks,
    rendering: createRenderingPredictor(),
    learntRules: new LearntRules(),
    admit: (candidates) => whenOpen(() => recorder.admit(candidates)),
    claim: (candidate) => whenOpen(() => recorder.claim(candidate)),
    getFile: (url, until, maxBytes) => whenOpen(() => getFile(url, until, maxBytes)),
    permitFurther: (row, permit) => new FurtherPages({ ...job, context, row, permit }),
    awaitCapacity,
    setCrawlDelay(site, crawlDelayMs) {
      tools.politeness.setCrawlDelay(site, crawlDelayMs)
      const seconds = crawlDelayMs / 1000
      record.warnings.add(
        `The robots.txt of ${site} asks for a pause of ${seconds} s between pages, which the crawl observes.`,
      )
    },
    saveErrorSnapshot: strategy.zeroDataRetention ? async () => undefined : createErrorSnapshots(tools),
  }
  return context
}

/** Creates a function that fetches files of sites with the same politeness as pages. */
const createFileFetcher =
  ({ strategy, tools, scheduler, budgetTracker, tracer }: ContextParts): GetSiteFile =>
  async (url, signal, maxBodyBytes) => {
    const { fetch } = strategy.page
    const plan = maxBodyBytes === undefined ? fetch : { ...fetch, maxBodyBytes }
    const site = siteOf(new URL(url))
    await scheduler.awaitRequest(site, signal)
    const startedAtMs = tools.now()
    let statusCode: number | undefined
    try {
      refuseSuspendedSite(url, tools)
      const file = await tools.getFile(url, plan, signal, {
        meter: budgetTracker.meter,
        span: tracer.span,
      })
      ;({ statusCode } = file)
      return file
    } finally {
      scheduler.endRequest(site, { latencyMs: tools.now() - startedAtMs, statusCode, retryAfterMs: undefined })
    }
  }
