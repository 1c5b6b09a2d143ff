/** Runs tasks of one key one after another, and those of different keys at once. */
export class KeyedTurns {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs a task after the earlier ones of its key, also if one of these failed. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)?.catch(() => undefined) ?? Promise.resolve()
    const own = before.then(task)
    this.#last.set(key, own)
    try {
      return await own
    } finally {
      if (this.#last.get(key) === own) this.#last.delete(key)
    }
  }
}
