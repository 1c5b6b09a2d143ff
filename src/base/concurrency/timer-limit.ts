/** Longest delay that a Node timer accepts; a longer one fires at once, with a warning. Milliseconds. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** Bounds a delay that is made of two times: a step of the clock makes it as long as the step. Milliseconds, from 0. */
export const boundDelay = (ms: number): number => Math.min(Math.max(0, ms), MAX_TIMER_MS)
