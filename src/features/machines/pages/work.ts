import { TrawlError } from '../../../base/errors.js'
import type { TaskQueue, TaskWorker } from '../../../kernel/ledger/task-queue.js'
import type { PageTools } from '../../../kernel/page/page-context.js'
import { PageServer } from './page-server.js'
import { messageVersion } from './page-task.js'
import { VERSION } from '../../../base/runtime/version.js'
import type { CloseOptions } from '../../../kernel/engine/engine-surface.js'
import type { PageWorker } from './page-worker.js'
import type { WorkerCounts } from './page-worker.js'

/** Work of an engine for others. */
interface EngineWork {
  /** Starts the worker of the engine. @throws TrawlError `BAD_REQUEST` when it has one; `LEDGER_ERROR` */
  start(concurrency: number): Promise<PageWorker>
  /** The counters of the worker, if there is one. */
  read(): (WorkerCounts & { readonly concurrency: number }) | undefined
  /** Stops the worker, if there is one. @param drain false gives its pages back at once */
  stop(drain: boolean): Promise<void>
}

/** @param queue that of the ledger; undefined when other engines cannot share it */
export function createEngineWork(queue: TaskQueue | undefined, tools: PageTools): EngineWork {
  let current: PageWorker | undefined
  let starting: Promise<PageWorker> | undefined
  const open = async (tasksOf: TaskQueue, concurrency: number): Promise<PageWorker> => {
    const server = new PageServer(tools)
    const handler = { places: concurrency, handle: server.handle.bind(server) }
    const tasks = await tasksOf.work(messageVersion(VERSION), handler)
    return (current = createWorker({ concurrency, server, tasks, onClose: () => (current = undefined) }))
  }
  return {
    async start(concurrency) {
      if (!queue) {
        const message = 'the ledger of this engine is not shared with others: use `postgres(…)` as `ledger`'
        throw new TrawlError('BAD_REQUEST', message)
      }
      if (tools.fetchers.own) {
        const [{ feature } = { feature: '' }] = tools.fetchers.own
        const message = `feature \`${feature}\` has a fetcher, which would answer for the jobs of other engines: work with an engine without it`
        throw new TrawlError('BAD_REQUEST', message)
      }
      if (current || starting) throw new TrawlError('BAD_REQUEST', 'this engine works already: close its worker first')
      starting = open(queue, concurrency).finally(() => (starting = undefined))
      return starting
    },
    read: () => current && { concurrency: current.concurrency, ...current.counts() },
    async stop(drain) {
      await starting?.catch(() => undefined)
      await current?.close({ drain })
    },
  }
}

interface WorkerParts {
  readonly concurrency: number
  readonly server: PageServer
  readonly tasks: TaskWorker
  onClose(): void
}

function createWorker({ concurrency, server, tasks, onClose }: WorkerParts): PageWorker {
  let closed: Promise<void> | undefined
  const end = async (stopped: Promise<void>): Promise<void> => {
    await stopped
    server.close()
    onClose()
  }
  const close = ({ drain = true }: CloseOptions = {}): Promise<void> => {
    // A later call without `drain` gives back the pages that an earlier one waits for.
    const stopped = tasks.stop(drain)
    return (closed ??= end(stopped))
  }
  return {
    concurrency,
    counts: () => ({ ...server.counts }),
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}
