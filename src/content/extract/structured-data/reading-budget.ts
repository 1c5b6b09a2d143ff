/** Maximum blocks, items, nesting and values that are read. Shops put their whole catalogue there. */
export const MAX_ITEMS = 2000
const MAX_DEPTH = 10
export const MAX_VALUES = 500
/** Maximum characters of all values of one syntax: each reference to an item repeats its texts. */
export const MAX_CHARACTERS = 4_000_000

/** Counts what may still be read of the structured data of a page, in one syntax. */
export class ReadingBudget {
  #items = MAX_ITEMS
  #characters = MAX_CHARACTERS
  #leftOut = 0

  /** Number of blocks, items and values that were left out. */
  get leftOut(): number {
    return this.#leftOut
  }

  /** Takes an item. @returns false if there are as many as are read */
  takeItem(level = 0): boolean {
    if (this.#items > 0 && level < MAX_DEPTH) {
      this.#items -= 1
      return true
    }
    this.#leftOut += 1
    return false
  }

  /** Takes the characters of a value or block. @returns false if they do not fit */
  takeText(length: number): boolean {
    this.#characters -= length
    if (this.#characters >= 0) return true
    this.#leftOut += 1
    return false
  }

  /** Takes the first values of a list, as many as are read. */
  takeValues<Value>(values: readonly Value[], most = MAX_VALUES): readonly Value[] {
    this.#leftOut += Math.max(0, values.length - most)
    return values.length > most ? values.slice(0, most) : values
  }

  /** Counts something that is left out for its own length. */
  leaveOut(): void {
    this.#leftOut += 1
  }
}

/** Writes the sentence of the document's warning about structured data that was left out; none for none. */
export const warnOfItems = (leftOut: number): readonly string[] =>
  leftOut === 0
    ? []
    : [
        `${leftOut} blocks, items or values of the page's structured data are not read, as it is limited to ${MAX_CHARACTERS} characters, ${MAX_ITEMS} items, ${MAX_VALUES} values of a property and ${MAX_DEPTH} levels.`,
      ]
