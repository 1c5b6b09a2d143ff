import { STANDARD_OUTPUT } from './output.js'
import type { Document, JobErrors, JobKind, JobStatus, PageError } from '../../index.js'
import { printDuration, printSpeed } from '../terminal/progress.js'

export type OutputUnit = 'page' | 'row'

/** A page with an error status. */
export interface ErrorPage {
  readonly url: string
  readonly statusCode: number
  /** Words for the status. */
  readonly error: string
}

/** Data of a job's summary. */
export interface JobSummary extends JobErrors {
  readonly kind: JobKind
  readonly status: JobStatus<Document>
  readonly invalidURLs: readonly string[]
  /** Number of items that were written to the output. */
  readonly written: number
  /** Number of pages that the output had in the same text already. @default 0 */
  readonly unchanged?: number
  /** Pages with an error status of which the output has nothing. */
  readonly answered?: readonly ErrorPage[]
  /** Items of the output: pages, or rows of their lists. */
  readonly unit: OutputUnit
  /** Number of pages with an error status of the site. */
  readonly errorPages: number
  /** Name of the destination of the pages. */
  readonly destination: string
  /** Numbers of pages by how they have changed since an earlier crawl: `new`, `same`, … @default none were compared */
  readonly changes?: Readonly<Record<string, number>>
  /** Number of reports that the webhook of the job has not received. @default 0 */
  readonly lostReports?: number
  /** Reasons why pages that the job did not meet may exist, other than the limit that was asked for. */
  readonly gaps?: readonly string[]
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
  const { status, robotsBlocked, invalidURLs, answered = [], unit, destination, notes = [] } = end
  return [
    printHeadline(end),
    ...printChanges(end),
    ...printSkips(end),
    ...printFailures(end, toFlags),
    ...printList(
      'Not written, as their sites answered with an error',
      answered.map(({ url, statusCode, error }) => `${url}  ${statusCode} ${error}`),
    ),
    ...printList('Refused by robots.txt', robotsBlocked),
    ...printList('Not valid, left out', invalidURLs),
    ...(status.warning === undefined ? [] : [`Warning: ${toFlags(status.warning)}`]),
    describeWritten(end, unit, destination),
    ...notes.map(toFlags),
  ]
}

/** Formats a count: `1 page`, `12 rows`. */
export const countItems = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

/** Says how many items were written. No file is made for none, and one of an earlier run is kept as it is. */
export function describeWritten(
  { written, unchanged = 0 }: { readonly written: number; readonly unchanged?: number },
  unit: OutputUnit,
  destination: string,
): string {
  if (written === 0 && unchanged === 0 && destination !== STANDARD_OUTPUT)
    return `0 ${unit}s: nothing was written to ${destination}`
  const same = unchanged === 0 ? '' : `; ${countItems(unchanged, unit)} there in the same text`
  return `${countItems(written, unit)} written to ${destination}${same}`
}

const countPages = (pages: number): string => countItems(pages, 'page')

const kindNames: Readonly<Record<JobKind, string>> = { 'batch-scrape': 'Batch', crawl: 'Crawl' }

function printHeadline({ kind, status, errorPages }: JobSummary): string {
  const elapsedMs = (status.duration ?? 0) * 1000
  const counts = [
    countPages(status.completed),
    // They are documents of the site, and no failures of trawl.
    ...(errorPages === 0 ? [] : [`${errorPages} with an error status`]),
    `${status.failed} failed`,
    `${status.skipped} skipped`,
  ]
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

function printFailures({ kind, errors }: JobSummary, toFlags: (message: string) => string): string[] {
  const failed = errors.filter(({ code }) => code !== 'SCRAPE_JOB_CANCELLED')
  const cancelled = errors.length - failed.length
  // A crawl skips them, and counts them so.
  const isDenied = ({ code }: PageError): boolean => kind === 'crawl' && code === 'CRAWL_DENIAL'
  return [
    ...printList(
      'Failed',
      failed.filter((error) => !isDenied(error)).map(({ url, code, error }) => `${url}  ${code}: ${toFlags(error)}`),
    ),
    ...printList(
      'Skipped after a request',
      failed.filter(isDenied).map(({ url, error }) => `${url}  ${toFlags(error)}`),
    ),
    ...(cancelled === 0 ? [] : [`Cancelled: ${countPages(cancelled)} in progress`]),
  ]
}

/** Prints the first items of a list. @param total their number, where not all of them are given */
export function printList(title: string, items: readonly string[], total = items.length): string[] {
  if (items.length === 0) return []
  const named = items.slice(0, MAX_LISTED).map((item) => `  ${item}`)
  return [`${title}:`, ...named, ...(total > named.length ? [`  and ${total - named.length} more`] : [])]
}
