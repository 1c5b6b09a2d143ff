import { setTimeout as sleep } from 'node:timers/promises'

/** A job that may report to a webhook. */
interface ReportingJob {
  readonly request: object
  readonly undelivered?: (range: { limit: number }) => Promise<readonly LostReport[]>
}

/** A report that its webhook has not received. */
interface LostReport {
  /** Error of the last attempt. @default there was none */
  readonly error?: string
}

/** Longest time that the end of a command waits for reports. Milliseconds. */
const MAX_WAIT_MS = 10_000
const POLL_MS = 200
/** Maximum number of reports that are counted. */
const MAX_COUNTED = 1000

/**
 * Waits until the reports of a job that has ended have arrived, or the first of them has failed, before which the others are not sent: at
 * most ten seconds, or until a signal. The next attempt is due after a minute, for which no command waits.
 *
 * @returns those that the webhook has not received
 */
export async function findLostReports(job: ReportingJob, signal: AbortSignal): Promise<readonly LostReport[]> {
  if (!('webhook' in job.request) || !job.request.webhook || !job.undelivered) return []
  const endMs = performance.now() + MAX_WAIT_MS
  for (let before: number | undefined; ;) {
    const reports = await job.undelivered({ limit: MAX_COUNTED })
    // Those that were sent beside the first may still arrive.
    const isHeldUp = reports[0]?.error !== undefined && reports.length === before
    if (reports.length === 0 || isHeldUp || signal.aborted || performance.now() > endMs) return reports
    before = reports.length
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** Says how many reports were lost. @param isKept whether another process can send them */
export function describeLostReports(reports: readonly LostReport[], isKept: boolean): string {
  const { error = 'there was no time to send it' } = reports.find((report) => report.error !== undefined) ?? {}
  const count = `${reports.length}${reports.length === MAX_COUNTED ? ' or more' : ''} ${reports.length === 1 ? 'report has' : 'reports have'}`
  const next = isKept ? 'the database keeps them for a process that sends them' : 'they are lost with this process'
  return `${count} not reached the webhook (${error}): ${next}`
}
