import { VERSION } from '../../base/runtime/version.js'
import type { EngineParts } from '../../kernel/engine/entry-points.js'
import type { EngineExtension } from '../../kernel/engine/feature.js'
import { formatsOf } from '../../kernel/plan/feature-plan.js'
import { createCheck } from '../../kernel/options/check.js'
import { wholeNumber } from '../../kernel/options/fields/basic-schemas.js'
import { scrapeRemotePage } from '../../kernel/page/pipeline.js'
import { RemoteJob } from './jobs/remote-job.js'
import { messageVersion } from './pages/page-task.js'
import { WorkerScrape } from './pages/scrape-at-worker.js'
import type { WorkOptions } from './pages/page-worker.js'
import { createEngineWork } from './pages/work.js'
import { WorkerPlaces } from './pages/worker-places.js'

const checkWork = createCheck<WorkOptions>((z) =>
  z.strictObject({ concurrency: wholeNumber(z, 'pages at once', 1).max(1000).optional() }),
)

/** Opens the part of an engine in the work of several. Nothing is opened before a job runs, or the engine works for others. */
export function openMachines({ settings, pageTools, jobTools, closing }: EngineParts): EngineExtension {
  const { ledger, maxConcurrency } = settings
  const work = createEngineWork(ledger.tasks, pageTools)
  const slots = ledger.tasks && new WorkerPlaces(ledger.tasks, messageVersion(VERSION), formatsOf(settings))
  return {
    calls: {
      async work(options = {}) {
        const { concurrency = maxConcurrency } = checkWork(options)
        closing.throwIfAborted()
        return work.start(concurrency)
      },
    },
    places: slots && {
      slots,
      mayTake: (plan) => slots.orderOf(plan) !== undefined,
      follow: () => slots.follow(),
      open(job) {
        const scraping = new WorkerScrape(job, slots, (page, signal) => scrapeRemotePage(page, pageTools, signal))
        return scraping.scrape.bind(scraping)
      },
    },
    openElsewhere: (stored, parts) => new RemoteJob(stored, { ...parts, tools: jobTools, ledger }),
    health: () => {
      const worker = work.read()
      return worker ? { worker } : {}
    },
    close: (drain) => work.stop(drain),
  }
}
