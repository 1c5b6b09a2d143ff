import { EventEmitter } from 'node:events'
import type { JobEvents } from '../job.js'

/** Tells a job's listeners what happens, without letting them into the job. */
export class JobEmitter<Doc> extends EventEmitter<JobEvents<Doc>> {
  /** A listener that throws is its owner's defect: reported as uncaught, as an emitter would, but not in here. */
  tell<E extends keyof JobEvents<Doc>>(event: E, ...args: JobEvents<Doc>[E]): void {
    // Raw: `listeners()` would unwrap those of `once`, which then are never taken off.
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
