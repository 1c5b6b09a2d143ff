import { createHash } from 'node:crypto'
import { yieldIfHeld } from '../concurrency/yield-turn.js'

const HEADER = Buffer.from('trawl 1\n')
const DIGEST_BYTES = 32
/** Bytes that are hashed between two looks at the time: they take half a millisecond to three. */
const SLICE_BYTES = 2 ** 20

/** SHA-256 as bytes. */
export const digestOf = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

/** SHA-256 in hexadecimal digits. */
export const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** SHA-256 in hexadecimal digits, of a body of any size: the event loop goes on between its parts. */
export async function hashBody(body: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let start = 0; start < body.byteLength; start += SLICE_BYTES) {
    if (start > 0) await yieldIfHeld()
    hash.update(body.subarray(start, start + SLICE_BYTES))
  }
  return hash.digest('hex')
}

/** Prepends a checksum, so that damage is detected on reading. */
export const addChecksum = (bytes: Uint8Array): Buffer => Buffer.concat([HEADER, digestOf(bytes), bytes])

/** Removes the checksum of `addChecksum`; undefined when the bytes are truncated, damaged, or have no checksum. */
export function verifyChecksum(sealed: Uint8Array): Uint8Array | undefined {
  const start = HEADER.length + DIGEST_BYTES
  if (sealed.length < start || !HEADER.equals(sealed.subarray(0, HEADER.length))) return undefined
  const bytes = sealed.subarray(start)
  return digestOf(bytes).equals(sealed.subarray(HEADER.length, start)) ? bytes : undefined
}
