import { setMaxListeners } from 'node:events'

/**
 * Calls a listener once when a signal aborts. The caller removes it by `removeEventListener('abort', …)`.
 *
 * Any number of callers may wait for one signal, such as that of a job or of the caller: Node would warn of a leak from the
 * eleventh listener on.
 */
export function onAbort(signal: AbortSignal, listener: (() => void) | { handleEvent(): void }): void {
  setMaxListeners(0, signal)
  signal.addEventListener('abort', listener, { once: true })
}
