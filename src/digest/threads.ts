import { type EventEmitter, once } from 'node:events'
import { createRequire } from 'node:module'
import type { Ocr } from '../ocr/ocr.js'
import { openDesk } from './picture-desk.js'
import type { DigestAnswer, DigestTask } from './worker.js'

/** The threads that make digests. */
export interface Threads {
  /** One digest. Rejects when the signal aborts, which ends the thread, and when the thread dies of the page. */
  run(task: DigestTask, signal: AbortSignal, ocr?: Ocr): Promise<DigestAnswer>
  close(): Promise<void>
}

/**
 * How long a thread without work is kept. It keeps no process alive. One that is started anew takes twice as long for
 * its first hundred pages as one that has read some hundreds: until then, V8 has not compiled what reads them.
 */
const IDLE_MS = 60_000

/**
 * Loads the pool library and starts a first thread, to see that it does.
 *
 * @throws whatever keeps threads from starting: a bundler has left the worker's file out, or the host forbids them
 */
export async function startThreads(count: number, maxHeapMib: number): Promise<Threads> {
  const { Piscina } = await import('piscina')
  const pool = new Piscina<DigestTask | undefined, DigestAnswer | undefined>({
    // Found by name, so that the built worker serves this file built or not: a thread cannot run TypeScript.
    filename: createRequire(import.meta.url).resolve('#digest-worker'),
    minThreads: 0,
    maxThreads: count,
    idleTimeout: IDLE_MS,
    // A tree lives for one page: with the small young generation that a thread has by default, half its time is spent on
    // moving trees to the old one. With a greater one, what is moved at once can be more than the 16 MiB that Node leaves a
    // thread which is out of memory: then V8 ends the whole process.
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMib, maxYoungGenerationSizeMb: 36 },
    // A thread asleep in Atomics.wait takes up to a second to end.
    atomics: 'disabled',
    // The host's environment and flags are none of a page's business. What a library begins and does not wait for must not end the
    // thread: the one for PDF looks at all pages when it opens a file, and may never ask what came of a broken one.
    env: {},
    execArgv: ['--unhandled-rejections=none'],
  })
  try {
    await firstThread(pool)
  } catch (error) {
    // Where the constructor of a thread throws, Piscina loses sight of the promise of its page, and would reject it here.
    if (pool.threads.length > 0) await pool.destroy()
    throw error
  }
  // A thread that dies between two pages has taken none with it, and the next page starts another.
  pool.on('error', () => undefined)
  return {
    async run({ input, plan }, signal, ocr) {
      // A copy of its own is given away: the caller's bytes stay whole, and no more than they crosses.
      const body = new Uint8Array(input.body)
      const desk = ocr && openDesk(ocr, signal)
      try {
        const task = { input: { ...input, body }, plan, ...(desk && { pictures: desk.port }) }
        const answer = await pool.run(task, { signal, transferList: [body.buffer, ...(desk ? [desk.port] : [])] })
        if (answer === undefined) throw new Error('the thread gave no answer')
        return answer
      } finally {
        desk?.close()
      }
    },
    close: () => pool.destroy(),
  }
}

// After a thread that dies before it is ready, Piscina starts no other and lets the page wait: only the death is heard.
async function firstThread(pool: EventEmitter & { run(task: undefined): Promise<unknown> }): Promise<void> {
  const stop = new AbortController()
  const death = once(pool, 'error', { signal: stop.signal }).then(([error]: unknown[]) => Promise.reject(error))
  try {
    await Promise.race([pool.run(undefined), death])
  } finally {
    death.catch(() => undefined)
    stop.abort()
  }
}
