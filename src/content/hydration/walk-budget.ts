/** Maximum number of steps of one walk through data, and of characters that it reads. */
const MAX_STEPS = 20_000
const MAX_CHARACTERS = 300_000

/** Bounds a walk through data with cycles and shared parts, in which a few bytes of data can make an endless walk. */
export class WalkBudget {
  #steps = MAX_STEPS
  #characters = MAX_CHARACTERS
  /** The objects that the walk has entered and not left, to detect cycles. */
  readonly #inside = new Set<object>()

  /** True once the limit was exceeded and something was omitted. */
  get isSpent(): boolean {
    return this.#steps < 0 || this.#characters < 0
  }

  /** Counts a step. Returns false if none was left. */
  step(): boolean {
    this.#steps -= 1
    return !this.isSpent
  }

  /** Returns the part of a text that the budget allows. */
  consumeText(text: string): string {
    const taken = text.slice(0, Math.max(0, this.#characters))
    this.#characters -= text.length
    return taken
  }

  /**
   * Reads an object with `read`. Returns an empty string if the walk is already inside the object, or if no step is
   * left.
   */
  enter(thing: object, read: () => string): string {
    if (this.#inside.has(thing) || !this.step()) return ''
    this.#inside.add(thing)
    try {
      return read()
    } finally {
      this.#inside.delete(thing)
    }
  }
}
