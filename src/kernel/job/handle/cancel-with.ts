import { followSignals } from '../../../base/concurrency/deadline.js'
import { onAbort } from '../../../base/concurrency/on-abort.js'
import type { JobHandle } from './job-handle.js'

/** Cancels a job when the signal of its start aborts. */
export function cancelWith(signal: AbortSignal, { runner }: JobHandle): void {
  const call = followSignals(signal)
  // `cancel` rejects when another process owns the job, which then must not be cancelled here.
  const listener = (): void => void runner.cancel(call.signal.reason).catch(() => undefined)
  onAbort(call.signal, listener)
  // It may have aborted while the ledger was asked.
  if (call.signal.aborted) listener()
  // A stopped job may be resumed, and must stay cancellable.
  void runner.ended.then(() => runner.isStopped || call[Symbol.dispose]())
}
