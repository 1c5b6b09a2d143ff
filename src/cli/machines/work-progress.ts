import type { PageWorker, WorkerCounts } from '../../index.js'
import type { Invocation } from '../command.js'

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
export function showWork(worker: PageWorker, { options, engine, terminal }: Invocation): WorkDisplay {
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
