import { EventEmitter } from 'node:events'
import type { JobEvents } from '../job.js'

/** Event emitter whose listeners cannot break the job. */
export class JobEmitter<Doc> extends EventEmitter<JobEvents<Doc>> {
  /** Emits an event. What a listener throws is reported as an uncaught exception, not thrown into the job. */
  emitSafely<E extends keyof JobEvents<Doc>>(event: E, ...args: JobEvents<Doc>[E]): void {
    // Raw listeners: `listeners()` unwraps those of `once`, which then would never be removed.
    for (const listener of this.rawListeners(event)) {
      try {
        Reflect.apply(listener, this, args)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
