import { vi } from 'vitest'

/** Time that passes whenever the clock is read: longer than sliced work may hold the event loop. Milliseconds. */
const STEP_MS = 1000

/**
 * Counts how often the event loop comes round while sliced work is done. The work has a clock by which each of its pieces takes
 * long, so that the number of slices does not depend on the speed of the machine.
 */
export async function countTurns<Result>(work: () => Promise<Result>): Promise<{ result: Result; turns: number }> {
  // The start of a slice is forgotten at the end of its turn: a clock that runs ahead must not be compared with it.
  await nextTurn()
  let nowMs = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += STEP_MS))
  let turns = 0
  const count = (): void => {
    turns += 1
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  try {
    return { result: await work(), turns }
  } finally {
    clearImmediate(timer)
    clock.mockRestore()
    // The start of the last slice is later than the time by now.
    await nextTurn()
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
