import { createHash } from 'node:crypto'

const MARK = Buffer.from('trawl 1\n')
const DIGEST_BYTES = 32

/** SHA-256, as bytes. */
const digestOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** SHA-256, in hexadecimal digits. */
export const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** Bytes with a checksum before them, so that damage is seen when they are read. */
export const addChecksum = (bytes: Uint8Array): Buffer => Buffer.concat([MARK, digestOf(bytes), bytes])

/** What was sealed; undefined for what is cut short, damaged, or was never sealed. */
export function verifyChecksum(sealed: Uint8Array): Uint8Array | undefined {
  const start = MARK.length + DIGEST_BYTES
  if (sealed.length < start || !MARK.equals(sealed.subarray(0, MARK.length))) return undefined
  const bytes = sealed.subarray(start)
  return digestOf(bytes).equals(sealed.subarray(MARK.length, start)) ? bytes : undefined
}
