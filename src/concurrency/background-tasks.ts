/** Tasks that a job runs beside its pages. The job does not end before them. */
export class BackgroundTasks {
  readonly #tasks = new Set<Promise<void>>()
  readonly #fail: (error: unknown) => void
  readonly #ended: () => void

  /**
   * @param fail called with the error of a task
   * @param ended called when a task has ended
   */
  constructor(fail: (error: unknown) => void, ended: () => void) {
    this.#fail = fail
    this.#ended = ended
  }

  get size(): number {
    return this.#tasks.size
  }

  do(task: () => Promise<void>): void {
    const done = task()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#tasks.delete(done)
        this.#ended()
      })
    this.#tasks.add(done)
  }

  /** Resolves when all tasks that run now have ended. */
  async all(): Promise<void> {
    await Promise.all(this.#tasks)
  }
}
