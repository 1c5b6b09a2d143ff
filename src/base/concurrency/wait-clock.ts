/**
 * Makes the clock that waits are measured by: `now`, but never slower than the timers that end the waits. A clock of the caller may stand
 * still, and a wait that is over by its timer and not by its clock would be looked at once, and never end.
 *
 * @returns milliseconds since the epoch; `now` itself if it is the clock of the host
 */
export function createWaitClock(now: () => number): () => number {
  if (now === Date.now) return now
  let timeMs = now()
  let readAtMs = performance.now()
  return () => {
    const atMs = performance.now()
    timeMs = Math.max(now(), timeMs + atMs - readAtMs)
    readAtMs = atMs
    return timeMs
  }
}
