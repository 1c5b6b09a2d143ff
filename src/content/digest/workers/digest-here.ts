import { messageOf, TrawlError } from '../../../base/errors.js'
import { isSlowFile } from '../../parse/parse.js'
import type { ParserInput } from '../../parse/parser.js'
import { yieldTurn } from '../../../base/concurrency/yield-turn.js'
import { digestFile, type Digest, type DigestPlan, type DigestTools } from '../digest.js'

/** Limits of a digest on the caller's thread. */
interface SliceLimits {
  /**
   * Longest time of all slices together, tested between two slices. Neither other work in between counts, nor the time in
   * which other processes have the processor; but a file other than a page may wait for the recognition of its text.
   * Milliseconds.
   */
  readonly limitMs: number
  readonly signal: AbortSignal
}

/**
 * Digests on the caller's thread in slices. Between two slices (steps of a page, pages of a PDF file) it yields to the
 * event loop, so that timers fire and the signal is checked.
 *
 * @returns the digest, or the sentence about the timeout if it took longer than `limitMs`
 * @throws what the parser throws; the signal's reason
 */
export async function digestHere(
  input: ParserInput,
  plan: DigestPlan,
  tools: DigestTools,
  { limitMs, signal }: SliceLimits,
): Promise<Digest | string> {
  let leftMs = limitMs
  const startClock = isSlowFile(input) ? startWallClock : startProcessorClock
  let readSliceMs = startClock()
  const late = new Error('late')
  const takeTurn = async (): Promise<void> => {
    leftMs -= readSliceMs()
    // Yields twice, because timers that are due fire between the two.
    await yieldTurn()
    await yieldTurn()
    signal.throwIfAborted()
    if (leftMs < 0) throw late
    readSliceMs = startClock()
  }
  try {
    return await digestFile(input, plan, { ...tools, takeTurn })
  } catch (error) {
    if (error === late) return `Reading the page took longer than ${limitMs} ms`
    throw error
  }
}

/** Returns a function that reads the time since now. Milliseconds. */
function startWallClock(): () => number {
  const startMs = performance.now()
  return () => performance.now() - startMs
}

/** As {@link startWallClock}, without the time in which other processes have the processor. */
function startProcessorClock(): () => number {
  const readMs = startWallClock()
  const usage = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(usage)
    // Other threads of this process count as well.
    return Math.min(readMs(), (user + system) / 1000)
  }
}

/** Throws for a file that took too long. A page is read as plain text instead, which other files cannot be. */
export function refuseSlowFile(input: ParserInput, reason: string): void {
  if (isSlowFile(input)) throw new TrawlError('SCRAPE_FILE_TOO_COMPLEX', `${reason}.`, { url: input.url })
}

const CONSEQUENCE = 'a slow document blocks the whole process, and its timeout is checked only between two steps'

/** Warning for the first document of an engine that cannot start worker threads. */
export const lostThreadsWarning = (cause: unknown): string =>
  `No worker thread could be started (${messageOf(cause)}): documents are read on the main thread, where ${CONSEQUENCE}. ` +
  'Under `--permission`, allow worker threads (`--allow-worker`) and reading the files of the package (`--allow-fs-read`). ' +
  'Otherwise, the code of the worker is missing: copy all of `dist/` along with the package, or all chunks of a bundle. ' +
  'This warning is given once.'

/** Warning for the first file that is not a web page, of an engine with `threads: 0`. */
export const NO_THREADS_WARNING =
  `With \`threads: 0\` files are read on the main thread, where ${CONSEQUENCE}. Leave out \`threads\` if you ` +
  'read files from untrusted sources. This warning is given once.'
