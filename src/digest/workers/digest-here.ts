import { messageOf, TrawlError } from '../../errors.js'
import { isSlowFile } from '../../parse/parse.js'
import type { FileTools, ParserInput } from '../../parse/parser.js'
import { yieldTurn } from '../../concurrency/yield-turn.js'
import { digestFile, type Digest, type DigestPlan } from '../digest.js'

/** Limits of a digest that is made on the host's thread. */
export interface SliceLimits {
  /** Milliseconds. */
  readonly limitMs: number
  readonly signal: AbortSignal
}

/**
 * Digests on the host's thread in slices: between two of them (the steps of a page, the pages of a PDF file) it yields to the event
 * loop, so that timers fire and the signal is seen.
 *
 * @returns the reason, when it took longer than `limitMs`
 * @throws what the parser throws; the signal's reason
 */
export async function digestHere(
  input: ParserInput,
  plan: DigestPlan,
  tools: FileTools,
  { limitMs, signal }: SliceLimits,
): Promise<Digest | string> {
  const startedMs = performance.now()
  const late = new Error('late')
  const takeTurn = async (): Promise<void> => {
    // Timers that are due fire between the two yields.
    await yieldTurn()
    await yieldTurn()
    signal.throwIfAborted()
    if (performance.now() - startedMs > limitMs) throw late
  }
  try {
    return await digestFile(input, plan, { ...tools, takeTurn })
  } catch (error) {
    if (error === late) return `Reading the page took longer than ${limitMs} ms`
    throw error
  }
}

/** Fails a file that took too long: unlike a page, it cannot be read as plain text instead. @throws TrawlError */
export function refuseSlowFile(input: ParserInput, reason: string): void {
  if (isSlowFile(input)) throw new TrawlError('SCRAPE_FILE_TOO_COMPLEX', `${reason}.`, { url: input.url })
}

const CONSEQUENCE = 'what takes long holds up the whole process, and is stopped only between two of its steps'

/** Warning for the first document of an engine that cannot start worker threads. */
export const lostThreadsWarning = (cause: unknown): string =>
  `No worker thread could be started (${messageOf(cause)}): documents are read on the main thread, where ${CONSEQUENCE}. ` +
  'Under `--permission` allow threads (`--allow-worker`) and reading the files of the package (`--allow-fs-read`). Elsewhere ' +
  'the code of the thread is missing or cannot be run: copy all of `dist/` along with the package, or a whole bundle with all ' +
  'of its chunks. This is said once.'

/** Warning for the first file that is not a web page, of an engine with `threads: 0`. */
export const NO_THREADS_WARNING =
  `With \`threads: 0\` files are read on the main thread, where ${CONSEQUENCE}. Leave \`threads\` out where files of ` +
  'strangers are read. This is said once.'
