/** Receives a feature's name and value. */
export type Put = (name: string, value: number) => void

/** The features of blocks, written one after another. An object with as many keys would cost ten times as much. */
export class FeatureVector {
  readonly numbers: Float64Array
  #at = 0

  constructor(width: number) {
    this.numbers = new Float64Array(width)
  }

  /** Sets the index that the next feature is written to. */
  moveTo(at: number): void {
    this.#at = at
  }

  readonly put: Put = (_name, value) => {
    this.numbers[this.#at] = value
    this.#at += 1
  }
}

/** Returns the names of the features that a reader writes, in order. */
export function namesPut(read: (put: Put) => void): string[] {
  const names: string[] = []
  read((name) => void names.push(name))
  return names
}
