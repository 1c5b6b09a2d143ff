/** Those that wait for their turn, in the order in which they came. */
const waiting: (() => void)[] = []

/**
 * Lets everything else that waits for the event loop have its turn. Of all that call this, one goes on in each turn of the
 * loop, so that ten pages that are worked on in slices do not hold it for ten slices.
 */
export const yieldTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeNext)
  })

function resumeNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(resumeNext)
}

/** How long work in slices may hold a turn of the event loop. Milliseconds. */
const TURN_MS = 8

/** When work in slices was first asked about in this turn of the event loop; undefined when it was not. */
let beganAtMs: number | undefined

/** Whether work in slices has held this turn of the event loop for long enough, whoever has done it. */
export function isTurnOver(): boolean {
  if (beganAtMs !== undefined) return performance.now() - beganAtMs >= TURN_MS
  beganAtMs = performance.now()
  setImmediate(forgetTurn)
  return false
}

function forgetTurn(): void {
  beganAtMs = undefined
}

/** Yields where this turn of the event loop was held for long enough. To be called between small pieces of work. */
export async function yieldIfHeld(): Promise<void> {
  if (isTurnOver()) await yieldTurn()
}
