import { scatter } from './tokens.js'

/**
 * Computes the simhash of numbers: each bit of the result is the bit that the majority of their hashes has there.
 *
 * @param values 32-bit hashes
 * @param words length of the result, in words of 32 bits
 * @see https://doi.org/10.1145/509907.509965 Charikar, Similarity Estimation Techniques from Rounding Algorithms (2002)
 */
export function simhash(values: Int32Array, words: number): number[] {
  /** 32 counters as columns of bits, one row for each digit: one step adds to all of them instead of 32. */
  const rows = new Int32Array(DIGITS)
  const hash: number[] = []
  for (let word = 1; word <= words; word += 1) hash.push(tally(values, Math.imul(word, 0x9e3779b1), rows.fill(0)))
  return hash
}

/** Binary digits of a counter, enough for the longest list. */
const DIGITS = 31

/**
 * @param seed differs for each word of the hash
 * @param rows zeros
 */
function tally(values: Int32Array, seed: number, rows: Int32Array): number {
  let at = 0
  for (; at + 7 <= values.length; at += 7) {
    // Four full adders sum seven bits to three digits, for a quarter of the cost of carrying each bit.
    const a = draw(values, at, seed)
    const b = draw(values, at + 1, seed)
    const c = draw(values, at + 2, seed)
    const d = draw(values, at + 3, seed)
    const e = draw(values, at + 4, seed)
    const f = draw(values, at + 5, seed)
    const g = draw(values, at + 6, seed)
    const abc = a ^ b ^ c
    const def = d ^ e ^ f
    const abcTwos = (a & b) | ((a ^ b) & c)
    const defTwos = (d & e) | ((d ^ e) & f)
    const lastTwos = (abc & def) | ((abc ^ def) & g)
    carry(rows, 0, abc ^ def ^ g)
    carry(rows, 1, abcTwos ^ defTwos ^ lastTwos)
    carry(rows, 2, (abcTwos & defTwos) | ((abcTwos ^ defTwos) & lastTwos))
  }
  for (; at < values.length; at += 1) carry(rows, 0, draw(values, at, seed))
  return findAbove(rows, values.length >>> 1)
}

const draw = (values: Int32Array, at: number, seed: number): number => scatter((values[at] ?? 0) + seed)

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
