import { setTimeout as sleep } from 'node:timers/promises'
import { followSignals } from '../../base/concurrency/deadline.js'
import { printSeen, TrawlError } from '../../base/errors.js'
import type { Engine } from '../../kernel/engine/engine-surface.js'
import type { CrawlJob, JobProgress, JobStatus } from '../../kernel/job/job.js'
import type { CrawlRequest } from '../../kernel/options/crawl-options.js'
import type { Document } from '../../kernel/page/document.js'
import type { ToolProgress } from './agent-tool.js'
import { cutTitle } from './describe-page.js'

/** Maximum number of jobs that are remembered, those that run included. */
const MAX_REMEMBERED = 100

/** Minimum time between two reports of progress. Milliseconds. */
const REPORT_INTERVAL_MS = 200

/** A page that a job has scraped. */
interface CrawledPage {
  readonly url: string
  /** URL before redirects. */
  readonly sourceURL: string
  readonly title?: string
  /** Estimated tokens of its content. */
  readonly tokens: number
}

/** A crawl that a tool has started. */
export interface ToolJob {
  readonly job: CrawlJob<Document>
  /** Pages scraped so far, in order of completion. */
  readonly pages: readonly CrawledPage[]
  readonly isRunning: boolean
}

/** The crawls of the tools. An agent reads and controls no other jobs of the engine. */
export class ToolJobs {
  readonly #engine: Engine
  readonly #maxRunning: number
  readonly #jobs = new Map<string, ToolJob>()

  constructor(engine: Engine, maxRunning: number) {
    this.#engine = engine
    this.#maxRunning = maxRunning
  }

  /** Starts a crawl. @throws TrawlError `BAD_REQUEST` when too many run; as {@link Engine.crawl} */
  start(request: CrawlRequest): ToolJob {
    const running = [...this.#jobs.values()].filter(({ isRunning }) => isRunning)
    if (running.length >= this.#maxRunning) {
      const message = `${running.length} crawls run, and at most ${this.#maxRunning} may: wait with crawl_status, or end one with crawl_cancel (${running.map(({ job }) => job.id).join(', ')})`
      throw new TrawlError('BAD_REQUEST', message)
    }
    const job: CrawlJob<Document> = this.#engine.crawl(request)
    const pages: CrawledPage[] = []
    const entry = { job, pages, isRunning: true }
    job.on('document', (document) => pages.push(toCrawledPage(document)))
    job.once('finished', () => (entry.isRunning = false))
    this.#jobs.set(job.id, entry)
    this.#forgetOldest()
    return entry
  }

  /** Finds a crawl. @throws TrawlError `JOB_NOT_FOUND` */
  find(id: string): ToolJob {
    const found = this.#jobs.get(id)
    if (found) return found
    throw new TrawlError(
      'JOB_NOT_FOUND',
      `\`job\`: ${printSeen(id)} is no crawl that these tools have started and remember`,
    )
  }

  /** Cancels the crawls that run, and waits for their end. */
  async close(): Promise<void> {
    const running = [...this.#jobs.values()].filter(({ isRunning }) => isRunning)
    await Promise.allSettled(running.map(({ job }) => job.cancel()))
  }

  #forgetOldest(): void {
    for (const [id, { isRunning }] of this.#jobs) {
      if (this.#jobs.size <= MAX_REMEMBERED) break
      if (!isRunning) this.#jobs.delete(id)
    }
  }
}

function toCrawledPage({ metadata, chunks = [] }: Document): CrawledPage {
  const { url, sourceURL, title } = metadata
  const tokens = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0)
  return typeof title === 'string' ? { url, sourceURL, title: cutTitle(title), tokens } : { url, sourceURL, tokens }
}

/** Options of {@link waitForJob}. */
interface JobWait {
  readonly seconds: number
  readonly signal: AbortSignal
  report(progress: ToolProgress): void
}

/** Waits for the end of a job, for some time. @returns its status @throws the reason of the signal */
export async function waitForJob(
  { job, isRunning }: ToolJob,
  { seconds, signal, report }: JobWait,
): Promise<JobStatus<Document>> {
  signal.throwIfAborted()
  if (seconds > 0 && isRunning) {
    const stopReports = reportProgress(job, report)
    using follower = followSignals(signal)
    const ended = job.finished({ signal: follower.signal })
    const waited = sleep(seconds * 1000, undefined, { signal: follower.signal })
    try {
      await Promise.race([ended, waited])
    } finally {
      stopReports()
      follower.abort(signal.reason)
      // Whichever of them was later rejects now.
      await Promise.allSettled([ended, waited])
    }
    signal.throwIfAborted()
  }
  return job.status({ limit: 0 })
}

/** Reports the pages that end. @returns a function that stops it */
function reportProgress(job: CrawlJob<Document>, report: JobWait['report']): () => void {
  let [lastMs, lastDone] = [0, -1]
  const listener = ({ completed, failed, skipped, queued, active }: JobProgress): void => {
    const done = completed + failed
    const nowMs = performance.now()
    // The numbers of reports must grow: see the protocol of progress notifications.
    if (done <= lastDone || (lastDone >= 0 && nowMs - lastMs < REPORT_INTERVAL_MS)) return
    ;[lastMs, lastDone] = [nowMs, done]
    const message = `${completed} pages scraped, ${failed} failed, ${skipped} URLs skipped, ${queued} queued`
    report({ done, total: done + queued + active, message })
  }
  job.on('progress', listener)
  return () => void job.off('progress', listener)
}
