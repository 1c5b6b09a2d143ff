import { scatter } from './tokens.js'

/**
 * The similarity hash of numbers: each bit is what most of them have, of so many bits drawn from each.
 *
 * @param values 32-bit hashes
 * @param words of 32 bits each that the hash consists of
 * @see Charikar, Similarity Estimation Techniques from Rounding Algorithms (2002)
 */
export const simhash = (values: Int32Array, words: number): number[] =>
  Array.from({ length: words }, (_, word) => tally(values, word))

/** Binary digits of a counter: as many as a list has numbers at most. */
const DIGITS = 31

function tally(values: Int32Array, word: number): number {
  /** 32 counters as columns of bits, a row for each digit: one step adds to all, where counting each alone would take 32. */
  const rows = new Int32Array(DIGITS)
  const draw = (at: number): number => scatter((values[at] ?? 0) + Math.imul(word + 1, 0x9e3779b1))
  let at = 0
  for (; at + 7 <= values.length; at += 7) {
    // Seven bits make a number of three digits by four full adders: a quarter of what it costs to carry each by itself.
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

/** Adds a bit to each of the 32 counters, at this digit of theirs. */
function carry(rows: Int32Array, digit: number, bits: number): void {
  let left = bits
  for (let at = digit; left !== 0; at += 1) {
    const before = rows[at] ?? 0
    rows[at] = before ^ left
    left &= before
  }
}

/** The bits whose counters are above a number: all are compared with it at once, digit by digit from the highest. */
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
