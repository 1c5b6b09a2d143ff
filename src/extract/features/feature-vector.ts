/** Receives a feature's name and value. */
export type Put = (name: string, value: number) => void

/** The features of blocks, written one after another. An object with as many keys would cost ten times as much. */
export class FeatureVector {
  readonly numbers: Float64Array
  /** Sets the index that the next feature is written to. */
  readonly moveTo: (at: number) => void
  readonly put: Put

  constructor(width: number) {
    const numbers = new Float64Array(width)
    let next = 0
    this.numbers = numbers
    this.moveTo = (at) => {
      next = at
    }
    // As small as can be: V8 then inlines it at all of its calls, and allocates no object for a number.
    this.put = (_name, value) => {
      numbers[next++] = value
    }
  }
}

/** Returns the names of the features that a reader writes, in order. */
export function namesPut(read: (put: Put) => void): string[] {
  const names: string[] = []
  read((name) => void names.push(name))
  return names
}
