import type { Document } from '../../page/document.js'
import { Extractors } from '../../extractor/extractors.js'
import type { JobLedger } from '../../ledger/ledger.js'
import type { BudgetTracker } from '../lifecycle/budget-tracker.js'
import { askModel } from './ask-model.js'
import type { BackgroundTasks } from '../../concurrency/background-tasks.js'
import type { OutcomeRecorder } from './outcome-recorder.js'
import type { PauseGate } from '../../concurrency/pause-gate.js'
import type { JobStrategy, JobContext } from '../job-strategy.js'
import type { JobTools } from '../job-tools.js'
import { createEvidence } from '../error-snapshot.js'
import { createRenderingMemory } from './learn-rendering.js'
import type { JobScheduler } from './job-scheduler.js'
import { surveySite } from '../discovery/survey.js'
import { createSiteVisits } from './visit-site-file.js'

/** What a stage is made of. */
interface StageParts {
  readonly job: {
    readonly id: string
    readonly script: JobStrategy
    readonly tools: JobTools
    readonly ledger: JobLedger<Document>
    readonly pace: JobScheduler
    readonly allowance: BudgetTracker
    readonly warnings: Set<string>
    /** Keeps what the job has settled to go by. */
    keepOptions(options: object): void
  }
  readonly clerk: OutcomeRecorder
  readonly besides: BackgroundTasks
  /** Closed while the job rests: then nothing is fetched or written beside. */
  readonly gate: PauseGate
  awaitRoom(): Promise<void>
  /** Aborted when the job ends. */
  readonly signal: AbortSignal
}

/** What a running job offers to its script. */
export function createJobContext({ job, clerk, besides, gate, awaitRoom, signal }: StageParts): JobContext {
  const { id, script, tools, ledger, pace, allowance, warnings } = job
  const { meter, spending } = allowance
  const mayCache = script.page.keepsNothing !== true
  const getFile = createSiteVisits(pace, tools, () => script.page.fetch, meter)
  const whenOpen = <T>(act: () => Promise<T>): Promise<T> => gate.pass(signal).then(act)
  return {
    admit: (found) => whenOpen(() => clerk.admit(found)),
    claim: (found) => whenOpen(() => clerk.claim(found)),
    rendering: createRenderingMemory(),
    spending,
    extractors: new Extractors(),
    survey: (plan, limits, until) => surveySite(plan, tools, limits, until, meter),
    askModel: (question, until) => askModel(tools.model, question, { signal: until, spending, mayCache }),
    keepOptions: (options) => job.keepOptions(options),
    keepEvidence: script.keepsNothing ? async () => undefined : createEvidence(tools),
    robots: tools.robots,
    keepCrawlDelay(site, crawlDelayMs) {
      tools.politeness.setCrawlDelay(site, crawlDelayMs)
      warnings.add(
        `The robots.txt of ${site} asks for a pause of ${crawlDelayMs / 1000} s between pages, which is kept.`,
      )
    },
    getFile: (url, until) => whenOpen(() => getFile(url, until)),
    besides: (task) => besides.do(task),
    awaitRoom,
    row: (key) => ledger.row(key),
    jobId: id,
    snapshots: tools.snapshots,
    now: () => tools.now(),
    warn: (warning) => void warnings.add(warning),
    signal,
  }
}
