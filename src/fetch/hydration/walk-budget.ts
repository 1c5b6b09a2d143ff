/** Steps of one walk through data, and characters that it reads. */
const MAX_STEPS = 20_000
const MAX_CHARACTERS = 300_000

/**
 * Bounds a walk through data that may have cycles and shared parts: a few bytes of them can be a walk without an end.
 */
export class WalkBudget {
  #steps = MAX_STEPS
  #characters = MAX_CHARACTERS
  /** The objects that the walk is inside of. */
  readonly #inside = new Set<object>()

  /** True once something was left out. */
  get isSpent(): boolean {
    return this.#steps < 0 || this.#characters < 0
  }

  /** Takes a step. Returns false if none was left. */
  step(): boolean {
    this.#steps -= 1
    return !this.isSpent
  }

  /** Returns the part of a text that the budget allows. */
  takeText(text: string): string {
    const taken = text.slice(0, Math.max(0, this.#characters))
    this.#characters -= text.length
    return taken
  }

  /** Reads an object; returns an empty string inside of the object itself, and if no step is left. */
  within(thing: object, read: () => string): string {
    if (this.#inside.has(thing) || !this.step()) return ''
    this.#inside.add(thing)
    try {
      return read()
    } finally {
      this.#inside.delete(thing)
    }
  }
}
