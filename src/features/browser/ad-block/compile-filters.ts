import { once } from 'node:events'
import { openWorkerCode } from '../../../base/runtime/worker-thread.js'

/** The task of the thread that compiles filter lists. */
export interface FilterTask {
  /** The file of the library, which bundles do not include. */
  readonly library: string
  readonly lists: readonly string[]
}

/**
 * Compiles filter lists on a worker thread: EasyList and EasyPrivacy together would block the host for more than a second.
 * Loading the result takes a hundredth of that.
 *
 * @returns input for `FiltersEngine.deserialize`
 * @throws Error if the thread cannot start, or a list cannot be compiled
 */
export async function compileFilters(task: FilterTask, signal: AbortSignal): Promise<Uint8Array> {
  const start = await openWorkerCode({ file: '#filter-worker', packed: () => import('./packed-filter-worker.js') })
  const worker = start({ workerData: task, env: {}, execArgv: [] })
  try {
    const [compiled]: unknown[] = await once(worker, 'message', { signal })
    if (!(compiled instanceof Uint8Array)) throw new Error('the worker thread ended without a result')
    return compiled
  } finally {
    await worker.terminate()
  }
}
