import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Engine, TrawlError } from '../../index.js'
import type { Command } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { workCommandFlags } from '../flags/command-flags.js'
import { requireDatabase } from '../flags/database-flags.js'
import { showWork } from '../output/work-progress.js'
import { readJobs } from '../read-jobs.js'

/** Interval of looking for jobs that no living engine runs. Milliseconds. */
const RESUME_INTERVAL_MS = 5000

/** Writes a line to standard error. */
type Report = (line: string) => void

/** `trawl work` scrapes pages for the jobs of other engines. */
export const workCommand: Command = {
  name: 'work',
  summary:
    'Scrapes pages for the jobs of the engines that share the PostgreSQL database of --database, until it is stopped: ' +
    'SIGTERM or Ctrl-C finishes the pages under way, a second one ends at once.',
  servesOthers: true,
  flags: () => workCommandFlags,
  run: async (invocation) => {
    const { options, engine, terminal, interrupt } = invocation
    requireDatabase(options)
    const report: Report = (line) => {
      if (options.quiet !== true) terminal.report(line)
    }
    const worker = engine.work()
    interrupt.awaitCommand()
    const { signal } = interrupt
    report(`Working, ${worker.concurrency} pages at once. SIGTERM or Ctrl-C finishes the pages under way`)
    const display = showWork(worker, invocation)
    if (options.resume === true) await resumeUntil(signal, engine, report)
    else if (!signal.aborted) await once(signal, 'abort')
    report(`Stopping: ${worker.counts().active} pages under way. A second signal ends at once`)
    // Its error is that of the end of the command as well, which closes the engine again.
    await engine.close().catch(() => undefined)
    await display.end()
    return exitCodes.ok
  },
}

/** Takes over the jobs whose engines have ended, until the signal aborts. */
async function resumeUntil(signal: AbortSignal, engine: Engine, report: Report): Promise<void> {
  const reported = new Set<string>()
  const reportOnce: Report = (line) => {
    if (!reported.has(line)) report(line)
    reported.add(line)
  }
  while (!signal.aborted) {
    try {
      await resumeJobs(engine, report, reportOnce)
    } catch (error) {
      // The server may be away for a while.
      reportOnce(describe(error))
    }
    // Several that were started together ask at different times.
    const delayMs = RESUME_INTERVAL_MS * (0.5 + Math.random())
    await sleep(delayMs, undefined, { signal }).catch(() => undefined)
  }
}

async function resumeJobs(engine: Engine, report: Report, reportOnce: Report): Promise<void> {
  const before = new Set(engine.jobs().map(({ id }) => id))
  try {
    await engine.resume()
  } catch (error) {
    if (!(error instanceof TrawlError) || error.code !== 'BAD_REQUEST') throw error
    await resumeEach(engine, reportOnce)
  }
  for (const job of engine.jobs().filter(({ id }) => !before.has(id))) {
    report(`Job ${job.id} is continued`)
    job.on('finished', ({ status, completed, failed }) =>
      report(`Job ${job.id} ${status}: ${completed} done, ${failed} failed`),
    )
  }
}

/** Takes jobs over one by one: one whose request could not be stored completely is left to the engine that knows it. */
async function resumeEach(engine: Engine, reportOnce: Report): Promise<void> {
  for (const { id, interrupted } of await readJobs(engine)) {
    if (!interrupted) continue
    try {
      engine.job(id)
    } catch (error) {
      reportOnce(describe(error))
    }
  }
}

const describe = (error: unknown): string =>
  error instanceof TrawlError ? `${error.code}: ${error.message}` : String(error)
