import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession } from 'playwright'
import { type Follower, followSignals } from '../../concurrency/deadline.js'
import { withinMs } from '../../concurrency/within-ms.js'

/** Share of the page's time after which a script that has not returned is stopped. */
const STUCK_SHARE = 0.4
/** Share of the page's time that is left for reading it: a script that runs then for longer than a share of it is stopped. */
const RESERVED_SHARE = 0.2
const LATE_SHARE = 0.08
/** Minimum of these times: on a busy machine, any page is silent for a while. Milliseconds. */
const MIN_STUCK_MS = 2_000
/** Maximum share of the page's time between two questions to a page that answers. */
const ASK_SHARE = 0.1
/** Interval of these questions, and of the looks at a page that does not answer. Milliseconds. */
const ASK_MS = 1_000
const LOOK_MS = 250
/** Limit for a page whose scripts were stopped to answer. Milliseconds. */
const MAX_STOP_MS = 3_000

/** Sentence for a page one of whose scripts never ended. */
export const SCRIPT_STOPPED =
  'A script of the page did not end and was stopped: the content is what was there before, without the rest of what `actions`, `waitFor` or a screenshot were to bring.'

/** The scripts of a page, as the protocol controls them. */
export interface PageScripts {
  /** Resolves when no script of the page is running. Never rejects. */
  untilIdle(): Promise<void>
  /** Ends the script that is running, and runs no others. Never rejects. */
  stop(): Promise<void>
}

/** @param session of the page itself */
export const controlScripts = (session: CDPSession): PageScripts => ({
  async untilIdle() {
    // A page that is gone, or navigates, runs no script that goes on.
    await session.send('Runtime.evaluate', { expression: '0', returnByValue: true }).catch(() => undefined)
  },
  async stop() {
    const orders = [
      session.send('Emulation.setScriptExecutionDisabled', { value: true }),
      session.send('Runtime.terminateExecution'),
    ]
    await Promise.allSettled(orders)
  },
})

/** The signal of work on a page, which ends when the page's scripts do not. */
export interface ScriptGuard extends Disposable {
  /** Follows the page's signal, and is aborted when a script was stopped. */
  readonly signal: AbortSignal
  /** True if a script did not end and was stopped: the page runs none any more. */
  readonly hasStopped: boolean
  /** True while the page is read, which keeps it from answering for a while: only a far longer silence counts then. */
  isReading: boolean
}

/**
 * Watches whether the scripts of a page return. A script that never does, such as `for (;;)`, keeps the page from answering
 * anything: it is stopped early enough for what is there to be read.
 *
 * @param leftMs time until the page's deadline
 * @param isShown tests whether a document has arrived: while a page waits for its first one, nothing in it answers
 */
export function guardScripts(
  scripts: PageScripts,
  leftMs: () => number,
  signal: AbortSignal,
  isShown: () => boolean,
): ScriptGuard {
  const follower = followSignals(signal)
  const wholeMs = leftMs()
  let hasStopped = false
  const guard = {
    signal: follower.signal,
    isReading: false,
    get hasStopped() {
      return hasStopped
    },
    [Symbol.dispose]: () => {
      follower.abort(undefined)
      follower[Symbol.dispose]()
    },
  }
  void watch(follower).catch(() => undefined)
  return guard

  async function watch({ signal: ended }: Follower): Promise<void> {
    do await sleep(Math.min(ASK_MS, wholeMs * ASK_SHARE), undefined, { signal: ended })
    while (!isShown() || (await isAnswering(ended)))
    await withinMs(scripts.stop(), MAX_STOP_MS)
    ended.throwIfAborted()
    hasStopped = true
    follower.abort(new Error('A script of the page did not end'))
  }

  /** Resolves when the page answers, or has not for too long. */
  async function isAnswering(ended: AbortSignal): Promise<boolean> {
    const askedAtMs = performance.now()
    const answer = scripts.untilIdle().then(() => true)
    while (!isStuck(performance.now() - askedAtMs)) {
      if ((await withinMs(answer, LOOK_MS)) === true) return true
      ended.throwIfAborted()
    }
    return false
  }

  function isStuck(forMs: number): boolean {
    const isLate = !guard.isReading && leftMs() < wholeMs * RESERVED_SHARE
    return forMs > Math.max(MIN_STUCK_MS, wholeMs * (isLate ? LATE_SHARE : STUCK_SHARE))
  }
}
