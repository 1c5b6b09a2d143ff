import { once } from 'node:events'
import { postgres, type PageWorker, type WorkerCounts } from '../../index.js'
import type { Command, Invocation } from '../command.js'
import { strictExitCode } from '../exit-codes.js'
import { workCommandFlags } from '../flags/command-flags.js'
import { requireDatabase, requireSharedDatabase } from '../flags/database-flags.js'

/** `trawl work` scrapes pages for the jobs of other engines. */
export const workCommand: Command = {
  name: 'work',
  summary:
    'Scrapes pages for the jobs of engines that share the PostgreSQL database --database, until it is stopped: ' +
    'SIGTERM or Ctrl-C finishes the pages under way, a second one ends at once.',
  example: [
    'PGPASSWORD=… trawl work --database postgres://user@host/db --concurrency 20',
    'Scrapes up to 20 pages at once for the jobs of a database:',
  ],
  mainFlags: [
    'database',
    'schema',
    'concurrency',
    'resume',
    'strict',
    'json',
    'quiet',
    'help',
    'fetcher',
    'browser-path',
    'proxies',
    'private-networks',
    'max-concurrency-per-site',
    'cache',
    'model-url',
    'model',
  ],
  servesOthers: true,
  openLedger: (connectionString, schema) => postgres({ connectionString, schema }),
  flags: () => workCommandFlags,
  run: async (invocation) => {
    const { options, engine, terminal, interrupt } = invocation
    requireDatabase(options)
    requireSharedDatabase(options)
    const report = (line: string): void => {
      if (options.quiet !== true) terminal.report(line)
    }
    const worker = await engine.work()
    interrupt.awaitCommand()
    const { signal } = interrupt
    report(`Working, ${worker.concurrency} pages at once. SIGTERM or Ctrl-C finishes the pages under way`)
    const display = showWork(worker, invocation)
    if (!signal.aborted) await once(signal, 'abort')
    report(`Stopping: ${worker.counts().active} pages under way. A second signal ends at once`)
    // Its error is that of the end of the command as well, which closes the engine again.
    await engine.close().catch(() => undefined)
    await display.end()
    return strictExitCode(options, worker.counts().failed > 0)
  },
}

/** Interval of the status line of a terminal. Milliseconds. */
const REDRAW_MS = 500
/** Least time between two lines, which come when the counters have changed. Milliseconds. */
const REPORT_MS = 10_000

/** State of a worker, as `--json` prints it. */
interface WorkProgress extends WorkerCounts {
  /** Maximum number of pages at once. */
  readonly places: number
  /** Jobs that its engine runs. */
  readonly jobs: number
}

/** Shows the counters of a worker until `end` is called. */
interface WorkDisplay {
  /** Shows the last counters. */
  end(): Promise<void>
}

/**
 * Shows what a worker does, and whether its database answers: as a status line in a terminal, as lines elsewhere, and as
 * JSON on standard output with `--json`.
 */
function showWork(worker: PageWorker, { options, engine, terminal }: Invocation): WorkDisplay {
  const { json = false, quiet = false } = options
  let shown = ''
  const read = (): WorkProgress => ({
    places: worker.concurrency,
    ...worker.counts(),
    jobs: engine.jobs().length,
  })
  const report = async (): Promise<void> => {
    const progress = read()
    const line = json ? `${JSON.stringify(progress)}\n` : printWork(progress)
    if (line === shown) return
    shown = line
    if (json) await terminal.print(line)
    else if (!quiet) terminal.report(line)
  }
  let fault: string | undefined
  const checkDatabase = async (): Promise<void> => {
    const { error } = (await engine.health()).ledger
    if (error !== undefined && fault === undefined) terminal.report(`Waiting for the database: ${error}`)
    if (error === undefined && fault !== undefined) terminal.report('The database answers again')
    fault = error
  }
  // Rejects when the engine is closed.
  const checks = quiet ? undefined : setInterval(() => void checkDatabase().catch(() => undefined), REPORT_MS)
  const drawsStatus = !json && !quiet && terminal.canShowStatus(false)
  const timer = drawsStatus
    ? setInterval(() => terminal.showStatus(printWork(read())), REDRAW_MS)
    : // A reader of standard output that is gone is no reason to stop the work.
      setInterval(() => void report().catch(() => undefined), REPORT_MS)
  return {
    async end() {
      clearInterval(timer)
      clearInterval(checks)
      terminal.clearStatus()
      await report()
    },
  }
}

/** Formats the state of a worker as one line: `10 places  3 active  340 done  2 failed`. */
function printWork({ places, active, done, failed, jobs }: WorkProgress): string {
  const counts = [`${places} places`, `${active} active`, `${done} done`, `${failed} failed`]
  return [...counts, ...(jobs === 0 ? [] : [`${jobs} jobs`])].join('  ')
}
