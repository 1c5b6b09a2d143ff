import { TrawlError } from '../../../base/errors.js'
import { isSlowFile } from '../../parse/parse.js'
import type { ParserInput } from '../../parse/parser.js'
import type { Ocr } from '../../ocr/ocr.js'
import { loadCode, digest, digestFile, type Digest, type DigestPlan, type DigestTools } from '../digest.js'
import { type FeatureCode, NO_CODE } from '../digest-part.js'
import { digestHere, lostThreadsWarning, NO_THREADS_WARNING, refuseSlowFile } from './digest-here.js'
import { unpackLinks } from './packed-links.js'
import { type DigestInput, pickParserInput } from '../digest-input.js'
import { Backlog } from './backlog.js'
import { ThreadCount, type ThreadNumbers } from './thread-count.js'
import { startThreads, type Threads } from './threads.js'
import { TAKEN_BACK, type TaskLimits, TIME_IS_UP } from './thread.js'
import { ThreadTurns } from './thread-turns.js'
import type { DigestAnswer, WorkAnswer, WorkTask } from './worker.js'
import { hasSelectors } from '../../convert/convert.js'

/** Options of a pool of digest threads. */
export interface DigestPoolOptions extends ThreadNumbers {
  /**
   * Number of worker threads. With 0, pages are digested on the caller's thread in slices, and a slow page is stopped
   * only between two of them.
   */
  readonly threads: number
  /**
   * Maximum size of a page that is digested on the caller's thread while no other is ready: a thread takes some 60 ms to
   * start, and may be busy with a file for a minute. A ready thread gets such pages as well: in a crawl with many of them,
   * they took a seventh of the time of the caller's thread, and V8 compiled all code for that one, too. Bytes.
   *
   * @default 2048
   */
  readonly inlineBytes?: number
  /** Timeout of a page, which is then read as plain text instead. Milliseconds. @default 5000 */
  readonly timeoutMs?: number
  /**
   * Timeout of a file that is not a web page, such as a PDF file; such a file then fails. Milliseconds. @default 60000
   */
  readonly fileTimeoutMs?: number
  /** Reads the text in images of pages; without it, files of such pages fail. */
  readonly ocr?: Ocr
  /** Code of features for the caller's thread; the others load it themselves. @default there is none */
  readonly code?: FeatureCode
  /**
   * Maximum heap of a thread; a page that needs more is read as plain text. MiB.
   *
   * V8 collects the garbage of a smaller heap earlier: with 512 in place of 1024, a crawl of 10,000 pages takes some 40 MiB
   * less, at the same speed.
   *
   * @default 512
   */
  readonly maxHeapMib?: number
  /** Part of the heap of each thread for new objects. MiB. @default 36 */
  readonly maxYoungMib?: number
  /** Maximum heap of the thread for a file that needs more than that; one that needs even more fails. MiB. @default 1024 */
  readonly maxFileHeapMib?: number
}

/** Digests pages off the host's thread. */
export interface DigestPool {
  readonly backlog: Backlog
  /**
   * Digests a page. A page that takes too long, or that ends its thread, is returned as plain text with a warning. Web
   * hosts take turns, so that slow pages of one host do not delay the pages of others.
   *
   * @throws TrawlError `SCRAPE_UNSUPPORTED_FILE_ERROR`, `ENGINE_CLOSED`, and for a file that is not a web page
   * `SCRAPE_FILE_TOO_COMPLEX` and what its parser throws; the signal's reason
   */
  digest(page: DigestInput, plan: DigestPlan, signal: AbortSignal): Promise<Digest>
  /**
   * Does other work on a page in a thread, in its host's turn and under the timeout of a page.
   *
   * @returns undefined if it took too much time or memory; `no threads` if the pool has none
   * @throws TrawlError `ENGINE_CLOSED`; the signal's reason
   */
  work(name: string, page: WorkTask['page'], signal: AbortSignal): Promise<WorkAnswer | 'no threads' | undefined>
  /** Starts the first thread, if the pool has any, so that it is ready when the first page has been fetched. Only once. */
  prepare(): void
  /** Ends the threads. Running and waiting digests are rejected. */
  close(): Promise<void>
}

/** Creates a pool of digest threads. No thread is started before `prepare` or a page that needs one. */
export function createDigestPool(options: DigestPoolOptions): DigestPool {
  const pool = new ThreadPool(options)
  return {
    backlog: pool.backlog,
    digest: pool.digest.bind(pool),
    work: pool.work.bind(pool),
    prepare: pool.prepare.bind(pool),
    close: pool.close.bind(pool),
  }
}

class ThreadPool implements DigestPool {
  readonly backlog: Backlog
  readonly #options: Required<Omit<DigestPoolOptions, 'ocr' | 'spareThread' | 'code'>>
  readonly #count: ThreadCount
  readonly #ocr: Ocr | undefined
  readonly #code: FeatureCode
  readonly #turns: ThreadTurns
  #opening: Promise<Threads | undefined> | undefined
  /** The threads, once the first one has started. */
  #threads: Threads | undefined
  #isClosed = false
  /** Warning about missing threads, until a document has it. */
  #warning: string | undefined

  constructor({ ocr, code = NO_CODE, spareThread = false, ...options }: DigestPoolOptions) {
    this.#options = { ...DEFAULTS, ...options }
    this.#ocr = ocr
    this.#code = code
    this.#count = new ThreadCount({ threads: options.threads, spareThread })
    this.backlog = new Backlog(this.#count)
    this.#turns = new ThreadTurns(this.#count, this.backlog)
    this.#warning = options.threads === 0 ? NO_THREADS_WARNING : undefined
  }

  async digest(page: DigestInput, plan: DigestPlan, signal: AbortSignal): Promise<Digest> {
    const { threads, inlineBytes } = this.#options
    signal.throwIfAborted()
    if (this.#isClosed) throw closedError(page.url)
    const input = pickParserInput(page)
    // Without threads, a small page is digested without slices, which would take longer than they let other work run.
    const cheapBytes = threads === 0 ? Math.max(inlineBytes, SMALL_BYTES) : inlineBytes
    if (this.#threads?.isReady !== true && isCheap(input, plan, cheapBytes)) {
      return await digestFile(input, plan, await this.#toolsFor(plan, signal))
    }
    const pool = await this.#openThreads()
    if (pool === undefined) return await this.#digestHere(input, plan, signal)
    this.#adapt(pool)
    try {
      return await this.#digestInTurn(pool, input, plan, signal)
    } finally {
      this.#adapt(pool)
    }
  }

  async #digestInTurn(pool: Threads, input: ParserInput, plan: DigestPlan, signal: AbortSignal): Promise<Digest> {
    const { url } = input
    if (isSlowFile(input)) {
      return await this.#turns.run({ url, signal }, () => this.#digestAside(pool, input, plan, { signal }))
    }
    const mayGoAhead = (): boolean => input.body.length <= AHEAD_BYTES && !pool.areHeld
    return await this.#turns.run({ url, signal, mayGoAhead }, (onBegin) =>
      this.#digestAside(pool, input, plan, { signal, onBegin }),
    )
  }

  /** Adapts the number of turns to the work of the threads, and of this one. */
  #adapt(pool: Threads): void {
    if (this.#count.update(pool.busyMs)) this.#turns.resize()
  }

  async work(name: string, page: WorkTask['page'], signal: AbortSignal): ReturnType<DigestPool['work']> {
    const { url } = page
    signal.throwIfAborted()
    if (this.#isClosed) throw closedError(url)
    const pool = await this.#openThreads()
    if (pool === undefined) return 'no threads'
    const limits = { limitMs: this.#options.timeoutMs, signal }
    const run = () => pool.work({ work: name, page }, limits)
    const answer = await this.#turns.run({ url, signal }, () => this.#runLimited(url, limits, run))
    return typeof answer === 'string' ? undefined : answer
  }

  prepare(): void {
    if (!this.#isClosed) void this.#openThreads()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#turns.removeLimit()
    const pool = await this.#opening
    await pool?.close()
  }

  /** Starts the threads; undefined if the pool has none, or if none can be started. */
  #openThreads(): Promise<Threads | undefined> {
    const { threads, maxHeapMib, maxYoungMib } = this.#options
    if (threads === 0) return NO_THREADS
    this.#opening ??= startThreads({ count: this.#count, maxHeapMib, maxYoungMib }).then(
      (started) => (this.#threads = started),
      (error: unknown) => {
        this.#warning = lostThreadsWarning(error)
        return undefined
      },
    )
    return this.#opening
  }

  /**
   * Digests a page in a thread. If that fails, the page is read as plain text in a thread. If that fails too, only its
   * start is read, on this thread.
   */
  async #digestAside(
    pool: Threads,
    input: ParserInput,
    plan: DigestPlan,
    task: { readonly signal: AbortSignal; readonly onBegin?: () => void },
  ): Promise<Digest> {
    const { url } = input
    const { timeoutMs, fileTimeoutMs, maxFileHeapMib } = this.#options
    const { signal } = task
    let { onBegin } = task
    const ask = (asked: DigestPlan, limitMs: number, options?: Parameters<Threads['run']>[2]) => {
      const limits: TaskLimits = { signal, limitMs, onBegin }
      return this.#runLimited(url, limits, () => pool.run({ input, plan: asked }, limits, options))
    }
    if (isSlowFile(input)) {
      const ocr = this.#ocr && { ocr: this.#ocr }
      let read = await ask(plan, fileTimeoutMs, ocr)
      if (read === OUT_OF_MEMORY) read = await ask(plan, fileTimeoutMs, { ...ocr, heapMib: maxFileHeapMib })
      if (typeof read !== 'string') return settle(read, url)
      // A binary file cannot be read as plain text.
      throw new TrawlError('SCRAPE_FILE_TOO_COMPLEX', `${read}.`, { url })
    }
    const answer = await ask(plan, timeoutMs)
    if (typeof answer !== 'string') return settle(answer, url)
    // The second attempt is not taken back: the first one would be repeated as well.
    onBegin = undefined
    const second = await ask(asText(plan, answer), timeoutMs)
    if (typeof second !== 'string') return settle(second, url)
    const reason = `${second}; only its start is shown`
    const start = digest(
      { ...input, body: input.body.subarray(0, START_BYTES) },
      asStart(plan, reason),
      await loadCode(plan, this.#code),
    )
    // The HTML parser adds the warning itself. Other parsers do not.
    return start.warnings.length > 0 ? start : warn(start, `${reason}.`)
  }

  /** Digests on the caller's thread, with a warning the first time. */
  async #digestHere(input: ParserInput, plan: DigestPlan, signal: AbortSignal): Promise<Digest> {
    const { threads, timeoutMs, fileTimeoutMs } = this.#options
    const isFile = isSlowFile(input)
    const warning = threads > 0 || (isFile && plan.parse.asBase64 === undefined) ? this.#warning : undefined
    if (warning !== undefined) this.#warning = undefined
    const tools = await this.#toolsFor(plan, signal)
    let made = await digestHere(input, plan, tools, { limitMs: isFile ? fileTimeoutMs : timeoutMs, signal })
    if (typeof made === 'string') {
      refuseSlowFile(input, made)
      made = await digestFile(input, asText(plan, made), tools)
    }
    return warning === undefined ? made : warn(made, warning)
  }

  /** Runs a task with its timeout. @returns the answer, or the sentence about the failure */
  async #runLimited<Answer>(
    url: string,
    { signal, limitMs }: TaskLimits,
    run: () => Promise<Answer>,
  ): Promise<Answer | string> {
    if (this.#isClosed) throw closedError(url)
    try {
      return await run()
    } catch (error) {
      signal.throwIfAborted()
      if (this.#isClosed) throw closedError(url)
      if (error === TAKEN_BACK) throw error
      return error === TIME_IS_UP ? `Reading the page took longer than ${limitMs} ms` : explain(error)
    }
  }

  async #toolsFor(plan: DigestPlan, signal: AbortSignal): Promise<DigestTools> {
    const [ocr, code] = [this.#ocr, await loadCode(plan, this.#code)]
    return ocr ? { ...code, readText: (picture) => ocr(picture, signal) } : code
  }
}

/** Maximum size of a page that is sent before its thread begins it: each is a copy in memory. Bytes. */
const AHEAD_BYTES = 262_144

const NO_THREADS = Promise.resolve(undefined)

const SMALL_BYTES = 2048

const DEFAULTS = {
  inlineBytes: SMALL_BYTES,
  timeoutMs: 5000,
  fileTimeoutMs: 60_000,
  maxHeapMib: 512,
  maxFileHeapMib: 1024,
  maxYoungMib: 36,
} as const

const OUT_OF_MEMORY = 'Reading the page took more memory than a thread has'

/** Number of bytes that are read of a page that takes too long even as plain text. */
const START_BYTES = 8192

const closedError = (url: string): TrawlError =>
  new TrawlError('ENGINE_CLOSED', 'The engine was closed before the page was read.', { url })

async function settle(answer: DigestAnswer, url: string): Promise<Digest> {
  const { refusal } = answer
  if (refusal !== undefined) throw new TrawlError(refusal.code, refusal.message, { url })
  return answer.links ? { ...answer.digest, links: await unpackLinks(answer.links) } : answer.digest
}

const warn = (made: Digest, warning: string): Digest => ({ ...made, warnings: [...made.warnings, warning] })

function explain(error: unknown): string {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isMemory ? OUT_OF_MEMORY : 'The page could not be read'
}

const MAX_SELECTORS = 100

/** Matches selectors with combinators or arguments, whose cost depends on the page. */
const COSTLY_SELECTOR = /[\s>+~].*[\s>+~]|[~+]|\(/

/**
 * Tests whether a page is cheap enough to digest on the caller's thread: small, without costly selectors, and without a query, whose
 * cost depends on the page.
 */
function isCheap(input: ParserInput, { extract, convert, query, track }: DigestPlan, inlineBytes: number): boolean {
  // A small page may have a large last snapshot.
  if ((track?.previous?.length ?? 0) > inlineBytes) return false
  if (input.body.length > inlineBytes || query !== undefined || isSlowFile(input)) return false
  const asked = convert.formats.flatMap((format) => ('selectors' in format ? format.selectors : []))
  const selectors = [...extract.includeTags, ...extract.excludeTags, ...asked.map(({ selector }) => selector)]
  return (
    selectors.length <= MAX_SELECTORS &&
    selectors.every((selector) => !COSTLY_SELECTOR.test(selector.slice(0, 200)) && selector.length <= 200)
  )
}

/**
 * Creates the plan for the start of a page, which is read on the caller's thread. The start is not compared with the
 * last snapshot: nearly everything would count as removed, and the comparison could take long.
 */
function asStart(plan: DigestPlan, reason: string): DigestPlan {
  const { track: _, ...rest } = asText(plan, reason)
  return rest
}

/** Creates the plan for a page that took too much time or memory: plain text, without selectors. */
const asText = (plan: DigestPlan, reason: string): DigestPlan => ({
  ...plan,
  parse: { ...plan.parse, asText: reason },
  extract: { ...plan.extract, includeTags: [], excludeTags: [] },
  convert: { ...plan.convert, formats: plan.convert.formats.filter((item) => !hasSelectors(item)) },
})
