/** What a job does beside its pages: it does not end before that. */
export class BackgroundTasks {
  readonly #tasks = new Set<Promise<void>>()
  readonly #fail: (error: unknown) => void
  readonly #ended: () => void

  /**
   * @param fail told what a task has thrown
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

  /** Resolves when all that goes on now has ended. */
  async all(): Promise<void> {
    await Promise.all(this.#tasks)
  }
}
