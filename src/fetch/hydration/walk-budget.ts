/** Steps that are taken through data of one kind, and characters that are read there. */
const MAX_STEPS = 20_000
const MAX_CHARACTERS = 300_000

/**
 * What may be spent on reading data that may have circles and shared parts in them: these are few bytes to send, and no
 * end of them to walk.
 */
export class WalkBudget {
  #steps = MAX_STEPS
  #characters = MAX_CHARACTERS
  /** The things that the walk is inside of. */
  readonly #inside = new Set<object>()

  /** Whether something was left out, because there was too much. */
  get isSpent(): boolean {
    return this.#steps < 0 || this.#characters < 0
  }

  /** Takes a step; false where there is none left. */
  step(): boolean {
    this.#steps -= 1
    return !this.isSpent
  }

  /** The text, as far as there are characters left to be read. */
  takeText(text: string): string {
    const taken = text.slice(0, Math.max(0, this.#characters))
    this.#characters -= text.length
    return taken
  }

  /** What is made of a thing; nothing inside of itself, and nothing where there is no step left. */
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
