import type { Document, Job, JobProgress } from '../../index.js'
import type { Terminal } from './terminal.js'

/** Interval at which the status line is drawn. */
const REDRAW_MS = 100
/** Width of the bar. Characters. */
const BAR_CELLS = 20

/** Shows a status line about a job until the returned function is called. @param limit of pages, for the bar */
export function showProgress(job: Job<Document>, limit: number, terminal: Terminal): () => void {
  const startedAtMs = performance.now()
  let progress: JobProgress = { completed: 0, failed: 0, skipped: 0, queued: 0, active: 0 }
  const update = (latest: JobProgress): void => {
    progress = latest
  }
  const draw = (): void => terminal.showStatus(printProgress(progress, limit, performance.now() - startedAtMs))
  const redraw = setInterval(draw, REDRAW_MS)
  job.on('progress', update)
  draw()
  return () => {
    clearInterval(redraw)
    job.off('progress', update)
    terminal.clearStatus()
  }
}

/** Formats the progress of a job with this `limit` as one line: `[#####---------------]  12 done  30 queued …`. */
export function printProgress(progress: JobProgress, limit: number, elapsedMs: number): string {
  const { completed, failed, skipped, queued, active } = progress
  const open = queued + active
  // A crawl scrapes no more queued pages than its limit allows.
  const total = completed + Math.min(open, limit - completed)
  const filled = total === 0 ? 0 : Math.floor((BAR_CELLS * completed) / total)
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(BAR_CELLS - filled)}]`
  const counts = [`${completed} done`, `${open} queued`, `${failed} failed`, `${skipped} skipped`]
  return [bar, ...counts, printSpeed(completed, elapsedMs), printDuration(elapsedMs)].join('  ')
}

/** Formats the speed of a job: `2.5 pages/s`. */
export const printSpeed = (pages: number, elapsedMs: number): string =>
  `${((1000 * pages) / Math.max(elapsedMs, 1)).toFixed(1)} pages/s`

/** Formats a duration: `8.2 s`, `3:08`, `1:03:08`. */
export function printDuration(elapsedMs: number): string {
  const seconds = Math.floor(elapsedMs / 1000)
  if (seconds < 60) return `${(elapsedMs / 1000).toFixed(1)} s`
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const [first, ...rest] = parts[0] === 0 ? parts.slice(1) : parts
  return [String(first), ...rest.map((part) => String(part).padStart(2, '0'))].join(':')
}
