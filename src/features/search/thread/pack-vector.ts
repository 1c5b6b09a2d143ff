/** Bytes of the scale before the numbers of a packed vector. */
const SCALE_BYTES = 4
/** Largest value of a packed number. */
const MAX_VALUE = 127

/** Returns the bytes of a packed vector. */
export const packedLength = (dimensions: number): number => SCALE_BYTES + dimensions

/**
 * Packs a vector into one byte for each number, after their common scale, a float of four bytes. The cosine of two vectors
 * changes by less than 0.01.
 */
export function packVector(vector: Float32Array): Uint8Array {
  const packed = new Uint8Array(SCALE_BYTES + vector.length)
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  const scale = largest / MAX_VALUE
  new DataView(packed.buffer).setFloat32(0, scale, true)
  const numbers = new Int8Array(packed.buffer, SCALE_BYTES)
  if (scale > 0) for (const [at, value] of vector.entries()) numbers[at] = Math.round(value / scale)
  return packed
}

/** A packed vector, as it is read. */
export interface PackedVector {
  readonly scale: number
  readonly numbers: Int8Array
}

/** Reads a packed vector, without copying its numbers. */
export const readPacked = (packed: Uint8Array): PackedVector => ({
  scale: new DataView(packed.buffer, packed.byteOffset).getFloat32(0, true),
  numbers: new Int8Array(packed.buffer, packed.byteOffset + SCALE_BYTES, packed.byteLength - SCALE_BYTES),
})

/** Returns the product of two vectors, which is their cosine when both have length 1. */
export function multiply({ scale, numbers }: PackedVector, query: Float32Array): number {
  let sum = 0
  for (let at = 0; at < query.length; at += 1) sum += (numbers[at] ?? 0) * (query[at] ?? 0)
  return sum * scale
}

/** Cosine of the vectors of one text from which on they are of the same embedder. Models compute with rounding errors. */
const SAME_EMBEDDER = 0.99

/** Tests whether a packed vector and a vector of the same text were made by one embedder. */
export function isSameEmbedder(known: Uint8Array, sample: Float32Array): boolean {
  const packed = readPacked(known)
  if (packed.numbers.length !== sample.length) return false
  // An embedder may give the text no direction.
  return packed.scale === 0 ? sample.every((value) => value === 0) : multiply(packed, sample) >= SAME_EMBEDDER
}
