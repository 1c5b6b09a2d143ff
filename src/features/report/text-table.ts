/** Texts that repeat over the pages of a report, each stored once. */
export class TextTable {
  readonly #numbers = new Map<string, number>()
  readonly #texts: string[] = []

  /** Returns the number of a text; -1 for none. */
  add(text: string | undefined): number {
    if (text === undefined || text === '') return -1
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = this.#texts.push(text) - 1
    this.#numbers.set(text, number)
    return number
  }

  /** Returns the text of a number. */
  read(number: number): string | undefined {
    return this.#texts[number]
  }

  /** All texts, each at the place of its number. */
  list(): readonly string[] {
    return this.#texts
  }
}
