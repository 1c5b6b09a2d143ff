import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession } from 'playwright'
import { type Follower, followSignals } from '../../../base/concurrency/deadline.js'
import { withinMs } from '../../../base/concurrency/within-ms.js'

/** Share of the page's time after which a script that has not returned is stopped. */
const STUCK_SHARE = 0.4
/** Minimum of this time: on a busy machine, any page is silent for a while. Milliseconds. */
const MIN_STUCK_MS = 2_000
/**
 * Shares of the page's time that are left when a page that has not settled is stopped to be read, and when its reading is given
 * up for a simpler one.
 */
const RESERVED_SHARE = 0.15
const REREAD_SHARE = 0.08
/** Maximum share of the page's time between two questions to a page that answers. */
const ASK_SHARE = 0.1
/** Interval of these questions, and of the looks at a page that does not answer. Milliseconds. */
const ASK_MS = 1_000
const LOOK_MS = 250
/** Limit for a page to stop, and its maximum share of the time that is left. Milliseconds. */
const MAX_STOP_MS = 3_000
const STOP_SHARE = 0.3

/** Sentences for a page that was stopped, by why. */
export const stopWarnings = {
  script:
    'A script of the page did not end and was stopped: the content is what was there before, without the rest of what `actions`, `waitFor` or a screenshot were to bring.',
  time: 'The page was still busy when its time was nearly up, and was stopped: the content is what was there, without frames and what `waitFor` or a screenshot were to bring.',
} as const

/** The scripts of a page, as the protocol controls them. */
export interface PageScripts {
  /** Resolves when no script of the page is running. Never rejects. */
  untilIdle(): Promise<void>
  /** Ends the script that is running, and runs no others. Never rejects. */
  stop(): Promise<void>
}

/**
 * @param session of the page itself
 * @param disconnect ends the connections of the page: a script may wait for one of them
 */
export const controlScripts = (session: CDPSession, disconnect: () => void): PageScripts => ({
  async untilIdle() {
    // A page that is gone, or navigates, runs no script that goes on.
    await session.send('Runtime.evaluate', { expression: '0', returnByValue: true }).catch(() => undefined)
  },
  async stop() {
    const orders = [
      session.send('Emulation.setScriptExecutionDisabled', { value: true }),
      session.send('Runtime.terminateExecution'),
    ]
    disconnect()
    await Promise.allSettled(orders)
  },
})

/** The signal of work on a page, which ends early enough for what is there to be read. */
export interface ScriptGuard extends Disposable {
  /** Follows the page's signal, and is aborted when the page was stopped. */
  readonly signal: AbortSignal
  /** Set once the page was stopped: it runs no scripts any more. */
  readonly stoppedBy: keyof typeof stopWarnings | undefined
  /**
   * `reading` while the page is read, which has time of its own; `acting` while nothing but an endless script may stop the page:
   * what actions return cannot be given in part, and `expand` ends by itself.
   */
  stage: 'acting' | 'loading' | 'reading'
  /** Resolves when a page that is being stopped has stopped, or does not. Never rejects. */
  untilStopped(): Promise<void>
}

/** Arrival of the document of a page. */
interface DocumentArrival {
  /** Tests whether a document has arrived: while a page waits for its first or its next one, nothing in it answers. */
  isShown(): boolean
  /** Tests whether all of the document was received. */
  isWhole(): boolean
}

/**
 * Watches whether a page comes to an end. A script that never returns, such as `for (;;)`, keeps the page from answering
 * anything: it is stopped. So is a page that is still busy when the rest of its time is needed for reading it.
 *
 * @param leftMs time until the page's deadline
 */
export function guardScripts(
  scripts: PageScripts,
  leftMs: () => number,
  signal: AbortSignal,
  arrival: DocumentArrival,
): ScriptGuard {
  const follower = followSignals(signal)
  const wholeMs = leftMs()
  let timer: NodeJS.Timeout | undefined
  let stopping: Promise<void> | undefined
  let stoppedBy: ScriptGuard['stoppedBy']
  const guard: ScriptGuard = {
    signal: follower.signal,
    stage: 'loading',
    get stoppedBy() {
      return stoppedBy
    },
    untilStopped: async () => await stopping,
    [Symbol.dispose]: () => {
      clearTimeout(timer)
      follower.abort(undefined)
      follower[Symbol.dispose]()
    },
  }
  void watch(follower).catch(() => undefined)
  stopIn(RESERVED_SHARE)
  return guard

  async function watch({ signal: ended }: Follower): Promise<void> {
    do await sleep(Math.min(ASK_MS, wholeMs * ASK_SHARE), undefined, { signal: ended })
    while (!arrival.isShown() || (await isAnswering(ended)))
    stop('script')
  }

  /** Resolves when the page answers, or has not for too long. */
  async function isAnswering(ended: AbortSignal): Promise<boolean> {
    const askedAtMs = performance.now()
    const answer = scripts.untilIdle().then(() => true)
    while (performance.now() - askedAtMs < Math.max(MIN_STUCK_MS, wholeMs * STUCK_SHARE)) {
      if ((await withinMs(answer, LOOK_MS)) === true || !arrival.isShown()) return true
      ended.throwIfAborted()
    }
    return false
  }

  /** Stops the page when a share of its time is left, and nothing of it is worth more than what is there. */
  function stopIn(share: number): void {
    timer = setTimeout(
      () => {
        const mayStop =
          arrival.isWhole() && guard.stage !== 'acting' && (guard.stage === 'loading' || share === REREAD_SHARE)
        // The page's clock may have stood still meanwhile.
        if (leftMs() > wholeMs * share + LOOK_MS) stopIn(share)
        else if (mayStop) stop('time')
        else if (share > REREAD_SHARE) stopIn(REREAD_SHARE)
      },
      Math.max(1, leftMs() - wholeMs * share),
    )
  }

  function stop(why: keyof typeof stopWarnings): void {
    if (stoppedBy || follower.signal.aborted) return
    stoppedBy = why
    stopping = withinMs(scripts.stop(), Math.min(MAX_STOP_MS, leftMs() * STOP_SHARE)).then(() => undefined)
    follower.abort(new Error('The page was stopped'))
  }
}
