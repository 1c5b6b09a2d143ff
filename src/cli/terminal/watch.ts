import type { Document, Job, JobProgress } from '../../index.js'
import type { Terminal } from './terminal.js'
import { printWatch, printWatchLine, sortCounts, type WatchedState } from './watch-view.js'

/** Interval at which the view is drawn. Milliseconds. */
const REDRAW_MS = 250
/** Interval of the lines that stand in for the view where there is no terminal. Milliseconds. */
const LINE_MS = 5000
/** Time over which the rate of the last pages is measured. Milliseconds. */
const RATE_WINDOW_MS = 10_000
/** Maximum number of hosts that are counted one by one; the pages of further ones are counted together. */
const MAX_HOSTS = 1000
const OTHER_HOSTS = 'other hosts'

/** Options of watching a job: where it is shown, and what is known of it. */
interface WatchOptions {
  /** Maximum number of pages; infinite for a batch. */
  readonly limit: number
  readonly terminal: Terminal
  /** Aborted by the first signal. */
  readonly signal: AbortSignal
  /** True if pages are printed to standard output. */
  readonly printsPages: boolean
  /** @default the clock of the process */
  readonly now?: () => number
}

/**
 * Shows what a job does until the returned function is called: as a view that is redrawn in a terminal, and as a line from time to time
 * elsewhere, or as JSON.
 */
export function watchJob(job: Job<Document>, options: WatchOptions): () => void {
  const { terminal, printsPages } = options
  const watched = new WatchedJob(job, options)
  if (terminal.canShowStatus(printsPages)) return drawView(watched, terminal)
  if (terminal.isShared(printsPages)) {
    terminal.report('--watch: the pages are printed to this terminal. Add --output, or redirect standard output')
    return () => watched.close()
  }
  return reportLines(watched, terminal)
}

function drawView(watched: WatchedJob, terminal: Terminal): () => void {
  let isOpen = true
  let isDrawing = false
  const draw = (): void => {
    // A slow ledger would answer out of order, and its questions would pile up.
    if (isDrawing) return
    isDrawing = true
    watched
      .read()
      .then((state) => isOpen && terminal.showView(printWatch(state, terminal.size)))
      // A job whose ledger cannot be read fails by itself.
      .catch(() => undefined)
      .finally(() => (isDrawing = false))
  }
  const redraw = setInterval(draw, REDRAW_MS)
  const ignoreResize = terminal.onResize(draw)
  draw()
  return () => {
    isOpen = false
    clearInterval(redraw)
    ignoreResize()
    watched.close()
    terminal.clearStatus()
  }
}

function reportLines(watched: WatchedJob, terminal: Terminal): () => void {
  let isOpen = true
  const report = async (): Promise<void> => {
    const state = await watched.read()
    if (!isOpen) return
    if (terminal.isJson) terminal.reportJson({ progress: state })
    else terminal.report(printWatchLine(state))
  }
  const lines = setInterval(() => void report().catch(() => undefined), LINE_MS)
  return () => {
    isOpen = false
    clearInterval(lines)
    watched.close()
  }
}

/** Counts what happens to the pages of a job while it is watched. */
class WatchedJob {
  readonly #job: Job<Document>
  readonly #options: WatchOptions
  readonly #startedAtMs: number
  readonly #hosts = new Map<string, number>()
  readonly #failures = new Map<string, number>()
  /** Numbers of pages done at earlier times, oldest first. */
  readonly #samples: { readonly atMs: number; readonly completed: number }[] = []
  #progress: JobProgress = { completed: 0, failed: 0, skipped: 0, queued: 0, active: 0 }

  constructor(job: Job<Document>, options: WatchOptions) {
    this.#job = job
    this.#options = options
    this.#startedAtMs = this.#now()
    job.on('progress', this.#update).on('document', this.#countHost).on('failed', this.#countFailure)
  }

  /** Reads the state of the job. */
  async read(): Promise<WatchedState> {
    const pages = await this.#job.activity()
    const { completed, total, failed, skipped, skippedByReason, used, creditsUsed } = await this.#job.status({
      limit: 0,
    })
    const nowMs = this.#now()
    const { limit, signal } = this.#options
    const { kind, request } = this.#job
    const active = Math.max(pages.length, this.#progress.active)
    const queued = Math.max(0, this.#progress.queued, total - completed - active)
    return {
      kind,
      subject: describeSubject(request),
      progress: { completed, failed, skipped, active, queued },
      total,
      isGrowing: kind === 'crawl' && total < limit,
      elapsedMs: nowMs - this.#startedAtMs,
      recentRate: this.#measureRate(nowMs, completed),
      hosts: sortCounts(this.#hosts),
      failures: sortCounts(this.#failures),
      skippedByReason,
      used,
      creditsUsed,
      pages,
      isStopping: signal.aborted,
    }
  }

  /** Stops counting. */
  close(): void {
    this.#job.off('progress', this.#update).off('document', this.#countHost).off('failed', this.#countFailure)
  }

  readonly #now = (): number => this.#options.now?.() ?? performance.now()

  readonly #update = (progress: JobProgress): void => {
    this.#progress = progress
  }

  readonly #countHost = ({ metadata: { url } }: Document): void => {
    const host = new URL(url).host
    const name = this.#hosts.has(host) || this.#hosts.size < MAX_HOSTS ? host : OTHER_HOSTS
    this.#hosts.set(name, (this.#hosts.get(name) ?? 0) + 1)
  }

  readonly #countFailure = ({ code }: { readonly code: string }): void => {
    this.#failures.set(code, (this.#failures.get(code) ?? 0) + 1)
  }

  /** Measures the pages per second over the last seconds. */
  #measureRate(nowMs: number, completed: number): number {
    const samples = this.#samples
    samples.push({ atMs: nowMs, completed })
    while (samples.length > 2 && (samples[1]?.atMs ?? nowMs) <= nowMs - RATE_WINDOW_MS) samples.shift()
    const [first] = samples
    if (!first || nowMs <= first.atMs) return 0
    return (1000 * (completed - first.completed)) / (nowMs - first.atMs)
  }
}

function describeSubject(request: object): string {
  if ('url' in request && typeof request.url === 'string') return request.url
  return 'urls' in request && Array.isArray(request.urls) ? `${request.urls.length} URLs` : ''
}
