/** Callers that have yielded and wait to continue, first come, first served. */
const waiting: (() => void)[] = []

/**
 * Yields to the event loop. Only one of all waiting callers continues in each turn of the loop, so that ten pages that
 * are processed in slices do not block it for ten slices.
 */
export const yieldTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeNext)
  })

function resumeNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(resumeNext)
}

/** Maximum time for which sliced work blocks the event loop without a pause. Milliseconds. */
const TURN_MS = 8

/** Start of the sliced work in the present turn of the event loop; undefined before the first {@link isTurnOver}. */
let beganAtMs: number | undefined

/** Tests whether the sliced work of all callers together has taken {@link TURN_MS} of the present turn of the event loop. */
export function isTurnOver(): boolean {
  if (beganAtMs !== undefined) return performance.now() - beganAtMs >= TURN_MS
  beganAtMs = performance.now()
  setImmediate(forgetTurn)
  return false
}

function forgetTurn(): void {
  beganAtMs = undefined
}

/**
 * Yields when sliced work has taken {@link TURN_MS} of the present turn of the event loop. To be called between small
 * pieces of work.
 */
export async function yieldIfHeld(): Promise<void> {
  if (isTurnOver()) await yieldTurn()
}
