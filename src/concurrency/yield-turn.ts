/** Callers that have yielded, in the order in which they came. */
const waiting: (() => void)[] = []

/**
 * Yields to the event loop. One of all callers goes on in each turn of the loop, so that ten pages that are worked on in slices do
 * not hold it for ten slices.
 */
export const yieldTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeNext)
  })

function resumeNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(resumeNext)
}

/** Maximum time that work in slices holds one turn of the event loop. Milliseconds. */
const TURN_MS = 8

/** Start of the work in slices of this turn of the event loop; undefined before the first {@link isTurnOver}. */
let beganAtMs: number | undefined

/** Tests whether work in slices, of all callers together, has held this turn of the event loop for {@link TURN_MS}. */
export function isTurnOver(): boolean {
  if (beganAtMs !== undefined) return performance.now() - beganAtMs >= TURN_MS
  beganAtMs = performance.now()
  setImmediate(forgetTurn)
  return false
}

function forgetTurn(): void {
  beganAtMs = undefined
}

/** Yields where this turn of the event loop has been held for {@link TURN_MS}. To be called between small pieces of work. */
export async function yieldIfHeld(): Promise<void> {
  if (isTurnOver()) await yieldTurn()
}
