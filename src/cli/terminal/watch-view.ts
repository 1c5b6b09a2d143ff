import type { JobKind, JobProgress, JobStatus, PageActivity } from '../../index.js'
import { printDuration, printSpeed } from './progress.js'

/** State of a job, as the live view shows it. */
export interface WatchedState extends Pick<JobStatus<unknown>, 'skippedByReason' | 'used' | 'creditsUsed'> {
  readonly kind: JobKind
  /** The start URL of a crawl, or the number of URLs of a batch. */
  readonly subject: string
  readonly progress: JobProgress
  /** Pages to be scraped in all, as far as they are known. */
  readonly total: number
  /** True if the job may still find pages that count: the end can then only be estimated from below. */
  readonly isGrowing: boolean
  readonly elapsedMs: number
  /** Pages per second lately. */
  readonly recentRate: number
  /** Pages by host, most frequent first. */
  readonly hosts: readonly (readonly [string, number])[]
  /** Failed pages by code, most frequent first. */
  readonly failures: readonly (readonly [string, number])[]
  readonly pages: readonly PageActivity[]
  /** Set after the first signal. */
  readonly isStopping: boolean
}

/** Size of a terminal, in characters. */
interface ScreenSize {
  readonly width: number
  readonly height: number
}

/** Width of the bar. Characters. */
const BAR_CELLS = 20
/** Width of the names at the head of lines. Characters. */
const NAME_WIDTH = 9
/** Lists of hosts and reasons show so many at most. */
const MAX_LISTED = 8
/** Minimum number of pages under way that are shown, also in a low terminal. */
const MIN_PAGES = 1

/**
 * Formats the state of a job for a terminal: no line is wider, and there are fewer lines than the terminal has, so that it
 * does not scroll: the cursor stands below the last one. ASCII only.
 */
export function printWatch(state: WatchedState, { width, height }: ScreenSize): string[] {
  const head = [
    ...flow([`${state.kind === 'crawl' ? 'Crawl' : 'Batch'} ${printDuration(state.elapsedMs)}`, state.subject], width),
    ...flow([printBar(state), ...printCounts(state)], width),
    ...flow(
      [
        `${state.recentRate.toFixed(1)} pages/s now`,
        `${printSpeed(state.progress.completed, state.elapsedMs)} over all`,
        printBytes(state.used.bytes),
        printEta(state),
      ],
      width,
    ),
    ...printList('Hosts', state.hosts, width),
    ...printList('Failed', state.failures, width),
    ...printList('Skipped', sortCounts(Object.entries(state.skippedByReason)), width),
  ]
  const room = Math.max(MIN_PAGES, height - head.length - 1)
  const lines = [...head, ...printPages(state, room, width)]
  return lines.slice(0, Math.max(1, height - 1)).map((line) => cut(line, width))
}

/** Formats the state of a job as one line, for a file or a log. */
export const printWatchLine = (state: WatchedState): string =>
  [
    printDuration(state.elapsedMs),
    ...printCounts(state),
    `${state.recentRate.toFixed(1)} pages/s`,
    printEta(state),
    ...state.failures.slice(0, MAX_LISTED).map(([code, count]) => `${count} ${code}`),
  ].join('  ')

/** Formats the estimated end of a job, or why there is none: `ETA 2:11`. */
export function printEta({ isStopping, progress, total, isGrowing, recentRate }: WatchedState): string {
  if (isStopping) return 'stopping'
  const left = Math.max(0, total - progress.completed)
  if (left === 0) return isGrowing ? 'ETA unknown: looking for pages' : 'ETA 0.0 s'
  if (recentRate <= 0)
    return progress.completed === 0 ? 'ETA unknown until a page is done' : 'ETA unknown: no page lately'
  const time = printDuration((1000 * left) / recentRate)
  return isGrowing ? `ETA ${time} or later: the queue grows` : `ETA ${time}`
}

/** Sorts counts, the largest first. */
export const sortCounts = (counts: Iterable<readonly [string, number]>): (readonly [string, number])[] =>
  [...counts].sort(([, a], [, b]) => b - a)

function printBar({ progress: { completed }, total }: WatchedState): string {
  const filled = total === 0 ? 0 : Math.min(BAR_CELLS, Math.floor((BAR_CELLS * completed) / total))
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_CELLS - filled)}]`
}

const printCounts = ({ progress: { completed, active, queued, failed, skipped } }: WatchedState): string[] => [
  `${completed} done`,
  `${active} active`,
  `${queued} waiting`,
  `${failed} failed`,
  `${skipped} skipped`,
]

function printList(name: string, counts: readonly (readonly [string, number])[], width: number): string[] {
  if (counts.length === 0) return []
  const listed = counts.slice(0, MAX_LISTED).map(([key, count]) => `${count} ${key}`)
  const more = counts.length > MAX_LISTED ? [`and ${counts.length - MAX_LISTED} more`] : []
  const [first = '', ...rest] = flow([...listed, ...more], width - NAME_WIDTH, ', ')
  return [`${name.padEnd(NAME_WIDTH)}${first}`, ...rest.map((line) => `${' '.repeat(NAME_WIDTH)}${line}`)]
}

function printPages({ pages }: WatchedState, room: number, width: number): string[] {
  const shown = pages.length > room ? pages.slice(0, Math.max(MIN_PAGES, room - 1)) : pages
  const lines = shown.map(({ step, elapsedMs, lent, attempt, url }) => {
    const time = elapsedMs === undefined ? '' : printDuration(elapsedMs)
    const what = lent === true ? 'waits' : (step ?? 'active')
    const again = attempt > 1 ? `#${attempt} ` : ''
    const start = `  ${what.padEnd(NAME_WIDTH - 2)}${time.padStart(7)}  ${again}`
    return `${start}${shortenUrl(url, width - 1 - start.length)}`
  })
  return shown.length < pages.length && room > shown.length
    ? [...lines, `  and ${pages.length - shown.length} more`]
    : lines
}

/** Joins texts to lines that are no wider than the terminal, where no text is wider itself. */
function flow(texts: readonly string[], width: number, separator = '  '): string[] {
  const lines: string[] = []
  for (const text of texts) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + separator.length + text.length < width) {
      lines[lines.length - 1] = `${last}${separator}${text}`
    } else lines.push(text)
  }
  return lines
}

/** Leaves out the middle of a URL that is too long: pages of a site differ at the end. */
function shortenUrl(url: string, width: number): string {
  if (url.length <= width || width < 8) return url
  const tail = Math.floor((width - 3) * 0.6)
  return `${url.slice(0, width - 3 - tail)}...${url.slice(-tail)}`
}

/**
 * Cuts a line before the last column, where some terminals wrap. Other characters than those of ASCII become `?`: text of the world
 * must neither control the terminal nor be wider than it looks.
 */
function cut(line: string, width: number): string {
  let text = ''
  for (const character of line.slice(0, Math.max(1, width - 1))) {
    text += character >= ' ' && character <= '~' ? character : '?'
  }
  return text
}

function printBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(0)} kB`
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(2)} GB`
}
