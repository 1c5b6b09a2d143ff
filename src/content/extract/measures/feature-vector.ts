/** Receives a feature's name and value. */
export type Put = (name: string, value: number) => void

/** The features of blocks, written one after another. An object with as many keys would cost ten times as much. */
export class FeatureVector {
  readonly numbers: Float64Array
  /** Sets the index that the next feature is written to. */
  readonly moveTo: (at: number) => void
  readonly put: Put

  constructor(width: number) {
    this.numbers = new Float64Array(width)
    const { moveTo, put } = writeTo(this.numbers, 0)
    this.moveTo = moveTo
    this.put = put
  }
}

/**
 * Returns functions that write numbers one after another. Their state is in parameters, which are not tested for being
 * initialized as a constant would be. That makes `put` so small, with 20 bytes of bytecode, that V8 inlines it at all of
 * its calls, and allocates no object for a number. The limit is 27.
 */
function writeTo(numbers: Float64Array, next: number): Pick<FeatureVector, 'moveTo' | 'put'> {
  return {
    moveTo: (at) => {
      next = at
    },
    put: (_name, value) => {
      numbers[next++] = value
    },
  }
}

/** Returns the sum of the blocks of a range, by the sums before each block. */
export const sumOf = (sums: Float64Array, from: number, to: number): number => (sums[to] ?? 0) - (sums[from] ?? 0)

/** Returns a number, or the nearest bound of its range. */
export const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value))

/** Returns the names of the features that a reader writes, in order. */
export function namesPut(read: (put: Put) => void): string[] {
  const names: string[] = []
  read((name) => void names.push(name))
  return names
}
