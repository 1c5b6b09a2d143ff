import { setTimeout as sleep } from 'node:timers/promises'
import { toTrawlError, TrawlError } from '../../base/errors.js'
import type { JobRegistry } from '../job/job-registry.js'
import type { Ledger } from '../ledger/ledger.js'
import type { ResumeEvents } from '../options/engine/job-config.js'

/** Mean time between two looks at the ledger. Milliseconds. */
const INTERVAL_MS = 5000

/** Time between two looks for the reports and the cancelled jobs of engines that died, which need a search among all jobs. Milliseconds. */
const ENDED_INTERVAL_MS = 60_000

/** Parts of an engine that resumes jobs by itself. */
interface ResumeParts extends ResumeEvents {
  readonly ledger: Ledger
  readonly jobs: JobRegistry
  now(): number
  /** Ends it. */
  readonly signal: AbortSignal
}

/** Continues jobs that no living engine runs, now and later, until the signal aborts. Never rejects. */
export async function watchLeftJobs({ ledger, jobs, now, signal, onJob, onError }: ResumeParts): Promise<void> {
  const told = new Set<string>()
  const tell = (cause: unknown): void => {
    const error = toTrawlError(cause)
    if (told.has(error.message)) return
    told.add(error.message)
    // An error of the listener is one of the host, and ends neither the loop nor the calls for other jobs.
    queueMicrotask(() => onError?.(error))
  }
  let lookedAtMs = -Infinity
  while (!signal.aborted) {
    try {
      // Asked first, because it is one question for small tables.
      const health = await ledger.health?.()
      if (signal.aborted) return
      if (health?.error !== undefined) tell(new TrawlError('LEDGER_ERROR', health.error))
      else if ((health?.contents?.interruptedJobs ?? 0) > 0 || now() - lookedAtMs >= ENDED_INTERVAL_MS) {
        for (const { id } of await jobs.resume(undefined, tell)) queueMicrotask(() => onJob?.(id))
        lookedAtMs = now()
      }
    } catch (error) {
      if (!signal.aborted) tell(error)
    }
    // Engines that were started together look at different times.
    const delayMs = INTERVAL_MS * (0.5 + Math.random())
    await sleep(delayMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
