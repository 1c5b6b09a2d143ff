import type { TaskHandler, TaskQueue, TaskResult } from '../../../src/kernel/ledger/task-queue.js'

/** A queue of tasks in this process: one engine works for another. */
export interface LocalTasks extends TaskQueue {
  /** Tasks that were sent. */
  readonly sent: readonly { readonly isNear: boolean }[]
}

/** @param refuse returns the end of a task that the worker does not get */
export function createLocalTasks(
  capacity: number,
  refuse: (isNear: boolean) => TaskResult | undefined = () => undefined,
): LocalTasks {
  const sent: { isNear: boolean }[] = []
  let handler: TaskHandler | undefined
  return {
    sent,
    get capacity() {
      return handler ? capacity : 0
    },
    follow: () => () => undefined,
    async send({ payload, near }, signal) {
      const isNear = near !== undefined
      sent.push({ isNear })
      const refused = refuse(isNear)
      if (refused) return refused
      const answer = await handler?.handle(payload, signal)
      return answer === undefined ? { reason: 'unserved' } : { answer, worker: 1 }
    },
    async work(_, given) {
      handler = given
      return { stop: async () => void (handler = undefined) }
    },
  }
}
