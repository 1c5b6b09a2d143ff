/** Tasks that a job runs in the background while it scrapes pages. The job does not end before them. */
export class BackgroundTasks {
  readonly #tasks = new Set<Promise<void>>()
  readonly #onError: (error: unknown) => void
  readonly #onEnded: () => void

  /**
   * @param onError called with the error of a task that failed
   * @param onEnded called whenever a task has ended
   */
  constructor(onError: (error: unknown) => void, onEnded: () => void) {
    this.#onError = onError
    this.#onEnded = onEnded
  }

  get size(): number {
    return this.#tasks.size
  }

  run(task: () => Promise<void>): void {
    const done = task()
      .catch((error: unknown) => this.#onError(error))
      .finally(() => {
        this.#tasks.delete(done)
        this.#onEnded()
      })
    this.#tasks.add(done)
  }

  /** Resolves when all tasks that are running at the time of the call have ended. Never rejects. */
  async waitForAll(): Promise<void> {
    await Promise.all(this.#tasks)
  }
}
