/** Takes a number of the evidence, and what it is called. */
export type Put = (name: string, value: number) => void

/** The numbers of one block, put in one after another. An object of so many names would cost ten times as much. */
export class FeatureVector {
  readonly numbers: Float64Array
  #at = 0

  constructor(width: number) {
    this.numbers = new Float64Array(width)
  }

  /** Where the next number goes. */
  moveTo(at: number): void {
    this.#at = at
  }

  readonly put: Put = (_name, value) => {
    this.numbers[this.#at] = value
    this.#at += 1
  }
}

/** What the numbers are called that a reader puts. */
export function namesPut(read: (put: Put) => void): string[] {
  const names: string[] = []
  read((name) => void names.push(name))
  return names
}
