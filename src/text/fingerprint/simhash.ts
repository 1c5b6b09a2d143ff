import { scatter } from './tokens.js'

/**
 * Computes the simhash of numbers: each bit of the result is the bit that the majority of their hashes has there.
 *
 * @param values 32-bit hashes
 * @param words length of the result, in words of 32 bits
 * @see https://doi.org/10.1145/509907.509965 Charikar, Similarity Estimation Techniques from Rounding Algorithms (2002)
 */
export const simhash = (values: Int32Array, words: number): number[] =>
  Array.from({ length: words }, (_, word) => tally(values, word))

/** Binary digits of a counter, enough for the longest list. */
const DIGITS = 31

function tally(values: Int32Array, word: number): number {
  /** 32 counters as columns of bits, one row for each digit: one step adds to all of them instead of 32. */
  const rows = new Int32Array(DIGITS)
  const draw = (at: number): number => scatter((values[at] ?? 0) + Math.imul(word + 1, 0x9e3779b1))
  let at = 0
  for (; at + 7 <= values.length; at += 7) {
    // Four full adders sum seven bits to three digits, for a quarter of the cost of carrying each bit.
    const a = draw(at)
    const b = draw(at + 1)
    const c = draw(at + 2)
    const d = draw(at + 3)
    const e = draw(at + 4)
    const f = draw(at + 5)
    const g = draw(at + 6)
    const abc = a ^ b ^ c
    const def = d ^ e ^ f
    const abcTwos = (a & b) | ((a ^ b) & c)
    const defTwos = (d & e) | ((d ^ e) & f)
    const lastTwos = (abc & def) | ((abc ^ def) & g)
    carry(rows, 0, abc ^ def ^ g)
    carry(rows, 1, abcTwos ^ defTwos ^ lastTwos)
    carry(rows, 2, (abcTwos & defTwos) | ((abcTwos ^ defTwos) & lastTwos))
  }
  for (; at < values.length; at += 1) carry(rows, 0, draw(at))
  return findAbove(rows, values.length >>> 1)
}

/** Adds one bit to each of the 32 counters, at this digit. */
function carry(rows: Int32Array, digit: number, bits: number): void {
  let left = bits
  for (let at = digit; left !== 0; at += 1) {
    const before = rows[at] ?? 0
    rows[at] = before ^ left
    left &= before
  }
}

/** Returns the bits whose counters exceed a number. All counters are compared at once, digit by digit from the highest. */
function findAbove(rows: Int32Array, number: number): number {
  let above = 0
  let equal = -1
  for (let digit = DIGITS - 1; digit >= 0; digit -= 1) {
    const row = rows[digit] ?? 0
    const wanted = -((number >>> digit) & 1)
    above |= equal & row & ~wanted
    equal &= ~(row ^ wanted)
  }
  return above
}
