/** A page that one engine asks another to scrape. */
export interface PageTask {
  /** Id of the job, for those who look at the tables. */
  readonly jobId: string
  /** Description of the page, in a form that only the two engines know. */
  readonly payload: string
  /** Time after which the worker counts as hanging, so that another one may take the task. Milliseconds. */
  readonly leaseMs: number
  /** The worker that must take the task, because it has the page. @default any */
  readonly near?: number
}

/** The end of a task: an answer with the number of its worker, or the reason why there is none. */
export type TaskResult =
  | { readonly answer: string; readonly worker: number }
  /** `unserved`: no worker is there that could take it. `lost`: several workers have ended or hung while they had it. */
  | { readonly answer?: undefined; readonly reason: 'unserved' | 'lost' }

/** Connects a queue with the code that scrapes pages. */
export interface TaskHandler {
  /** Maximum number of tasks at once. */
  readonly places: number
  /**
   * Does a task. It is aborted when its owner no longer wants it. Never rejects.
   *
   * @returns the answer; undefined to give the task back
   */
  handle(payload: string, signal: AbortSignal): Promise<string | undefined>
}

/** A running worker. */
export interface TaskWorker {
  /** Takes no further tasks, and resolves when those under way have ended. @param drain false gives them back at once */
  stop(drain: boolean): Promise<void>
}

/**
 * Hands pages from engines that run jobs to engines that scrape pages for others. It holds only pages under way, so that it
 * may lose them all at any time: the ledger has their rows, and they are sent again.
 */
export interface TaskQueue {
  /**
   * Number of tasks of this engine that workers can take, with those they have already taken. It changes while
   * {@link TaskQueue.follow} is in effect.
   */
  readonly capacity: number
  /**
   * Begins to look for workers.
   *
   * @param version engines serve tasks of their own version only
   * @param onChange called when the capacity has changed
   * @returns a function that ends it
   */
  follow(version: string, onChange: () => void): () => void
  /** Sends a task of the version that is followed, and waits for its end. @throws the signal's reason; TrawlError `LEDGER_ERROR` */
  send(task: PageTask, signal: AbortSignal): Promise<TaskResult>
  /** Begins to serve the tasks of other engines. @throws TrawlError `LEDGER_ERROR` */
  work(version: string, handler: TaskHandler): Promise<TaskWorker>
}
