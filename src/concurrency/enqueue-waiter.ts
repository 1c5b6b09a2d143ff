/**
 * Waits among others until it is called, or `signal` aborts: then it waits no longer, and the signal's reason is thrown.
 *
 * @param waiting who waits, in their order; whoever calls one takes it out
 * @param left told when the signal has aborted
 */
export function enqueueWaiter(
  waiting: Set<() => void>,
  signal: AbortSignal,
  left = (): void => undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = (): void => {
      signal.removeEventListener('abort', leave)
      resolve()
    }
    const leave = (): void => {
      waiting.delete(call)
      left()
      reject(signal.reason)
    }
    signal.throwIfAborted()
    signal.addEventListener('abort', leave, { once: true })
    waiting.add(call)
  })
}
