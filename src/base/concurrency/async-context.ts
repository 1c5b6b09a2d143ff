import { AsyncResource } from 'node:async_hooks'

/**
 * Captures the asynchronous context of the caller: what `AsyncLocalStorage` of the host returns, such as the request or the
 * trace that this work belongs to.
 *
 * Jobs share queues, so that a page of one job wakes another job, whose functions would then see the context of the first.
 *
 * @returns a function that calls another one in this context
 */
export function captureContext(): <Result>(run: () => Result) => Result {
  const context = new AsyncResource('TrawlJob')
  return (run) => context.runInAsyncScope(run)
}
