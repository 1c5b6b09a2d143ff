import { createHmac } from 'node:crypto'

/** Time for which a code is valid. Milliseconds. */
const STEP_MS = 30_000
const DIGITS = 6
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/**
 * Makes the one-time code of a moment, with six digits and SHA-1, as authenticator apps do.
 *
 * @param seed in Base32, as sites show it: blanks and the case of letters do not count
 * @see RFC 6238
 */
export function makeTotp(seed: string, nowMs: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / STEP_MS)))
  const hash = createHmac('sha1', decodeBase32(seed)).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 15
  const number = hash.readUInt32BE(offset) & 0x7f_ff_ff_ff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** Milliseconds until the next code. */
export const nextTotpMs = (nowMs: number): number => STEP_MS - (nowMs % STEP_MS)

function decodeBase32(text: string): Buffer {
  const bytes: number[] = []
  let [bits, value] = [0, 0]
  for (const letter of text.toUpperCase().replace(/[\s=-]+/g, '')) {
    const digit = ALPHABET.indexOf(letter)
    if (digit === -1) throw new Error('the seed of the one-time code is no Base32')
    value = ((value << 5) | digit) & 0xf_ff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((value >> bits) & 255)
  }
  return Buffer.from(bytes)
}
