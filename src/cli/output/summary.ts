import { STANDARD_OUTPUT } from './output.js'
import type { Document, JobErrors, JobKind, JobStatus, PageError } from '../../index.js'
import { printDuration, printSpeed } from '../terminal/progress.js'

export type OutputUnit = 'page' | 'row'

/** Data of a job's summary. */
export interface JobSummary extends JobErrors {
  readonly kind: JobKind
  readonly status: JobStatus<Document>
  readonly invalidURLs: readonly string[]
  /** Number of items that were written to the output. */
  readonly written: number
  /** Items of the output: pages, or rows of their lists. */
  readonly unit: OutputUnit
  /** Number of pages with an error status of the site. */
  readonly errorPages: number
  /** Name of the destination of the pages. */
  readonly destination: string
  /** Numbers of pages by how they have changed since an earlier crawl: `new`, `same`, … @default none were compared */
  readonly changes?: Readonly<Record<string, number>>
  /** Lines about the pages of an earlier run, which the output has deleted or kept. */
  readonly notes?: readonly string[]
}

/** Maximum number of items of each list that are shown. */
const MAX_LISTED = 20

/** Returns the summary of a job as `--json` prints it: its status without documents, its errors, and what was written. */
export function toSummaryRecord(id: string, end: JobSummary): object {
  const { status, ...rest } = end
  const { data: _, next: _next, ...state } = status
  return { id, ...state, ...rest }
}

/**
 * Formats the summary of a job, line by line.
 *
 * @param toFlags replaces the names of options in a message by those of flags
 */
export function printSummary(end: JobSummary, toFlags: (message: string) => string): string[] {
  const { status, errors, robotsBlocked, invalidURLs, written, unit, errorPages, destination, notes = [] } = end
  const answered = unit === 'page' ? `${errorPages}` : countPages(errorPages)
  return [
    printHeadline(end),
    ...printChanges(end),
    ...printSkips(end),
    ...printFailures(errors, toFlags),
    ...printList('Refused by robots.txt', robotsBlocked),
    ...printList('Not valid, left out', invalidURLs),
    ...(status.warning === undefined ? [] : [`Warning: ${toFlags(status.warning)}`]),
    `${describeWritten(written, unit, destination)}${errorPages === 0 ? '' : `; ${answered} came with an error status`}`,
    ...notes,
  ]
}

/** Formats a count: `1 page`, `12 rows`. */
export const countItems = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

/** Says how many items were written. No file is made for none, and one of an earlier run is kept as it is. */
export const describeWritten = (written: number, unit: OutputUnit, destination: string): string =>
  written === 0 && destination !== STANDARD_OUTPUT
    ? `0 ${unit}s: nothing was written to ${destination}`
    : `${countItems(written, unit)} written to ${destination}`

const countPages = (pages: number): string => countItems(pages, 'page')

const kindNames: Readonly<Record<JobKind, string>> = { 'batch-scrape': 'Batch', crawl: 'Crawl' }

function printHeadline({ kind, status }: JobSummary): string {
  const elapsedMs = (status.duration ?? 0) * 1000
  const counts = [countPages(status.completed), `${status.failed} failed`, `${status.skipped} skipped`]
  const time = `${printDuration(elapsedMs)}, ${printSpeed(status.completed, elapsedMs)}`
  return `${kindNames[kind]} ${status.status}: ${counts.join(', ')} in ${time}`
}

function printChanges({ changes = {} }: JobSummary): string[] {
  const counts = ['new', 'changed', 'same', 'removed'].map((change) => `${changes[change] ?? 0} ${change}`)
  return Object.keys(changes).length === 0 ? [] : [`Since the last crawl: ${counts.join(', ')}`]
}

function printSkips({ status: { skippedByReason } }: JobSummary): string[] {
  const byCount = Object.entries(skippedByReason)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${count} ${reason}`)
  return byCount.length === 0 ? [] : [`Skipped: ${byCount.join(', ')}`]
}

function printFailures(errors: readonly PageError[], toFlags: (message: string) => string): string[] {
  const failed = errors.filter(({ code }) => code !== 'SCRAPE_JOB_CANCELLED')
  const cancelled = errors.length - failed.length
  return [
    ...printList(
      'Failed',
      failed.map(({ url, code, error }) => `${url}  ${code}: ${toFlags(error)}`),
    ),
    ...(cancelled === 0 ? [] : [`Cancelled: ${countPages(cancelled)} in progress`]),
  ]
}

function printList(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return []
  const named = items.slice(0, MAX_LISTED).map((item) => `  ${item}`)
  return [`${title}:`, ...named, ...(items.length > named.length ? [`  and ${items.length - named.length} more`] : [])]
}
