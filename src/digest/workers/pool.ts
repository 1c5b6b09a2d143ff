import { TrawlError } from '../../errors.js'
import { isSlowFile } from '../../parse/parse.js'
import type { FileTools, ParserInput } from '../../parse/parser.js'
import type { Ocr } from '../../ocr/ocr.js'
import { resolveUrl } from '../../url.js'
import { digest, digestFile, type Digest, type DigestPlan } from '../digest.js'
import { digestHere, lostThreadsWarning, NO_THREADS_WARNING, refuseSlowFile } from './digest-here.js'
import { isCheap } from './is-cheap.js'
import { type DigestInput, takeInput } from '../take-input.js'
import { startThreads, type Threads } from './threads.js'
import { withTimeout } from '../../concurrency/deadline.js'
import { FairSemaphore } from '../../concurrency/fair-semaphore.js'
import type { DigestAnswer, WorkAnswer, WorkTask } from './worker.js'

/** How digests are made. */
export interface DigestPoolOptions {
  /** Worker threads; 0 makes every digest on the caller's thread, in slices: one that takes long is stopped between two of them. */
  readonly threads: number
  /**
   * Pages up to this size are digested on the caller's thread, where a thread need not be started for them. Bytes.
   *
   * On 1169 pages of a manual, 8192 held the host up for 28 to 69 ms in the 99th percentile, 2048 for 10 to 28 ms, at the
   * same speed: ten pages come in at once, and each takes its milliseconds.
   *
   * @default 2048
   */
  readonly inlineBytes?: number
  /** How long a page may take before it is read as plain text instead. Milliseconds. @default 5000 */
  readonly timeoutMs?: number
  /** How long a file may take that is no web page, a PDF file for one, before it is given up. Milliseconds. @default 60000 */
  readonly fileTimeoutMs?: number
  /** Reads the text in pictures of pages; absent, files of such pages fail. */
  readonly ocr?: Ocr
  /** The heap of a thread; a page that needs more is read as plain text, a file is given up. MiB. @default 1024 */
  readonly maxHeapMib?: number
}

/** Makes digests off the host's thread. */
export interface DigestPool {
  /**
   * Digests a page. One that takes too long, or that kills its thread, comes back as plain text with a warning. Hosts take
   * turns, so that one whose pages take long holds up its own.
   *
   * @throws TrawlError `SCRAPE_UNSUPPORTED_FILE_ERROR`, `ENGINE_CLOSED`, and for a file that is no web page
   *   `SCRAPE_FILE_TOO_COMPLEX` and what its parser throws; whatever `signal` was aborted with
   */
  digest(page: DigestInput, plan: DigestPlan, signal: AbortSignal): Promise<Digest>
  /**
   * Does another work on a page in a thread, in its host's turn and under the time limit of a page.
   *
   * @returns undefined where it took too long, or more than a thread has; `no threads` where there are none
   * @throws TrawlError `ENGINE_CLOSED`; whatever `signal` was aborted with
   */
  work(name: string, page: WorkTask['page'], signal: AbortSignal): Promise<WorkAnswer | 'no threads' | undefined>
  /** Ends the threads; digests under way are rejected, and so are those that wait. */
  close(): Promise<void>
}

/** A pool of digest threads. None is started, nor the library loaded, before a page needs one. */
export function createDigestPool(options: DigestPoolOptions): DigestPool {
  const {
    threads,
    inlineBytes = SMALL_BYTES,
    timeoutMs = 5000,
    fileTimeoutMs = 60_000,
    maxHeapMib = 1024,
    ocr,
  } = options
  // A page waits here rather than at its thread, so that its time runs only while it is worked on.
  const turns = new FairSemaphore(threads)
  let opening: Promise<Threads | undefined> | undefined
  let closed = false
  /** Said of the next document that it concerns. */
  let unsaid = threads === 0 ? NO_THREADS_WARNING : undefined

  /** The threads; undefined where none can be started. */
  const open = (): Promise<Threads | undefined> =>
    (opening ??= startThreads(maxHeapMib).catch((error: unknown) => {
      unsaid = lostThreadsWarning(error)
      return undefined
    }))

  /** The digest of a thread, or why it gave none. */
  const ask = (
    pool: Threads,
    input: ParserInput,
    plan: DigestPlan,
    signal: AbortSignal,
    isFile = false,
  ): Promise<DigestAnswer | string> =>
    limited(input.url, isFile ? fileTimeoutMs : timeoutMs, signal, (until) =>
      pool.run({ input, plan }, until, isFile ? ocr : undefined),
    )

  /** What a thread answers, or why it gave no answer. */
  async function limited<Answer>(
    url: string,
    limitMs: number,
    signal: AbortSignal,
    run: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer | string> {
    if (closed) throw closedError(url)
    using limit = withTimeout(signal, limitMs)
    try {
      return await run(limit.signal)
    } catch (error) {
      signal.throwIfAborted()
      if (closed) throw closedError(url)
      return limit.signal.aborted ? `Reading the page took longer than ${limitMs} ms` : explain(error)
    }
  }

  const toolsFor = (signal: AbortSignal): FileTools => (ocr ? { readText: (picture) => ocr(picture, signal) } : {})

  /** The digest of a thread: of the page's tree, or else of its text, or else of its start. */
  async function digestAside(
    pool: Threads,
    input: ParserInput,
    plan: DigestPlan,
    signal: AbortSignal,
  ): Promise<Digest> {
    const giveBack = await turns.take(resolveUrl(input.url)?.host ?? '', signal)
    try {
      const isFile = isSlowFile(input)
      const answer = await ask(pool, input, plan, signal, isFile)
      if (typeof answer !== 'string') return settle(answer, input.url)
      // The bytes of such a file make no text.
      if (isFile) throw new TrawlError('SCRAPE_FILE_TOO_COMPLEX', `${answer}.`, { url: input.url })
      // In the same turn: what has waited once does not wait again.
      const second = await ask(pool, input, asText(plan, answer), signal)
      if (typeof second !== 'string') return settle(second, input.url)
      const reason = `${second}; only its start is shown`
      const start = digest({ ...input, body: input.body.subarray(0, START_BYTES) }, asStart(plan, reason))
      // Only what is made of mark-up knows of being read as text.
      return start.warnings.length > 0 ? start : warn(start, `${reason}.`)
    } finally {
      giveBack()
    }
  }

  /** The digest where there are no threads; with a warning, the first time. */
  async function digestWithout(input: ParserInput, plan: DigestPlan, signal: AbortSignal): Promise<Digest> {
    const isFile = isSlowFile(input)
    const warning = threads > 0 || (isFile && plan.parse.unread === undefined) ? unsaid : undefined
    if (warning !== undefined) unsaid = undefined
    const limits = { limitMs: isFile ? fileTimeoutMs : timeoutMs, signal }
    let made = await digestHere(input, plan, toolsFor(signal), limits)
    if (typeof made === 'string') {
      refuseSlowFile(input, made)
      made = await digestFile(input, asText(plan, made), toolsFor(signal))
    }
    return warning === undefined ? made : warn(made, warning)
  }

  return {
    async digest(page, plan, signal) {
      signal.throwIfAborted()
      if (closed) throw closedError(page.url)
      const input = takeInput(page)
      // Slices cost a small page more than they spare others.
      const cheapBytes = threads === 0 ? Math.max(inlineBytes, SMALL_BYTES) : inlineBytes
      if (isCheap(input, plan, cheapBytes)) return await digestFile(input, plan, toolsFor(signal))
      const pool = threads === 0 ? undefined : await open()
      if (pool === undefined) return await digestWithout(input, plan, signal)
      return digestAside(pool, input, plan, signal)
    },
    async work(name, page, signal) {
      signal.throwIfAborted()
      if (closed) throw closedError(page.url)
      const pool = threads === 0 ? undefined : await open()
      if (pool === undefined) return 'no threads'
      const giveBack = await turns.take(resolveUrl(page.url)?.host ?? '', signal)
      try {
        const answer = await limited(page.url, timeoutMs, signal, (until) => pool.work({ work: name, page }, until))
        return typeof answer === 'string' ? undefined : answer
      } finally {
        giveBack()
      }
    },
    async close() {
      closed = true
      turns.end()
      const pool = await opening
      await pool?.close()
    },
  }
}

const SMALL_BYTES = 2048

/** What is still shown of a page of which not even the text can be had. */
const START_BYTES = 8192

const closedError = (url: string): TrawlError =>
  new TrawlError('ENGINE_CLOSED', 'The engine was closed before the page was read.', { url })

function settle(answer: DigestAnswer, url: string): Digest {
  if (answer.refusal === undefined) return answer.digest
  throw new TrawlError(answer.refusal.code, answer.refusal.message, { url })
}

const warn = (made: Digest, warning: string): Digest => ({ ...made, warnings: [...made.warnings, warning] })

function explain(error: unknown): string {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isMemory ? 'Reading the page took more memory than a thread has' : 'The page could not be read'
}

/**
 * The plan for the start of a page that is read on the caller's thread. It is not compared with what the page was: that
 * takes as long as the whole of both, and a start that differs from a page says nothing.
 */
function asStart(plan: DigestPlan, reason: string): DigestPlan {
  const { track: _, ...rest } = asText(plan, reason)
  return rest
}

/** The plan for a page that was too much: its text, nothing looked for in it. */
const asText = (plan: DigestPlan, reason: string): DigestPlan => ({
  ...plan,
  parse: { ...plan.parse, asText: reason },
  extract: { ...plan.extract, includeTags: [], excludeTags: [] },
  convert: { ...plan.convert, formats: plan.convert.formats.filter(({ type }) => type !== 'attributes') },
})
