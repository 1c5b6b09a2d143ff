import { onAbort } from './on-abort.js'

/** Waits for `promise`, but no longer than until `signal` aborts. @throws the signal's reason; what the promise rejects with */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    onAbort(signal, stop)
    // V8 extends an async stack trace only through a promise whose single reaction is `resolve` itself.
    void promise.then(resolve, reject).then(() => signal.removeEventListener('abort', stop))
  })
}
