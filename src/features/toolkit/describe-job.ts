import type { JobStatus } from '../../kernel/job/job.js'
import type { ToolText } from './answer.js'
import type { ToolJob } from './tool-jobs.js'

/** Describes a job: its state, counters, and what to call next. */
export function describeJob({ job }: ToolJob, status: JobStatus<unknown>, maxTokens: number): ToolText {
  const { completed, failed, total, skipped, skippedByReason, eta, warning, error, code, stoppedBy } = status
  const reasons = Object.entries(skippedByReason).map(([reason, count]) => `${reason} ${count}`)
  const isRunning = status.status === 'scraping'
  const lines = [
    `Job: ${job.id}`,
    `Status: ${status.status}`,
    `Pages: ${completed} scraped${isRunning ? ` of ${total} known so far` : ''}, ${failed} failed`,
    ...(skipped === 0 ? [] : [`URLs skipped: ${skipped} (${reasons.join(', ')})`]),
    ...(eta === undefined ? [] : [`Estimated end: ${eta}`]),
    ...(stoppedBy === undefined ? [] : [`Stopped by: ${stoppedBy}`]),
    isRunning
      ? 'Next: crawl_status with waitSeconds waits for its end; crawl_read lists the pages scraped so far.'
      : 'Next: crawl_read lists the pages, and reads one by its URL; explain tells why a page is missing.',
  ]
  // They may name URLs of pages, and what servers said.
  const about = [
    ...(error === undefined ? [] : [`Error: ${code ?? 'UNKNOWN_ERROR'}: ${error}`]),
    ...(warning === undefined ? [] : [`Warning: ${warning}`]),
  ].join('\n')
  return { head: lines.join('\n'), about, parts: [], between: '\n', maxTokens }
}
