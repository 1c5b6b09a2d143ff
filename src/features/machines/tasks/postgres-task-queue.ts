import type { PgDatabase } from '../postgres/database.js'
import type { TaskQueue } from '../../../kernel/ledger/task-queue.js'
import { nameChannels } from './task-channels.js'
import { PgTaskSender } from './task-sender.js'
import { PgTaskWorker } from './task-worker.js'

/** A {@link TaskQueue} in a PostgreSQL database. */
interface PostgresTaskQueue extends TaskQueue {
  /** Ends the timers. Workers were stopped before. */
  close(): void
}

/** Creates the queue of an engine. Nothing is asked of the server before it is used. */
export function createTaskQueue(database: PgDatabase): PostgresTaskQueue {
  const channels = nameChannels(database.schema)
  const sender = new PgTaskSender(database, channels)
  return {
    get capacity() {
      return sender.capacity
    },
    follow: (version, onChange) => sender.follow(version, onChange),
    send: (task, signal) => sender.send(task, signal),
    async work(version, handler) {
      // A server that cannot be used is said at the start, and not by a worker that has nothing to do.
      await database.connect()
      return new PgTaskWorker(database, channels, version, handler)
    },
    close: () => sender.close(),
  }
}
