import { createHash, randomBytes } from 'node:crypto'

/** Creates a UUID of version 7, which sorts by time. @see RFC 9562 section 5.7 */
export function makeUuid(nowMs: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(nowMs, 0, 6)
  return print(bytes, 7)
}

/**
 * Derives a UUID of version 5 from a name. The same name in the same space always gives the same UUID.
 *
 * @param space the UUID of the namespace
 * @see RFC 9562 section 5.5
 */
export function makeNamedUuid(space: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(space.replaceAll('-', ''), 'hex'))
    .update(name)
  return print(hash.digest().subarray(0, 16), 5)
}

function print(bytes: Buffer, version: number): string {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | (version << 4), 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
